// What is offered for inserting: what fits the world, what suits the selection, in which order.
import { dimension, items, selected, typeOf, types } from "../state/store";
import type { ItemInfo, TypeInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { ranked } from "./search";

/** What a type waits for that this world has not, in words; "" where it can be made. */
export function lacking(type: TypeInfo): string {
  if (!type.spaces.includes(dimension.value))
    return dimension.value === 2 ? wording.tools.onlyInSpace : wording.tools.onlyInThePlane;
  for (const { kind } of asked(type)) {
    if (PLAIN.includes(kind) || has(kind)) continue;
    return wording.tools.needsA({ what: WORDS[kind] ?? kind });
  }
  return "";
}

/** What somebody has to say: not the variables that come along. */
function asked(type: TypeInfo): TypeInfo["ports"] {
  return type.slides ? type.ports.filter((p) => p.kind !== "scalar") : type.ports;
}

const PLAIN = ["anything", "direction", "point", "vector"]; // these the world itself has
const WORDS: Readonly<Record<string, string>> = {
  frame: wording.tools.body,
  part: wording.tools.body,
  particles: wording.tools.bodyOfParticles,
  scalar: wording.tools.jointOrMeasure,
};

/** Whether the world has something of a kind. */
function has(kind: string): boolean {
  for (const item of items.value.values()) if (is(item, kind)) return true;
  return false;
}

/** Whether an item can be plugged in where a kind is wanted. */
function is(item: ItemInfo, kind: string): boolean {
  const type = typeOf(item);
  const supplies = type?.supplies ?? "";
  if (kind === "part") return item.family === "object" && (supplies === "frame" || supplies === "point");
  if (kind === "point") return supplies === "point" || supplies === "frame";
  if (kind === "direction") return supplies === "direction" || supplies === "frame";
  if (kind === "scalar" || kind === "vector" || kind === "anything")
    return (
      supplies === "scalar" || (type?.coordinates.length ?? 0) > 0 || (kind !== "scalar" && supplies !== "")
    );
  return supplies === kind;
}

/** Whether what is selected can be plugged in, all of it. */
export function suits(type: TypeInfo): boolean {
  const chosen = selected.value.flatMap((name) => items.value.get(name) ?? []);
  const wanted = type.is_joint ? type.ports.filter((p) => p.kind === "frame") : asked(type);
  const last = wanted.at(-1);
  if (!last || (chosen.length > wanted.length && !last.is_many)) return false;
  return chosen.every((item, k) => is(item, (wanted[k] ?? last).kind));
}

/** Types that are found by a text, and fit here unless all are wanted. */
export function offered(search: string, isAll: boolean): TypeInfo[] {
  const known = [...types.value.values()].filter((type) => isAll || lacking(type) === "");
  if (!search.trim()) return known;
  const listed = known.map((type) => ({
    id: type.name,
    title: type.title,
    menu: type.word,
    group: `${type.group} ${type.doc}`,
    python: type.python,
    type,
  }));
  return ranked(listed, search).map(({ type }) => type);
}

/** Types by their headings; what was searched stands in the order in which it was found. */
export function grouped(found: readonly TypeInfo[], isRanked: boolean): [string, TypeInfo[]][] {
  if (isRanked) return found.length ? [[wording.tools.found, found.slice(0, 60)]] : [];
  const groups = new Map<string, TypeInfo[]>();
  for (const type of found) groups.set(type.group, [...(groups.get(type.group) ?? []), type]);
  return [...groups];
}
