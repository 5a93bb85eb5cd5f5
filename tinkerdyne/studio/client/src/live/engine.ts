// The engine of a live file: the compiled core and its kernels over the arrays of the world, in one memory.

import { unpacked } from "../wire/unpack";
import { type ContactPlan, type LiveFile, wordsIn } from "./file";

const PAGE = 65536; // bytes of WebAssembly's memory
const STACK = 1 << 20; // bytes, below the arrays
const SPARE = 64; // kernels' places of the table beside those of the file
const MOST_STEPS = 4096; // in one call
const FIRST_ORDER = 3; // the number of its method
const X_SPARE = 8; // floats of X that are no room
const LINE = 64; // bytes: where the arrays of contact begin
const NO_WORK_ROOM = -4; // what a step with contact says of the room it wants; what is less wants floats
const ORDER = ["T", "Y", "D", "F", "P", "K", "X"] as const; // the arrays of contact

type Entry = (...values: (number | bigint)[]) => bigint;
type Kernel = (count: bigint, offsets: number, floats: number) => void;
type Name = (typeof ORDER)[number];

/** What the core calls of mathematics; `fmod` has the sign of its first operand, as % has. */
function mathematics(): Record<string, CallableFunction> {
  const named: Record<string, CallableFunction> = { fmod: (a: number, b: number) => a % b };
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Math)))
    if (typeof value === "function") named[name] = value as CallableFunction;
  return named;
}

/** A moment to go back to: all that changes while time goes on. */
export type Moment = Uint8Array;

/** Where the arrays lie, in bytes. */
interface Places {
  ints: number;
  floats: number;
  pulled: number;
  offsets: number;
  contact: Record<Name, number>;
  end: number;
}

export class Engine {
  S: Float64Array; // views of the memory, made anew when it grows
  I: BigInt64Array;
  private pulled: Float64Array;
  private readonly end: number; // of what a moment holds

  private constructor(
    private readonly file: LiveFile,
    private readonly entries: Record<string, Entry>,
    private readonly table: WebAssembly.Table,
    private readonly memory: WebAssembly.Memory,
    private readonly at: Places,
  ) {
    [this.S, this.I, this.pulled] = this.views();
    this.end = file.contact ? at.contact.P : at.pulled;
  }

  private views(): [Float64Array, BigInt64Array, Float64Array] {
    const { buffer } = this.memory;
    const { sizes, plan } = this.file;
    return [
      new Float64Array(buffer, this.at.floats, sizes.floats),
      new BigInt64Array(buffer, this.at.ints, sizes.ints),
      new Float64Array(buffer, this.at.pulled, plan.pulled),
    ];
  }

  static async start(file: LiveFile): Promise<Engine> {
    const parts = ["core", "kernels", "ints", "floats", ...(file.contact ? ["contact"] : [])];
    const [core, kernels, ints, floats, contact] = await Promise.all(parts.map(unpacked));
    if (!core || !kernels || !ints || !floats || (file.contact && !contact))
      throw new Error("the file is not whole");
    const stack = Math.ceil(file.sizes.free / 16) * 16 + STACK;
    const at = placesOf(file, stack);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(at.end / PAGE) + 1 });
    const table = new WebAssembly.Table({ initial: SPARE, element: "anyfunc" });
    const pointer = new WebAssembly.Global({ value: "i32", mutable: true }, stack);
    const env = {
      ...mathematics(),
      __linear_memory: memory,
      __indirect_function_table: table,
      __stack_pointer: pointer,
    };
    const loaded = await Promise.all([core, kernels].map((code) => WebAssembly.instantiate(code, { env })));
    const [entries, own] = loaded.map((one) => one.instance.exports as Record<string, Entry>);
    if (!entries || !own) throw new Error("the file is not whole");
    table.grow(Object.keys(own).length);
    for (const [name, kernel] of Object.entries(own)) table.set(Number(name.slice("tk_".length)), kernel);
    new Uint8Array(memory.buffer, at.ints).set(wordsIn(ints));
    new Uint8Array(memory.buffer, at.floats).set(new Uint8Array(floats));
    if (contact) new Uint8Array(memory.buffer, at.contact.T).set(new Uint8Array(contact));
    return new Engine(file, entries, table, memory, at);
  }

  get time(): number {
    return this.S[this.file.cells.time] ?? 0;
  }

  private run(name: string, ...more: (number | bigint)[]): bigint {
    const entry = this.entries[`tk_${name}`];
    if (!entry) throw new Error(`the engine of this file has no ${name}`);
    return entry(this.at.ints, this.at.floats, ...more);
  }

  /** Let time go on; answers whether all steps could be taken. */
  step(seconds: number): boolean {
    const count = Math.max(1, Math.ceil(seconds / this.file.step - 1e-9));
    const h = seconds / count;
    for (let left = count; left > 0; ) {
      const part = Math.min(left, MOST_STEPS);
      const { contact, method } = this.file;
      const taken = contact
        ? this.touch(contact, part, h)
        : Number(this.run("advance", BigInt(method), BigInt(part), h));
      if (taken < part) return false;
      left -= taken;
    }
    return true;
  }

  /** Steps with contact; how many were taken. */
  private touch(plan: ContactPlan, count: number, h: number): number {
    const name = this.file.method === FIRST_ORDER ? "advance_touching_first_order" : "advance_touching";
    for (let taken = 0; ; ) {
      const where = ORDER.map((array) => this.at.contact[array]);
      taken += Number(this.run(name, ...where, BigInt(count - taken), h));
      const wanted = Number(this.contactInts("T")[plan.heads.wanted]);
      if (taken === count || !wanted) return taken;
      if (wanted > NO_WORK_ROOM) return taken; // more contacts than the file has room for
      this.giveRoom(plan, wanted);
    }
  }

  /** Twice the room that a step was taken back for. */
  private giveRoom(plan: ContactPlan, wanted: number): void {
    const problem = this.contactInts("P");
    const asked = (cell: number): number => 2 * Number(problem[cell] ?? 0n);
    if (wanted === NO_WORK_ROOM) {
      const [words, work] = [asked(plan.problem.words), asked(plan.problem.work_words)];
      this.enlarge(plan, "P", words, plan.heads.problem_room, 0);
      this.enlarge(plan, "K", work, plan.heads.work_room, 0);
    } else this.enlarge(plan, "X", asked(plan.problem.floats) + 16, plan.heads.float_room, X_SPARE);
  }

  /** Move an array of contact behind all others, where it has more room, and tell the core. */
  private enlarge(plan: ContactPlan, name: Name, count: number, room: number, less: number): void {
    const before = plan.sizes[name];
    if (count <= before) return;
    const to = Math.ceil(this.at.end / LINE) * LINE;
    const missing = to + 8 * count - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    new Uint8Array(this.memory.buffer).copyWithin(
      to,
      this.at.contact[name],
      this.at.contact[name] + 8 * before,
    );
    this.at.contact[name] = to;
    this.at.end = to + 8 * count;
    plan.sizes[name] = count;
    [this.S, this.I, this.pulled] = this.views();
    this.contactInts("T")[room] = BigInt(count - less);
  }

  private contactInts(name: "T" | "P"): BigInt64Array {
    const plan = this.file.contact;
    return new BigInt64Array(this.memory.buffer, this.at.contact[name], plan?.sizes[name] ?? 0);
  }

  /** Forces, energies and gaps of the present moment. */
  evaluate(): void {
    this.run(this.file.method === FIRST_ORDER ? "evaluate_flow" : "evaluate");
    this.S[this.file.cells.ready] = 0;
    if (this.pulled.length) this.run("pull_reactions", this.at.pulled);
  }

  /** What constraints do to objects, six numbers each, as last evaluated. */
  get reactions(): Float64Array {
    return this.pulled;
  }

  /** After a change of a parameter: approaches begin, and nothing is at hand any more. */
  changed(): void {
    this.forget();
    this.run("begin");
    this.S[this.file.cells.ready] = 0;
  }

  private forget(): void {
    this.S[this.file.cells.ready] = 0;
    this.S[this.file.cells.factored] = 0;
  }

  /** The points of all curves of one type, three numbers each. */
  sampled(kernel: number, lifts: readonly number[], count: number): Float64Array {
    const offsets = new BigInt64Array(this.memory.buffer, this.at.offsets, 2 * lifts.length);
    const first = this.file.sizes.floats;
    lifts.forEach((lift, k) => {
      offsets[2 * k] = BigInt(lift);
      offsets[2 * k + 1] = BigInt(first + (k * count) / lifts.length);
    });
    const run = this.table.get(kernel) as Kernel;
    run(BigInt(lifts.length), this.at.offsets, this.at.floats);
    return new Float64Array(this.memory.buffer, this.at.floats + 8 * first, count);
  }

  /** All numbers, and what is remembered of contacts. */
  moment(): Moment {
    return this.living().slice();
  }

  goBack(moment: Moment): void {
    this.living().set(moment);
    const plan = this.file.contact;
    if (plan) {
      const head = this.contactInts("T"); // it is of a time when there may have been less room
      head[plan.heads.is_found] = 0n;
      head[plan.heads.problem_room] = BigInt(plan.sizes.P);
      head[plan.heads.work_room] = BigInt(plan.sizes.K);
      head[plan.heads.float_room] = BigInt(plan.sizes.X - X_SPARE);
    }
    this.forget();
  }

  /** I, S, T, Y, D and F, one behind the other: what is given more room lies behind them. */
  private living(): Uint8Array {
    return new Uint8Array(this.memory.buffer, this.at.ints, this.end - this.at.ints);
  }
}

/** I, S, what curves and pulls write, and the arrays of contact. */
function placesOf(file: LiveFile, first: number): Places {
  const { sizes, plan, contact } = file;
  const wide = plan.curves.reduce((sum, one) => sum + 2 * one.lifts.length, 0);
  const spread = plan.curves.reduce((sum, one) => sum + one.to.length, 0);
  const floats = first + 8 * sizes.ints;
  const pulled = floats + 8 * (sizes.floats + spread); // points of curves lie behind S, so that kernels find them from S
  const offsets = pulled + 8 * plan.pulled;
  let end = Math.ceil((offsets + 8 * wide) / LINE) * LINE;
  const at: Record<Name, number> = { T: end, Y: end, D: end, F: end, P: end, K: end, X: end };
  for (const name of ORDER) {
    at[name] = end;
    end = Math.ceil((end + 8 * (contact?.sizes[name] ?? 0)) / LINE) * LINE;
  }
  return { ints: first, floats, pulled, offsets, contact: at, end };
}
