// The tutorial: hints that the server sends, each of which goes when it was followed.
import { computed, signal } from "@preact/signals";
import type { Hint } from "../wire/protocol";
import { hello, items, remember, remembered } from "./store";

const DONE = "done";

/** What the hint that is shown waits for, "done" when all were followed, "" before the first. */
const awaited = signal(remembered("guide") ?? "");
const hints = computed(() => hello.value?.guide.hints ?? []);

/** Which hint to show now; −1 for none: only a world that has what they are about has hints. */
const index = computed(() => {
  const guide = hello.value?.guide;
  if (!guide?.needs.every((name) => items.value.has(name)) || awaited.value === DONE) return -1;
  const found = guide.hints.findIndex((hint) => hint.until === awaited.value);
  return found < 0 && guide.hints.length ? 0 : found;
});

/** The hint to show now. */
export const hint = computed<Hint | null>(() => hints.value[index.value] ?? null);

/** Whether the person has followed a hint and the next one asks for something: names shall not lie over it. */
export const isGuiding = computed(() => index.value > 0);

function wait(until: string): void {
  awaited.value = until;
  remember("guide", until);
}

/** Something was done; when it was what the hint asked for, the next one comes. */
export function completed(what: Hint["until"]): void {
  const at = hints.value.findIndex((one) => one.until === what);
  const isAwaited = awaited.value === what || (awaited.value === "" && at === 0);
  if (at >= 0 && isAwaited) wait(hints.value[at + 1]?.until ?? DONE);
}

export function dismissGuide(): void {
  wait(DONE);
}

export function restartGuide(): void {
  wait("");
}
