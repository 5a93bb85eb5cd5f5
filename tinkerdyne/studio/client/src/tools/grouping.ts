// Groups: parts that belong together are selected together; a group is an item of the world, the middle of its parts.
import { ask, report } from "../state/session";
import { isBody, isGround, items, model, roleOf, say, select, selected, typeFor } from "../state/store";
import { bodiesOf } from "../view/places";
import { wording } from "../wording/spoken";

/** The groups that a part belongs to. */
function groupsOf(name: string): string[] {
  return (model.value?.items ?? [])
    .filter((item) => roleOf(item) === "group" && bodiesOf(item).includes(name))
    .map((item) => item.name);
}

/** Names with all that is grouped with them. */
export function withGroups(names: readonly string[]): string[] {
  const all = new Set(names);
  for (const name of names)
    for (const group of groupsOf(name)) {
      const item = items.value.get(group);
      if (item) for (const body of bodiesOf(item)) all.add(body);
    }
  return [...all];
}

/** Select a part by a click, with its group; with Alt alone. */
export function selectWhole(name: string, isAdding: boolean, isAlone: boolean): void {
  const whole = name && !isAlone ? withGroups([name]) : [];
  if (whole.length < 2) select(name, isAdding);
  else selected.value = isAdding ? [...new Set([...selected.value, ...whole])] : whole;
}

export async function group(): Promise<void> {
  const bodies = selected.value.filter((name) => {
    const item = items.value.get(name);
    return isBody(item) && !isGround(item);
  });
  if (bodies.length < 2) return say(wording.tools.selectTwo);
  try {
    await ask({ do: "insert", of: typeFor("group"), inputs: bodies, name: freeName() });
    say(wording.tools.areGroup({ count: bodies.length }));
  } catch (reason) {
    report(reason);
  }
}

export async function ungroup(): Promise<void> {
  const names = [...new Set(selected.value.flatMap(groupsOf))];
  if (!names.length) return say(wording.tools.whatIsSelectedIsInNo);
  await ask({ do: "delete", names }).catch(report);
}

function freeName(): string {
  let k = 1;
  while (items.value.has(`group-${k}`)) k++;
  return `group-${k}`;
}
