// The guides: hints that the server sends, each of which goes when it was followed.
import { computed, effect, signal } from "@preact/signals";
import type { Guide, Hint, ItemInfo } from "../wire/protocol";
import { remember, remembered } from "../wording/memory";
import { sketch } from "./sketch";
import { hello, isGround, items, model, status, typeOf } from "./store";

/** How many hints of each guide were followed. */
const progress = signal<Readonly<Record<string, number>>>({});
const chosen = signal(""); // the guide that was begun last, "" for the one that suits the world

export const guides = computed<readonly Guide[]>(() => hello.value?.guides ?? []);

function followed(guide: Guide): number {
  return progress.value[guide.name] ?? Number(remembered(`guide ${guide.name}`) ?? 0);
}

/** The guide that suits the world; a world that has what no guide is about has none. */
const active = computed<Guide | null>(() => {
  const begun = guides.value.find((guide) => guide.name === chosen.value);
  if (begun?.needs.every((name) => items.value.has(name))) return begun;
  return guides.value.find((g) => g.needs.length && g.needs.every((name) => items.value.has(name))) ?? null;
});

/** The hint to show now. */
export const hint = computed<Hint | null>(() => {
  const guide = active.value;
  return guide?.hints[followed(guide)] ?? null;
});

/** Whether the person has followed a hint and the next one asks for something: names shall not lie over it. */
export const isGuiding = computed(
  () => hint.value !== null && active.value !== null && followed(active.value) > 0,
);

function goTo(guide: Guide, step: number): void {
  progress.value = { ...progress.value, [guide.name]: step };
  remember(`guide ${guide.name}`, String(step));
}

/** Something was done; when it was what the hint asked for, the next one comes. */
export function completed(what: Hint["until"]): void {
  if (active.value && hint.value?.until === what) goTo(active.value, followed(active.value) + 1);
}

export function dismissGuide(): void {
  if (active.value) goTo(active.value, active.value.hints.length);
}

/** Begin a guide with the next world that is opened. */
export function beginWithNext(guide: Guide): void {
  coming = guide;
}

/** Begin a guide, or the one that suits the world, anew. */
export function restartGuide(guide = active.value ?? guides.value[0]): void {
  if (!guide) return;
  chosen.value = guide.name;
  goTo(guide, 0);
}

/** Whether an item is of a sort: its type, what that supplies, its role or its family. */
function isOf(item: ItemInfo, sort: string): boolean {
  const type = typeOf(item);
  return [item.of, item.family, type?.supplies, type?.role].includes(sort);
}

function isEmpty(all: readonly ItemInfo[]): boolean {
  return !all.some((item) => item.family === "object" && !isGround(item));
}

let lastScene = -1;
let coming: Guide | null = null; // the guide that begins with the next world

effect(() => {
  const now = model.value;
  if (!now || !hello.value) return;
  const isOpened = now.scene !== lastScene;
  lastScene = now.scene;
  if (isOpened) {
    chosen.value = isEmpty(now.items) && now.settings["order"] !== 1 ? "empty" : "";
    if (coming) restartGuide(coming);
    coming = null;
  }
  const { counts = {} } = hint.value ?? {};
  const wanted = Object.entries(counts);
  const isThere = ([sort, count]: [string, number]): boolean =>
    now.items.filter((item) => !isGround(item) && isOf(item, sort)).length >= count;
  if (wanted.length && wanted.every(isThere)) completed("have");
});

let begun = ""; // the poses of the sketch when it was begun; "" where there is none

effect(() => {
  const now = sketch.value && JSON.stringify(sketch.value.flights.map((flight) => flight.tracks));
  if (now && !begun) completed("sketch");
  else if (now && now !== begun) completed("pose");
  begun = now ? begun || now : "";
  if (now && status.value?.is_playing) completed("play");
});
