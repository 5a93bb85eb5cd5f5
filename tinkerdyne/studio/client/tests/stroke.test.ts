import { Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { thinned } from "../src/tools/stroke";

const drawn = (times: readonly number[]) => times.map((time) => ({ time, place: new Vector3(time, 0, 0) }));

describe("a stroke", () => {
  test("becomes ten keys at most, from its first place to its last", () => {
    const keys = thinned(drawn(Array.from({ length: 200 }, (_, i) => i / 100)), 0);
    expect(keys).toHaveLength(10);
    expect(keys[0]?.time).toBe(0);
    expect(keys.at(-1)?.place.x).toBeCloseTo(1.99);
  });

  test("has keys at even times, however the pointer was read", () => {
    const times = [
      ...Array.from({ length: 100 }, (_, i) => i / 1000),
      ...Array.from({ length: 91 }, (_, i) => 0.1 + i / 100),
    ];
    const keys = thinned(drawn(times), 0).map((key) => key.time);
    keys.slice(1).forEach((time, i) => {
      expect(time - (keys[i] ?? 0)).toBeCloseTo(1 / 9, 1);
    });
  });

  test("has times that grow, also when it was very quick", () => {
    const times = thinned(drawn([2, 2.001, 2.002, 2.003]), 2).map((key) => key.time);
    expect(times.length).toBeGreaterThanOrEqual(2);
    times.slice(1).forEach((time, i) => {
      expect(time - (times[i] ?? 0)).toBeGreaterThanOrEqual(0.0199);
    });
  });

  test("goes on from the keys before it", () => {
    const keys = thinned(drawn(Array.from({ length: 91 }, (_, i) => 3 + i / 90)), 3).map((key) => key.time);
    expect(keys[0]).toBe(3);
    expect(keys[1]).toBeCloseTo(3 + 1 / 9);
  });

  test("of nothing is nothing", () => {
    expect(thinned([], 0)).toEqual([]);
  });
});
