// How the world is meant to be seen, as it is saved with the scene: camera, traces, plots and controls.
import { computed } from "@preact/signals";
import { applyEdit, ask, change, report } from "./session";
import * as store from "./store";
import { numbersIn, plainOf } from "./values";

export interface Control {
  name: string;
  parameter: string;
  kind: "slider" | "button" | "switch";
  low: number;
  high: number;
  index: number;
  keys: string;
  title: string;
}

const KINDS = ["slider", "button", "switch"] as const;

/** The controls of the panel. */
export const controls = computed<readonly Control[]>(() => {
  const rows = store.model.value?.display["controls"];
  return Array.isArray(rows) ? rows.map(controlOf) : [];
});

function controlOf(row: unknown): Control {
  const given = plainOf(row);
  const text = (name: string): string => String(given[name] ?? "");
  return {
    name: text("name"),
    parameter: text("parameter"),
    kind: KINDS.find((kind) => kind === given["kind"]) ?? "slider",
    low: Number(given["low"] ?? 0),
    high: Number(given["high"] ?? 1),
    index: Number(given["index"] ?? 0),
    keys: text("keys"),
    title: text("title"),
  };
}

/** Have other controls. */
export async function setControls(next: readonly Control[]): Promise<string> {
  return applyEdit({ edit: "Display", part: "controls", value: next.length ? next : null });
}

/** What a new control of a parameter is like, by its value now; null of what no control can set. */
export function controlFor(name: string, parameter: string, value: unknown, isSize: boolean): Control | null {
  const base = { name, parameter, index: 0, keys: "", title: "" };
  if (typeof value === "boolean") return { ...base, kind: "switch", low: 0, high: 1 };
  const [now] = numbersIn(value);
  if (now === undefined || numbersIn(value).length > 3) return null;
  const reach = 2 * Math.abs(now) || 1;
  return isSize
    ? {
        ...base,
        kind: "slider",
        low: rounded(0.1 * Math.abs(now) || 0.1),
        high: rounded(3 * Math.abs(now) || 1),
      }
    : { ...base, kind: "slider", low: -rounded(reach), high: rounded(reach) };
}

const rounded = (x: number): number => Number(x.toPrecision(3));

/** The number that a control sets now; NaN where its item is gone. */
export function numberOf({ name, parameter, index }: Control): number {
  const value = store.items.value.get(name)?.values[parameter];
  if (typeof value === "boolean") return Number(value);
  return numbersIn(value)[index] ?? Number.NaN;
}

let sending: Promise<unknown> | null = null;
let next: (() => Promise<unknown>) | null = null;

/** Give a control's parameter a number: the newest of several; all until the final one are one step for undo. */
export function steer(control: Control, to: number, isFinal: boolean): void {
  const { name, parameter, index } = control;
  const old = store.items.value.get(name)?.values[parameter];
  const value =
    typeof old === "boolean"
      ? to > (control.low + control.high) / 2
      : Array.isArray(old)
        ? numbersIn(old).map((x, k) => (k === index ? to : x))
        : to;
  next = () => ask({ do: "steer", name, parameter, value, is_final: isFinal }).catch(report);
  void send();
}

async function send(): Promise<void> {
  if (sending) return;
  while (next) {
    sending = next();
    next = null;
    await sending;
  }
  sending = null;
}

/** Give a switch the other value: one step of its own. */
export function flip(control: Control): void {
  const isHigh = numberOf(control) > (control.low + control.high) / 2;
  const old = store.items.value.get(control.name)?.values[control.parameter];
  const to = isHigh ? control.low : control.high;
  if (typeof old === "boolean") void change(control.name, control.parameter, !old).then(complain);
  else steer(control, to, true);
}

function complain(words: string): void {
  if (words) store.say(words, "error");
}

/** The camera that a scene asks for: place, distance, azimuth and elevation. */
export function cameraOf(): readonly number[] | null {
  const found = numbersIn(store.model.value?.display["camera"]);
  return found.length === 6 ? found : null;
}
