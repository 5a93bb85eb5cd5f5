import { describe, expect, test } from "vitest";
import { withoutOverlaps } from "../src/view/labels";
import { distanceToSegment } from "../src/view/picture";

const name = (text: string, x: number, y: number, isLeft = false) => ({ text, x, y, isLeft });

describe("names in the picture", () => {
  test("that have room are all shown", () => {
    const names = [name("rod", 0, 0), name("bob", 0, 40), name("hook", 300, 0)];
    expect(withoutOverlaps(names, 0)).toEqual(names);
  });

  test("that would lie on an earlier one are left out", () => {
    expect(withoutOverlaps([name("rod", 0, 0), name("bob", 10, 5)], 0).map((n) => n.text)).toEqual(["rod"]);
  });

  test("at the edge between two lines are left out too", () => {
    expect(withoutOverlaps([name("rod", 0, 19), name("bob", 10, 21)], 0)).toHaveLength(1);
  });

  test("that are pointed at are shown in any case", () => {
    const names = [name("rod", 0, 0), name("bob", 10, 5), name("hook", 12, 6)];
    expect(withoutOverlaps(names, 2).map((n) => n.text)).toEqual(["rod", "bob"]);
  });

  test("may stand to the left and to the right of one place", () => {
    expect(withoutOverlaps([name("rod", 100, 0), name("bob", 100, 0, true)], 0)).toHaveLength(2);
  });
});

describe("a swipe", () => {
  const [a, b] = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
  ];

  test("is as far from a joint as the nearest point of its line", () => {
    expect(distanceToSegment({ x: 5, y: 3 }, a, b)).toBe(3);
    expect(distanceToSegment({ x: 13, y: 4 }, a, b)).toBe(5);
    expect(distanceToSegment({ x: -3, y: -4 }, a, b)).toBe(5);
  });

  test("of no length is a point", () => {
    expect(distanceToSegment({ x: 3, y: 4 }, a, a)).toBe(5);
  });
});
