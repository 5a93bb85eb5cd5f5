// What a form of the timeline holds: from an entry, and back to one.
import { items, latest, model, selected, status, typeOf } from "../state/store";
import { type Plain, plainOf, textsIn } from "../state/values";
import { coordinates, placeOf } from "../view/places";
import type { EventInfo, ItemInfo, Parameter } from "../wire/protocol";
import { wording } from "../wording/spoken";

const AHEAD = 1; // s: new events come this much after now
const LASTS = 1; // s, of a new ramp
export const SEVERAL = " selected"; // no item has a name with a space before it

export const KINDS = {
  off: wording.timeline.switchOff,
  on: wording.timeline.switchOn,
  set: wording.timeline.set,
  ramp: wording.timeline.kinds.ramp,
  remove: wording.timeline.remove,
  add: wording.timeline.addLater,
} as const;
export type Kind = keyof typeof KINDS;

/** What is in the form. */
export interface Draft {
  kind: Kind;
  item: string;
  parameter: string;
  value: unknown; // of a ramp, at its end
  low: unknown;
  start: number;
  end: number;
  isAhead: boolean; // no time was typed yet: it stays ahead of the clock
  isSmooth: boolean;
}

export function namesOf(item: string): string[] {
  return item === SEVERAL ? [...selected.value] : [item];
}

/** Parameters that can be set or ramped, and, to be set, parts of an object's state. */
export function parametersOf(kind: Kind, item: ItemInfo | undefined): Parameter[] {
  const type = item && typeOf(item);
  if (!item || !type) return [];
  const own = type.parameters.filter((p) => p.name in item.values && p.name !== "is_on" && p.sort !== "keys");
  const isNumbers = (value: unknown): boolean =>
    typeof value === "number" ||
    (Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === "number"));
  return kind === "ramp"
    ? own.filter((p) => isNumbers(item.values[p.name]) && p.sort !== "axes")
    : [...own, ...type.state.filter((p) => isNumbers(p.default))];
}

/** What something can be done to, what is selected first. */
export function candidates(kind: Kind): ItemInfo[] {
  const fits = (i: ItemInfo): boolean => {
    if (i.part_of) return false;
    if (kind === "on" || kind === "off") return "is_on" in i.values;
    if (kind === "remove" || kind === "add") return i.family !== "connector";
    return parametersOf(kind, i).length > 0;
  };
  return (model.value?.items ?? []).filter(fits);
}

/** The parameter of an item that a form begins with, and its present value. */
export function begun(
  kind: Kind,
  name: string,
  parameter: string,
): Pick<Draft, "parameter" | "value" | "low"> {
  const item = items.value.get(name);
  const known = parametersOf(kind, item);
  const chosen = known.find((p) => p.name === parameter) ?? known[0];
  const place = chosen?.name === "position" ? placeOf(name) : null;
  const value =
    chosen &&
    (item?.values[chosen.name] ?? (place && item ? coordinates(place, item.dimension) : chosen.default));
  return { parameter: chosen?.name ?? "", value, low: value };
}

/** A draft of which no time was typed yet, as far ahead of the clock as a new one. */
export function ahead(d: Draft): Draft {
  if (!d.isAhead) return d;
  const start = Number(
    ((latest.frame?.time ?? status.value?.time ?? 0) + AHEAD * Math.max(1, status.value?.speed ?? 1)).toFixed(
      1,
    ),
  );
  return { ...d, start, end: start + LASTS };
}

export function isPast(d: Draft): boolean {
  return (d.kind === "ramp" ? d.end : d.start) < (status.value?.time ?? 0);
}

export function fresh(): Draft {
  const [name = ""] = selected.value;
  const kind =
    (["off", "ramp", "remove"] as const).find((k) => candidates(k).some((i) => i.name === name)) ?? "off";
  const item = candidates(kind).some((i) => i.name === name) ? name : (candidates(kind)[0]?.name ?? "");
  return ahead({
    kind,
    item,
    ...begun(kind, item, ""),
    start: 0,
    end: LASTS,
    isAhead: true,
    isSmooth: false,
  });
}

/** The form of an entry, or null where it has none. */
export function draftOf({ entry, kind, start, end }: EventInfo): Draft | null {
  const what = kind === "ramp" ? entry : plainOf(entry["what"]);
  const [item, parameter] = [String(what["name"] ?? ""), String(what["parameter"] ?? "")];
  const common = {
    start,
    end: kind === "ramp" ? end : start + LASTS,
    isAhead: false,
    isSmooth: what["is_smooth"] === true,
  };
  if (kind === "ramp")
    return { ...common, kind: "ramp", item, parameter, low: what["low"], value: what["high"] };
  if (what["edit"] === "Change" && parameter === "is_on")
    return { ...common, kind: what["value"] ? "on" : "off", item, parameter, low: null, value: null };
  if (what["edit"] === "Change")
    return { ...common, kind: "set", item, parameter, low: what["value"], value: what["value"] };
  const [only, ...more] = textsIn(what["names"]);
  if (what["edit"] === "Remove" && only && !more.length)
    return { ...common, kind: "remove", item: only, parameter: "", low: null, value: null };
  return null;
}

export function entryOf(d: Draft): Plain {
  if (d.kind === "ramp")
    return {
      edit: "Ramp",
      name: d.item,
      parameter: d.parameter,
      start: d.start,
      end: d.end,
      low: d.low,
      high: d.value,
      is_smooth: d.isSmooth,
    };
  const isState = d.kind === "set" && !(d.parameter in (items.value.get(d.item)?.values ?? {}));
  const what =
    d.kind === "remove"
      ? { edit: "Remove", names: namesOf(d.item) }
      : isState
        ? { edit: "Move", name: d.item, state: [[d.parameter, d.value]], key: 0 }
        : {
            edit: "Change",
            name: d.item,
            parameter: d.kind === "set" ? d.parameter : "is_on",
            value: d.kind === "set" ? d.value : d.kind === "on",
            key: 0,
          };
  return { edit: "Event", time: d.start, what };
}
