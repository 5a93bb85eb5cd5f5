// A stroke as keys of a path: a few of the many places that the pointer went through.
import type { Vector3 } from "three";

const MOST = 10; // keys of a stroke
const APART = 0.02; // s between keys, at least

export interface Key {
  time: number; // s from the start of the path
  place: Vector3;
}

/** Keys at even times of a stroke that began at a time; it ends where the pointer did, however quick that was. */
export function thinned(drawn: readonly Key[], begin: number): Key[] {
  const last = drawn.at(-1);
  if (!last) return [];
  const near = Array.from({ length: MOST - 1 }, (_, i) => {
    const time = begin + (i * (last.time - begin)) / (MOST - 1);
    return drawn.reduce((a, b) => (Math.abs(b.time - time) < Math.abs(a.time - time) ? b : a));
  });
  const kept = near.filter(
    (key, i) => i === 0 || (key.time > (near[i - 1]?.time ?? 0) + APART && key.time + APART < last.time),
  );
  return [...kept, { ...last, time: Math.max(last.time, (kept.at(-1)?.time ?? 0) + APART) }];
}
