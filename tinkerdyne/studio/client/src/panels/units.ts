// The units of quantities, from what the types say of themselves.
import { ownerOf } from "../state/history";
import { items, typeOf } from "../state/store";
import type { ItemInfo } from "../wire/protocol";

const OF_WORLD: Readonly<Record<string, string>> = {
  time: "s",
  energy: "J",
  kinetic_energy: "J",
  potential_energy: "J",
};

/** The unit in brackets of a type's description: "… [m]." */
function stated(item: ItemInfo | undefined): string {
  return /\[([^\][,]{1,12})\]/.exec(typeOf(item)?.doc ?? "")?.[1] ?? "";
}

/** What does work along a quantity of this unit. */
function forceAlong(unit: string): string {
  return { m: "N", rad: "N m", "m/s": "N", "m²": "Pa" }[unit] ?? "";
}

/** The unit of a quantity; "" where it has none, or where it is not known. */
export function unitOf(quantity: string): string {
  const name = ownerOf(quantity, items.value);
  if (!name) return OF_WORLD[quantity] ?? "";
  const item = items.value.get(name);
  const type = typeOf(item);
  const reading = quantity.slice(name.length + 1).replace(/\[.*/, "");
  if (reading === "energy") return "J";
  if (reading === "power") return "W";
  switch (item?.family) {
    case "object":
      return type?.state.find((part) => part.name === reading)?.unit ?? "";
    case "connector": {
      const unit = stated(item) || (type?.supplies === "point" ? "m" : "");
      return reading === "velocity" && unit ? `${unit}/s` : unit;
    }
    case "constraint": {
      const unit = stated(item) || (type?.role === "nail" ? "m" : "");
      const driven = items.value.get(item.inputs[0] ?? "");
      if (reading === "gap") return unit;
      if (reading === "force")
        return type?.is_joint
          ? /\[m, rad\]/.test(type.doc)
            ? "N, N m"
            : "N"
          : forceAlong(type?.ports[0]?.kind === "scalar" ? stated(driven) : unit);
      return /turn|bend|swing|rotation/.test(reading) ? "rad" : "m";
    }
    case "behavior": {
      const [first] = type?.ports ?? [];
      if (first?.kind !== "scalar") return "N";
      return forceAlong(stated(items.value.get(item.inputs[0] ?? "")));
    }
    default:
      return "";
  }
}
