// Where panels are and how large: this browser keeps it. In a narrow window one of them at a time lies under the view.
import { computed, effect, signal } from "@preact/signals";
import { remember, remembered } from "../wording/memory";

export type Edge = "left" | "right" | "bottom";
/** What lies under the view in a narrow window. */
export type LowerPanel = "" | "parts" | "side" | "timeline" | "plots";

const USUAL: Readonly<Record<Edge, number>> = { left: 232, right: 292, bottom: 184 }; // px
const LEAST: Readonly<Record<Edge, number>> = { left: 150, right: 210, bottom: 96 };
const MOST: Readonly<Record<Edge, number>> = { left: 460, right: 620, bottom: 560 };
const NARROW = "(max-width: 900px)";

const narrow = matchMedia(NARROW);
export const isNarrow = signal(narrow.matches);
narrow.addEventListener("change", () => (isNarrow.value = narrow.matches));

function kept(edge: Edge): number {
  return Number(remembered(`size ${edge}`) ?? "") || USUAL[edge];
}

export const sizes = signal<Readonly<Record<Edge, number>>>({
  left: kept("left"),
  right: kept("right"),
  bottom: kept("bottom"),
});
export const hidden = signal<ReadonlySet<Edge>>(
  new Set((["left", "right", "bottom"] as const).filter((edge) => remembered(`hidden ${edge}`) === "yes")),
);
export const sheet = signal<LowerPanel>("");

/** The page's grid: how much room each edge has, in pixels. */
export const grid = computed(() => {
  const room = (edge: Edge): string => (hidden.value.has(edge) ? "0px" : `${sizes.value[edge]}px`);
  return { "--left": room("left"), "--right": room("right"), "--bottom": room("bottom") };
});

export function resize(edge: Edge, pixels: number): void {
  const limit = edge === "bottom" ? 0.7 * innerHeight : 0.4 * innerWidth;
  const size = Math.round(Math.min(MOST[edge], limit, Math.max(LEAST[edge], pixels)));
  sizes.value = { ...sizes.value, [edge]: size };
  remember(`size ${edge}`, String(size));
}

export function usual(edge: Edge): void {
  resize(edge, USUAL[edge]);
}

export function show(edge: Edge, isShown: boolean): void {
  const next = new Set(hidden.value);
  if (isShown) next.delete(edge);
  else next.add(edge);
  hidden.value = next;
  remember(`hidden ${edge}`, isShown ? "no" : "yes");
}

/** Have a panel seen in which something was opened. */
export function reveal(panel: "side" | "timeline"): void {
  const edge = panel === "side" ? "right" : "bottom";
  if (isNarrow.value) sheet.value = panel;
  else if (hidden.value.has(edge)) show(edge, true);
}

export function toggle(edge: Edge): void {
  show(edge, hidden.value.has(edge));
}

const ALL: readonly Edge[] = ["left", "right", "bottom"];

/** Only the view; all panels again where there is only the view. */
export function toggleAll(): void {
  const isBare = ALL.every((edge) => hidden.value.has(edge));
  for (const edge of ALL) show(edge, isBare);
}

effect(() => {
  if (!isNarrow.value) sheet.value = "";
});
