// The last seconds of the watched quantities, for plots and traces.
import type { Frame, Tracks } from "../wire/frame";

const SHOWN = 20; // s of the world's time that plots show
const KEPT = 240; // s that they can show when the past is looked at
const MOST = 16_000; // samples

/** A quantity over time. */
export class Series {
  readonly times: number[] = [];
  readonly values: number[] = [];

  add(time: number, value: number): void {
    const last = this.times[this.times.length - 1];
    if (last !== undefined && time < last) {
      const keep = this.times.findIndex((t) => t >= time); // undone or gone back: what lay ahead is no longer true
      this.times.length = keep;
      this.values.length = keep;
    } else if (time === last) {
      this.values[this.values.length - 1] = value; // a world at rest was changed, or is another one
      return;
    }
    this.times.push(time);
    this.values.push(value);
    if (this.times.length > 1.25 * MOST || time - (this.times[0] ?? time) > 1.25 * KEPT) {
      const late = this.times.findIndex((t) => t >= time - KEPT);
      const drop = Math.max(late, this.times.length - MOST);
      this.times.splice(0, drop);
      this.values.splice(0, drop);
    }
  }

  /** The last seconds, or those around a moment of the past: (times, values). */
  around(moment: number | null): [number[], number[]] {
    const last = this.times.at(-1) ?? 0;
    const end =
      moment === null ? last : Math.min(last, Math.max(moment + SHOWN / 2, (this.times[0] ?? 0) + SHOWN));
    const [from, to] = [this.before(end - SHOWN), this.before(end)];
    return [this.times.slice(from, to), this.values.slice(from, to)];
  }

  /** The value at a time, or the last one before it. */
  at(time: number): number | undefined {
    return this.values[this.before(time) - 1];
  }

  /** How many samples are not after a time. */
  private before(time: number): number {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.times[middle] ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
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
  readonly series = new Map<string, Series>();
  private tracks: Tracks | null = null;

  follow(tracks: Tracks): void {
    this.tracks = tracks;
    if (tracks.layout.is_past) return; // what is plotted now may not have been then
    for (const name of this.series.keys()) if (!tracks.values.has(name)) this.series.delete(name);
  }

  /** Another world was opened. */
  forget(): void {
    this.series.clear();
  }

  rename(now: (name: string) => string): void {
    for (const [name, series] of [...this.series]) {
      this.series.delete(name);
      this.series.set(now(name), series);
    }
  }

  add(frame: Frame): void {
    if (!this.tracks || this.tracks.layout.is_past || frame.revision !== this.tracks.layout.revision) return;
    for (const [name, track] of this.tracks.values) {
      const series = this.series.get(name) ?? new Series();
      this.series.set(name, series);
      series.add(frame.time, frame.numbers[track.offset] ?? NaN);
    }
  }
}

export const history = new History();
