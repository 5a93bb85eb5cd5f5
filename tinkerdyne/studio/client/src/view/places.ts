// Where connectors are: points, frames and axes of a world, from the poses in a frame and the model.

import * as three from "three";
import { curveInput, curveSpots, isCurve, parameterAt, stateOf } from "../media/curves";
import type { Spot } from "../state/spot";
import { items, latest, model, tracks, typeOf } from "../state/store";
import { numbersIn, rowsIn } from "../state/values";
import type { ItemInfo } from "../wire/protocol";
import { view } from "./current";

const DEEPEST = 12; // connectors on connectors

export function vectorOf(value: unknown): three.Vector3 {
  const [x = 0, y = 0, z = 0] = numbersIn(value);
  return new three.Vector3(x, y, z);
}

/** Objects that are being carried while the world is paused, and the motion from where they were. */
export const carried = new Map<string, three.Matrix4>();

/** The pose of an object: of its own axes in the world; null for what has no place. */
export function poseOf(name: string, target = new three.Matrix4()): three.Matrix4 | null {
  const pose = recordedPose(name, target);
  const by = pose && carried.get(name);
  return by ? pose.premultiply(by) : pose;
}

/** Where a point of a body is now, given in the body's own axes; null where the body is not drawn. */
export function placeOn(name: string, own: three.Vector3): three.Vector3 | null {
  const pose = poseOf(name);
  return pose && own.clone().applyMatrix4(pose);
}

function recordedPose(name: string, target: three.Matrix4): three.Matrix4 | null {
  const frame = latest.frame;
  const track = tracks.value?.motion.get(name);
  if (!frame || !track) return null;
  const at = (i: number) => frame.numbers[track.offset + i] ?? 0;
  if (track.kind === "pose") {
    const turn = new three.Quaternion(at(4), at(5), at(6), at(3));
    return target.makeRotationFromQuaternion(turn).setPosition(at(0), at(1), at(2));
  }
  if (track.kind === "affine") {
    const isFlat = at(11) === 0 && at(9) === 0 && at(10) === 0; // a troid of the plane has no third column
    return target.set(
      at(3),
      at(6),
      at(9),
      at(0),
      at(4),
      at(7),
      at(10),
      at(1),
      at(5),
      at(8),
      isFlat ? 1 : at(11),
      at(2),
      0,
      0,
      0,
      1,
    );
  }
  return target.makeTranslation(at(0), at(1), at(2));
}

/** The angle of a planar body [rad], with all of its turns. */
export function angleOf(name: string): number {
  const by = carried.get(name)?.elements;
  return (stateOf(name)?.[0] ?? 0) + (by ? Math.atan2(by[1], by[0]) : 0);
}

/** Where a point, a frame or an object is in the world; null for what has no place. */
export function placeOf(name: string, depth = 0): three.Vector3 | null {
  if (depth > DEEPEST) return null;
  const item = items.value.get(name);
  const seat = typeOf(item)?.seat;
  const isRiding = seat === "at" && item?.inputs.length; // on a body, which may be carried
  const pose = carried.size && isRiding ? null : poseOf(name);
  if (pose) return new three.Vector3().setFromMatrixPosition(pose);
  if (!item) return null;
  const [first, second] = item.inputs;
  switch (seat) {
    case "at": {
      if (first === undefined) return vectorOf(item.values["at"]);
      const body = poseOf(first);
      return body && vectorOf(item.values["at"]).applyMatrix4(body);
    }
    case "between": {
      const a = first === undefined ? null : placeOf(first, depth + 1);
      const b = second === undefined ? null : placeOf(second, depth + 1);
      return a && b && a.lerp(b, Number(item.values["share"] ?? 0.5));
    }
    case "keys": {
      const [first] = rowsIn(item.values["keys"]);
      return first ? vectorOf(first.slice(1)) : null;
    }
    default:
      for (const input of item.inputs) {
        const found = placeOf(input, depth + 1);
        if (found) return found;
      }
      return null;
  }
}

/** The axis of a frame (z in space, the plane's normal in the plane) or of a direction, in the world. */
export function axisOf(name: string, column = 2): three.Vector3 {
  const item = items.value.get(name);
  const axes = numbersIn(item?.values["axes"]);
  const own = new three.Vector3(0, 0, 0).setComponent(column, 1);
  if (axes.length === 9) own.set(axes[3 * column] ?? 0, axes[3 * column + 1] ?? 0, axes[3 * column + 2] ?? 0);
  else if (axes.length === 4 && column < 2) own.set(axes[2 * column] ?? 0, axes[2 * column + 1] ?? 0, 0);
  if (typeOf(item)?.supplies === "direction" && item?.values["along"])
    own.copy(vectorOf(item.values["along"]));
  const body = item?.family === "object" ? name : item?.inputs[0];
  const pose = body === undefined ? null : poseOf(body);
  return pose ? own.transformDirection(pose) : own.normalize();
}

/** Whether a connector is of the world: it has a place, and rides on nothing. */
export function isOfWorld(item: ItemInfo): boolean {
  return item.family === "connector" && !item.inputs.length && (typeOf(item)?.seat ?? "first") !== "first";
}

function isPoint(item: ItemInfo): boolean {
  return typeOf(item)?.supplies === "point";
}

/** Where a part is, or a place of one ("rod.end2"). */
export function placeNamed(name: string): three.Vector3 | null {
  const body = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  return spotsOf(body).find((spot) => spot.input === name)?.place ?? placeOf(name);
}

/** All objects that an item acts on. */
export function bodiesOf(item: ItemInfo): string[] {
  const found = new Set<string>();
  const visit = (name: string, depth: number): void => {
    const one = items.value.get(name);
    if (!one || depth > DEEPEST) return;
    if (one.family === "object") found.add(name);
    else for (const input of one.inputs) visit(input, depth + 1);
  };
  for (const input of item.inputs) visit(input, 0);
  return [...found];
}

/** Whether constraints join some objects with others, or with the world. */
export function isJoined(bodies: readonly string[]): boolean {
  return [...items.value.values()].some((item) => {
    if (item.family !== "constraint" || !item.is_on) return false;
    const own = bodiesOf(item);
    const isOfWorldToo = own.length < 2 || typeOf(item)?.role === "nail";
    return (
      own.some((one) => bodies.includes(one)) && (isOfWorldToo || !own.every((one) => bodies.includes(one)))
    );
  });
}

/** Where a joint holds its parts: both of its places; none of what has less than two. A nail holds at a place of its own. */
export function endsOf(item: ItemInfo): readonly [three.Vector3, three.Vector3] | null {
  const [a, b] = item.inputs;
  const first = a === undefined ? null : placeOf(a);
  const isNail = typeOf(item)?.role === "nail" || (typeOf(item)?.glyph === "nail" && b === undefined);
  const own = isNail && item.values["at"] !== undefined ? vectorOf(item.values["at"]) : null;
  const second = own ?? (b === undefined ? null : placeOf(b));
  return first && second ? [first, second] : null;
}

/** The named places of an object, and the points on it that were made by hand. */
export function spotsOf(body: string): Spot[] {
  const item = items.value.get(body);
  if (isCurve(body)) return curveSpots(body);
  const pose = poseOf(body);
  if (!item || !pose) return [];
  const spots = Object.entries(item.places).map(([name, at]) => ({
    body,
    input: `${body}.${name}`,
    place: vectorOf(at).applyMatrix4(pose),
  }));
  if (!spots.length && item.shape?.kind === "point")
    spots.push({ body, input: body, place: new three.Vector3().setFromMatrixPosition(pose) });
  for (const one of model.value?.items ?? [])
    if (one.inputs[0] === body && !one.part_of && isPoint(one) && typeOf(one)?.seat === "at")
      spots.push({ body, input: one.name, place: vectorOf(one.values["at"]).applyMatrix4(pose) });
  return spots;
}

/** Nails and other points that belong to the world. */
export function worldSpots(): Spot[] {
  const spots: Spot[] = [];
  for (const one of model.value?.items ?? []) {
    const place = isOfWorld(one) && isPoint(one) ? placeOf(one.name) : null;
    if (place) spots.push({ body: "", input: one.name, place });
  }
  return spots;
}

/** A place of the world, as `Insert` takes it. */
export function worldInput(place: three.Vector3, dimension: number): string {
  return `@${coordinates(place, dimension).join(",")}`;
}

/** A place of a body, as `Insert` takes it. */
export function bodyInput(body: string, place: three.Vector3): string {
  const item = items.value.get(body);
  if (isCurve(body)) return curveInput(body, parameterAt(body, place));
  const pose = poseOf(body);
  if (!item || !pose || item.shape?.kind === "point") return body;
  const own = place.clone().applyMatrix4(pose.invert());
  return `${body}@${coordinates(own, item.dimension).join(",")}`;
}

const NOISE = 5e-7; // of some roundings in float32, relative to the largest number
const PART = 20; // the usual size of parts, in radii of joints

/** Two or three numbers, without the noise of float32: what is nothing beside the others, or beside the parts, is 0. */
export function coordinates(place: three.Vector3, dimension: number): number[] {
  const found = place.toArray().slice(0, dimension);
  const least = NOISE * Math.max(PART * (view.stage?.unit ?? 0), ...found.map(Math.abs));
  return found.map((x) => (Math.abs(x) < least ? 0 : Number(x.toPrecision(7))));
}
