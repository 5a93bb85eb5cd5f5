// The stage that is shown; a page has one.
import { signal } from "@preact/signals";
import type { Stage } from "./stage";

export const view: { stage: Stage | null } = { stage: null };

/** Counts the pictures that were drawn: what lies over them follows. */
export const drawn = signal(0);

/** Whether all parts have left the picture. */
export const isAway = signal(false);
