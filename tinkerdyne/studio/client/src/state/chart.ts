// A chart as a list of shapes, from numbers alone: the same shapes are painted on a canvas and written as SVG.

import { wording } from "../wording/spoken";
import { roundBelow, ticksSaid, valueRange } from "./numbers";

export type Span = readonly [number, number];
type Value = number | null;

/** A quantity, as it is drawn. */
export interface Line {
  name: string;
  unit: string;
  colour: string;
  dash?: number; // px of a dashed one; 0 or none: solid
  isRight: boolean;
  xs: readonly Value[];
  ys: readonly Value[];
}

export interface Colours {
  text: string;
  grid: string;
  mark: string;
  back: string;
}

/** What a chart shows. `x` is the span of its lower axis; the others follow from what is seen, times `zoom`. */
export interface Chart {
  width: number; // px
  height: number;
  x: Span;
  xTitle: string;
  zoom: number; // of the upright axes about their middle, and
  shift: number; // by how much of their span they are moved
  lines: readonly Line[];
  isOverTime: boolean;
  moment: number | null; // that is looked at
  begin: number | null; // of what is kept
  cursor: number | null; // index of a sample
  events: readonly { time: number; title: string }[];
  colours: Colours;
}

export type PlotShape =
  | {
      kind: "line";
      points: readonly (readonly [number, number])[];
      colour: string;
      width: number;
      dash?: number;
    }
  | {
      kind: "text";
      at: readonly [number, number];
      text: string;
      colour: string;
      align: "start" | "middle" | "end";
    }
  | { kind: "box"; at: readonly [number, number]; size: readonly [number, number]; colour: string }
  | { kind: "dot"; at: readonly [number, number]; colour: string };

/** Where things lie in a chart, and the spans of its axes. */
export interface PlotFrame {
  left: number; // px
  top: number;
  right: number;
  bottom: number;
  y: Span;
  y2: Span | null;
  px(x: number): number;
  py(y: number, isRight: boolean): number;
}

const ROOM = { left: 50, right: 10, axis: 50, top: 6, bottom: 20 }; // px
const BETWEEN = { x: 54, y: 24 }; // px between two numbers of an axis, at least

/** Round numbers within a span, about so many. */
export function ticksOf([low, high]: Span, count: number): number[] {
  const step = roundUp((high - low) / Math.max(1, count));
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

function roundUp(x: number): number {
  const below = roundBelow(x);
  if (below >= x * (1 - 1e-9)) return below;
  return (
    [2, 2.5, 5, 10].map((by) => roundBelow(by * below * 1.0000001)).find((one) => one >= x) ?? 10 * below
  );
}

/** The indices of those samples that are drawn: of each column of pixels the first, the least, the largest and the last, so
 * that no peak is lost; and of each break one. Samples stand in the order of x. */
export function drawnOf(xs: readonly Value[], ys: readonly Value[], column: (x: number) => number): number[] {
  const kept: number[] = [];
  let [first, least, most, last, now] = [-1, -1, -1, -1, Number.NaN];
  const close = (): void => {
    if (first >= 0) for (const i of new Set([first, least, most, last].sort((a, b) => a - b))) kept.push(i);
    first = -1;
  };
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [xs[i] ?? null, ys[i] ?? null];
    if (x === null || y === null) {
      close();
      if (kept.length && ys[kept.at(-1) ?? -1] !== null) kept.push(i);
      continue;
    }
    const at = Math.floor(column(x));
    if (first < 0 || at !== now) {
      close();
      [first, least, most, last, now] = [i, i, i, i, at];
    } else {
      last = i;
      if (y < (ys[least] ?? 0)) least = i;
      if (y > (ys[most] ?? 0)) most = i;
    }
  }
  close();
  return kept;
}

/** Of points in any order: those that lie further than half a pixel from the one before. */
export function apart(
  xs: readonly Value[],
  ys: readonly Value[],
  px: (x: number) => number,
  py: (y: number) => number,
): number[] {
  const kept: number[] = [];
  let [u, v, isOpen] = [0, 0, false];
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [xs[i] ?? null, ys[i] ?? null];
    if (x === null || y === null) {
      if (isOpen) kept.push(i);
      isOpen = false;
      continue;
    }
    const [a, b] = [px(x), py(y)];
    if (isOpen && Math.hypot(a - u, b - v) < 0.5 && i < xs.length - 1) continue;
    kept.push(i);
    [u, v, isOpen] = [a, b, true];
  }
  return kept;
}

/** The samples from one before a span to one behind it. */
function within(xs: readonly Value[], [from, to]: Span): [number, number] {
  let [first, last] = [0, xs.length];
  while (first < last && (xs[first + 1] ?? -Infinity) < from) first++;
  while (last > first && (xs[last - 2] ?? Infinity) > to) last--;
  return [first, last];
}

function spanOf(chart: Chart, isRight: boolean): Span {
  let [low, high] = [Infinity, -Infinity];
  for (const line of chart.lines)
    if (line.isRight === isRight)
      for (let i = 0; i < line.xs.length; i++) {
        const [x, y] = [line.xs[i] ?? null, line.ys[i] ?? null];
        if (x === null || y === null || !Number.isFinite(y)) continue;
        if (chart.isOverTime && (x < chart.x[0] || x > chart.x[1])) continue;
        if (y < low) low = y;
        if (y > high) high = y;
      }
  const [from, to] = low <= high ? valueRange(low, high) : valueRange(null, null);
  const [middle, half] = [(from + to) / 2 + chart.shift * (to - from), (to - from) / 2 / chart.zoom];
  return [middle - half, middle + half];
}

export function frameOf(chart: Chart): PlotFrame {
  const hasRight = chart.lines.some((line) => line.isRight);
  const [left, right] = [ROOM.left, chart.width - (hasRight ? ROOM.axis : ROOM.right)];
  const [top, bottom] = [ROOM.top, chart.height - ROOM.bottom];
  const [y, y2] = [spanOf(chart, false), hasRight ? spanOf(chart, true) : null];
  const px = (x: number): number => left + ((x - chart.x[0]) / (chart.x[1] - chart.x[0])) * (right - left);
  const py = (value: number, isRight: boolean): number => {
    const [low, high] = isRight && y2 ? y2 : y;
    return bottom - ((value - low) / (high - low)) * (bottom - top);
  };
  return { left, top, right, bottom, y, y2, px, py };
}

/** A line's samples that are drawn, by index. */
export function samplesOf(chart: Chart, frame: PlotFrame, line: Line): number[] {
  if (!chart.isOverTime) return apart(line.xs, line.ys, frame.px, (y) => frame.py(y, line.isRight));
  const [first, last] = within(line.xs, chart.x);
  const kept = drawnOf(line.xs.slice(first, last), line.ys.slice(first, last), frame.px);
  return kept.map((i) => first + i);
}

/** All shapes of a chart, those behind first. What lies within the axes comes between two marks of a clip. */
export function shapesOf(chart: Chart): { back: PlotShape[]; inside: PlotShape[]; frame: PlotFrame } {
  const frame = frameOf(chart);
  return { back: axes(chart, frame), inside: [...marks(chart, frame), ...curves(chart, frame)], frame };
}

function axes(chart: Chart, f: PlotFrame): PlotShape[] {
  const { text, grid } = chart.colours;
  const shapes: PlotShape[] = [];
  const line = (points: [number, number][], colour: string): void => {
    shapes.push({ kind: "line", points, colour, width: 1 });
  };
  const along = ticksOf(chart.x, (f.right - f.left) / BETWEEN.x);
  const words = ticksSaid(along);
  for (const [k, x] of along.entries()) {
    line(
      [
        [f.px(x), f.top],
        [f.px(x), f.bottom],
      ],
      grid,
    );
    const word = `${words[k]}${chart.isOverTime ? " s" : ""}`;
    const isLast = f.px(x) > f.right - ROOM.right; // it would be cut off
    const at = [isLast ? f.right + ROOM.right : f.px(x), f.bottom + 14] as const;
    shapes.push({ kind: "text", at, text: word, colour: text, align: isLast ? "end" : "middle" });
  }
  const left = ticksOf(f.y, (f.bottom - f.top) / BETWEEN.y);
  const leftWords = ticksSaid(left);
  for (const [k, y] of left.entries()) {
    line(
      [
        [f.left, f.py(y, false)],
        [f.right, f.py(y, false)],
      ],
      grid,
    );
    shapes.push({
      kind: "text",
      at: [f.left - 5, f.py(y, false) + 4],
      text: leftWords[k] ?? "",
      colour: text,
      align: "end",
    });
  }
  const right = f.y2 ? ticksOf(f.y2, (f.bottom - f.top) / BETWEEN.y) : [];
  const rightWords = ticksSaid(right);
  for (const [k, y] of right.entries()) {
    const at = [f.right + 5, f.py(y, true) + 4] as const;
    shapes.push({ kind: "text", at, text: rightWords[k] ?? "", colour: text, align: "start" });
  }
  return shapes;
}

function marks(chart: Chart, f: PlotFrame): PlotShape[] {
  const { text, grid, mark } = chart.colours;
  const shapes: PlotShape[] = [];
  if (!chart.isOverTime) return shapes;
  if (chart.begin !== null && chart.begin > chart.x[0]) {
    const x = f.px(Math.min(chart.begin, chart.x[1]));
    shapes.push({ kind: "box", at: [f.left, f.top], size: [x - f.left, f.bottom - f.top], colour: grid });
    shapes.push({
      kind: "line",
      points: [
        [x, f.top],
        [x, f.bottom],
      ],
      colour: text,
      width: 1,
      dash: 3,
    });
    shapes.push({
      kind: "text",
      at: [x - 4, f.top + 11],
      text: wording.plots.notKept,
      colour: text,
      align: "end",
    });
  }
  for (const { time } of chart.events)
    if (time >= chart.x[0] && time <= chart.x[1])
      shapes.push({
        kind: "line",
        points: [
          [f.px(time), f.top],
          [f.px(time), f.top + 7],
        ],
        colour: mark,
        width: 1.5,
      });
  if (chart.moment !== null)
    shapes.push({
      kind: "line",
      points: [
        [f.px(chart.moment), f.top],
        [f.px(chart.moment), f.bottom],
      ],
      colour: text,
      width: 1.5,
    });
  return shapes;
}

function curves(chart: Chart, f: PlotFrame): PlotShape[] {
  const shapes: PlotShape[] = [];
  for (const line of chart.lines) {
    let points: [number, number][] = [];
    const close = (): void => {
      if (points.length === 1) points.push([(points[0]?.[0] ?? 0) + 1, points[0]?.[1] ?? 0]);
      if (points.length)
        shapes.push({ kind: "line", points, colour: line.colour, width: 1.6, dash: line.dash ?? 0 });
      points = [];
    };
    for (const i of samplesOf(chart, f, line)) {
      const [x, y] = [line.xs[i] ?? null, line.ys[i] ?? null];
      if (x === null || y === null) close();
      else points.push([f.px(x), f.py(y, line.isRight)]);
    }
    close();
    const at = chart.cursor === null ? -1 : chart.cursor;
    const [x, y] = [line.xs[at] ?? null, line.ys[at] ?? null];
    if (x !== null && y !== null)
      shapes.push({ kind: "dot", at: [f.px(x), f.py(y, line.isRight)], colour: line.colour });
  }
  return shapes;
}

/** Paint a chart on a canvas whose unit is a pixel. */
export function paint(ctx: CanvasRenderingContext2D, chart: Chart): void {
  const { back, inside, frame } = shapesOf(chart);
  ctx.clearRect(0, 0, chart.width, chart.height);
  ctx.font = "11px system-ui, sans-serif";
  for (const shape of back) paintShape(ctx, shape);
  ctx.save();
  ctx.beginPath();
  ctx.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
  ctx.clip();
  for (const shape of inside) paintShape(ctx, shape);
  ctx.restore();
}

function paintShape(ctx: CanvasRenderingContext2D, shape: PlotShape): void {
  ctx.fillStyle = ctx.strokeStyle = shape.colour;
  switch (shape.kind) {
    case "line":
      ctx.lineWidth = shape.width;
      ctx.lineJoin = "round";
      ctx.setLineDash(shape.dash ? [shape.dash, shape.dash] : []);
      ctx.beginPath();
      for (const [i, [x, y]] of shape.points.entries()) i ? ctx.lineTo(x, y) : ctx.moveTo(x, y);
      ctx.stroke();
      break;
    case "text":
      ctx.textAlign = shape.align === "middle" ? "center" : shape.align;
      ctx.fillText(shape.text, ...shape.at);
      break;
    case "box":
      ctx.fillRect(...shape.at, ...shape.size);
      break;
    case "dot":
      ctx.beginPath();
      ctx.arc(...shape.at, 3, 0, 2 * Math.PI);
      ctx.fill();
  }
}

/** A chart as an SVG file, with the names of its lines. */
export function svgOf(chart: Chart): string {
  const { back, inside, frame } = shapesOf(chart);
  const head = 18 * Math.ceil(chart.lines.length / 3) + 4;
  const names = chart.lines.map((line, i) => {
    const [x, y] = [frame.left + (i % 3) * ((chart.width - frame.left) / 3), 14 + 18 * Math.floor(i / 3)];
    const dot = `<circle cx="${x + 4}" cy="${y - 4}" r="4" fill="${line.colour}"/>`;
    return `${dot}<text x="${x + 12}" y="${y}" fill="${chart.colours.text}">${escaped(titleOf(line))}</text>`;
  });
  const { left, top, right, bottom } = frame;
  const size = `width="${right - left}" height="${bottom - top}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${chart.width}" height="${chart.height + head}" font-family="system-ui, sans-serif" font-size="11">
<rect width="100%" height="100%" fill="${chart.colours.back}"/>
<clipPath id="inside"><rect x="${left}" y="${top}" ${size}/></clipPath>
${names.join("\n")}
<g transform="translate(0 ${head})">
${back.map(svgShape).join("\n")}
<g clip-path="url(#inside)">
${inside.map(svgShape).join("\n")}
</g></g></svg>
`;
}

export function titleOf({ name, unit }: Pick<Line, "name" | "unit">): string {
  return unit ? `${name} [${unit}]` : name;
}

function svgShape(shape: PlotShape): string {
  const n = (x: number): string => String(Number(x.toFixed(2)));
  switch (shape.kind) {
    case "line": {
      const points = shape.points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ");
      const dash = shape.dash ? ` stroke-dasharray="${shape.dash}"` : "";
      return `<polyline points="${points}" fill="none" stroke="${shape.colour}" stroke-width="${shape.width}" stroke-linejoin="round"${dash}/>`;
    }
    case "text":
      return `<text x="${n(shape.at[0])}" y="${n(shape.at[1])}" fill="${shape.colour}" text-anchor="${shape.align}">${escaped(shape.text)}</text>`;
    case "box":
      return `<rect x="${n(shape.at[0])}" y="${n(shape.at[1])}" width="${n(shape.size[0])}" height="${n(shape.size[1])}" fill="${shape.colour}"/>`;
    case "dot":
      return `<circle cx="${n(shape.at[0])}" cy="${n(shape.at[1])}" r="3" fill="${shape.colour}"/>`;
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Numbers as a table: time, then each quantity; empty where it was not there. */
export function csvOf(
  times: readonly number[],
  lines: readonly Pick<Line, "name" | "unit" | "ys">[],
): string {
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const head = [wording.plots.timeInSeconds, ...lines.map(titleOf)].map(quoted).join(",");
  const rows = times.map((time, i) => [time, ...lines.map((line) => line.ys[i] ?? "")].join(","));
  return `${[head, ...rows].join("\n")}\n`;
}
