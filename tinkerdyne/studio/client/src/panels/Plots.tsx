// Plots: pinned quantities over the last seconds.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { history } from "../history";
import { theme, tick, watched } from "../store";
import { pin } from "./quantities";
import { short } from "./numbers";

const HEIGHT = 118;
const COLOURS = ["--plot-1", "--plot-2", "--plot-3", "--plot-4"];

export function Plots() {
  return (
    <section class="panel plots" aria-label="Plots" data-panel>
      <h2>Plots</h2>
      {watched.value.length ? null : (
        <p class="empty">
          Pin any quantity of a part in the inspector, or{" "}
          <button class="link" onClick={() => pin("energy")}>
            plot the energy
          </button>
          .
        </p>
      )}
      <div class="plot-row">
        {watched.value.map((name, i) => (
          <Plot key={`${name} ${theme.value}`} name={name} colour={COLOURS[i % COLOURS.length] ?? "--plot-1"} />
        ))}
      </div>
    </section>
  );
}

/** The shown range: never so narrow that rounding looks like motion. */
function span(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const least = Math.max(0.02 * Math.max(Math.abs(low), Math.abs(high)), 1e-9);
  const extra = Math.max(least, 0.08 * (high - low), (least - (high - low)) / 2);
  return [low - extra, high + extra];
}

export function Plot({ name, colour, isFixed }: { name: string; colour: string; isFixed?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useEffect(() => {
    const box = place.current;
    if (!box) return undefined;
    const style = getComputedStyle(document.documentElement);
    const text = style.getPropertyValue("--muted");
    const axis = {
      stroke: text,
      grid: { stroke: style.getPropertyValue("--line"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui",
    };
    const known = history.series.get(name);
    chart.current = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: (_u, low, high) => span(low, high) } },
        axes: [
          { ...axis, size: 22, values: (_u, ticks) => ticks.map((t) => `${t} s`) },
          { ...axis, size: 50, space: 26, values: (_u, ticks) => ticks.map(short) },
        ],
        series: [{}, { stroke: style.getPropertyValue(colour), width: 1.6, points: { show: false } }],
      },
      known ? [known.times, known.values] : [[], []],
      box,
    );
    const watcher = new ResizeObserver(() => chart.current?.setSize({ width: box.clientWidth, height: HEIGHT }));
    watcher.observe(box);
    return () => {
      watcher.disconnect();
      chart.current?.destroy();
    };
  }, [colour]);
  void tick.value;
  const series = history.series.get(name);
  chart.current?.setData(series ? [series.times, series.values] : [[], []]);
  const now = series?.values.at(-1);
  return (
    <figure class="plot">
      <figcaption>
        <span>{name}</span> <b>{now === undefined ? "" : short(now)}</b>
        {isFixed ? null : (
          <button class="plain" aria-label={`Remove the plot of ${name}`} onClick={() => pin(name)}>
            ✕
          </button>
        )}
      </figcaption>
      <div ref={place} />
    </figure>
  );
}
