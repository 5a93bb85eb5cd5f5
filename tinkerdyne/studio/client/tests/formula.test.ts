import { Box2, Box3, Vector2, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { compiled, unknownNames } from "../src/media/formula";
import { segmentsThrough, zeroLines } from "../src/media/lines";
import { zeroSurface } from "../src/media/surface";

const value = (text: string, names: Record<string, number> = {}): number =>
  compiled(text)?.(names) ?? Number.NaN;

describe("a typed formula", () => {
  test.each([
    ["1 + 2*3", 7],
    ["2^3^2", 512],
    ["-2**2", -4],
    ["2^-1", 0.5],
    ["8/4/2", 1],
    ["(1 + 2)*3", 9],
    ["1.5e2 - .5", 149.5],
    ["max(1, min(5, 3))", 3],
    ["cos(pi) + e - e", -1],
    ["atan2(1, 1)*4", Math.PI],
  ])("%s is %d", (text, x) => {
    expect(value(text)).toBeCloseTo(x, 12);
  });

  test.each([
    ["1 if x > 0 else 2", 1],
    ["1 if x < 0 else 2", 2],
    ["1 if 0 < x < 1 else 2", 1],
    ["x if x < y else y if y < 0 else 5", 5],
    ["1 if x > 0 and not y > 0 or x >= 9 else 2", 2],
    ["2*(1 if y <= 1 else 0) + 1", 3],
    ["max(1 if x > 0 else 2, 0)", 1],
  ])("%s chooses %d", (text, found) => {
    expect(value(text, { x: 0.5, y: 0.2 })).toBe(found);
  });

  test("takes numbers by name, also the parts of a place", () => {
    expect(value("a*c.x + t", { a: 2, "c.x": 3, t: 1 })).toBe(7);
  });

  test("has a number's own meaning of a constant's name where one is given", () => {
    expect(value("e", { e: 5 })).toBe(5);
  });

  test.each(["1 +", "(1", "2 $ 3", "sin", "sin 2", "1 2", "", "a..b", "alert(1)", "1 if x", "else"])(
    "“%s” is none",
    (text) => {
      expect(compiled(text)).toBeNull();
    },
  );

  test("is not read when it is endless", () => {
    expect(compiled(`${"1+".repeat(400)}1`)).toBeNull();
  });

  test("names what it asks for, in the order in which it does", () => {
    expect(unknownNames("b*cos(u) + a*pi + b", ["u"])).toEqual(["b", "a"]);
    expect(unknownNames("y = a + b*x", ["x", "y"])).toEqual(["a", "b"]);
    expect(unknownNames("y = a if x > 0 else b", ["x", "y"])).toEqual(["a", "b"]);
    expect(unknownNames("a +", [])).toEqual([]);
  });
});

describe("lines", () => {
  test("through points join each with the next", () => {
    expect(segmentsThrough([0, 0, 1, 0, 1, 1], false)).toEqual([0, 0, 1, 0, 1, 0, 1, 1]);
  });

  test("that are closed come back to the first", () => {
    expect(segmentsThrough([0, 0, 1, 0, 1, 1], true).slice(-4)).toEqual([1, 1, 0, 0]);
  });
});

describe("where a formula is zero", () => {
  const box = new Box2(new Vector2(-2, -2), new Vector2(2, 2));

  test("lies on a circle for the equation of a circle", () => {
    const f = compiled("x^2 + y^2 - 1");
    const segments = f ? zeroLines(f, {}, "x", "y", box) : [];
    expect(segments.length).toBeGreaterThan(100);
    for (let i = 0; i < segments.length; i += 2)
      expect(Math.hypot(segments[i] ?? 0, segments[i + 1] ?? 0)).toBeCloseTo(1, 2);
  });

  test("is a graph where y is given by x, also beyond the box", () => {
    const f = compiled("y - 3*x");
    const segments = f ? zeroLines(f, {}, "x", "y", box) : [];
    expect(segments.slice(0, 2)).toEqual([-2, -6]);
    expect(segments.slice(-2)).toEqual([2, 6]);
  });

  test("is nowhere for what is never zero", () => {
    const f = compiled("x^2 + y^2 + 1");
    expect(f && zeroLines(f, {}, "x", "y", box)).toEqual([]);
  });

  test("in space lies on a ball for the equation of a ball, and faces outwards", () => {
    const f = compiled("x^2 + y^2 + z^2 - 1.3");
    if (!f) throw new Error("not read");
    const surface = zeroSurface(
      f,
      {},
      ["x", "y", "z"],
      new Box3(new Vector3(-2, -2, -2), new Vector3(2, 2, 2)),
    );
    const [at, normals] = [surface.getAttribute("position"), surface.getAttribute("normal")];
    expect(at.count).toBeGreaterThan(500);
    for (let i = 0; i < at.count; i++) {
      const place = new Vector3().fromBufferAttribute(at, i);
      expect(place.length()).toBeCloseTo(Math.sqrt(1.3), 1);
      expect(place.dot(new Vector3().fromBufferAttribute(normals, i))).toBeGreaterThan(0.8);
    }
  });
});
