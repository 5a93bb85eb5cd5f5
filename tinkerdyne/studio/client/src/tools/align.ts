// Aligning parts: their lower sides, middles or upper sides along an axis; or the same room between all of them.
import * as three from "three";
import { applyEdit } from "../state/session";
import { items, selected } from "../state/store";
import { view } from "../view/current";
import { coordinates, poseOf } from "../view/places";
import { wording } from "../wording/spoken";
import { isPortable } from "./carry";

export type Alignment = "low" | "middle" | "high" | "spread";

/** Line up what is selected along an axis; the first that was selected stays. Answers what is wrong. */
export async function align(axis: 0 | 1 | 2, how: Alignment): Promise<string> {
  const parts = selected.value.filter(isPortable).flatMap((name) => {
    const box = view.stage?.figures.get(name)?.box();
    return box && !box.isEmpty()
      ? [{ name, low: box.min.getComponent(axis), high: box.max.getComponent(axis) }]
      : [];
  });
  if (parts.length < (how === "spread" ? 3 : 2))
    return how === "spread" ? wording.tools.selectThree : wording.tools.selectTwo;
  const shifts = how === "spread" ? spread(parts) : aligned(parts, how);
  const edits = parts.flatMap(({ name }, k) => {
    const [pose, by] = [poseOf(name), shifts[k] ?? 0];
    if (!pose || Math.abs(by) < 1e-12) return [];
    const place = new three.Vector3().setFromMatrixPosition(pose);
    place.setComponent(axis, place.getComponent(axis) + by);
    const state = [["position", coordinates(place, items.value.get(name)?.dimension ?? 3)]];
    return [{ edit: "Move", name, state, key: 0 }];
  });
  return edits.length ? applyEdit({ edit: "Several", edits }) : "";
}

interface Part {
  low: number;
  high: number;
}

/** How far each part goes so that all lie with the first. */
export function aligned(parts: readonly Part[], how: Exclude<Alignment, "spread">): number[] {
  const at = ({ low, high }: Part): number =>
    how === "low" ? low : how === "high" ? high : (low + high) / 2;
  const [first] = parts;
  return parts.map((part) => (first ? at(first) - at(part) : 0));
}

/** How far each part goes so that the room between neighbours is the same; the outermost stay. */
export function spread(parts: readonly Part[]): number[] {
  const order = parts.map((part, k) => ({ ...part, k })).sort((a, b) => a.low + a.high - b.low - b.high);
  const [first, last] = [order[0], order.at(-1)];
  if (!first || !last) return [];
  const filled = order.reduce((sum, { low, high }) => sum + high - low, 0);
  const room = (last.high - first.low - filled) / (order.length - 1);
  const shifts = parts.map(() => 0);
  let next = first.low;
  for (const { k, low, high } of order) {
    shifts[k] = next - low;
    next += high - low + room;
  }
  return shifts;
}
