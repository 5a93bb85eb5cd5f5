// A plot: what was recorded of some quantities, to be zoomed, moved, read off and taken out of the page.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { download } from "../media/files";
import {
  type Chart,
  csvOf,
  frameOf,
  type Line,
  type PlotFrame,
  paint,
  type Span,
  svgOf,
} from "../state/chart";
import { followed, history, Series } from "../state/history";
import { short } from "../state/numbers";
import { addTo, namesOf, type PlotSpec, removePlot } from "../state/plots";
import { spokenOf } from "../state/quantities";
import { scrubTo } from "../state/scrub";
import { isReplay, latest, recalled, shownPast, status, tick } from "../state/store";
import { wording } from "../wording/spoken";
import { PlotMenu } from "./PlotMenu";
import { unitOf } from "./units";

const COLOURS = ["--plot-1", "--plot-2", "--plot-3", "--plot-4"];
const DASH = 5; // px
const EMPTY = new Series();
const MOVED = "application/x-tinkerdyne-quantity";

/** What somebody made of the view: nothing where it follows. */
export interface PlotView {
  x: Span | null;
  zoom: number;
  shift: number;
  cursor: number | null; // index of a sample
}
export const FOLLOWING: PlotView = { x: null, zoom: 1, shift: 0, cursor: null };

/** The numbers that a plot shows: nothing but the recording. */
export function linesOf(spec: PlotSpec, place: number): Line[] {
  const style = getComputedStyle(document.documentElement);
  const x = spec.x ? (history.series.get(spec.x) ?? EMPTY).values : null;
  return [...spec.left, ...spec.right].map((name, i) => {
    const series = history.series.get(name) ?? EMPTY;
    const colour = style.getPropertyValue(COLOURS[(place + i) % COLOURS.length] ?? "--plot-1").trim();
    const isRight = i >= spec.left.length;
    const dash = i < COLOURS.length ? 0 : DASH; // a colour that comes again has a second mark
    return { name, unit: unitOf(name), colour, dash, isRight, xs: x ?? series.times, ys: series.values };
  });
}

/** The times of what a plot shows. */
export function timesOf(spec: PlotSpec): readonly number[] {
  return (history.series.get(namesOf(spec)[0] ?? "") ?? EMPTY).times;
}

export function chartOf(spec: PlotSpec, place: number, view: PlotView, width: number, height: number): Chart {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  const [times, moment] = [timesOf(spec), shownPast()];
  let lines = linesOf(spec, place);
  let x = view.x ?? followed(times, moment);
  if (spec.x) {
    // over a quantity: of the seconds that would be shown, or of all where the axis was moved
    const [from, to] = view.x ? [0, times.length] : windowOf(times, x);
    lines = lines.map((line) => ({ ...line, xs: line.xs.slice(from, to), ys: line.ys.slice(from, to) }));
    if (!view.x) x = wide((lines[0]?.xs ?? []).filter((value) => value !== null));
  }
  return {
    width,
    height,
    x,
    xTitle: spec.x,
    zoom: view.zoom,
    shift: view.shift,
    lines,
    isOverTime: !spec.x,
    moment,
    begin: (status.value?.checkpoints[0]?.time ?? 0) < (history.begin ?? 0) ? history.begin : null,
    cursor: spec.x ? null : view.cursor,
    events: [],
    colours: { text: of("--muted"), grid: of("--line"), mark: of("--select-line"), back: of("--panel") },
  };
}

function windowOf(times: readonly number[], [from, to]: Span): [number, number] {
  const series = new Series(times, []);
  return [Math.max(0, series.before(from) - 1), series.before(to)];
}

function wide(values: readonly number[]): Span {
  let [low, high] = [Infinity, -Infinity];
  for (const x of values) {
    low = Math.min(low, x);
    high = Math.max(high, x);
  }
  if (!(low <= high)) return [0, 1];
  const extra = Math.max(0.04 * (high - low), 1e-9, 1e-6 * Math.abs(high));
  return [low - extra, high + extra];
}

export function Plot({ spec, place, isFixed }: { spec: PlotSpec; place: number; isFixed?: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useSignal<PlotView>(FOLLOWING);
  const size = useSignal<readonly [number, number]>([0, 0]);
  const isLarge = useSignal(false);
  void [tick.value, recalled.value];
  const [width, height] = size.value;
  useEffect(() => {
    const box = canvas.current?.parentElement;
    if (!box) return undefined;
    const watcher = new ResizeObserver(() => (size.value = [box.clientWidth, box.clientHeight]));
    watcher.observe(box);
    return () => watcher.disconnect();
  }, []);
  const chart = chartOf(spec, place, view.value, width, height);
  useEffect(() => {
    const found = canvas.current;
    const ctx = found?.getContext("2d");
    if (!found || !ctx || !width || !height) return;
    const ratio = devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (found.width !== w || found.height !== h) [found.width, found.height] = [w, h];
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(ctx, chart);
  });
  return (
    <figure
      class={`plot ${isLarge.value ? "large" : ""}`}
      data-plot={spec.id}
      onDragOver={(e) => e.dataTransfer?.types.includes(MOVED) && e.preventDefault()}
      onDrop={(e) => {
        const name = e.dataTransfer?.getData(MOVED);
        if (name && !isFixed) addTo(spec.id, name, unitOf);
      }}
      onKeyDown={(e) => {
        if (e.key !== "Escape" || !isLarge.value) return;
        e.stopPropagation();
        isLarge.value = false;
      }}
    >
      <figcaption>
        <Legend chart={chart} view={view.value} times={timesOf(spec)} />
        <span class="plot-buttons">
          {view.value.x || view.value.zoom !== 1 ? (
            <button class="plain" title={wording.plots.followAgain} onClick={() => (view.value = FOLLOWING)}>
              ⟲
            </button>
          ) : null}
          <button
            class="plain"
            aria-label={isLarge.value ? wording.plots.makeThePlotSmallAgain : wording.plots.makeThePlotLarge}
            aria-pressed={isLarge.value}
            onClick={() => (isLarge.value = !isLarge.value)}
          >
            {isLarge.value ? "⤡" : "⤢"}
          </button>
          {isFixed ? null : (
            <PlotMenu spec={spec} exportAs={(kind) => exportPlot(spec, place, view.value, kind)} />
          )}
          {isFixed ? null : (
            <button
              class="plain"
              aria-label={wording.plots.removePlot({ names: namesOf(spec).join(", ") })}
              onClick={() => removePlot(spec.id)}
            >
              ✕
            </button>
          )}
        </span>
      </figcaption>
      <div class="plot-box">
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label={wording.plots.plotOf({ names: chart.lines.map((line) => line.name).join(", ") })}
          {...handling(view, chart, timesOf(spec))}
        />
      </div>
    </figure>
  );
}

/** The names of the lines, with their values at the cursor, at the moment that is looked at, or now. */
function Legend({ chart, view, times }: { chart: Chart; view: PlotView; times: readonly number[] }) {
  const { cursor } = view;
  const at = shownPast();
  return (
    <span class="plot-legend">
      {chart.lines.map(({ name, unit, colour, dash, isRight }) => {
        const series = history.series.get(name) ?? EMPTY;
        const value = cursor === null ? series.at(at ?? Infinity) : series.values[cursor];
        return (
          <span
            key={name}
            class="plot-name"
            draggable
            title={wording.plots.dragIt({ name: isRight ? wording.plots.onTheRight({ name }) : name })}
            onDragStart={(e) => e.dataTransfer?.setData(MOVED, name)}
          >
            <i style={dash ? { border: `2px dashed ${colour}` } : { background: colour }} />
            <span>{spokenOf(name)}</span>
            {isRight ? "→ " : ""}
            <b>{short(value)}</b> {value === null || value === undefined ? "" : unit}
          </span>
        );
      })}
      {cursor === null ? null : (
        <span class="muted">{wording.plots.atTime({ time: (times[cursor] ?? 0).toFixed(3) })}</span>
      )}
      {chart.xTitle ? (
        <span class="muted">{wording.plots.overWhat({ name: spokenOf(chart.xTitle) })}</span>
      ) : null}
    </span>
  );
}

const NEAREST = 1e-3; // s, the shortest span that is shown

/** What pointer, wheel and keys do with a plot. */
function handling(view: Signal<PlotView>, chart: Chart, times: readonly number[]) {
  const frame = (): PlotFrame => frameOf(chart);
  const zoomed = (by: number, about: number): void => {
    const [from, to] = chart.x;
    const width = Math.max(NEAREST * (chart.isOverTime ? 1 : 1e-6), (to - from) * by);
    const share = (about - from) / (to - from);
    view.value = { ...view.value, x: [about - share * width, about + (1 - share) * width] };
  };
  const moved = (dx: number, dy: number): void => {
    const f = frame();
    const by = (-dx / (f.right - f.left)) * (chart.x[1] - chart.x[0]);
    const shift = view.value.zoom === 1 ? 0 : view.value.shift + dy / (f.bottom - f.top) / view.value.zoom;
    view.value = { ...view.value, x: [chart.x[0] + by, chart.x[1] + by], shift };
  };
  const xAt = (event: MouseEvent): number => {
    const f = frame();
    return chart.x[0] + ((event.offsetX - f.left) / (f.right - f.left)) * (chart.x[1] - chart.x[0]);
  };
  const nearest = (time: number): number | null => {
    if (!times.length) return null;
    const after = Math.min(times.length - 1, new Series(times, []).before(time));
    const isBefore = after > 0 && time - (times[after - 1] ?? 0) < (times[after] ?? 0) - time;
    return isBefore ? after - 1 : after;
  };
  const look = (): void => {
    const time = times[view.value.cursor ?? -1];
    if (time !== undefined && !isReplay.value) void scrubTo(time);
  };
  let last: { x: number; y: number } | null = null;
  return {
    onPointerDown: (e: PointerEvent) => {
      if (e.button !== 0) return;
      last = { x: e.clientX, y: e.clientY };
      if (e.currentTarget instanceof Element) e.currentTarget.setPointerCapture(e.pointerId);
    },
    onPointerMove: (e: PointerEvent) => {
      if (e.buttons === 1 && last) {
        moved(e.clientX - last.x, e.clientY - last.y);
        last = { x: e.clientX, y: e.clientY };
      } else if (chart.isOverTime) view.value = { ...view.value, cursor: nearest(xAt(e)) };
    },
    onPointerUp: () => (last = null),
    onPointerLeave: () => (view.value = { ...view.value, cursor: null }),
    onDblClick: () => (view.value = FOLLOWING),
    onWheel: (e: WheelEvent) => {
      e.preventDefault();
      const by = 1.2 ** Math.sign(e.deltaY || e.deltaX);
      if (e.shiftKey) view.value = { ...view.value, zoom: Math.max(0.2, view.value.zoom / by) };
      else zoomed(by, xAt(e));
    },
    onKeyDown: (e: KeyboardEvent) => {
      const f = frame();
      const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      const { cursor } = view.value;
      if (way && e.shiftKey) moved(-0.1 * way * (f.right - f.left), 0);
      else if (way) {
        const next = cursor === null ? nearest(latest.frame?.time ?? Infinity) : cursor + way;
        view.value = { ...view.value, cursor: Math.min(times.length - 1, Math.max(0, next ?? 0)) };
      } else if (e.key === "+" || e.key === "-") {
        const middle = (chart.x[0] + chart.x[1]) / 2;
        zoomed(e.key === "+" ? 0.8 : 1.25, (cursor === null ? null : times[cursor]) ?? middle);
      } else if (e.key === "0") view.value = FOLLOWING;
      else if (e.key === "Enter") look();
      else return;
      e.preventDefault();
      e.stopPropagation();
    },
  };
}

const PICTURE = { width: 960, height: 420, ratio: 2 };

export type PlotFile = "png" | "svg" | "csv";

/** Give a plot to the person: as it is shown, or all of its numbers. */
function exportPlot(spec: PlotSpec, place: number, view: PlotView, kind: PlotFile): void {
  const name = namesOf(spec)
    .join("_")
    .replace(/[^\w.-]+/g, "_");
  if (kind === "csv") {
    const lines = linesOf(spec, place);
    const x = spec.x
      ? [{ name: spec.x, unit: unitOf(spec.x), ys: (history.series.get(spec.x) ?? EMPTY).values }]
      : [];
    download(`${name}.csv`, csvOf(timesOf(spec), [...x, ...lines]), "text/csv");
    return;
  }
  const chart = chartOf(spec, place, { ...view, cursor: null }, PICTURE.width, PICTURE.height);
  const text = svgOf(chart);
  if (kind === "svg") {
    download(`${name}.svg`, text, "image/svg+xml");
    return;
  }
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [PICTURE.ratio * image.width, PICTURE.ratio * image.height];
    const ctx = canvas.getContext("2d");
    ctx?.scale(PICTURE.ratio, PICTURE.ratio);
    ctx?.drawImage(image, 0, 0);
    canvas.toBlob((blob) => blob && download(`${name}.png`, blob, "image/png"), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
