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

/** A box of cells with the value of a formula at every node. */
class Grid {
  readonly values = new Float64Array(NODES ** 3);
  private readonly size: three.Vector3; // of a cell

  constructor(
    f: Compiled,
    names: Record<string, number>,
    columns: readonly string[],
    private readonly box: three.Box3,
  ) {
    const [across = "x", up = "y", high = "z"] = columns;
    this.size = box.getSize(new three.Vector3()).divideScalar(CELLS);
    for (let k = 0, n = 0; k < NODES; k++) {
      names[high] = box.min.z + k * this.size.z;
      for (let j = 0; j < NODES; j++) {
        names[up] = box.min.y + j * this.size.y;
        for (let i = 0; i < NODES; i++, n++) {
          names[across] = box.min.x + i * this.size.x;
          this.values[n] = f(names);
        }
      }
    }
  }

  value(n: number): number {
    return this.values[n] ?? NaN;
  }

  place(n: number): three.Vector3 {
    return new three.Vector3(n % NODES, Math.floor(n / NODES) % NODES, Math.floor(n / (NODES * NODES)))
      .multiply(this.size)
      .add(this.box.min);
  }

  /** The corners of the cells that the surface goes through. */
  *cells(): Generator<number[]> {
    for (let n = 0; n < this.values.length; n++) {
      const isLast =
        (n + 1) % NODES === 0 || Math.floor(n / NODES) % NODES === CELLS || n >= NODES * NODES * CELLS;
      if (isLast) continue;
      const nodes = STEPS.map((step) => n + step);
      const inner = nodes.filter((m) => this.value(m) < 0).length;
      if (inner > 0 && inner < 8 && nodes.every((m) => Number.isFinite(this.value(m)))) yield nodes;
    }
  }
}

/** Triangles between the cut edges of a grid, each edge cut once. */
class Mesh {
  readonly places: number[] = [];
  readonly corners: number[] = [];
  private readonly known = new Map<number, number>(); // cut edges, by the nodes at their ends

  constructor(private readonly grid: Grid) {}

  /** Where the surface cuts the edge between two nodes. */
  private cut(a: number, b: number): number {
    const [low, top] = a < b ? [a, b] : [b, a];
    const key = low * this.grid.values.length + top;
    let found = this.known.get(key);
    if (found === undefined) {
      const [from, to] = [this.grid.value(low), this.grid.value(top)];
      const place = this.grid.place(low).lerp(this.grid.place(top), from / (from - to));
      found = this.places.push(place.x, place.y, place.z) / 3 - 1;
      this.known.set(key, found);
    }
    return found;
  }

  /** A triangle that faces from where the formula is negative to where it is positive. */
  private face(i: number, j: number, k: number, inner: number, outer: number): void {
    const p = new three.Vector3().fromArray(this.places, 3 * i);
    const q = new three.Vector3().fromArray(this.places, 3 * j).sub(p);
    const r = new three.Vector3().fromArray(this.places, 3 * k).sub(p);
    const out = this.grid.place(outer).sub(this.grid.place(inner));
    this.corners.push(i, ...(q.cross(r).dot(out) > 0 ? [j, k] : [k, j]));
  }

  /** What of the surface lies in a tetrahedron: a triangle, or a quadrangle as two. */
  add(nodes: readonly number[]): void {
    const inner = nodes.filter((m) => this.grid.value(m) < 0);
    const outer = nodes.filter((m) => this.grid.value(m) >= 0);
    const [a = 0, b = 0] = inner;
    const [c = 0, d = 0] = outer;
    if (inner.length === 1) this.face(this.cut(a, c), this.cut(a, d), this.cut(a, outer[2] ?? 0), a, c);
    else if (inner.length === 3) this.face(this.cut(a, c), this.cut(b, c), this.cut(inner[2] ?? 0, c), a, c);
    else if (inner.length === 2) {
      this.face(this.cut(a, c), this.cut(a, d), this.cut(b, d), a, c);
      this.face(this.cut(a, c), this.cut(b, d), this.cut(b, c), a, c);
    }
  }
}

/** Where a formula is zero within a box, as triangles with normals. */
export function zeroSurface(
  f: Compiled,
  names: Record<string, number>,
  columns: readonly string[],
  box: three.Box3,
): three.BufferGeometry {
  const grid = new Grid(f, names, columns, box);
  const mesh = new Mesh(grid);
  for (const nodes of grid.cells())
    for (const tetrahedron of TETRAHEDRA) mesh.add(tetrahedron.map((k) => nodes[k] ?? 0));
  const found = new three.BufferGeometry();
  found.setAttribute("position", new three.Float32BufferAttribute(mesh.places, 3));
  found.setIndex(mesh.corners);
  found.computeVertexNormals();
  return found;
}
