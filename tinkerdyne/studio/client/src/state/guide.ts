// The first sixty seconds: four hints, each of which goes when it was followed.
import { computed, signal } from "@preact/signals";
import { items, remember, remembered } from "./store";

export const STEPS = ["pull", "snap", "cut", "undo", "done"] as const;
export type Step = (typeof STEPS)[number];

const step = signal<Step>((remembered("guide") as Step | null) ?? "pull");

/** The hint to show now; only the first world of the studio has them. */
export const hint = computed<Step>(() =>
  items.value.has("pendulum") && items.value.has("second") ? step.value : "done",
);

/** Something was done; when it was what the hint asked for, the next one comes. */
export function completed(what: Step): void {
  if (step.value !== what) return;
  step.value = STEPS[STEPS.indexOf(what) + 1] ?? "done";
  remember("guide", step.value);
}

export function dismissGuide(): void {
  step.value = "done";
  remember("guide", "done");
}

export function restartGuide(): void {
  step.value = "pull";
  remember("guide", "pull");
}
