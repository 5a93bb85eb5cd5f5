// The zero surface of a formula over three names, by marching tetrahedra.
import * as three from "three";
import type { Compiled } from "./formula";

const CELLS = 28; // along each side of the box
// A cube's corners are numbered by bits (x 1, y 2, z 4); six tetrahedra stand around its diagonal from 0 to 7.
const TETRAHEDRA = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const;
const NODES = CELLS + 1;
const STEPS = Array.from(
  { length: 8 },
  (_, k) => (k & 1) + NODES * ((k >> 1) & 1) + NODES * NODES * (k >> 2),
);

/** Where a formula is zero within a box, as triangles with normals. */
export function zeroSurface(
  f: Compiled,
  names: Record<string, number>,
  columns: readonly string[],
  box: three.Box3,
): three.BufferGeometry {
  const [across = "x", up = "y", high = "z"] = columns;
  const size = box.getSize(new three.Vector3()).divideScalar(CELLS);
  const at = (n: number): three.Vector3 =>
    new three.Vector3(n % NODES, Math.floor(n / NODES) % NODES, Math.floor(n / (NODES * NODES)))
      .multiply(size)
      .add(box.min);
  const values = new Float64Array(NODES ** 3);
  for (let k = 0, n = 0; k < NODES; k++) {
    names[high] = box.min.z + k * size.z;
    for (let j = 0; j < NODES; j++) {
      names[up] = box.min.y + j * size.y;
      for (let i = 0; i < NODES; i++, n++) {
        names[across] = box.min.x + i * size.x;
        values[n] = f(names);
      }
    }
  }
  const places: number[] = [];
  const corners: number[] = [];
  const known = new Map<number, number>(); // cut edges of the grid, by the nodes at their ends
  const value = (n: number): number => values[n] ?? NaN;
  const cut = (a: number, b: number): number => {
    const [low, top] = a < b ? [a, b] : [b, a];
    const key = low * values.length + top;
    let found = known.get(key);
    if (found === undefined) {
      const place = at(low).lerp(at(top), value(low) / (value(low) - value(top)));
      found = places.push(place.x, place.y, place.z) / 3 - 1;
      known.set(key, found);
    }
    return found;
  };
  const [p, q, r, out] = [new three.Vector3(), new three.Vector3(), new three.Vector3(), new three.Vector3()];
  /** A triangle that faces from where the formula is negative to where it is positive. */
  const face = (i: number, j: number, k: number, inner: number, outer: number): void => {
    p.fromArray(places, 3 * i);
    q.fromArray(places, 3 * j).sub(p);
    r.fromArray(places, 3 * k).sub(p);
    const isOut = q.cross(r).dot(out.subVectors(at(outer), at(inner))) > 0;
    corners.push(i, ...(isOut ? [j, k] : [k, j]));
  };
  for (let n = 0; n < values.length; n++) {
    if ((n + 1) % NODES === 0 || Math.floor(n / NODES) % NODES === CELLS || n >= NODES * NODES * CELLS)
      continue;
    const nodes = STEPS.map((step) => n + step);
    if (!nodes.every((m) => Number.isFinite(value(m)))) continue;
    if (nodes.every((m) => value(m) < 0) || nodes.every((m) => value(m) >= 0)) continue;
    for (const tetrahedron of TETRAHEDRA) {
      const all = tetrahedron.map((k) => nodes[k] ?? 0);
      const inner = all.filter((m) => value(m) < 0);
      const outer = all.filter((m) => value(m) >= 0);
      const [a = 0, b = 0] = inner;
      const [c = 0, d = 0] = outer;
      if (inner.length === 1) face(cut(a, c), cut(a, d), cut(a, outer[2] ?? 0), a, c);
      else if (inner.length === 3) face(cut(a, c), cut(b, c), cut(inner[2] ?? 0, c), a, c);
      else if (inner.length === 2) {
        face(cut(a, c), cut(a, d), cut(b, d), a, c);
        face(cut(a, c), cut(b, d), cut(b, c), a, c);
      }
    }
  }
  const found = new three.BufferGeometry();
  found.setAttribute("position", new three.Float32BufferAttribute(places, 3));
  found.setIndex(corners);
  found.computeVertexNormals();
  return found;
}
