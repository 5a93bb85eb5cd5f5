// How what is selected is being arranged, in a form of its own.
import { signal } from "@preact/signals";

export type Way = "line" | "circle" | "mirror" | "align" | "move";
export const arranging = signal<Way | null>(null);
