// The engine of a live file: the compiled core and its kernels over the two arrays of the world, in one memory.

import { unpacked } from "../wire/unpack";
import type { LiveFile } from "./file";

const PAGE = 65536; // bytes of WebAssembly's memory
const STACK = 1 << 20; // bytes, below the arrays
const SPARE = 64; // kernels' places of the table beside those of the file
const MOST_STEPS = 4096n; // in one call

type Entry = (...values: (number | bigint)[]) => bigint;
type Kernel = (count: bigint, offsets: number, floats: number) => void;

/** What the core calls of mathematics; `fmod` has the sign of its first operand, as % has. */
function mathematics(): Record<string, CallableFunction> {
  const named: Record<string, CallableFunction> = { fmod: (a: number, b: number) => a % b };
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Math)))
    if (typeof value === "function") named[name] = value as CallableFunction;
  return named;
}

/** A moment to go back to. */
export type Moment = Float64Array;

export class Engine {
  readonly S: Float64Array;
  private readonly pulled: Float64Array;

  private constructor(
    private readonly file: LiveFile,
    private readonly entries: Record<string, Entry>,
    private readonly table: WebAssembly.Table,
    private readonly memory: WebAssembly.Memory,
    private readonly at: { ints: number; floats: number; pulled: number; offsets: number },
  ) {
    this.S = new Float64Array(memory.buffer, at.floats, file.sizes.floats);
    this.pulled = new Float64Array(memory.buffer, at.pulled, file.plan.pulled);
  }

  static async start(file: LiveFile): Promise<Engine> {
    const [core, kernels, ints, floats] = await Promise.all(
      ["core", "kernels", "ints", "floats"].map(unpacked),
    );
    if (!core || !kernels || !ints || !floats) throw new Error("the file is not whole");
    const { sizes, plan } = file;
    const stack = Math.ceil(sizes.free / 16) * 16 + STACK;
    const wide = plan.curves.reduce((sum, one) => sum + 2 * one.lifts.length, 0);
    const spread = plan.curves.reduce((sum, one) => sum + one.to.length, 0);
    const at = { ints: stack, floats: 0, pulled: 0, offsets: 0 };
    at.floats = at.ints + 8 * sizes.ints;
    // behind S lie the points of curves, so that kernels find them from S
    at.pulled = at.floats + 8 * (sizes.floats + spread);
    at.offsets = at.pulled + 8 * plan.pulled;
    const memory = new WebAssembly.Memory({ initial: Math.ceil((at.offsets + 8 * wide) / PAGE) + 1 });
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
    new Uint8Array(memory.buffer, at.ints).set(new Uint8Array(ints));
    new Uint8Array(memory.buffer, at.floats).set(new Uint8Array(floats));
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
    for (let left = BigInt(count); left > 0n; ) {
      const part = left < MOST_STEPS ? left : MOST_STEPS;
      const taken = this.run("advance", BigInt(this.file.method), part, h);
      if (taken < part) return false;
      left -= taken;
    }
    return true;
  }

  /** Forces, energies and gaps of the present moment. */
  evaluate(): void {
    this.run(this.file.method === 3 ? "evaluate_flow" : "evaluate");
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

  moment(): Moment {
    return this.S.slice();
  }

  goBack(moment: Moment): void {
    this.S.set(moment);
    this.forget();
  }
}
