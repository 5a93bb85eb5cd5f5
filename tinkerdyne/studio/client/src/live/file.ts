// What a live file holds, beside its core, kernels, ints and floats, as `tinkerdyne/studio/show/live.py` writes it.

import type { FrameLayout, Model, TypeInfo } from "../wire/protocol";

export const FORMAT = 3;

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

/** Where a hand finds its numbers: the point of the body (none for a particle), where it is and how it moves, and the
 * pull; what it pulls weighs so much. */
export interface HandPlan {
  at: number[];
  value: number[];
  velocity: number[];
  to: number[];
  mass: number[];
  time: number[];
  limit: number[];
  weighs: number; // kg
}

/** How an item is switched: a constraint by how it is held, a behavior or field by whether it is among those that are run. */
export interface SwitchPlan {
  memory: [first: number, count: number] | null; // in S, the last number says how it is held
  runs: { row: number; instance: number; records: [first: number, count: number][] }[]; // rows of the behaviors' table in I
  is_on: boolean; // at the start
}

/** What happens by itself: parameters at times, and from one time to another. */
export interface Happening {
  start: number; // s
  end: number; // the same for what happens at once
  name: string;
  parameter: string;
  low: number[];
  high: number[];
  is_smooth: boolean;
}

/** Contact: its arrays lie behind those of the world, in this order, with so many numbers. */
export interface ContactPlan {
  sizes: Record<"T" | "Y" | "D" | "F" | "P" | "K" | "X", number>;
  /** Places of numbers in the heads of T, Y and P. */
  heads: Record<"wanted" | "problem_room" | "work_room" | "float_room" | "is_found", number>;
  problem: Record<"words" | "work_words" | "floats", number>;
}

export interface LiveFile {
  format: number;
  version: string; // of Tinkerdyne
  model: Model;
  types: TypeInfo[];
  layout: FrameLayout;
  sizes: { ints: number; floats: number; free: number };
  method: number;
  step: number; // s, at most
  cells: Record<
    "time" | "ready" | "factored" | "wants_tangent" | "kinetic" | "energy" | "gap" | "yielding" | "phase",
    number
  >;
  behaviors: Record<"n" | "offsets" | "stride" | "record", number>; // of a row of their table, and of one of theirs
  plan: Plan;
  watched: Record<string, [places: number[], isLength: boolean]>; // quantities that are plotted
  hands: Record<string, HandPlan>;
  parameters: Record<string, Record<string, number[][]>>; // of items, the places of those that may change
  switches: Record<string, SwitchPlan>;
  timeline: Happening[];
  contact: ContactPlan | null;
  state: number[]; // the places of all positions
  velocities: number[];
  freedoms: number;
}
