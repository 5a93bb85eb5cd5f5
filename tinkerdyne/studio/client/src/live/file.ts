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
  readable: LiveFile["watched"]; // those of the whole world
  hands: Record<string, HandPlan>;
  parameters: Record<string, Record<string, number[][]>>; // of items, the places of those that may change
  switches: Record<string, SwitchPlan>;
  timeline: Happening[];
  contact: ContactPlan | null;
  state: number[]; // the places of all positions
  velocities: number[];
  freedoms: number;
}

/** The file in a page's text; places are written there as steps, each from the one before it. */
export function fileIn(text: string): LiveFile {
  const file = JSON.parse(text) as LiveFile;
  if (file.format !== FORMAT) return file;
  const { plan } = file;
  const forces = plan.forces.map((one) => ({ ...one, rows: rowsOf(one.rows) }));
  return {
    ...file,
    plan: { ...plan, to: sums(plan.to), from: sums(plan.from), forces },
    state: sums(file.state),
    velocities: sums(file.velocities),
  };
}

function sums(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => {
    sum += step;
    return sum;
  });
}

type Row = ForcesPlan["rows"][number];

/** Rows that were written as steps from the row before, where they are like it. */
function rowsOf(steps: readonly Row[]): Row[] {
  let before: readonly number[][] = [];
  return steps.map((row) => {
    const isLike = row.length === before.length && row.every((part, k) => part.length === before[k]?.length);
    const now = isLike ? row.map((part, k) => part.map((x, j) => x + (before[k]?.[j] ?? 0))) : row;
    before = now;
    return now as Row;
  });
}

/** Words of eight bytes that were written by their first bytes, then their second ones … */
export function wordsIn(bytes: ArrayBuffer): Uint8Array {
  const [from, count] = [new Uint8Array(bytes), bytes.byteLength / 8];
  const words = new Uint8Array(from.length);
  for (let k = 0; k < from.length; k++) words[8 * (k % count) + Math.floor(k / count)] = from[k] ?? 0;
  return words;
}
