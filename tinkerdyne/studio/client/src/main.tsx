// The studio's page.
import { render } from "preact";
import { App } from "./panels/App";
import { chartOf, FOLLOWING } from "./panels/Plot";
import { frameOf, samplesOf } from "./state/chart";
import { plots } from "./state/plots";
import { ask, connect } from "./state/session";
import { motion, poseOf, sketch, spots } from "./state/sketch";
import { status } from "./state/store";
import { listenToKeys } from "./tools/keyboard";
import { latencies } from "./tools/sketchHand";
import { view } from "./view/current";
import { placeNamed, vectorOf } from "./view/places";
import "./style/index.css";

const root = document.getElementById("studio");
if (root) render(<App />, root);
listenToKeys();
connect();

interface Place {
  x: number;
  y: number;
}

function now(name: string): Place | null {
  const place = name.startsWith("@")
    ? vectorOf(name.slice(1).split(",").map(Number))
    : (view.stage?.glyphs.get(name)?.anchors[0] ?? placeNamed(name));
  const box = view.stage?.canvas.getBoundingClientRect();
  const at = place && view.stage?.project(place);
  return at && box ? { x: box.left + at.x, y: box.top + at.y } : null;
}

/** For pictures and tests: when all that happened until now, on the server too, has been drawn. */
async function pictured(): Promise<void> {
  // whatever was told before the reply is here with it, its frame with the next one
  for (let k = 0; k < 2; k++) await ask({ do: "ask", what: "recovery" }).catch(() => undefined);
  await view.stage?.caughtUp();
  for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame); // panels make room after the first one
}

/** For pictures and tests: where parts, joints or places ("rod.end2", or "@1,0,2" of the world) are seen then, in pixels of the page. */
async function seen(...names: string[]): Promise<(Place | null)[]> {
  await pictured();
  return names.map(now);
}

/** For tests: the samples of plots and the ways of traces as they are drawn now. */
function drawn(): unknown {
  const lines = plots.value.flatMap((spec, i) => {
    const box = document.querySelector<HTMLElement>(`[data-plot="${spec.id}"] .plot-box`);
    const chart = chartOf(spec, i, FOLLOWING, box?.clientWidth ?? 0, box?.clientHeight ?? 0);
    const frame = frameOf(chart);
    return chart.lines.map((line) => {
      const kept = samplesOf(chart, frame, line);
      return {
        name: line.name,
        xs: kept.map((k) => line.xs[k]),
        ys: kept.map((k) => line.ys[k]),
        span: chart.x,
        pixels: frame.right - frame.left,
        begin: chart.begin, // of what is kept, where there was more
      };
    });
  });
  return { lines, traces: view.stage?.traces.drawn() ?? {}, status: status.value };
}
Object.assign(window, {
  tinkerdyne: {
    seen,
    pictured,
    drawn,
    latencies: () => latencies,
    sketched: () => ({ sketch: sketch.value, motion: motion.value, spots: spots().map(poseOf) }),
    calls: () => view.stage?.calls ?? 0,
    parts: () => view.stage?.figures.size ?? 0,
  },
});
