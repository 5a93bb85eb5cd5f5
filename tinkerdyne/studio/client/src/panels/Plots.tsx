// Plots: pinned quantities over the last seconds.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { history } from "../state/history";
import { short, timeRange, valueRange } from "../state/numbers";
import { pin } from "../state/quantities";
import { isReplay, latest, recalled, theme, tick, tracks, watched } from "../state/store";

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
          <Plot
            key={`${name} ${theme.value}`}
            name={name}
            colour={COLOURS[i % COLOURS.length] ?? "--plot-1"}
          />
        ))}
      </div>
    </section>
  );
}

/** The time of the past that is looked at; null for the present. */
function moment(): number | null {
  return isReplay.peek() || tracks.peek()?.layout.is_past ? (latest.frame?.time ?? null) : null;
}

/** A line at the moment that is looked at. */
function drawMoment(chart: uPlot): void {
  const time = moment();
  if (time === null) return;
  const { left, top, height, width } = chart.bbox;
  const x = Math.round(chart.valToPos(time, "x", true));
  if (x < left || x > left + width) return;
  chart.ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--muted");
  chart.ctx.fillRect(x, top, Math.max(1, Math.round(devicePixelRatio)), height);
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
    chart.current = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: (u) => timeRange(u.data[0][0] ?? null, u.data[0].at(-1) ?? null) },
          y: { range: (_u, low, high) => valueRange(low, high) },
        },
        axes: [
          { ...axis, size: 22, values: (_u, ticks) => ticks.map((t) => `${t} s`) },
          { ...axis, size: 50, space: 26, values: (_u, ticks) => ticks.map(short) },
        ],
        series: [{}, { stroke: style.getPropertyValue(colour), width: 1.6, points: { show: false } }],
        hooks: { draw: [drawMoment] },
      },
      history.series.get(name)?.around(moment()) ?? [[], []],
      box,
    );
    const watcher = new ResizeObserver(() =>
      chart.current?.setSize({ width: box.clientWidth, height: HEIGHT }),
    );
    watcher.observe(box);
    return () => {
      watcher.disconnect();
      chart.current?.destroy();
    };
  }, [colour]);
  void tick.value;
  void recalled.value;
  const series = history.series.get(name);
  chart.current?.setData(series?.around(moment()) ?? [[], []]);
  const now = series?.at(moment() ?? Infinity);
  return (
    <figure class="plot">
      <figcaption>
        <span>{name}</span> <b>{now === undefined || now === null ? "" : short(now)}</b>
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
