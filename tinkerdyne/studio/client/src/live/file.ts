// What a live file holds, beside its core, kernels, ints and floats, as `tinkerdyne/studio/show/live.py` writes it.

import type { FrameLayout, Model, TypeInfo } from "../wire/protocol";

export const FORMAT = 2;

/** Forces of one sort: places of place, force, torque, centre and axes, by `tinkerdyne/studio/show/forces.py`. */
export interface ForcesPlan {
  to: number[];
  rows: [force: number[], torque: number[], place: number[], centre: number[], axes: number[]][];
  in_body_axes: boolean;
  by_columns: boolean;
  from_arena: boolean;
}

/** Where every number of a frame comes from. */
export interface Plan {
  size: number;
  to: number[];
  from: number[];
  planar: [angle: number[], to: number[]][];
  pulled: number;
  forces: ForcesPlan[];
  reactions: { to: number[]; place: number[][]; row: number[]; source: number[] } | null;
  curves: { kernel: number; lifts: number[]; to: number[] }[];
}

/** Where a hand finds its numbers: the point of the body (none for a particle), and the pull; what it pulls weighs so much. */
export interface HandPlan {
  at: number[];
  to: number[];
  mass: number[];
  time: number[];
  limit: number[];
  weighs: number; // kg
}

export interface LiveFile {
  format: number;
  model: Model;
  types: TypeInfo[];
  layout: FrameLayout;
  sizes: { ints: number; floats: number; free: number };
  method: number;
  step: number; // s, at most
  cells: Record<"time" | "ready" | "factored" | "wants_tangent" | "kinetic" | "energy" | "gap", number>;
  plan: Plan;
  watched: Record<string, [places: number[], isLength: boolean]>; // quantities that are plotted
  hands: Record<string, HandPlan>;
  parameters: Record<string, Record<string, number[][]>>; // of items, the places of those that may change
  state: number[]; // the places of all positions
  freedoms: number;
}
