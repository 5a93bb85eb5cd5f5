// Forms: bodies from their shapes, and the small things that joints, nails, springs and arrows are drawn with.
import * as three from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { DrawnShape } from "../wire/protocol";

const CREASE = Math.PI / 5; // rad: flatter than this, a surface looks smooth
const FINE = 60; // corners from which on a mesh may stand for a ball
const SHEET = 0.05; // thickness of a planar part, of its size

/** The surface of a shape in its own axes, or null when nothing is to be seen. */
export function surfaceOf(shape: DrawnShape): three.BufferGeometry | null {
  switch (shape.kind) {
    case "mesh":
      return meshOf(shape.vertices, shape.faces);
    case "outline":
      return sheetOf(shape.vertices);
    case "affine":
      return shape.faces.length ? meshOf(shape.vertices, shape.faces) : sheetOf(shape.vertices);
    case "point":
      return new three.SphereGeometry(1, 24, 16);
    default:
      return null;
  }
}

/** The radius of a ball about the origin of which these are places; 0 for other meshes. */
function ballOf(vertices: readonly number[]): number {
  if (vertices.length < 3 * FINE) return 0;
  const radius = Math.hypot(...vertices.slice(0, 3));
  for (let i = 0; i + 2 < vertices.length; i += 3)
    if (
      Math.abs(Math.hypot(vertices[i] ?? 0, vertices[i + 1] ?? 0, vertices[i + 2] ?? 0) - radius) >
      1e-3 * radius
    )
      return 0;
  return radius;
}

function meshOf(vertices: readonly number[], faces: readonly number[]): three.BufferGeometry {
  const radius = ballOf(vertices);
  if (radius) return new three.SphereGeometry(radius, 64, 40);
  const isFlat = 3 * (Math.max(...faces.slice(0, 3000)) + 1) > vertices.length;
  const places = isFlat ? spatial(vertices) : vertices;
  const geometry = new three.BufferGeometry();
  geometry.setAttribute("position", new three.Float32BufferAttribute(places, 3));
  geometry.setIndex([...faces]);
  return toCreasedNormals(geometry, CREASE);
}

function spatial(plane: readonly number[]): number[] {
  const space: number[] = [];
  for (let i = 0; i + 1 < plane.length; i += 2) space.push(plane[i] ?? 0, plane[i + 1] ?? 0, 0);
  return space;
}

/** A thin plate with the given corners, its middle in the plane. */
function sheetOf(corners: readonly number[]): three.BufferGeometry {
  const points: three.Vector2[] = [];
  for (let i = 0; i + 1 < corners.length; i += 2) points.push(new three.Vector2(corners[i], corners[i + 1]));
  const size = new three.Box2().setFromPoints(points).getSize(new three.Vector2());
  const depth = SHEET * Math.min(Math.max(size.x, size.y), 4 * Math.min(size.x, size.y) || 1);
  const geometry = new three.ExtrudeGeometry(new three.Shape(points), { depth, bevelEnabled: false });
  geometry.translate(0, 0, -depth / 2);
  return toCreasedNormals(geometry.deleteAttribute("uv"), CREASE);
}

/** The sharp edges of a surface, as line segments. */
export function edgesOf(surface: three.BufferGeometry): three.BufferGeometry {
  return new three.EdgesGeometry(surface, 32);
}

/** A helix of unit length along z with radius 1 (scaled to a spring's place later), with straight ends. */
export function coil(turns = 8): three.TubeGeometry {
  class Helix extends three.Curve<three.Vector3> {
    // biome-ignore lint/complexity/noUselessConstructor: that of three's curves is protected
    constructor() {
      super();
    }

    override getPoint(t: number, target = new three.Vector3()): three.Vector3 {
      const inner = (t - 0.12) / 0.76;
      const radius = inner < 0 || inner > 1 ? 0 : Math.min(1, 8 * inner, 8 * (1 - inner));
      const angle = 2 * Math.PI * turns * inner;
      return target.set(radius * Math.cos(angle), radius * Math.sin(angle), t);
    }
  }
  return new three.TubeGeometry(new Helix(), 20 * turns, 0.14, 6);
}

/** A tube whose middle line moves: n points, re-made in place. */
export class Tube extends three.Mesh {
  private static readonly SIDES = 8;

  private count = 0;
  private corners = new three.BufferAttribute(new Float32Array(0), 3);
  private normals = new three.BufferAttribute(new Float32Array(0), 3);

  constructor(
    count: number,
    private readonly isClosed: boolean,
    material: three.Material,
  ) {
    super(new three.BufferGeometry(), material);
    this.frustumCulled = false;
    this.grow(count);
  }

  /** Have another number of points. */
  private grow(count: number): void {
    this.count = count;
    const geometry = new three.BufferGeometry();
    const rings = count + (this.isClosed ? 1 : 0);
    this.corners = new three.BufferAttribute(new Float32Array(rings * Tube.SIDES * 3), 3);
    this.normals = new three.BufferAttribute(new Float32Array(rings * Tube.SIDES * 3), 3);
    geometry.setAttribute("position", this.corners);
    geometry.setAttribute("normal", this.normals);
    const index: number[] = [];
    for (let i = 0; i + 1 < rings; i++)
      for (let k = 0; k < Tube.SIDES; k++) {
        const a = i * Tube.SIDES + k;
        const b = i * Tube.SIDES + ((k + 1) % Tube.SIDES);
        index.push(a, b, a + Tube.SIDES, b, b + Tube.SIDES, a + Tube.SIDES);
      }
    geometry.setIndex(index);
    this.geometry.dispose();
    this.geometry = geometry;
  }

  /** Lay the tube through points x y z in a row, with a normal carried along without twist. */
  setPoints(points: ArrayLike<number>, radius: number): void {
    if (points.length !== 3 * this.count) this.grow(points.length / 3);
    const { corners, normals } = this;
    const at = (i: number, v: three.Vector3) =>
      v.set(points[3 * i] ?? 0, points[3 * i + 1] ?? 0, points[3 * i + 2] ?? 0);
    const [here, ahead, behind, along] = [
      new three.Vector3(),
      new three.Vector3(),
      new three.Vector3(),
      new three.Vector3(),
    ];
    const [u, w, n] = [new three.Vector3(0, 0, 1), new three.Vector3(), new three.Vector3()];
    const rings = this.count + (this.isClosed ? 1 : 0);
    for (let i = 0; i < rings; i++) {
      at(i % this.count, here);
      at(this.isClosed ? (i + 1) % this.count : Math.min(i + 1, this.count - 1), ahead);
      at(this.isClosed ? (i + this.count - 1) % this.count : Math.max(i - 1, 0), behind);
      along.subVectors(ahead, behind).normalize();
      u.addScaledVector(along, -along.dot(u));
      if (u.lengthSq() < 1e-6)
        u.set(along.y, -along.x, 0).addScalar(1e-3).addScaledVector(along, -along.dot(u));
      u.normalize();
      w.crossVectors(along, u);
      for (let k = 0; k < Tube.SIDES; k++) {
        const angle = (2 * Math.PI * k) / Tube.SIDES;
        n.copy(u).multiplyScalar(Math.cos(angle)).addScaledVector(w, Math.sin(angle));
        const row = i * Tube.SIDES + k;
        normals.setXYZ(row, n.x, n.y, n.z);
        corners.setXYZ(row, here.x + radius * n.x, here.y + radius * n.y, here.z + radius * n.z);
      }
    }
    corners.needsUpdate = true;
    normals.needsUpdate = true;
    this.geometry.computeBoundingSphere();
    this.geometry.computeBoundingBox();
  }
}
