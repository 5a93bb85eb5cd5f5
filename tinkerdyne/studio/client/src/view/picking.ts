// What lies under a point of the canvas: a body and where it is hit, or the mark of a joint.
import * as three from "three";
import { parameterAt } from "../media/curves";
import type { Figure } from "./figure";
import type { Mark } from "./marks";

const NEARBY = [
  [0, 0],
  [5, 0],
  [-5, 0],
  [0, 5],
  [0, -5],
] as const; // px: hands are not that exact

/** A body that was hit. */
export interface Hit {
  name: string;
  place: three.Vector3; // in the world
  own: three.Vector3; // in the body's axes
}

/** What is drawn, and how places and pixels belong together. */
export interface Drawn {
  readonly figures: ReadonlyMap<string, Figure>;
  readonly glyphs: ReadonlyMap<string, Mark>;
  project(place: three.Vector3): { x: number; y: number; isAhead: boolean };
  ray(x: number, y: number): three.Ray;
}

/** The body under a point of the canvas or a few pixels from it, and where it is hit. */
export function bodyAt(drawn: Drawn, x: number, y: number): Hit | null {
  const meshes = [...drawn.figures.values()].map((figure) => figure.target);
  const caster = new three.Raycaster();
  for (const [dx, dy] of NEARBY) {
    caster.ray.copy(drawn.ray(x + dx, y + dy));
    const hit = caster.intersectObjects(meshes, false)[0];
    if (!hit) continue;
    const name = String(hit.object.userData["name"]);
    return { name, place: hit.point, own: ownOf(hit.point, drawn.figures.get(name)) };
  }
  return smallBodyAt(drawn, x, y);
}

/** A place that was hit, in the axes of what was hit, as it was drawn then. */
function ownOf(place: three.Vector3, figure: Figure | undefined): three.Vector3 {
  if (figure?.isCurve) return parameterAt(figure.item.name, place);
  const own = figure ? place.clone().applyMatrix4(figure.matrix.clone().invert()) : new three.Vector3();
  if (figure?.item.dimension === 2) own.z = 0;
  return own;
}

/** Small and thin things can be caught from a few pixels away. */
function smallBodyAt(drawn: Drawn, x: number, y: number): Hit | null {
  let best: Hit | null = null;
  let least = 9;
  for (const [name, figure] of drawn.figures) {
    for (const place of figure.catches()) {
      const p = drawn.project(place);
      const d = Math.hypot(p.x - x, p.y - y);
      if (p.isAhead && d < least)
        [best, least] = [
          { name, place, own: figure.isCurve ? parameterAt(name, place) : new three.Vector3() },
          d,
        ];
    }
  }
  return best;
}

/** The constraint or behavior whose mark lies under a point of the canvas. */
export function glyphAt(drawn: Drawn, x: number, y: number, within: number): string {
  let [best, least] = ["", within];
  for (const [name, glyph] of drawn.glyphs) {
    if (!glyph.object.visible) continue;
    for (const anchor of glyph.anchors) {
      const p = drawn.project(anchor);
      const d = Math.hypot(p.x - x, p.y - y);
      if (p.isAhead && d < least) [best, least] = [name, d];
    }
  }
  return best;
}
