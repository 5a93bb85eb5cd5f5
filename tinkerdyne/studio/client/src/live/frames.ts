// Frames of a world that runs in the page: the same numbers that the server sends, gathered by the same plan.

import type { Frame } from "../wire/frame";
import type { Engine } from "./engine";
import type { ForcesPlan, LiveFile } from "./file";

type Three = [number, number, number];

/** The frame of the present moment, which was just evaluated. */
export function frameOf(file: LiveFile, engine: Engine): Frame {
  const { plan, layout } = file;
  const { S } = engine;
  const out = new Float32Array(plan.size);
  plan.to.forEach((to, k) => {
    out[to] = S[plan.from[k] ?? 0] ?? 0;
  });
  for (const [angles, tos] of plan.planar)
    angles.forEach((angle, k) => {
      const [half, to] = [(S[angle] ?? 0) / 2, tos[k] ?? 0];
      out[to] = Math.cos(half);
      out[to + 3] = Math.sin(half);
    });
  for (const { kernel, lifts, to } of plan.curves) {
    const points = engine.sampled(kernel, lifts, to.length);
    to.forEach((place, k) => {
      out[place] = points[k] ?? 0;
    });
  }
  for (const forces of plan.forces) write(forces, engine, out);
  if (plan.reactions) react(plan.reactions, S, out);
  return { revision: layout.revision, time: engine.time, numbers: out };
}

/** A quantity that is plotted: the sum of numbers, or the length of a vector. */
export function quantity({ S }: Engine, [places, isLength]: [number[], boolean]): number {
  const found = places.map((place) => S[place] ?? 0);
  return isLength ? Math.hypot(...found) : found.reduce((sum, x) => sum + x, 0);
}

/** The numbers at places, zero where a place is nowhere. */
function at(source: Float64Array, places: readonly number[]): Three {
  const [x, y, z] = places.map((place) => (place < 0 ? 0 : (source[place] ?? 0)));
  return [x ?? 0, y ?? 0, z ?? 0];
}

function cross([a, b, c]: Three, [x, y, z]: Three): Three {
  return [b * z - c * y, c * x - a * z, a * y - b * x];
}

/** place, force, torque:  T_place = T_centre − (place − centre) × F. */
function write(plan: ForcesPlan, engine: Engine, out: Float32Array): void {
  const { S } = engine;
  const source = plan.from_arena ? S : engine.reactions;
  plan.rows.forEach(([force, torque, place, centre, axes], k) => {
    const [P, F] = [at(S, place), at(source, force)];
    let T: Three;
    if (plan.by_columns) T = byColumns(S, axes, torque);
    else {
      T = at(source, torque);
      if (plan.in_body_axes && axes.length) T = turned(S, axes, T);
      else if (!plan.from_arena) {
        const C = at(S, centre);
        const moment = cross([P[0] - C[0], P[1] - C[1], P[2] - C[2]], F);
        T = [T[0] - moment[0], T[1] - moment[1], T[2] - moment[2]];
      }
    }
    out.set([...P, ...F, ...T], plan.to[k]);
  });
}

/** A torque in the axes of a body: its axes stand one behind the other. */
function turned(S: Float64Array, axes: readonly number[], T: Three): Three {
  const sum: Three = [0, 0, 0];
  T.forEach((t, k) => {
    const axis = at(S, axes.slice(3 * k, 3 * k + 3));
    for (const j of [0, 1, 2] as const) sum[j] += axis[j] * t;
  });
  return sum;
}

/** Σ a_k × g_k over the axes of a frame. */
function byColumns(S: Float64Array, axes: readonly number[], pulls: readonly number[]): Three {
  const n = axes.length === 4 ? 2 : 3;
  const sum: Three = [0, 0, 0];
  for (let k = 0; k < n; k++) {
    const part = (places: readonly number[]): Three => at(S, places.slice(n * k, n * k + n));
    const one = cross(part(axes), part(pulls));
    for (const j of [0, 1, 2] as const) sum[j] += one[j];
  }
  return sum;
}

/** Forces on fixed bodies, from those on the others:  F = −Σ F_i,  T = −Σ (T_i + (P_i − P) × F_i). */
function react(plan: NonNullable<LiveFile["plan"]["reactions"]>, S: Float64Array, out: Float32Array): void {
  const totals = plan.to.map(() => [0, 0, 0, 0, 0, 0]);
  plan.source.forEach((source, k) => {
    const row = plan.row[k] ?? 0;
    const P = at(S, plan.place[row] ?? []);
    const given = [...out.subarray(source, source + 9)];
    const [Q, F, T] = [given.slice(0, 3), given.slice(3, 6), given.slice(6)] as [Three, Three, Three];
    const moment = cross([Q[0] - P[0], Q[1] - P[1], Q[2] - P[2]], F);
    const total = totals[row];
    if (total)
      [...F, T[0] + moment[0], T[1] + moment[1], T[2] + moment[2]].forEach((x, j) => {
        total[j] = (total[j] ?? 0) - x;
      });
  });
  plan.to.forEach((to, row) => {
    out.set([...at(S, plan.place[row] ?? []), ...(totals[row] ?? [])], to);
  });
}
