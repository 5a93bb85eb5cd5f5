// What is plotted: which quantities in which plot, on which axis, over time or over another quantity.
import { computed, signal } from "@preact/signals";

/** A plot: quantities on the left and on the right axis, over time ("") or over a quantity. */
export interface PlotSpec {
  id: number;
  left: readonly string[];
  right: readonly string[];
  x: string;
}

let last = 0;

export const plots = signal<readonly PlotSpec[]>([]);

/** All quantities that are plotted. */
export const watched = computed<readonly string[]>(() => [...new Set(plots.value.flatMap(namesOf))]);

export function namesOf(plot: PlotSpec): string[] {
  return [...plot.left, ...plot.right, ...(plot.x ? [plot.x] : [])];
}

/** A plot of its own for each of these. */
export function plotEach(names: readonly string[]): PlotSpec[] {
  return names.map((name) => ({ id: ++last, left: [name], right: [], x: "" }));
}

/** One plot with these quantities. */
export function plotOf(left: readonly string[], right: readonly string[] = [], x = ""): PlotSpec {
  return { id: ++last, left, right, x };
}

/** Plot a quantity in a plot of its own, or take it out of all plots. */
export function togglePlot(name: string): void {
  if (watched.value.includes(name)) plots.value = keptOf(plots.value, (other) => other !== name);
  else plots.value = [...plots.value, ...plotEach([name])];
}

/** Plots as the server tells them; those that are here already stay as they are looked at. */
export function plotsTold(told: readonly Omit<PlotSpec, "id">[]): PlotSpec[] {
  const known = new Map(plots.value.map((spec) => [JSON.stringify(rowOf(spec)), spec.id]));
  return told.map((row) => {
    const key = JSON.stringify(rowOf(row));
    const id = known.get(key) ?? ++last;
    known.delete(key);
    return { id, ...row };
  });
}

/** A plot without its number, which is this page's own. */
export function rowOf({ left, right, x }: Omit<PlotSpec, "id">): {
  left: string[];
  right: string[];
  x: string;
} {
  return { left: [...left], right: [...right], x };
}

/** The plots with those of their quantities that are kept. */
export function keptOf(all: readonly PlotSpec[], isKept: (name: string) => boolean): PlotSpec[] {
  return all
    .map((plot) => ({
      ...plot,
      left: plot.left.filter(isKept),
      right: plot.right.filter(isKept),
      x: isKept(plot.x) ? plot.x : "",
    }))
    .filter((plot) => plot.left.length + plot.right.length > 0);
}

/** The plots with other names for their quantities. */
export function renamePlots(now: (name: string) => string): void {
  plots.value = plots.value.map(({ id, left, right, x }) => ({
    id,
    left: left.map(now),
    right: right.map(now),
    x: x && now(x),
  }));
}

function changed(id: number, change: (plot: PlotSpec) => PlotSpec): void {
  plots.value = keptOf(
    plots.value.map((plot) => (plot.id === id ? change(plot) : plot)),
    () => true,
  );
}

/** Put a quantity into a plot: on the left where its unit is that of the others there, else on the right. */
export function addTo(id: number, name: string, unitOf: (name: string) => string): void {
  changed(id, (plot) => {
    if (plot.left.includes(name) || plot.right.includes(name)) return plot;
    const isLike = !plot.left.length || plot.left.some((other) => unitOf(other) === unitOf(name));
    return isLike ? { ...plot, left: [...plot.left, name] } : { ...plot, right: [...plot.right, name] };
  });
}

export function removeFrom(id: number, name: string): void {
  changed(id, (plot) => ({
    ...plot,
    left: plot.left.filter((other) => other !== name),
    right: plot.right.filter((other) => other !== name),
  }));
}

/** To the other axis. */
export function otherSide(id: number, name: string): void {
  changed(id, ({ left, right, ...plot }) => {
    const without = (names: readonly string[]): string[] => names.filter((other) => other !== name);
    return left.includes(name)
      ? { ...plot, left: without(left), right: [...right, name] }
      : { ...plot, left: [...left, name], right: without(right) };
  });
}

export function plotOver(id: number, x: string): void {
  changed(id, (plot) => ({ ...plot, x }));
}

export function removePlot(id: number): void {
  plots.value = plots.value.filter((plot) => plot.id !== id);
}
