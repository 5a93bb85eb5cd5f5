import { Vector3 } from "three";
import { describe, expect, test } from "vitest";
import type { Spot } from "../src/state/spot";
import { nearestPair, type Situation } from "../src/tools/pairs";

const PIXELS = 100; // px of a metre
const spot = (input: string, x: number, y = 0): Spot => ({
  body: input.split(".")[0] ?? "",
  input,
  place: new Vector3(x, y, 0),
});
const situation = (given: Partial<Situation> = {}): Situation => ({
  project: (place) => ({ x: PIXELS * place.x, y: PIXELS * place.y }),
  ahead: new Vector3(),
  hand: null,
  extent: 1,
  found: null,
  isJoined: () => false,
  ...given,
});

describe("two places snap", () => {
  test("when they are near each other in the picture", () => {
    const pair = nearestPair([spot("a.end1", 0), spot("a.end2", 1)], [spot("b.end1", 1.1)], situation());
    expect(pair?.mine.input).toBe("a.end2");
    expect(pair?.other.input).toBe("b.end1");
  });

  test("not when they are 23 pixels apart", () => {
    expect(nearestPair([spot("a", 0)], [spot("b", 0.21)], situation())).not.toBeNull();
    expect(nearestPair([spot("a", 0)], [spot("b", 0.23)], situation())).toBeNull();
  });

  test("to the nearest of several", () => {
    const others = [spot("far", 0.2), spot("near", 0.05), spot("other", -0.1)];
    expect(nearestPair([spot("a", 0)], others, situation())?.other.input).toBe("near");
  });

  test("when only the hand has reached the place and the part lags behind", () => {
    const ahead = new Vector3(1, 0, 0);
    expect(nearestPair([spot("a", 0)], [spot("b", 1.05)], situation({ ahead }))).not.toBeNull();
  });

  test("rather near the hand than at the other end of the part", () => {
    const mine = [spot("a.end1", 0), spot("a.end2", 1)];
    const others = [spot("b", 0.04), spot("c", 1.1)];
    expect(nearestPair(mine, others, situation())?.other.input).toBe("b");
    const hand = new Vector3(1, 0, 0);
    expect(nearestPair(mine, others, situation({ hand }))?.other.input).toBe("c");
  });

  test("and stay together a little farther than they snap", () => {
    const [a, b] = [spot("a", 0), spot("b", 0.3)];
    expect(nearestPair([a], [b], situation())).toBeNull();
    expect(nearestPair([a], [b], situation({ found: { mine: a, other: b } }))).not.toBeNull();
    const far = spot("b", 0.4);
    expect(nearestPair([a], [far], situation({ found: { mine: a, other: far } }))).toBeNull();
  });

  test("and do not flicker to another that is as near", () => {
    const [a, b, c] = [spot("a", 0), spot("b", 0.1), spot("c", -0.05)];
    for (const others of [
      [b, c],
      [c, b],
    ]) {
      expect(nearestPair([a], others, situation())?.other.input).toBe("c");
      expect(nearestPair([a], others, situation({ found: { mine: a, other: b } }))?.other.input).toBe("b");
    }
  });

  test("but one that comes clearly nearer wins over the one that was first", () => {
    const [a, b, c] = [spot("a", 0), spot("b", 0.18), spot("c", -0.08)];
    const found = { mine: a, other: b };
    expect(nearestPair([a], [b, c], situation({ found }))?.other.input).toBe("c");
    expect(nearestPair([a], [c, b], situation({ found }))?.other.input).toBe("c");
  });

  test("not when they are joined already", () => {
    const isJoined = (_mine: Spot, other: Spot): boolean => other.input === "b";
    const pair = nearestPair([spot("a", 0)], [spot("b", 0.01), spot("c", 0.1)], situation({ isJoined }));
    expect(pair?.other.input).toBe("c");
  });
});
