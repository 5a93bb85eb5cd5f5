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

/** How many of the shown unit are one of the world's, and its name: of "m", "rad", "m/s", "rad/s" … */
export function shownAs(unit: string): { factor: number; unit: string } {
  const { length, angle } = units.value;
  const [, base = "", rest = ""] = /^(m|rad)(|\/s|\/s²)$/.exec(unit) ?? [];
  if (base === "m" && length !== "m")
    return { factor: length === "mm" ? 1000 : 100, unit: `${length}${rest}` };
  if (base === "rad" && angle === "°") return { factor: 180 / Math.PI, unit: `°${rest}` };
  return { factor: 1, unit };
}
