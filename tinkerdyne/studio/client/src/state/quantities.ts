// Which numbers of an item can be plotted, and pinning them.

import { type ItemInfo, MOST_RECALLED } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { completed } from "./guide";
import { togglePlot, watched } from "./plots";
import { recall } from "./session";
import { say, typeOf } from "./store";

const AXES = ["[0]", "[1]", "[2]"];

/** Quantities of the world as a whole. */
export const OF_WORLD = ["energy", "kinetic_energy", "potential_energy", "gap"];

/** Names of quantities, as `Recall` takes them. */
export function quantities(item: ItemInfo): string[] {
  const type = typeOf(item);
  const components = (name: string, count: number): string[] =>
    AXES.slice(0, count).map((k) => `${item.name}.${name}${k}`);
  if (item.family === "object")
    return (type?.state ?? []).flatMap((p) => {
      if (p.sort === "number") return [`${item.name}.${p.name}`];
      if (p.sort === "quaternion") return [];
      const count =
        p.name === "position" || p.name === "velocity"
          ? item.dimension
          : Array.isArray(p.default)
            ? p.default.length
            : 0;
      return count ? components(p.name, Math.min(3, count)) : [];
    });
  const own = (...names: string[]): string[] => names.map((name) => `${item.name}.${name}`);
  if (item.family === "constraint") return own("force", "gap", ...(type?.coordinates ?? []));
  if (item.family === "behavior") return own("force", "energy", "power");
  if (type?.supplies === "point")
    return [...components("value", item.dimension), ...components("velocity", item.dimension)];
  return type?.supplies === "scalar" || type?.supplies === "vector" ? own("value", "velocity") : [];
}

/** A quantity as it is shown: "rod.position x" for rod.position[0]. */
export function spokenOf(name: string): string {
  return name.replace(
    /(position|velocity|value|spin)\[([012])\]$/,
    (_, what: string, k: string) => `${what} ${"xyz"[Number(k)]}`,
  );
}

/** Plot a quantity, or stop it. */
export function pin(name: string): void {
  if (!watched.value.includes(name) && watched.value.length >= MOST_RECALLED) {
    say(wording.plots.mostPlotted({ count: MOST_RECALLED }), "error");
    return;
  }
  if (!watched.value.includes(name)) completed("plot");
  togglePlot(name);
  void recall();
}
