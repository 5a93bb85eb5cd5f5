// Numbers as people read them.

/** Three digits or so, without exponents where they are not needed. */
export function short(x: number | null | undefined): string {
  if (x === null || x === undefined) return "";
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size < 5e-4 && size > 0) return x.toExponential(1);
  if (size >= 1e5) return x.toExponential(2);
  return String(Number(x.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : 3)));
}

/** A force as it is said beside a hand. */
export function newtons(force: number): string {
  return force >= 1e4 ? `${(force / 1000).toPrecision(3)} kN` : `${short(force)} N`;
}

const LONGEST = 10; // characters of a number that is shown in full: more are 0.30000000000000004

/** All digits, or up to seven of them, as many as fit into a room of some characters; never without the exponent. */
export function fitting(x: number, room: number): string {
  if (String(x).length <= Math.min(room, LONGEST)) return String(x);
  for (let digits = 7; digits > 0; digits--)
    for (const text of [String(Number(x.toPrecision(digits))), x.toExponential(digits - 1).replace("+", "")])
      if (text.length <= room) return text;
  return Math.abs(x) < 1 ? "≈0" : "…";
}

/** What a person typed as a number; null when it is none. A comma is read as a point. */
export function parsed(text: string): number | null {
  const x = Number(text.trim().replace(",", "."));
  return text.trim() !== "" && Number.isFinite(x) ? x : null;
}

/** A round number below a given one: 1, 2 or 5 times a power of ten. */
export function roundBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

const LEAST = 1e-15; // of a span: worlds may be tiny, and what is smaller is rounding

/** The numbers of an axis, with as many digits as tell one from the next. */
export function ticksSaid(ticks: readonly number[]): string[] {
  const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
  const largest = Math.max(...ticks.map(Math.abs));
  if (!step || !largest) return ticks.map(short);
  const power = (x: number): number => Math.floor(Math.log10(x) + 1e-9);
  const isRound = Math.abs(step / 10 ** power(step) - Math.round(step / 10 ** power(step))) < 1e-6; // not 2.5
  const last = power(step) - (isRound ? 0 : 1); // the power of ten of the last digit
  const said = (x: number): string => {
    if (x === 0) return "0";
    if (largest < 1e5 && largest >= 1e-3) return String(Number(x.toFixed(Math.max(0, -last))));
    return x.toExponential(Math.max(0, power(Math.abs(x)) - last)).replace("+", "");
  };
  return ticks.map(said);
}

/** The range that a plot shows of values: never so narrow that rounding looks like motion. */
export function valueRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (low === 0 && high === 0) return [-1, 1];
  const least = Math.max(0.02 * Math.max(Math.abs(low), Math.abs(high)), LEAST);
  const extra = Math.max(least, 0.08 * (high - low), (least - (high - low)) / 2);
  return [low - extra, high + extra];
}

/** The times that a plot shows; of a world that has not run yet, its first second. */
export function timeRange(low: number | null, high: number | null): [number, number] {
  const start = low ?? 0;
  return [start, high !== null && high > start ? high : start + 1];
}
