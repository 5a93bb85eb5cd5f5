// What is being made by hand: the type in hand, and the sizes of what was drawn last.
import { signal } from "@preact/signals";
import type { TypeInfo } from "../wire/protocol";

export const made = signal<TypeInfo | null>(null); // the type in hand, with the tool "make"

/** Whether places snap to a grid, and turns to whole steps, while things are drawn and moved. */
export const isSnapping = signal(true);

/** The sizes of what was drawn last, to be typed in place. */
export interface Sizing {
  item: string;
  sizes: readonly { name: string; part: number; word: string }[];
  end: readonly number[] | null; // where a bar begins, which stays when its length is typed
  first: string; // what was typed already
}
export const sizing = signal<Sizing | null>(null);
