// The timeline's entries: events and ramps are the world's plan, keys of paths are parameters; all can be moved, made and deleted.
import type { EventInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { act, applyEdit, change } from "./session";
import { items, latest, model, say } from "./store";
import { type Plain, plainOf } from "./values";

const APART = 0.01; // s between the ends of a ramp, and between keys, at least

/** An entry with a name of its own, which it keeps while it is moved. */
export interface Entry {
  id: string;
  info: EventInfo;
  lane: string; // what it is about: "hook.is_on", "spring.length", a path
}

/** A part of an entry: its only time, an end of a ramp, a key of a path; −1 for all of it. */
export type Part = number;

/** All entries, in an order that does not depend on their times: what has the focus stays where it is. */
export function entries(): Entry[] {
  const seen = new Map<string, number>();
  const found = (model.value?.timeline ?? []).map((info) => {
    const { time: _time, start: _start, end: _end, ...rest } = info.entry;
    const own = info.kind === "path" ? `path ${info.item}` : JSON.stringify(rest);
    const count = seen.get(own) ?? 0;
    seen.set(own, count + 1);
    return { id: `${own} ${count}`, info, lane: laneOf(info) };
  });
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return found.sort((a, b) => compare(a.lane, b.lane) || compare(a.id, b.id));
}

function laneOf(info: EventInfo): string {
  const what = plainOf(info.entry["what"]);
  if (what["edit"] === "Change") return `${info.item}.${String(what["parameter"])}`;
  return info.kind === "ramp" ? info.title : info.item || info.title;
}

export function timesOf(info: EventInfo): number[] {
  if (info.kind === "event") return [info.start];
  return info.kind === "ramp" ? [info.start, info.end] : info.keys.map((row) => row[0] ?? 0);
}

/** Times after a part was moved; parts do not pass each other. */
export function shifted(times: readonly number[], part: Part, by: number): number[] {
  const tidy = (t: number): number => Number(t.toFixed(4));
  if (part < 0) return times.map((t) => tidy(t + by));
  const low = (times[part - 1] ?? -Infinity) + APART;
  const high = (times[part + 1] ?? Infinity) - APART;
  return times.map((t, k) => (k === part ? tidy(Math.min(high, Math.max(low, t + by))) : t));
}

export const PASSED = wording.timeline.timeHasPassed;

/** Whether all of these times are over. */
export function isPassed(times: readonly number[]): boolean {
  return Math.max(...times) < (latest.frame?.time ?? 0);
}

let queue: Promise<void> = Promise.resolve();

/** One after the other, each with what the one before it left: keys may be pressed faster than the server answers. */
function inTurn(id: string, work: (info: EventInfo) => Promise<string>): Promise<void> {
  queue = queue.then(async () => {
    const entry = entries().find((e) => e.id === id);
    const wrong = entry ? await work(entry.info) : "";
    if (wrong) say(wrong, "error");
  });
  return queue;
}

/** Move a part of an entry in time [s]. */
export function shift(id: string, part: Part, by: number): Promise<void> {
  return inTurn(id, async (info) => {
    const times = shifted(timesOf(info), part, by);
    if (info.kind === "path")
      return change(
        info.item,
        "keys",
        info.keys.map((row, k) => [times[k], ...row.slice(1)]),
      );
    const [start, end] = times;
    const wrong = await replan(
      info,
      info.kind === "event" ? { ...info.entry, time: start } : { ...info.entry, start, end },
    );
    if (!wrong && isPassed(times)) say(PASSED);
    return wrong;
  });
}

/** Delete an event, a ramp, or a key of a path; a path as a whole goes with what follows it. */
export function erase(id: string, part: Part): Promise<void> {
  return inTurn(id, async (info) => {
    if (info.kind !== "path") return replan(info, null);
    if (part < 0) {
      await act({ do: "delete", names: [info.item] });
      return "";
    }
    if (info.keys.length <= 2) return wording.timeline.twoKeys;
    return change(
      info.item,
      "keys",
      info.keys.filter((_, k) => k !== part),
    );
  });
}

/** Put another entry in the place of one, take it away (null), or add one (for no entry). Answers what is wrong. */
export function replan(info: EventInfo | null, entry: Plain | null): Promise<string> {
  const all = (model.value?.timeline ?? []).filter((e) => e.kind !== "path");
  const others = all.map((e) => (e.index === info?.index ? entry : e.entry)).filter((e) => e !== null);
  return applyEdit({ edit: "Plan", entries: info || !entry ? others : [...others, entry] });
}

/** Keys with one more between its neighbours, on the straight line between them; null before the first. */
export function withKey(keys: readonly (readonly number[])[], time: number): number[][] | null {
  const next = keys.findIndex((row) => (row[0] ?? 0) > time);
  const [before, after] = [keys[next - 1] ?? keys.at(-1), keys[next]];
  if (!before || next === 0) return null;
  const share = after ? (time - (before[0] ?? 0)) / ((after[0] ?? 0) - (before[0] ?? 0)) : 0;
  const row = before.map((x, k) => (k === 0 ? Number(time.toFixed(4)) : x + share * ((after?.[k] ?? x) - x)));
  const at = next < 0 ? keys.length : next;
  return [...keys.slice(0, at), row, ...keys.slice(at)].map((one) => [...one]);
}

/** Put a key of a path between its neighbours, at a time. */
export async function addKey(info: EventInfo, time: number): Promise<string> {
  const keys = withKey(info.keys, time);
  return keys ? change(info.item, "keys", keys) : wording.timeline.keyBetween;
}

/** What an entry does, in a word or two beside its mark. */
export function wordOf(info: EventInfo): string {
  const value = (x: unknown): string =>
    Array.isArray(x)
      ? x.map(value).join(", ")
      : typeof x === "number"
        ? String(Number(x.toPrecision(4)))
        : /^(image [0-9a-f]+$|data:image\/)/.test(String(x))
          ? wording.timeline.anotherImage
          : String(x);
  if (info.kind === "ramp") return `${value(info.entry["low"])} → ${value(info.entry["high"])}`;
  const what = plainOf(info.entry["what"]);
  switch (what["edit"]) {
    case "Change":
      return what["parameter"] === "is_on"
        ? what["value"]
          ? wording.timeline.on
          : wording.timeline.off
        : `= ${value(what["value"])}`;
    case "Remove":
      return wording.timeline.remove;
    case "Add":
      return wording.timeline.add;
    case "Move":
      return wording.timeline.move;
    default:
      return info.kind === "path" ? "" : info.title;
  }
}

/** The heading of a lane: a switch is known by its item. */
export function headingOf(lane: string): string {
  return lane.endsWith(".is_on") && items.value.has(lane.slice(0, -6)) ? lane.slice(0, -6) : lane;
}
