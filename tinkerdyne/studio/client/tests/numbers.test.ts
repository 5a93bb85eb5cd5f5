import { describe, expect, test } from "vitest";
import { fitting, parsed, roundBelow, short, ticksSaid, timeRange, valueRange } from "../src/state/numbers";

describe("a number in short", () => {
  test.each([
    [0, "0"],
    [1.23456, "1.235"],
    [12.3456, "12.35"],
    [123.456, "123.5"],
    [-0.5, "-0.5"],
    [99999, "99999"],
    [100000, "1.00e+5"],
    [0.0004, "4.0e-4"],
    [1e-10, "1.0e-10"], // a tiny world's numbers are none the less numbers
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
  ])("%d reads %s", (x, text) => {
    expect(short(x)).toBe(text);
  });
});

describe("the numbers of an axis", () => {
  test.each([
    [
      [0, 0.5, 1],
      ["0", "0.5", "1"],
    ],
    [
      [0, 2.5, 5],
      ["0", "2.5", "5"],
    ],
    [
      [9.81, 9.8105, 9.811],
      ["9.81", "9.8105", "9.811"],
    ],
    [
      [-1e-7, 0, 1e-7],
      ["-1e-7", "0", "1e-7"],
    ],
    [
      [1.25e6, 1.3e6, 1.35e6],
      ["1.25e6", "1.30e6", "1.35e6"],
    ],
    [
      [100000, 100001],
      ["1.00000e5", "1.00001e5"],
    ],
    [[7], ["7"]],
  ])("%j read %j", (ticks, words) => {
    expect(ticksSaid(ticks)).toEqual(words);
  });

  test("are told from each other, and are right, however close and however large", () => {
    for (let k = 0; k < 300; k++) {
      const step = ([1, 2, 2.5, 5][k % 4] ?? 1) * 10 ** ((k % 13) - 7);
      const first = Math.round(1e4 * Math.sin(k)) * step;
      const ticks = [0, 1, 2, 3].map((i) => Number((first + i * step).toPrecision(12)));
      const words = ticksSaid(ticks);
      expect(new Set(words).size).toBe(4);
      for (const [i, word] of words.entries())
        expect(Math.abs(Number(word) - (ticks[i] ?? 0))).toBeLessThan(1e-6 * step);
    }
  });
});

describe("a number in a narrow field", () => {
  test("is shown in full where it fits", () => {
    expect(fitting(2.65358, 10)).toBe("2.65358");
  });

  test("loses the digits of rounding, not its value", () => {
    expect(fitting(0.1 + 0.2, 30)).toBe("0.3");
  });

  test("never has more characters than there is room", () => {
    for (const x of [Math.PI, -123456.789, 1.5e-12, -9.87e23, 0.1 + 0.2])
      for (let room = 6; room < 12; room++) expect(fitting(x, room).length).toBeLessThanOrEqual(room);
  });

  test("keeps its exponent rather than its digits", () => {
    expect(Number(fitting(1.23456789e-7, 7))).toBeCloseTo(1.23456789e-7, 9);
    expect(fitting(1.23456789e-7, 7)).toContain("e-7");
  });

  test("says that there is no room rather than a wrong number", () => {
    expect(fitting(123456, 3)).toBe("1e5");
    expect(fitting(-123456, 2)).toBe("…");
    expect(fitting(-1e-7, 2)).toBe("≈0");
  });
});

describe("a typed number", () => {
  test.each([
    ["1.5", 1.5],
    [" -2e3 ", -2000],
    ["0,25", 0.25],
    ["0", 0],
  ])("%s is read", (text, x) => {
    expect(parsed(text)).toBe(x);
  });

  test.each(["", "  ", "1.5 m", "a", "1/0", "Infinity"])("“%s” is none", (text) => {
    expect(parsed(text)).toBeNull();
  });
});

describe("a round number below", () => {
  test.each([
    [1, 1],
    [1.99, 1],
    [2, 2],
    [4.9, 2],
    [5, 5],
    [99, 50],
    [0.03, 0.02],
  ])("%d is %d", (x, below) => {
    expect(roundBelow(x)).toBeCloseTo(below, 12);
  });
});

describe("the range of a plot", () => {
  test("has room on both sides of what moves", () => {
    const [low, high] = valueRange(-1, 3);
    expect(low).toBeLessThan(-1);
    expect(high).toBeGreaterThan(3);
    expect(low + high).toBeCloseTo(2);
  });

  test("is not so narrow that rounding looks like motion", () => {
    const [low, high] = valueRange(10, 10 + 1e-12);
    expect(high - low).toBeGreaterThan(0.3);
  });

  test("is not empty where nothing moves at zero", () => {
    expect(valueRange(0, 0)).toEqual([-1, 1]); // and says no numbers that are next to nothing
  });

  test("of a world that has not run is its first second", () => {
    expect(timeRange(null, null)).toEqual([0, 1]);
    expect(timeRange(4, 4)).toEqual([4, 5]);
    expect(timeRange(4, 9)).toEqual([4, 9]);
  });
});
