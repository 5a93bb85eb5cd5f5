// A small moving picture of a motion, as the view looks at it.
import * as three from "three";
import { poseAt } from "../state/sketch";
import { items, theme } from "../state/store";
import type { SketchOther } from "../wire/protocol";
import { PALETTES } from "./colours";
import { view } from "./current";
import { formOf } from "./forms";
import { vectorOf } from "./places";
import { matrixOf } from "./sketched";

const MARGIN = 16; // px
const REST = 0.5; // s at the end, before it begins again
const MOST = 160; // edges of a body that are drawn
const POINTS = 40; // of a curve

const css = (colour: number): string => `#${colour.toString(16).padStart(6, "0")}`;

/** Draw the moment of a motion that belongs to a time [s], to the scale of all that it stands beside. */
export function thumbnail(
  canvas: HTMLCanvasElement,
  one: SketchOther,
  all: readonly SketchOther[],
  now: number,
): void {
  const [pen, stage] = [canvas.getContext("2d"), view.stage];
  if (!pen || !stage) return;
  const p = PALETTES[theme.value];
  const box = new three.Box2();
  for (const other of all)
    for (const { body } of other.paths) for (const at of curveOf(other, body)) box.expandByPoint(at);
  const size = box.getSize(new three.Vector2());
  const scale = Math.min(
    (canvas.width - 2 * MARGIN) / Math.max(size.x, 1),
    (canvas.height - 2 * MARGIN) / Math.max(size.y, 1),
  );
  const middle = box.getCenter(new three.Vector2());
  const to = (at: { x: number; y: number }): [number, number] => [
    canvas.width / 2 + scale * (at.x - middle.x),
    canvas.height / 2 + scale * (at.y - middle.y),
  ];
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const whole = one.grid.at(-1) ?? 0;
  const time = Math.min(now % (whole + REST), whole);
  for (const { body } of one.paths) {
    pen.strokeStyle = css(p.constraint);
    pen.lineWidth = 3;
    pen.beginPath();
    for (const [k, at] of curveOf(one, body).entries())
      if (k) pen.lineTo(...to(at));
      else pen.moveTo(...to(at));
    pen.stroke();
    const pose = poseAt(one, body, time);
    if (!pose) continue;
    pen.strokeStyle = pen.fillStyle = css(p.select);
    pen.lineWidth = 2;
    const form = formOf(items.value.get(body)?.shape ?? null);
    const ends = form?.edges?.getAttribute("position");
    const matrix = form ? matrixOf(pose).multiply(form.place) : null;
    pen.beginPath();
    for (let k = 0; ends && matrix && k + 1 < Math.min(ends.count, 2 * MOST); k += 2) {
      const [a, b] = [k, k + 1].map((i) =>
        stage.project(new three.Vector3().fromBufferAttribute(ends, i).applyMatrix4(matrix)),
      );
      if (!a || !b) continue;
      pen.moveTo(...to(a));
      pen.lineTo(...to(b));
    }
    pen.stroke();
    pen.beginPath();
    pen.arc(...to(stage.project(vectorOf(pose.place))), 4, 0, 2 * Math.PI);
    pen.fill();
  }
}

function curveOf(one: SketchOther, body: string): three.Vector2[] {
  const whole = one.grid.at(-1) ?? 0;
  return Array.from({ length: POINTS + 1 }, (_, k) => {
    const at = view.stage?.project(vectorOf(poseAt(one, body, (k / POINTS) * whole)?.place));
    return new three.Vector2(at?.x ?? 0, at?.y ?? 0);
  });
}
