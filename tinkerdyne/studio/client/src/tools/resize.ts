// Other sizes for what was drawn, as one edit; a bar stays where it begins.
import { Vector3 } from "three";
import type { Sizing } from "../state/making";
import { applyEdit } from "../state/session";
import { items, typeOf } from "../state/store";
import { numbersIn } from "../state/values";
import { coordinates, poseOf } from "../view/places";
import { wording } from "../wording/spoken";

/** Give it these sizes; answers what the server has against them. */
export async function resize(sizing: Sizing, values: readonly number[]): Promise<string> {
  const item = items.value.get(sizing.item);
  const type = typeOf(item);
  if (!item || !type) return wording.tools.isGone({ name: sizing.item });
  const changed = new Map<string, unknown>();
  sizing.sizes.forEach(({ name, part }, k) => {
    const value = values[k];
    if (value === undefined) return;
    if (part < 0) changed.set(name, value);
    else {
      const whole = [...numbersIn(changed.get(name) ?? item.values[name])];
      whole[part] = value;
      changed.set(name, whole);
    }
  });
  const edits: Record<string, unknown>[] = [...changed]
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(item.values[name]))
    .map(([parameter, value]) => ({ edit: "Change", name: item.name, parameter, value, key: 0 }));
  const [long] = sizing.sizes;
  const pose = poseOf(item.name);
  if (sizing.end && pose && long && edits.length) {
    const along = new Vector3(1, 0, 0).transformDirection(pose);
    const position = new Vector3(...sizing.end).addScaledVector(
      along,
      -(type.span[0] ?? -0.5) * (values[0] ?? 1),
    );
    const state = [["position", coordinates(position, item.dimension)]];
    edits.push({ edit: "Move", name: item.name, state, key: 0 });
  }
  return edits.length ? applyEdit({ edit: "Several", edits }) : "";
}
