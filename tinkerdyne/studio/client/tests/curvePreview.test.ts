import { describe, expect, test } from "vitest";
import { previewed } from "../src/panels/media/CurvePreview";

describe("the picture of a typed curve", () => {
  test("is one line from its first place to its last", () => {
    const [line = []] = previewed(["a*cos(u)", "a*sin(u)"], { a: 2 }, ["0", "pi/2"], false);
    expect(line[0]).toEqual([2, 0]);
    expect(line.at(-1)?.[0]).toBeCloseTo(0);
    expect(line.at(-1)?.[1]).toBeCloseTo(2);
    for (const [x, y] of line) expect(Math.hypot(x, y)).toBeCloseTo(2);
  });

  test("of a surface is a net of both letters", () => {
    expect(previewed(["u", "v", "0"], {}, ["0", "1", "0", "1"], true)).toHaveLength(18);
  });

  test("is empty while a formula or a span is half typed", () => {
    expect(previewed(["cos(u)", "sin("], {}, ["0", "1"], false)).toEqual([]);
    expect(previewed(["cos(u)", "sin(u)"], {}, ["0", "2*"], false)).toEqual([]);
    expect(previewed(["u"], {}, ["0", "1"], false)).toEqual([]);
  });

  test("is empty where the curve goes to infinity", () => {
    expect(previewed(["u", "1/u"], {}, ["0", "1"], false)).toEqual([]);
  });
});
