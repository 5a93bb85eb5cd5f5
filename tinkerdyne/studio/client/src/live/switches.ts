// Items that are switched on and off while a world runs in the page. A constraint that is off stays where it lies, as one
// that nothing touches; a behavior or field goes behind those that are run.

import type { Engine } from "./engine";
import type { LiveFile, SwitchPlan } from "./file";

const EXACT = 0; // how a constraint is held, as in engine/records.py
const OPEN = 2;

export class Switches {
  private readonly off = new Set<string>();
  private readonly whole = new Map<number, bigint>(); // by rows of the behaviors' table, how many there are

  constructor(
    private readonly file: LiveFile,
    private readonly engine: Engine,
  ) {
    for (const { runs } of Object.values(file.switches))
      for (const { row } of runs) this.whole.set(row, engine.I[row + file.behaviors.n] ?? 0n);
  }

  /** Switch off what is off at the start. */
  begin(): void {
    for (const [name, plan] of Object.entries(this.file.switches)) if (!plan.is_on) this.set(name, false);
  }

  has(name: string): boolean {
    return name in this.file.switches;
  }

  isOn(name: string): boolean {
    return !this.off.has(name);
  }

  set(name: string, isOn: boolean): void {
    const plan = this.file.switches[name];
    if (!plan || isOn === this.isOn(name)) return;
    if (isOn) this.off.delete(name);
    else this.off.add(name);
    if (plan.memory) this.hold(plan.memory, isOn);
    for (const run of plan.runs) this.place(run, isOn);
    this.engine.changed();
    this.keep();
  }

  /** After approaches have begun: what is off stays off. */
  keep(): void {
    const { S } = this.engine;
    const { yielding, factored } = this.file.cells;
    for (const name of this.off) {
      const memory = this.file.switches[name]?.memory;
      if (!memory || S[memory[0] + memory[1] - 1] === OPEN) continue;
      this.hold(memory, false);
      S[yielding] = (S[yielding] ?? 0) + 1;
      S[factored] = 0;
    }
  }

  /** The world went back to its start, where these were on. */
  forget(): void {
    this.off.clear();
  }

  private hold([first, count]: readonly [number, number], isOn: boolean): void {
    this.engine.S.fill(0, first, first + count);
    this.engine.S[first + count - 1] = isOn ? EXACT : OPEN;
  }

  /** Among the instances of a block those that are run stand first. */
  private place({ row, instance, records }: SwitchPlan["runs"][number], isOn: boolean): void {
    const { I, S } = this.engine;
    const cells = this.file.behaviors;
    const whole = Number(this.whole.get(row) ?? 0n);
    const running = Number(I[row + cells.n] ?? 0n);
    for (const [first, count] of records) S.fill(0, first, first + count);
    if (instance < 0) {
      I[row + cells.n] = isOn ? BigInt(whole) : 0n; // a field: all of its objects at once
      return;
    }
    const [offsets, stride] = [Number(I[row + cells.offsets]), Number(I[row + cells.stride])];
    const record = BigInt(records[0]?.[0] ?? 0);
    const at = (k: number): number => offsets + k * stride;
    let mine = 0;
    while (mine < whole && I[at(mine) + cells.record] !== record) mine++;
    const other = isOn ? running : running - 1;
    const kept = I.slice(at(mine), at(mine) + stride);
    I.copyWithin(at(mine), at(other), at(other) + stride);
    I.set(kept, at(other));
    I[row + cells.n] = BigInt(isOn ? running + 1 : running - 1);
  }
}
