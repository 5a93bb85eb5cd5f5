// The studio's page.
import { render } from "preact";
import { App } from "./panels/App";
import { connect } from "./state/session";
import { listenToKeys } from "./tools/keyboard";
import { view } from "./view/current";
import { placeNamed } from "./view/places";
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
  const place = view.stage?.glyphs.get(name)?.anchors[0] ?? placeNamed(name);
  const box = view.stage?.canvas.getBoundingClientRect();
  const at = place && view.stage?.project(place);
  return at && box ? { x: box.left + at.x, y: box.top + at.y } : null;
}

/** For pictures and tests: where parts, joints or places ("rod.end2") are seen in the next picture, in pixels of the page. */
async function seen(...names: string[]): Promise<(Place | null)[]> {
  await new Promise(requestAnimationFrame);
  return names.map(now);
}
Object.assign(window, {
  tinkerdyne: { seen, calls: () => view.stage?.calls ?? 0, parts: () => view.stage?.figures.size ?? 0 },
});
