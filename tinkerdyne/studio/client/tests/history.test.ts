import { beforeEach, describe, expect, test } from "vitest";
import { history, ownerOf, renamed, Series } from "../src/state/history";
import { Tracks } from "../src/wire/frame";
import { layout } from "./items";

describe("a series", () => {
  test("has the value of the last sample that is not after a time", () => {
    const series = new Series();
    for (const t of [0, 1, 2]) series.add(t, 10 * t);
    expect(series.at(1)).toBe(10);
    expect(series.at(1.99)).toBe(10);
    expect(series.at(5)).toBe(20);
    expect(series.at(-1)).toBeUndefined();
  });

  test("forgets what lay ahead when time goes back", () => {
    const series = new Series();
    for (const t of [0, 1, 2, 3]) series.add(t, t);
    series.add(1.5, 7);
    expect(series.times).toEqual([0, 1, 1.5]);
    expect(series.values).toEqual([0, 1, 7]);
  });

  test("takes the newest of two values at one time", () => {
    const series = new Series();
    series.add(1, 2);
    series.add(1, 3);
    expect(series.values).toEqual([3]);
  });

  test("shows the last seconds", () => {
    const series = new Series();
    for (let t = 0; t <= 100; t++) series.add(t, t);
    const [times, values] = series.around(null);
    expect(times.at(-1)).toBe(100);
    expect(times[0]).toBeGreaterThan(50);
    expect(values).toEqual(times);
  });

  test("shows as many seconds on both sides of a moment of the past", () => {
    const series = new Series();
    for (let t = 0; t <= 200; t++) series.add(t, t);
    const [times] = series.around(100);
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    expect(first).toBeLessThan(100);
    expect(last).toBeGreaterThan(100);
    expect(Math.abs(100 - first - (last - 100))).toBeLessThanOrEqual(1);
  });

  test("of a long run keeps the last minutes and no more", () => {
    const series = new Series();
    for (let i = 0; i < 60_000; i++) series.add(i / 60, i);
    expect(series.times.length).toBeLessThan(25_000);
    expect(series.times.at(-1)).toBeCloseTo(59_999 / 60);
    expect((series.times.at(-1) ?? 0) - (series.times[0] ?? 0)).toBeGreaterThanOrEqual(240);
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
  const value = (name: string, offset: number) => ({
    name,
    kind: "value" as const,
    offset,
    count: 1,
    of: "",
  });
  const frame = (time: number, ...numbers: number[]) => ({
    revision: 1,
    time,
    numbers: new Float32Array(numbers),
  });

  beforeEach(() => history.forget());

  test("adds each plotted number of a frame to its own series", () => {
    history.follow(new Tracks(layout([value("a", 0), value("b", 1)])));
    history.add(frame(0, 1, 2));
    history.add(frame(1, 3, 4));
    expect(history.series.get("a")?.values).toEqual([1, 3]);
    expect(history.series.get("b")?.values).toEqual([2, 4]);
  });

  test("ignores frames of another layout", () => {
    history.follow(new Tracks(layout([value("a", 0)], 2)));
    history.add(frame(0, 1));
    expect(history.series.size).toBe(0);
  });

  test("does not mix the past that is looked at into the present", () => {
    history.follow(new Tracks(layout([value("a", 0)])));
    history.add(frame(5, 1));
    history.follow(new Tracks(layout([value("a", 0)], 1, true)));
    history.add(frame(2, 9));
    expect(history.series.get("a")?.times).toEqual([5]);
  });

  test("drops what is no longer plotted", () => {
    history.follow(new Tracks(layout([value("a", 0), value("b", 1)])));
    history.add(frame(0, 1, 2));
    history.follow(new Tracks(layout([value("b", 0)])));
    expect([...history.series.keys()]).toEqual(["b"]);
  });

  test("keeps a plot when its thing gets another name", () => {
    history.follow(new Tracks(layout([value("rod.angle", 0)])));
    history.add(frame(0, 1));
    history.rename((name) => name.replace("rod", "arm"));
    expect(history.series.get("arm.angle")?.values).toEqual([1]);
  });
});
