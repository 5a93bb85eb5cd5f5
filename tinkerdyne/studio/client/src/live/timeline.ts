// The timeline of a live file: parameters that are set at times, and ramps, as `tinkerdyne/world/timeline.py` plays them.

import type { Happening } from "./file";

const GRID = 240; // settings of a ramp in a second

/** Something to be set at a moment. */
export interface Due {
  name: string;
  parameter: string;
  values: number[];
}

const isRamp = (one: Happening): boolean => one.end > one.start;

/** The first time after t at which an entry happens; infinite when there is none. */
function after(one: Happening, t: number): number {
  if (t < one.start) return one.start;
  if (t >= one.end) return Infinity;
  const k = (t - one.start) * GRID + 1e-6;
  return Math.min(one.start + (Math.floor(k) + 1) / GRID, one.end);
}

/** When something happens next after t; infinite when nothing does. */
export function nextTime(entries: readonly Happening[], t: number): number {
  return entries.reduce((first, one) => Math.min(first, after(one, t)), Infinity);
}

/** What is to be set at a moment, in the order of the timeline. */
export function due(entries: readonly Happening[], t: number): Due[] {
  return entries.flatMap((one) => {
    const { name, parameter, start, end, low, high, is_smooth } = one;
    if (!isRamp(one)) return t === start ? [{ name, parameter, values: low }] : [];
    const isOnGrid = t === start + Math.round((t - start) * GRID) / GRID;
    if (t < start || t > end || !(t === start || t === end || isOnGrid)) return [];
    let share = (t - start) / (end - start);
    if (is_smooth) share = share * share * (3 - 2 * share);
    return [{ name, parameter, values: low.map((a, k) => a + share * ((high[k] ?? a) - a)) }];
  });
}
