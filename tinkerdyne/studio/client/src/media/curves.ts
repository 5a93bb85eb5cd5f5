// Curves in the viewport: which u is under the pointer, where u is, and what a curve can be attached by.

import { signal } from "@preact/signals";
import * as three from "three";
import type { Spot } from "../state/spot";
import { items, latest, model, tracks, typeOf } from "../state/store";
import type { ItemInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";

const LINES = 9; // of a surface's net, each way, as the server draws it

export function isCurve(name: string): boolean {
  return (
    items.value.get(name)?.shape?.kind === "curve" && (items.value.get(name)?.shape?.spans.length ?? 0) > 0
  );
}

/** The samples of a curve in the newest frame, x y z in a row. */
function samples(name: string): Float32Array | null {
  return latest.frame ? (tracks.value?.of(name, latest.frame) ?? null) : null;
}

/** The numbers of a curve, variable or measure in the newest frame. */
export function stateOf(name: string): Float32Array | null {
  const track = tracks.value?.states.get(name);
  return track && latest.frame
    ? latest.frame.numbers.subarray(track.offset, track.offset + track.count)
    : null;
}

/** Parameters (u, v) of the samples of a surface: there on one line of its net and back on the next, first along u, then along v. */
function net(): [number, number][] {
  const lines = Array.from({ length: LINES }, (_, i) => i / (LINES - 1));
  const steps = Array.from({ length: 2 * LINES - 1 }, (_, i) => i / (2 * LINES - 2));
  const back = [...steps].reverse();
  return [
    ...lines.flatMap((line, k) => (k % 2 ? back : steps).map((s): [number, number] => [s, line])),
    ...[...lines]
      .reverse()
      .flatMap((line, k) => (k % 2 ? steps : back).map((s): [number, number] => [line, s])),
  ];
}

/** The parameter of the point of a curve that is nearest to a place: (u, 0, 0), of a surface (u, v, 0). */
export function parameterAt(name: string, place: three.Vector3): three.Vector3 {
  const spans = items.value.get(name)?.shape?.spans ?? [];
  const points = samples(name);
  const [low = 0, high = 1, from = 0, to = 1] = spans;
  if (!points) return new three.Vector3(low, from, 0);
  if (spans.length === 4) {
    const [s, t] = net()[nearestSample(points, place)] ?? [0, 0];
    return new three.Vector3(low + s * (high - low), from + t * (to - from), 0);
  }
  const count = points.length / 3;
  let [best, least] = [0, Infinity];
  const line = new three.Line3();
  for (let i = 0; i + 1 < count; i++) {
    line.start.fromArray(points, 3 * i);
    line.end.fromArray(points, 3 * i + 3);
    const share = line.closestPointToPointParameter(place, true);
    const d = line.at(share, new three.Vector3()).distanceToSquared(place);
    if (d < least) [best, least] = [i + share, d];
  }
  return new three.Vector3(low + (best / (count - 1)) * (high - low), 0, 0);
}

function nearestSample(points: Float32Array, place: three.Vector3): number {
  let [best, least] = [0, Infinity];
  for (let i = 0; 3 * i < points.length; i++) {
    const d = new three.Vector3().fromArray(points, 3 * i).distanceToSquared(place);
    if (d < least) [best, least] = [i, d];
  }
  return best;
}

/** Where the point of a curve at a parameter is now. */
export function placeAt(name: string, at: three.Vector3): three.Vector3 | null {
  const item = items.value.get(name);
  const points = samples(name);
  const [low = 0, high = 1, from = 0, to = 1] = item?.shape?.spans ?? [];
  if (!points || !item?.shape) return null;
  if (item.shape.spans.length === 4) {
    const [s, t] = [(at.x - low) / (high - low), (at.y - from) / (to - from)];
    const far = net().map(([a, b]) => (a - s) ** 2 + (b - t) ** 2);
    return new three.Vector3().fromArray(points, 3 * far.indexOf(Math.min(...far)));
  }
  const count = points.length / 3;
  let share = (at.x - low) / (high - low);
  if (item.shape.is_closed) share -= Math.floor(share);
  const along = Math.min(Math.max(share, 0), 1) * (count - 1);
  const i = Math.min(Math.floor(along), count - 2);
  const [a, b] = [
    new three.Vector3().fromArray(points, 3 * i),
    new three.Vector3().fromArray(points, 3 * i + 3),
  ];
  return a.lerp(b, along - i);
}

/** A point of a curve, as `Insert` and `Attach` take it. */
export function curveInput(name: string, at: three.Vector3): string {
  const isSurface = items.value.get(name)?.shape?.spans.length === 4;
  const numbers = isSurface ? [at.x, at.y] : [at.x];
  return `${name}@${numbers.map((x) => Number(x.toPrecision(6))).join(",")}`;
}

export function isOnCurve(input: string): boolean {
  const owner = input.split("@")[0] ?? "";
  const item = items.value.get(owner);
  return isCurve(owner) || (typeOf(item)?.seat === "curve" && !input.includes("@"));
}

/** The places by which a curve is fastened: its ends, and points on it that are in the world. */
export function curveSpots(name: string): Spot[] {
  const shape = items.value.get(name)?.shape;
  if (shape?.spans.length !== 2) return [];
  const ends = shape.is_closed ? [] : shape.spans;
  const spots: Spot[] = [];
  for (const u of ends) {
    const at = new three.Vector3(u, 0, 0);
    const place = placeAt(name, at);
    if (place) spots.push({ body: name, input: curveInput(name, at), place });
  }
  for (const one of model.value?.items ?? [])
    if (one.inputs[0] === name && typeOf(one)?.seat === "curve") {
      const place = placeAt(name, new three.Vector3(Number(one.values["u"] ?? 0), 0, 0));
      if (place) spots.push({ body: name, input: one.name, place });
    }
  return spots;
}

/** The points of other curves that are nearest to a place. */
export function nearSpots(names: Iterable<string>, place: three.Vector3, except: string): Spot[] {
  const spots: Spot[] = [];
  for (const name of names) {
    if (name === except || !isCurve(name)) continue;
    const at = parameterAt(name, place);
    const found = placeAt(name, at);
    if (found) spots.push({ body: name, input: curveInput(name, at), place: found });
  }
  return spots;
}

/** Where a constraint that slides along a curve holds it now; null for others. */
export function contactOf(item: ItemInfo): three.Vector3 | null {
  if (typeOf(item)?.seat !== "contact") return null;
  const [curve = "", u = ""] = item.inputs;
  const value = stateOf(u)?.[0];
  return value === undefined ? null : placeAt(curve, new three.Vector3(value, 0, 0));
}

/** How curves are attached to each other when they snap. */
export const ATTACHMENTS = {
  fixed: wording.media.atAFixedPoint,
  slide: wording.media.slidingAlong,
  cross: wording.media.crossing,
  tangent: wording.media.tangent,
} as const;
export type Attachment = keyof typeof ATTACHMENTS;
export const attachment = signal<Attachment>("tangent");
