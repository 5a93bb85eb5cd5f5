import { describe, expect, it } from "vitest";
import { heard } from "../src/tools/puck";

const report = (...numbers: number[]): DataView => {
  const view = new DataView(new ArrayBuffer(2 * numbers.length));
  for (const [k, x] of numbers.entries()) view.setInt16(2 * k, x, true);
  return view;
};

describe("reports of a 3-D mouse", () => {
  it("tells pushes and turns three at a time", () => {
    const pushed = heard(1, report(350, 0, -175), null);
    expect(pushed).toEqual([1, 0, -0.5, 0, 0, 0]);
    expect(heard(2, report(0, 70, 0), pushed)).toEqual([1, 0, -0.5, 0, 0.2, 0]);
  });
  it("tells all six at once, and goes no further than the cap", () => {
    expect(heard(1, report(900, 0, 0, 0, 0, -900), null)).toEqual([1, 0, 0, 0, 0, -1]);
  });
  it("leaves what other reports say", () => {
    expect(heard(23, report(1), [1, 0, 0, 0, 0, 0])).toEqual([1, 0, 0, 0, 0, 0]);
  });
});
