import { describe, expect, test } from "vitest";
import { type Chart, csvOf, drawnOf, frameOf, samplesOf, svgOf, ticksOf } from "../src/state/chart";

const counted = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

function chart(xs: number[], ys: (number | null)[], more: Partial<Chart> = {}): Chart {
  return {
    width: 260,
    height: 120,
    x: [xs[0] ?? 0, xs.at(-1) ?? 1],
    xTitle: "",
    zoom: 1,
    shift: 0,
    lines: [{ name: "rod.force", unit: "N", colour: "#123456", isRight: false, xs, ys }],
    isOverTime: true,
    moment: null,
    begin: null,
    cursor: null,
    events: [],
    colours: { text: "#000", grid: "#ddd", mark: "#f00", back: "#fff" },
    ...more,
  };
}

describe("a chart", () => {
  test("loses no peak, however many samples lie in a column", () => {
    const xs = counted(20_000);
    const ys: (number | null)[] = xs.map((x) => Math.sin(x / 700));
    for (const k of [17, 4_242, 4_243, 19_998]) ys[k] = 50 + k / 1e5;
    ys[7_777] = -90;
    const one = chart(xs, ys);
    const kept = samplesOf(one, frameOf(one), one.lines[0] as Chart["lines"][number]);
    expect(kept.length).toBeLessThan(4 * 260);
    for (const k of [0, 17, 4_243, 7_777, 19_998, 19_999]) expect(kept).toContain(k);
    expect([...kept]).toEqual([...kept].sort((a, b) => a - b));
  });

  test("draws all samples where there is room", () => {
    expect(drawnOf(counted(50), counted(50), (x) => 3 * x)).toEqual(counted(50));
  });

  test("leaves a gap where there is no value", () => {
    const xs = counted(9);
    const one = chart(xs, [1, 2, 3, null, null, 3, 2, 1, 0]);
    const lines = svgOf(one).match(/stroke="#123456"/g);
    expect(lines).toHaveLength(2);
  });

  test("shows only what lies in its span, and its scale follows", () => {
    const xs = counted(100);
    const one = chart(
      xs,
      xs.map((x) => (x === 90 ? 1e6 : x)),
      { x: [10, 20] },
    );
    const frame = frameOf(one);
    expect(frame.y[1]).toBeLessThan(30);
    const kept = samplesOf(one, frame, one.lines[0] as Chart["lines"][number]);
    expect(kept[0]).toBeLessThanOrEqual(10);
    expect(kept.at(-1)).toBeGreaterThanOrEqual(20);
    expect(kept).toHaveLength(13);
  });

  test("has two upright axes where there are two units", () => {
    const one = chart(counted(3), [0, 1, 2]);
    const [line] = one.lines as [Chart["lines"][number]];
    const two = { ...one, lines: [line, { ...line, name: "energy", isRight: true, ys: [0, 1e3, 2e3] }] };
    const frame = frameOf(two);
    expect(frame.y2?.[1]).toBeGreaterThan(1000);
    expect(frame.py(2, false)).toBeCloseTo(frame.py(2000, true), 3);
  });

  test("says where the kept past begins", () => {
    expect(svgOf(chart(counted(9), counted(9), { begin: 4 }))).toContain("not kept");
    expect(svgOf(chart(counted(9), counted(9), { begin: 0 }))).not.toContain("not kept");
  });

  test("has round numbers at its axes", () => {
    expect(ticksOf([0, 1], 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticksOf([-3, 7.2], 4)).toEqual([0, 5]);
    expect(ticksOf([2, 2], 4)).toEqual([]);
  });
});

test("a table has every number as it came, with its unit, and nothing where there was none", () => {
  const table = csvOf([0, 0.1], [{ name: 'a "b", c', unit: "m", ys: [0.1 + 0.2, null] }]);
  expect(table).toBe('time [s],"a ""b"", c [m]"\n0,0.30000000000000004\n0.1,\n');
});
