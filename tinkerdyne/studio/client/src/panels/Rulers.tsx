// Numbers at the grid, and a length to compare with.
import { useEffect, useRef } from "preact/hooks";
import { Vector3 } from "three";
import { roundBelow } from "../state/numbers";
import { dimension, isGridShown } from "../state/store";
import { shownAs } from "../state/units";
import { drawn, view } from "../view/current";

const APART = 90; // px between two numbers, at least
const LONG = 120; // px of the length, at most
const EDGE = 18; // px from the edge of the picture
const MOST = 40;
const DIGITS = 6;

interface Tick {
  x: number;
  y: number;
  value: number; // m
}

export function Rulers() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      drawn.subscribe(() => {
        if (box.current) follow(box.current);
      }),
    [],
  );
  return (
    <div class="rulers" ref={box} aria-hidden="true">
      <div class="length">
        <span class="ruler" /> <span />
      </div>
    </div>
  );
}

function follow(box: HTMLElement): void {
  const stage = view.stage;
  if (!stage) return;
  const pixel = stage.camera.metresPerPixel();
  const [length, ...old] = [...box.children].filter((c) => c instanceof HTMLElement);
  const [rule, text] = [...(length?.children ?? [])].filter((c) => c instanceof HTMLElement);
  const metres = roundBelow(LONG * pixel);
  if (rule && text) {
    rule.style.width = `${(metres / pixel).toFixed(1)}px`;
    text.textContent = words(metres, true);
  }
  const ticks = isGridShown.value ? (dimension.value === 2 ? alongEdges(pixel) : alongAxes()) : [];
  ticks.slice(0, MOST).forEach((tick, i) => {
    const label = old[i] ?? box.appendChild(document.createElement("i"));
    label.style.transform = `translate(${tick.x.toFixed(1)}px, ${tick.y.toFixed(1)}px)`;
    label.textContent = words(tick.value, false);
    label.style.display = "";
  });
  for (const label of old.slice(ticks.length)) label.style.display = "none";
}

function words(metres: number, withUnit: boolean): string {
  const { factor, unit } = shownAs("m");
  const number = String(Number((factor * metres).toPrecision(DIGITS)));
  return withUnit ? `${number} ${unit}` : number;
}

/** In the plane: along the lower and the left edge of the picture. */
function alongEdges(pixel: number): Tick[] {
  const stage = view.stage;
  if (!stage) return [];
  const { clientWidth: w, clientHeight: h } = stage.canvas;
  const low = roundBelow(APART * pixel);
  const step = low * (low / pixel < APART ? (low / roundBelow(low * 1.01) > 1.5 ? 2.5 : 2) : 1);
  const { x, y } = stage.camera.target;
  const found: Tick[] = [];
  const half = { x: (w / 2) * pixel, y: (h / 2) * pixel };
  for (let k = Math.ceil((x - half.x) / step); k * step <= x + half.x; k++)
    found.push({ x: (k * step - x) / pixel + w / 2, y: h - EDGE, value: k * step });
  for (let k = Math.ceil((y - half.y) / step); k * step <= y + half.y; k++)
    found.push({ x: 4, y: h / 2 - (k * step - y) / pixel - 8, value: k * step });
  return found.filter(
    (t) => t.x > 0 && t.x < w - EDGE && t.y > 3 * EDGE && (t.y < h - 1.5 * EDGE || t.x > 190),
  );
}

/** In space: where the strong lines of the ground cross its axes. */
function alongAxes(): Tick[] {
  const stage = view.stage;
  if (!stage) return [];
  const { cell, height } = stage.scaleOfGround;
  const { clientWidth: w, clientHeight: h } = stage.canvas;
  const found: Tick[] = [];
  for (const along of [0, 1] as const)
    for (let k = -4; k <= 4; k++) {
      if (k === 0 && along === 1) continue;
      const place = new Vector3(0, 0, height).setComponent(along, 5 * cell * k);
      const p = stage.project(place);
      const isIn = p.isAhead && p.x > 0 && p.x < w - EDGE && p.y > 3 * EDGE && p.y < h - 1.5 * EDGE;
      const isNear = stage.camera.metresPerPixel(place) * APART < 10 * cell;
      if (isIn && isNear) found.push({ x: p.x + 3, y: p.y + 1, value: 5 * cell * k });
    }
  return found;
}
