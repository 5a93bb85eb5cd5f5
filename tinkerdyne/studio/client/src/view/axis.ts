// The axis of a joint: which joints have one, and which direction of the world is meant by a choice.
import * as three from "three";
import { type AxisChoice, axis, dimension, items, shownAxis, typedAxis, typeOf, types } from "../state/store";
import { keysOf } from "../state/values";
import type { TypeInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { view } from "./current";
import { axisOf, placeOf, poseOf } from "./places";

type AxisKind = TypeInfo["axis"];

/** What can be chosen, with its words. */
export const CHOICES: Readonly<Record<AxisChoice, string>> = {
  auto: wording.view.byTheView,
  x: "x",
  y: "y",
  z: "z",
  "part x": wording.view.xOfThePart,
  "part y": wording.view.yOfThePart,
  "part z": wording.view.zOfThePart,
  view: wording.view.intoThePicture,
  typed: wording.view.typedAxis,
};

export function choices(): AxisChoice[] {
  const all = keysOf(CHOICES);
  return dimension.value === 2 ? all.filter((c) => !c.endsWith("z") && c !== "view") : all;
}

/** Whether joints of a type have an axis to be chosen: in the plane only the sliding ones. */
export function hasAxis(of: string): boolean {
  return kindOf(of) === "sliding" || (dimension.value === 3 && kindOf(of) === "turning");
}

/** What the axis of a joint of a type is for. */
export function kindOf(of: string): AxisKind {
  return types.value.get(of)?.axis ?? "none";
}

/** The direction of the world that a choice means now, for an axis of a kind at a body. */
export function directionOf(choice: AxisChoice, kind: AxisKind, body: string): three.Vector3 {
  const unit = (k: number): three.Vector3 => new three.Vector3().setComponent(k, 1);
  const isFlat = dimension.value === 2;
  if (choice === "typed") return new three.Vector3(...typedAxis.value);
  const ahead = view.stage?.camera.direction() ?? unit(1);
  if (choice === "view") return ahead;
  if (choice === "auto") {
    if (isFlat || kind === "sliding") return unit(isFlat ? 0 : 2);
    const along = ahead.toArray().map(Math.abs);
    return unit(along.indexOf(Math.max(...along)));
  }
  const column = "xyz".indexOf(choice.at(-1) ?? "z");
  const pose = choice.startsWith("part") ? poseOf(body) : null;
  return pose ? unit(column).transformDirection(pose) : unit(column);
}

/** What `Insert` and `Preview` are told of the axis that is chosen. */
export function axisValues(of: string, body: string): Record<string, unknown> {
  if (!hasAxis(of)) return {};
  const along = numbersOf(directionOf(axis.value, kindOf(of), body));
  return dimension.value === 2 ? { toward: along } : { axis: along };
}

/** A direction as the server takes it. */
export function numbersOf(direction: three.Vector3): number[] {
  return direction
    .toArray()
    .slice(0, dimension.value)
    .map((x) => Number(x.toFixed(6)));
}

/** Show where an axis would lie; null hides it. */
export function preview(place: three.Vector3 | null, direction?: three.Vector3): void {
  shownAxis.value =
    place && direction && direction.lengthSq() > 0 ? { place, along: direction.clone().normalize() } : null;
}

/** Where the axis of a joint lies now. */
export function axisNow(name: string): { place: three.Vector3; along: three.Vector3 } | null {
  const item = items.value.get(name);
  const [a = ""] = item?.inputs ?? [];
  const place = item && typeOf(item)?.is_joint && hasAxis(item.of) ? placeOf(a) : null;
  return place && { place, along: axisOf(a, dimension.value === 2 ? 0 : 2) };
}
