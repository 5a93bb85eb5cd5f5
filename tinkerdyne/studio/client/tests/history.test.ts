import { beforeEach, describe, expect, test } from "vitest";
import { followed, history, ownerOf, renamed, Series } from "../src/state/history";
import type { Recalled } from "../src/wire/protocol";

const counted = (n: number): number[] => Array.from({ length: n }, (_, k) => k);

describe("a series", () => {
  test("has the value of the last sample that is not after a time", () => {
    const series = new Series([0, 1, 2], [0, 10, 20]);
    expect(series.at(1)).toBe(10);
    expect(series.at(1.99)).toBe(10);
    expect(series.at(5)).toBe(20);
    expect(series.at(-1)).toBeUndefined();
  });

  test("goes on with what came since", () => {
    const series = new Series([0, 1], [5, 6]);
    series.take(1, [2, 3], [7, 8]);
    expect(series.times).toEqual([0, 1, 2, 3]);
    expect(series.values).toEqual([5, 6, 7, 8]);
  });

  test("forgets what lay ahead when time went back", () => {
    const series = new Series([0, 1, 2, 3], [0, 1, 2, 3]);
    series.take(1.5, [1.5], [7]);
    expect(series.times).toEqual([0, 1, 1.5]);
    expect(series.values).toEqual([0, 1, 7]);
  });

  test("takes the newer of two values at one time", () => {
    const series = new Series([0, 1], [1, 2]);
    series.take(1, [1], [3]);
    expect(series.times).toEqual([0, 1]);
    expect(series.values).toEqual([1, 3]);
  });

  test("is replaced as a whole where nothing of it lasts", () => {
    const series = new Series([0, 1], [1, 2]);
    series.take(null, [4, 5], [null, 3]);
    expect(series.times).toEqual([4, 5]);
    expect(series.values).toEqual([null, 3]);
  });

  test("drops what the recording no longer has", () => {
    const series = new Series(counted(10), counted(10));
    series.dropBefore(4);
    expect(series.times[0]).toBe(4);
    expect(series.values).toHaveLength(6);
  });

  test("shows the last seconds", () => {
    const [first, last] = followed(counted(101), null);
    expect(last).toBe(100);
    expect(first).toBeGreaterThan(50);
  });

  test("shows as many seconds on both sides of a moment of the past", () => {
    const [first, last] = followed(counted(201), 100);
    expect(first).toBeLessThan(100);
    expect(last).toBeGreaterThan(100);
    expect(Math.abs(100 - first - (last - 100))).toBeLessThanOrEqual(1);
  });
});

describe("a quantity", () => {
  const names = new Map([
    ["rod", "arm"],
    ["rod.b", "tip"],
  ]);

  test("belongs to the thing with the longest name that it begins with", () => {
    expect(ownerOf("rod.position[2]", names)).toBe("rod");
    expect(ownerOf("rod.b.velocity[0]", names)).toBe("rod.b");
    expect(ownerOf("rod", names)).toBe("rod");
  });

  test("of the whole world belongs to nobody", () => {
    expect(ownerOf("energy", names)).toBe("");
    expect(ownerOf("rodeo.position", names)).toBe("");
  });

  test("goes on under a thing's new name", () => {
    expect(renamed("rod.position[2]", names)).toBe("arm.position[2]");
    expect(renamed("rod.b", names)).toBe("tip");
    expect(renamed("energy", names)).toBe("energy");
  });
});

describe("the history of plots", () => {
  const told = (version: number, cut: number | null, times: number[], ...values: number[][]): Recalled => ({
    version,
    cut,
    begin: 0,
    times,
    values,
  });

  beforeEach(() => history.forget());

  test("asks for all of what it does not know, and then for what came since", () => {
    expect(history.wanted(["a", "b"])).toMatchObject({ names: ["a", "b"], version: -1 });
    history.take(["a", "b"], told(3, null, [0, 1], [1, 3], [2, 4]));
    expect(history.series.get("b")?.values).toEqual([2, 4]);
    expect(history.wanted(["a", "b"])).toMatchObject({ version: 3, since: 1 });
    expect(history.wanted(["a", "c"])).toMatchObject({ version: -1 });
  });

  test("drops what is no longer plotted", () => {
    history.take(["a", "b"], told(1, null, [0], [1], [2]));
    history.take(["b"], told(1, 0, [1], [3]));
    expect([...history.series.keys()]).toEqual(["b"]);
    expect(history.series.get("b")?.values).toEqual([2, 3]);
  });

  test("keeps a plot when its thing gets another name", () => {
    history.take(["rod.angle"], told(1, null, [0], [1]));
    history.rename((name) => name.replace("rod", "arm"));
    expect(history.series.get("arm.angle")?.values).toEqual([1]);
  });
});
