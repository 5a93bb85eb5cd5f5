// The numbers of a curve, with a lock on each.

import { stateOf } from "../../media/curves";
import { act, applyEdit } from "../../state/session";
import * as store from "../../state/store";
import type { ItemInfo } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Field } from "../Field";
import { LockIcon } from "./LockIcon";

interface Entry {
  what: string; // as `Lock` takes it
  part: string; // of the state
  path: readonly number[]; // within the part
}

/** The flat state of a curve by name. */
function entriesOf(item: ItemInfo): Entry[] {
  const typed = item.values["names"];
  if (Array.isArray(typed))
    return typed.map((name, i) => ({ what: String(name), part: "numbers", path: [i] }));
  const count = stateOf(item.name)?.length ?? 0;
  const found: Entry[] = [];
  for (const p of store.typeOf(item)?.state ?? []) {
    if (p.name.endsWith("_rate") || found.length >= count) continue;
    const d = p.default;
    if (p.name === "points") {
      const width = item.dimension;
      const rows = Math.floor((count - found.length) / width);
      for (let i = 0; i < rows; i++)
        for (let k = 0; k < width; k++)
          found.push({ what: `points[${i}].${"xyz"[k]}`, part: "points", path: [i, k] });
    } else if (Array.isArray(d))
      found.push(...d.map((_, k) => ({ what: `${p.name}.${"xyz"[k]}`, part: p.name, path: [k] })));
    else found.push({ what: p.name, part: p.name, path: [] });
  }
  return found;
}

/** The locks on a curve: index of the number → name of the constraint. */
function locksOf(item: ItemInfo, entries: readonly Entry[]): Map<number, string> {
  const locks = new Map<number, string>();
  for (const one of store.model.value?.items ?? []) {
    if (store.roleOf(one) !== "hold") continue;
    const visit = (name: string, depth: number): void => {
      const measure = store.items.value.get(name);
      if (store.roleOf(measure) === "number" && measure?.inputs[0] === item.name)
        locks.set(Number(measure.values["index"]), one.name);
      else if (depth < 3) for (const input of measure?.inputs ?? []) visit(input, depth + 1);
    };
    for (const input of one.inputs) visit(input, 0);
    if (one.inputs[0] === item.name) for (const i of entries.keys()) locks.set(i, one.name);
  }
  return locks;
}

export function Numbers({ item }: { item: ItemInfo }) {
  void store.tick.value;
  const state = stateOf(item.name);
  const entries = entriesOf(item);
  if (!state || !entries.length) return null;
  const locks = locksOf(item, entries);
  const set = (i: number) => (value: unknown) => {
    const part = entries[i]?.part ?? "";
    const now = stateOf(item.name) ?? state; // the others as they are now, not as they were drawn
    const next = entries
      .map((e, k) => [e, k === i ? Number(value) : (now[k] ?? 0)] as const)
      .filter(([e]) => e.part === part);
    return applyEdit({ edit: "Move", name: item.name, state: [[part, nested(next)]], key: 0 });
  };
  return (
    <>
      <h3>{wording.media.numbersNow}</h3>
      {entries.map((e, i) => (
        <div key={e.what} class="lockable">
          <Field
            parameter={{ name: e.what, sort: "number", default: 0, unit: "", choices: [] }}
            value={Number((state[i] ?? 0).toPrecision(5))}
            commit={set(i)}
          />
          <button
            class="tool lock"
            aria-pressed={locks.has(i)}
            aria-label={
              locks.has(i) ? wording.media.unlock({ name: e.what }) : wording.media.lock({ name: e.what })
            }
            title={
              locks.has(i) ? wording.media.letGo({ name: e.what }) : wording.media.holdWhere({ name: e.what })
            }
            onClick={() => void act({ do: "lock", item: item.name, what: e.what, is_locked: !locks.has(i) })}
          >
            <LockIcon isLocked={locks.has(i)} />
          </button>
        </div>
      ))}
    </>
  );
}

function nested(next: readonly (readonly [Entry, number])[]): unknown {
  const [first] = next;
  if (!first?.[0].path.length) return first?.[1];
  if (first[0].path.length === 1) return next.map(([, x]) => x);
  const rows: number[][] = [];
  for (const [{ path }, x] of next) {
    const [i = 0, k = 0] = path;
    rows[i] ??= [];
    rows[i][k] = x;
  }
  return rows;
}
