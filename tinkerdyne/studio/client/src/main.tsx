// The studio's page.
import { render } from "preact";
import { listenToKeys } from "./keys";
import { App } from "./panels/App";
import { connect } from "./studio";
import { view } from "./view/current";
import { placeOf, spotsOf } from "./view/places";
import "uplot/dist/uPlot.min.css";
import "./style.css";

const root = document.getElementById("studio");
if (root) render(<App />, root);
listenToKeys();
connect();

/** For pictures and tests: where a part, a joint or a place ("rod.end2") is seen, in pixels of the page, once the picture shows the newest frame. */
async function seen(name: string): Promise<{ x: number; y: number } | null> {
  await new Promise(requestAnimationFrame);
  const body = name.slice(0, name.lastIndexOf("."));
  const place = view.stage?.glyphs.get(name)?.anchors[0] ?? spotsOf(body).find((s) => s.input === name)?.place ?? placeOf(name);
  const box = view.stage?.canvas.getBoundingClientRect();
  const at = place && view.stage?.project(place);
  return at && box ? { x: box.left + at.x, y: box.top + at.y } : null;
}
Object.assign(window, { tinkerdyne: { seen } });
