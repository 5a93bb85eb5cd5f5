import { Box3, BufferAttribute, BufferGeometry, MeshBasicMaterial, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { coil, edgesOf, surfaceOf, Tube } from "../src/view/geometry";
import { withTextureCoordinates } from "../src/view/texture";
import type { DrawnShape } from "../src/wire/protocol";

const shape = (given: Partial<DrawnShape>): DrawnShape => ({
  kind: "none",
  vertices: [],
  faces: [],
  radius: 0,
  is_closed: false,
  spans: [],
  ...given,
});
const sizeOf = (geometry: BufferGeometry): Vector3 => {
  geometry.computeBoundingBox();
  return (geometry.boundingBox ?? new Box3()).getSize(new Vector3());
};
const TETRAHEDRON = shape({
  kind: "mesh",
  vertices: [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3],
  faces: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
});

describe("the surface of a shape", () => {
  test("of a mesh has its size", () => {
    const surface = surfaceOf(TETRAHEDRON);
    expect(surface && sizeOf(surface).toArray()).toEqual([1, 2, 3]);
  });

  test("of an outline is a thin plate with its middle in the plane", () => {
    const surface = surfaceOf(shape({ kind: "outline", vertices: [0, 0, 2, 0, 2, 1, 0, 1] }));
    if (!surface) throw new Error("nothing to be seen");
    const size = sizeOf(surface);
    expect([size.x, size.y]).toEqual([2, 1]);
    expect(size.z).toBeGreaterThan(0);
    expect(size.z).toBeLessThan(0.2);
    expect(surface.boundingBox?.min.z).toBeCloseTo(-(surface.boundingBox?.max.z ?? 0));
  });

  const places = (stretch: number): number[] =>
    Array.from({ length: 100 }, (_, i) => {
      const [z, turn] = [-1 + (2 * i + 1) / 100, 2.4 * i];
      const r = Math.sqrt(1 - z * z);
      return [2 * r * Math.cos(turn), 2 * r * Math.sin(turn), 2 * stretch * z];
    }).flat();

  test("of many places on a ball is round", () => {
    const surface = surfaceOf(shape({ kind: "mesh", vertices: places(1), faces: [0, 1, 2] }));
    const at = surface?.getAttribute("position");
    expect(at?.count).toBeGreaterThan(1000);
    for (let i = 0; at && i < at.count; i += 97)
      expect(Math.hypot(at.getX(i), at.getY(i), at.getZ(i))).toBeCloseTo(2);
  });

  test("of many places on an egg keeps its faces", () => {
    const surface = surfaceOf(shape({ kind: "mesh", vertices: places(1.2), faces: [0, 1, 2, 97, 98, 99] }));
    expect(surface?.getAttribute("position").count).toBe(6);
  });

  test("of an affine sheet of the plane needs no third number", () => {
    const surface = surfaceOf(shape({ kind: "affine", vertices: [0, 0, 1, 0, 1, 1, 0, 1] }));
    expect(surface && sizeOf(surface).x).toBe(1);
  });

  test("of nothing is nothing", () => {
    expect(surfaceOf(shape({ kind: "none" }))).toBeNull();
    expect(surfaceOf(shape({ kind: "curve" }))).toBeNull();
  });
});

test("a tetrahedron has six sharp edges", () => {
  const surface = surfaceOf(TETRAHEDRON);
  expect(surface && edgesOf(surface).getAttribute("position").count / 2).toBe(6);
});

test("a coil reaches from 0 to 1 along z and stays within its radius", () => {
  const geometry = coil(5);
  const size = sizeOf(geometry);
  expect(size.z).toBeGreaterThan(0.95);
  expect(size.z).toBeLessThan(1.3);
  expect(size.x).toBeLessThanOrEqual(2 * 1.15);
});

describe("a tube", () => {
  const line = [0, 0, 0, 1, 0, 0, 2, 0, 0];

  test("has all of its corners at its radius from its line", () => {
    const tube = new Tube(3, false, new MeshBasicMaterial());
    tube.setPoints(line, 0.25);
    const at = tube.geometry.getAttribute("position");
    for (let i = 0; i < at.count; i++) expect(Math.hypot(at.getY(i), at.getZ(i))).toBeCloseTo(0.25);
  });

  test("grows when its line gets more points", () => {
    const tube = new Tube(2, false, new MeshBasicMaterial());
    tube.setPoints(line, 0.1);
    expect(tube.geometry.boundingBox?.max.x).toBeCloseTo(2);
  });

  test("that is closed ends where it began", () => {
    const tube = new Tube(4, true, new MeshBasicMaterial());
    tube.setPoints([1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0], 0.1);
    const at = tube.geometry.getAttribute("position");
    const rings = at.count / 8;
    expect(rings).toBe(5);
    const middle = (ring: number): Vector3 => {
      const sum = new Vector3();
      for (let k = 0; k < 8; k++) sum.add(new Vector3().fromBufferAttribute(at, 8 * ring + k));
      return sum.divideScalar(8);
    };
    expect(middle(4).distanceTo(middle(0))).toBeLessThan(1e-6);
  });

  test("has normals of unit length across its line", () => {
    const tube = new Tube(3, false, new MeshBasicMaterial());
    tube.setPoints([0, 0, 0, 0, 0, 1, 0, 1, 2], 0.1);
    const normals = tube.geometry.getAttribute("normal");
    for (let i = 0; i < normals.count; i++)
      expect(Math.hypot(normals.getX(i), normals.getY(i), normals.getZ(i))).toBeCloseTo(1);
  });
});

test("an image is stretched over a surface from one end of its box to the other", () => {
  const surface = new BufferGeometry();
  surface.setAttribute("position", new BufferAttribute(new Float32Array([-1, 0, 0, 3, 0, 0, -1, 2, 0]), 3));
  surface.setAttribute("normal", new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1]), 3));
  const uv = withTextureCoordinates(surface).getAttribute("uv");
  expect([...uv.array]).toEqual([0, 0, 1, 0, 0, 1]);
});
