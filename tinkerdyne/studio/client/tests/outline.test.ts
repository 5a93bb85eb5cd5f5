import { Quaternion, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { aligned, spread } from "../src/tools/align";
import { angled, gridded, outlineOf, sheetOf, stepOf } from "../src/tools/outline";
import { Typed } from "../src/tools/typing";
import type { Parameter } from "../src/wire/protocol";
import { type } from "./items";

const parameter = (name: string, value: unknown): Parameter => ({
  name,
  sort: "size",
  default: value,
  unit: "m",
  choices: [],
});
const front = sheetOf(new Vector3(0, 1, -0.2), false);
const plane = sheetOf(new Vector3(0, 0, -1), true);
const bar = type("stick", {
  family: "object",
  drawn: "bar",
  parameters: [parameter("length", 1), parameter("radius", 0.05)],
  sizes: ["length", "radius"],
  span: [-0.5, 0.5],
});
const spike = type("spike", {
  ...bar,
  parameters: [parameter("length", 1), parameter("radius", 0.5)],
  span: [-0.25, 0.75],
});
const brick = type("brick", {
  family: "object",
  drawn: "block",
  parameters: [parameter("size", [1, 1, 1])],
  sizes: ["size"],
});

describe("a body that is drawn out", () => {
  test("lies in the plane of the world that the view looks at most", () => {
    expect([front.right, front.up, front.out].map((v) => v.toArray())).toEqual([
      [1, 0, 0],
      [0, 0, 1],
      [-0, -1, -0],
    ]);
    expect(sheetOf(new Vector3(0.1, 0.2, -0.9), false).up.toArray()).toEqual([0, 1, 0]);
  });

  test("is as long as the drag, from where it began to where it ended", () => {
    const found = outlineOf(bar, new Vector3(1, 0, 0), new Vector3(1, 0, 2), front);
    expect(found?.values).toEqual({ length: 2, radius: 0.05 });
    expect(found?.position.toArray()).toEqual([1, 0, 1]);
    const along = new Vector3(1, 0, 0).applyQuaternion(found?.turn ?? new Quaternion());
    expect(along.distanceTo(new Vector3(0, 0, 1))).toBeLessThan(1e-12);
  });

  test("has its middle of mass where its ends say", () => {
    const found = outlineOf(spike, new Vector3(), new Vector3(4, 0, 0), front);
    expect(found?.values).toEqual({ length: 4, radius: 2 });
    expect(found?.position.x).toBeCloseTo(1);
  });

  test("takes typed numbers for its size, and keeps its direction", () => {
    const found = outlineOf(bar, new Vector3(), new Vector3(0.3, 0, 0), front, [1.5, 0.2]);
    expect(found?.values).toEqual({ length: 1.5, radius: 0.2 });
    expect(found?.to.x).toBeCloseTo(1.5);
  });

  test("is a block between two corners, as deep as its smaller side, along the axes of the world", () => {
    const found = outlineOf(brick, new Vector3(1, 2, 3), new Vector3(0, 2, 3.5), front);
    expect(found?.values).toEqual({ size: [1, 0.5, 0.5] });
    expect(found?.position.toArray()).toEqual([0.5, 2, 3.25]);
    expect(outlineOf(brick, new Vector3(), new Vector3(1e-5, 0, 1e-5), front)).toBeNull();
  });
});

test("the grid has steps of 1, 2 and 5 that are wide enough to be seen", () => {
  expect([0.01, 0.02, 0.03, 0.07].map((pixel) => Number(stepOf(pixel).toPrecision(3)))).toEqual([
    0.1, 0.2, 0.5, 1,
  ]);
  expect(
    gridded(new Vector3(0.13, 0.77, 0.29), front, 0.1)
      .toArray()
      .map((x) => Number(x.toFixed(6))),
  ).toEqual([0.1, 0.77, 0.3]);
  const turned = angled(new Vector3(), new Vector3(1, 0.2, 0), plane, Math.PI / 12);
  expect(Math.atan2(turned.y, turned.x)).toBeCloseTo(Math.PI / 12);
});

test("numbers are typed one after the other", () => {
  const typed = new Typed();
  expect(typed.take("A")).toBe(false);
  for (const key of ["1", ".", "5", "X", "2", "Delete", "3"]) expect(typed.take(key)).toBe(true);
  expect(typed.numbers).toEqual([1.5, 3]);
});

test("parts line up with the first, or get the same room between them", () => {
  const parts = [
    { low: 0, high: 1 },
    { low: 5, high: 7 },
    { low: 2, high: 2.5 },
  ];
  expect(aligned(parts, "low")).toEqual([0, -5, -2]);
  expect(aligned(parts, "middle")).toEqual([0, -5.5, -1.75]);
  expect(spread(parts)).toEqual([0, 0, 0.75]);
});
