// The plotted quantities as they were recorded: plots show nothing else.

import type { Recall, Recalled } from "../wire/protocol";
import { timeRange } from "./numbers";

/** A quantity over time; null where it was not there, and where the world did not run on. */
export class Series {
  constructor(
    public times: readonly number[] = [],
    public values: readonly (number | null)[] = [],
  ) {}

  /** Forget what is from a time on, or all, and go on with this. */
  take(cut: number | null, times: readonly number[], values: readonly (number | null)[]): void {
    const keep =
      cut === null ? 0 : this.before(cut) - (this.times[this.before(cut) - 1] === times[0] ? 1 : 0);
    this.times = [...this.times.slice(0, keep), ...times];
    this.values = [...this.values.slice(0, keep), ...values];
  }

  /** Forget what the recording no longer has. */
  dropBefore(begin: number): void {
    const drop = this.times.findIndex((t) => t >= begin);
    if (drop > 0) {
      this.times = this.times.slice(drop);
      this.values = this.values.slice(drop);
    }
  }

  /** The value at a time, or the last one before it. */
  at(time: number): number | null | undefined {
    return this.values[this.before(time) - 1];
  }

  /** How many samples are not after a time. */
  before(time: number): number {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.times[middle] ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const FOLLOWED = 20; // s of the world's time that are shown until somebody zooms

/** The last seconds, or those around a moment of the past. */
export function followed(times: readonly number[], moment: number | null): [number, number] {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const end = moment === null ? last : Math.min(last, Math.max(moment + FOLLOWED / 2, first + FOLLOWED));
  return timeRange(Math.max(first, end - FOLLOWED), end);
}

/** The thing that a quantity ("rod.position[2]", or a thing itself) is of; names may have dots too. */
export function ownerOf(quantity: string, names: { has(name: string): boolean }): string {
  for (let end = quantity.length; end > 0; end = quantity.lastIndexOf(".", end - 1)) {
    const owner = quantity.slice(0, end);
    if (names.has(owner)) return owner;
  }
  return "";
}

/** A thing or a quantity of it under its new name. */
export function renamed(quantity: string, names: ReadonlyMap<string, string>): string {
  const owner = ownerOf(quantity, names);
  return owner ? `${names.get(owner)}${quantity.slice(owner.length)}` : quantity;
}

class History {
  series = new Map<string, Series>();
  private version = -1;
  begin: number | null = null; // s: what is older is no longer kept

  /** Another world was opened. */
  forget(): void {
    this.series.clear();
    this.version = -1;
    this.begin = null;
  }

  rename(now: (name: string) => string): void {
    this.series = new Map([...this.series].map(([name, series]) => [now(name), series]));
  }

  /** What to ask for to have these quantities up to now. */
  wanted(names: readonly string[]): Recall {
    const isKnown = names.every((name) => this.series.has(name));
    const since = this.series.get(names[0] ?? "")?.times.at(-1) ?? 0;
    return { do: "recall", names: [...names], version: isKnown ? this.version : -1, since };
  }

  /** What the recording has of them. */
  take(names: readonly string[], told: Recalled): void {
    this.version = told.version;
    this.begin = told.begin;
    for (const name of this.series.keys()) if (!names.includes(name)) this.series.delete(name);
    names.forEach((name, k) => {
      const series = this.series.get(name) ?? new Series();
      this.series.set(name, series);
      series.take(told.cut, told.times, told.values[k] ?? []);
      if (told.begin !== null) series.dropBefore(told.begin);
    });
  }
}

export const history = new History();
