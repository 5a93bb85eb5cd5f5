// Lines of a given width in the picture, made of flat quads in the plane, and the zero lines of a formula.
import * as three from "three";
import type { Compiled } from "./formula";

const COLUMNS = 110;
const ROWS = 80;
const STEPS = 400; // of an explicit line

/** Many segments x y x y in a row, drawn with one width. */
export class Ribbons extends three.Mesh<three.BufferGeometry, three.MeshBasicMaterial> {
  segments: readonly number[] = [];

  constructor(height: number, opacity = 1) {
    super(
      new three.BufferGeometry(),
      new three.MeshBasicMaterial({
        side: three.DoubleSide,
        transparent: opacity < 1,
        opacity,
        depthTest: false,
      }),
    );
    this.frustumCulled = false;
    this.renderOrder = height;
    this.position.z = height;
    this.raycast = () => undefined;
  }

  setSegments(segments: readonly number[], width: number): void {
    this.segments = segments;
    const count = segments.length / 4;
    const places = new Float32Array(count * 18);
    for (let i = 0; i < count; i++) {
      const [x = 0, y = 0, u = 0, v = 0] = segments.slice(4 * i, 4 * i + 4);
      const length = Math.hypot(u - x, v - y) || 1;
      const [a, b] = [((u - x) / length) * (width / 2), ((v - y) / length) * (width / 2)];
      const [px, py, qx, qy] = [x - a, y - b, u + a, v + b]; // a little longer, so that corners close
      const corners = [
        px - b,
        py + a,
        0,
        px + b,
        py - a,
        0,
        qx - b,
        qy + a,
        0,
        qx - b,
        qy + a,
        0,
        px + b,
        py - a,
        0,
        qx + b,
        qy - a,
        0,
      ];
      places.set(corners, 18 * i);
    }
    this.geometry.setAttribute("position", new three.BufferAttribute(places, 3));
  }
}

/** Segments through points x y …, closed or not. */
export function segmentsThrough(points: readonly number[], isClosed: boolean): number[] {
  const segments: number[] = [];
  const count = points.length / 2;
  for (let i = 0; i + (isClosed ? 0 : 1) < count; i++) {
    const j = (i + 1) % count;
    segments.push(points[2 * i] ?? 0, points[2 * i + 1] ?? 0, points[2 * j] ?? 0, points[2 * j + 1] ?? 0);
  }
  return segments;
}

/** Where a formula over two names is zero within a box, as segments. */
export function zeroLines(
  f: Compiled,
  names: Record<string, number>,
  across: string,
  up: string,
  box: three.Box2,
): number[] {
  const at = (x: number, y: number): number => {
    names[across] = x;
    names[up] = y;
    return f(names);
  };
  const { min, max } = box;
  const isExplicit = [0.2, 0.5, 0.8].every((s) => {
    const x = min.x + s * (max.x - min.x);
    return Math.abs(at(x, 1) - at(x, 0) - 1) < 1e-6 && Math.abs(at(x, 2) - at(x, 0) - 2) < 1e-6;
  });
  return isExplicit ? graph(at, box) : contour(at, box);
}

function graph(at: (x: number, y: number) => number, { min, max }: three.Box2): number[] {
  const points: number[] = [];
  for (let i = 0; i <= STEPS; i++) {
    const x = min.x + (i / STEPS) * (max.x - min.x);
    points.push(x, -at(x, 0));
  }
  return segmentsThrough(points, false).every(Number.isFinite) ? segmentsThrough(points, false) : [];
}

/** Marching squares, with straight pieces in each cell. */
function contour(at: (x: number, y: number) => number, { min, max }: three.Box2): number[] {
  const [w, h] = [(max.x - min.x) / COLUMNS, (max.y - min.y) / ROWS];
  const segments: number[] = [];
  let below = Array.from({ length: COLUMNS + 1 }, (_, i) => at(min.x + i * w, min.y));
  for (let j = 0; j < ROWS; j++) {
    const y = min.y + j * h;
    const above = Array.from({ length: COLUMNS + 1 }, (_, i) => at(min.x + i * w, y + h));
    for (let i = 0; i < COLUMNS; i++) {
      const x = min.x + i * w;
      const [a = 0, b = 0, c = 0, d = 0] = [below[i], below[i + 1], above[i + 1], above[i]];
      const cuts: number[] = [];
      if (a > 0 !== b > 0) cuts.push(x + (w * a) / (a - b), y);
      if (b > 0 !== c > 0) cuts.push(x + w, y + (h * b) / (b - c));
      if (d > 0 !== c > 0) cuts.push(x + (w * d) / (d - c), y + h);
      if (a > 0 !== d > 0) cuts.push(x, y + (h * a) / (a - d));
      if (cuts.length >= 4 && cuts.every(Number.isFinite)) segments.push(...cuts.slice(0, 4));
      if (cuts.length === 8 && cuts.every(Number.isFinite)) segments.push(...cuts.slice(4));
    }
    below = above;
  }
  return segments;
}
