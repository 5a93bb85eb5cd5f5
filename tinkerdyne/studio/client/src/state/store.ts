// What the page knows, as signals: everything drawn and every panel follows from this.
import { computed, effect, signal } from "@preact/signals";
import type { Vector3 } from "three";
import type { Frame, Tracks } from "../wire/frame";
import type {
  Hello,
  ItemInfo,
  Model,
  Notice,
  PictureInfo,
  Rows,
  Status,
  TypeInfo,
  Unsaved,
} from "../wire/protocol";
import { remember, remembered } from "../wording/memory";

export const isConnected = signal(false);
export const wasConnected = signal(false);
export const isOutdated = signal(false); // the server now brings another page
export const hello = signal<Hello | null>(null);
export const model = signal<Model | null>(null);
export const tracks = signal<Tracks | null>(null);
export const status = signal<Status | null>(null);
export const expectedStatus: { now: Partial<Status> } = { now: {} }; // what was asked for and is not answered yet
export const notices = signal<readonly (Notice & { id: number; offer?: Offer })[]>([]);

/** What a notice offers to do. */
export interface Offer {
  title: string;
  run(): void;
}

/** The newest frame; `tick` counts a few times a second for readouts. */
export const latest: { frame: Frame | null } = { frame: null };
export const tick = signal(0);
export const recalled = signal(0); // counts what came of the recording, for plots
export const isReplay = signal(false); // of a recording in a file: all of it is known

/** The time of the past that is looked at; null for the present. */
export function shownPast(): number | null {
  return isReplay.peek() || tracks.peek()?.layout.is_past ? (latest.frame?.time ?? null) : null;
}

/** The items that are shown: those of the model, and in the past also those that are gone or were others then. */
export const shownItems = computed<readonly ItemInfo[]>(() => {
  const [now, then] = [model.value?.items ?? [], tracks.value?.layout.then ?? []];
  const names = new Set(then.map((item) => item.name));
  return then.length
    ? [...now.filter((item) => !names.has(item.name)), ...then].sort((a, b) => a.key - b.key)
    : now;
});
export const items = computed(() => new Map(shownItems.value.map((item) => [item.name, item])));
export const types = computed(() => new Map((hello.value?.types ?? []).map((type) => [type.name, type])));
export const dimension = computed(() => model.value?.dimension ?? 3);

export const selected = signal<readonly string[]>([]);
export const hovered = signal("");

export type Tool =
  | "select"
  | "cut"
  | "nail"
  | "path"
  | "pick"
  | "draw"
  | "bind"
  | "make"
  | "lasso"
  | "measure"
  | "act";
export const tool = signal<Tool>("select");
export const prompt = signal(""); // what the tool waits for, in words

export type ForceKind = "constraint" | "behavior" | "field" | "hand" | "torque";
const MANY = 150; // forces: with more, arrows hide the parts, so they wait until they are asked for
export const isCrowded = computed(() => {
  const forces = tracks.value?.forces ?? [];
  return (
    forces.length > MANY &&
    forces.filter(({ name }) => {
      const item = items.value.get(name);
      return item?.family !== "field" || roleOf(item) === "contact";
    }).length > MANY
  );
});

/** What was chosen, in worlds of few forces ("constraint") and of many ("constraint of many"); this browser keeps it. */
export const forceChoice = signal<Readonly<Record<string, boolean>>>({});
const forceKey = (kind: ForceKind): string => (isCrowded.value ? `${kind} of many` : kind);
const kept: Readonly<Record<string, boolean>> = { on: true, off: false };
const chosen = (kind: ForceKind): boolean | undefined =>
  forceChoice.value[forceKey(kind)] ?? kept[remembered(`forces ${forceKey(kind)}`) ?? ""];
export const shownForces = computed<Readonly<Record<ForceKind, boolean>>>(() => ({
  constraint: chosen("constraint") ?? !isCrowded.value,
  behavior: chosen("behavior") ?? !isCrowded.value,
  field: chosen("field") ?? false,
  hand: chosen("hand") ?? true,
  torque: chosen("torque") ?? !isCrowded.value,
}));

/** Show the forces of a kind or not, in worlds like this one, from now on. */
export function showForces(kind: ForceKind, isShown: boolean): void {
  forceChoice.value = { ...forceChoice.value, [forceKey(kind)]: isShown };
  remember(`forces ${forceKey(kind)}`, isShown ? "on" : "off");
}
export const forceScale = signal<{ newtons: number; pixels: number } | null>(null);
export const areTracesShown = signal(false);
export const areNamesShown = signal(false);
export const isGridShown = signal(true);
export const traced = signal<readonly string[]>([]); // "body" or "body.place"
export const tracedPlaces = signal<readonly string[]>([]); // of these, and of all where all are traced, the drawn ones

/** The joints of the keys 1, 2, 3 … */
export const joints = computed(() => firstOf("constraint"));
export const chosenJoint = signal("");
export const joint = computed(() => chosenJoint.value || (joints.value[0]?.name ?? ""));

/** The axis that a joint is made with: of the world, of the part in hand, or of the view. */
export type AxisChoice = "auto" | "x" | "y" | "z" | "part x" | "part y" | "part z" | "view" | "typed";
export const axis = signal<AxisChoice>("auto");
export const typedAxis = signal<[number, number, number]>([0, 0, 1]);
export const isAiming = signal(false); // something is being inserted that asks for a direction
export const shownAxis = signal<{ place: Vector3; along: Vector3 } | null>(null); // one that is being chosen

/** The entry of the timeline that is being made (without an id) or edited, in a form of its own. */
export const draft = signal<{ id: string; part: number } | null>(null);

/** The checkpoint that was just kept, to be named; 0 for none. */
export const newCheckpoint = signal(0);

/** What hangs on the pointer: a grab with its force, a snap with what it would do. */
export interface Readout {
  x: number;
  y: number;
  text: string;
  detail: string;
}
export const readout = signal<Readout | null>(null);

/** Something to be decided before going on. */
export interface Question {
  text: string;
  yes: string;
  run(): void;
}
export const question = signal<Question | null>(null);

export type Dialog =
  | ""
  | "question"
  | "palette"
  | "gallery"
  | "open"
  | "save"
  | "python"
  | "keys"
  | "recover"
  | "rename"
  | "settings"
  | "steps"
  | "curve"
  | "insert";
/** A world that was not saved when the studio ended. */
export const recovery = signal<Unsaved | null>(null);

export const dialog = signal<Dialog>("");

/** What the right side shows. */
export type SideName = "inspector" | "model" | "image" | "data" | "sketch";
export const side = signal<SideName>("inspector");

/** The fit that a hand pulls; "" for none. */
export const pulledFit = { name: "" };

/** Rows of data that are not fitted yet. */
export const loadedRows = signal<Rows | null>(null);

/** Pictures of a recording, by name; live ones are asked for. */
export const pictures = signal<ReadonlyMap<string, PictureInfo>>(new Map());

export type Theme = "light" | "dark";
const wished = new URLSearchParams(location.search).get("theme") ?? remembered("theme");
const usual: Theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
export const theme = signal<Theme>(wished === "light" || wished === "dark" ? wished : usual);
effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

let lastNotice = 0;

/** Say something at the edge of the page for a while; errors stay longer. */
export function say(text: string, level: Notice["level"] = "info", offer?: Offer): void {
  const id = ++lastNotice;
  const others = notices.value.filter((n) => n.text !== text && n.level !== "info").slice(-2);
  notices.value = [...others, { type: "Notice", id, level, text, ...(offer && { offer }) }];
  setTimeout(() => dismiss(id), level === "info" && !offer ? 4000 : 9000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((n) => n.id !== id);
}

export function isBody(item: ItemInfo | undefined): item is ItemInfo {
  return item?.family === "object";
}

/** The description of an item's type; what can be known of it is asked for there and not by its name. */
export function typeOf(item: ItemInfo | undefined): TypeInfo | undefined {
  return item && types.value.get(item.of);
}

const FAST: readonly string[] = ["nail", "rivet", "ball", "hinge", "cross", "weld"]; // glyphs of what keeps two places together

/** Whether a constraint keeps two places together: a joint that does not slide, a connection or a nail. */
export function isFast(item: ItemInfo): boolean {
  return FAST.includes(typeOf(item)?.glyph ?? "");
}

/** What an item is to tools and panels. */
export function roleOf(item: ItemInfo | undefined): TypeInfo["role"] {
  return typeOf(item)?.role ?? "none";
}

/** Whether an item is a floor or a wall, which is there for others. */
export function isGround(item: ItemInfo): boolean {
  return item.family === "object" && typeOf(item)?.group === "Ground and contact";
}

/** The name of the type that has a role, as `Insert` takes it. */
export function typeFor(role: TypeInfo["role"]): string {
  const found = hello.value?.types.find((type) => type.role === role);
  if (!found) throw new Error(`the server knows no type with the role ${role}`);
  return found.name;
}

/** The types of a family that are offered first, in their order. */
export function firstOf(family: TypeInfo["family"]): TypeInfo[] {
  const offered = (hello.value?.types ?? []).filter((type) => type.family === family && type.rank > 0);
  return offered.sort((a, b) => a.rank - b.rank);
}

/** Select one thing, or put it to the others (or take it away again). */
export function select(name: string, isAdding = false): void {
  const now = selected.value;
  if (!isAdding) selected.value = name ? [name] : [];
  else if (name) selected.value = now.includes(name) ? now.filter((n) => n !== name) : [...now, name];
}
