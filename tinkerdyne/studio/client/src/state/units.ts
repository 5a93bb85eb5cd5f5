// Units in which numbers are shown and typed; the world's own are metres and radians.
import { signal } from "@preact/signals";
import { remember, remembered } from "../wording/memory";

export interface Units {
  length: "m" | "cm" | "mm";
  angle: "rad" | "°";
}

const kept = (remembered("units") ?? "").split(" ");
export const units = signal<Units>({
  length: kept[0] === "mm" || kept[0] === "cm" ? kept[0] : "m",
  angle: kept[1] === "rad" ? "rad" : "°",
});

export function choose(change: Partial<Units>): void {
  units.value = { ...units.value, ...change };
  remember("units", `${units.value.length} ${units.value.angle}`);
}

const EXACT = 15; // digits: without the noise of the change

/** A length [m] in words, in the unit that is shown. */
export function lengthSaid(metres: number, digits = 4): string {
  const { factor, unit } = shownAs("m");
  return `${Number((metres * factor).toPrecision(digits))} ${unit}`;
}

/** An angle [rad] in words, likewise. */
export function angleSaid(radians: number): string {
  const { factor, unit } = shownAs("rad");
  return `${Number((radians * factor).toPrecision(5))}${unit === "°" ? unit : ` ${unit}`}`;
}

/** What was typed in the unit that is shown, in the world's: of "m" or "rad". */
export function meant(typed: number, unit: "m" | "rad"): number {
  const { factor } = shownAs(unit);
  return factor === 1 ? typed : Number((typed / factor).toPrecision(EXACT));
}

/** A number of the world in the unit that is shown. */
export function inUnit(x: number, unit: "m" | "rad"): number {
  const { factor } = shownAs(unit);
  return factor === 1 ? x : Number((x * factor).toPrecision(EXACT));
}

/** How many of the shown unit are one of the world's, and its name: of "m", "rad", "m/s", "rad/s" … */
export function shownAs(unit: string): { factor: number; unit: string } {
  const { length, angle } = units.value;
  const [, base = "", rest = ""] = /^(m|rad)(|\/s|\/s²)$/.exec(unit) ?? [];
  if (base === "m" && length !== "m")
    return { factor: length === "mm" ? 1000 : 100, unit: `${length}${rest}` };
  if (base === "rad" && angle === "°") return { factor: 180 / Math.PI, unit: `°${rest}` };
  return { factor: 1, unit };
}
