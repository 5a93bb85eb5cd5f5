import { beforeEach, describe, expect, test } from "vitest";
import { completed, dismissGuide, hint, isGuiding, restartGuide } from "../src/state/guide";
import { sketch } from "../src/state/sketch";
import type { Guide, SketchTold } from "../src/wire/protocol";
import { greet, item, show } from "./items";

const guide: Guide = {
  name: "first",
  title: "",
  begin: "start",
  needs: ["rod", "bob"],
  hints: [
    { until: "pull", text: "Pull", counts: {}, at: "rod.end2", of_joint: false, glows: "" },
    { until: "cut", text: "Cut", counts: {}, at: "bob", of_joint: true, glows: "bob" },
  ],
  steps: [],
};

beforeEach(() => {
  greet([], guide);
  show([item({ name: "rod", of: "rod" }), item({ name: "bob", of: "particle" })]);
  restartGuide();
});

describe("the tutorial", () => {
  test("begins with its first hint", () => {
    expect(hint.value?.text).toBe("Pull");
    expect(isGuiding.value).toBe(false);
  });

  test("goes on when the hint was followed, and ends after the last", () => {
    completed("pull");
    expect(hint.value?.text).toBe("Cut");
    expect(isGuiding.value).toBe(true);
    completed("cut");
    expect(hint.value).toBeNull();
  });

  test("does not go on by something else", () => {
    completed("cut");
    completed("undo");
    expect(hint.value?.text).toBe("Pull");
  });

  test("is only in a world that has what it is about", () => {
    show([item({ name: "rod", of: "rod" })]);
    expect(hint.value).toBeNull();
  });

  test("can be dismissed and begun again", () => {
    dismissGuide();
    expect(hint.value).toBeNull();
    restartGuide();
    expect(hint.value?.text).toBe("Pull");
  });

  test("counts what was made", () => {
    const have = {
      until: "have",
      text: "Two",
      counts: { particle: 2 },
      at: "",
      of_joint: false,
      glows: "",
    } as const;
    greet([], { ...guide, hints: [have, ...guide.hints] });
    restartGuide();
    expect(hint.value?.text).toBe("Two");
    const bobs = ["bob", "bob-2"].map((name) => item({ name, of: "particle" }));
    show([item({ name: "rod", of: "rod" }), ...bobs]);
    expect(hint.value?.text).toBe("Pull");
  });

  test("follows a sketch: begun, changed, played", () => {
    const hints = (["sketch", "pose"] as const).map((until) => ({
      until,
      text: until,
      counts: {},
      at: "",
      of_joint: false,
      glows: "",
    }));
    const told = (x: number) =>
      ({ bodies: ["rod"], flights: [{ tracks: [{ body: "rod", places: [[x, 0, 1]] }] }] }) as unknown;
    greet([], { ...guide, hints });
    restartGuide();
    sketch.value = told(0) as SketchTold;
    expect(hint.value?.text).toBe("pose");
    sketch.value = told(0) as SketchTold; // told again
    expect(hint.value?.text).toBe("pose");
    sketch.value = told(1) as SketchTold;
    expect(hint.value).toBeNull();
    sketch.value = null;
  });

  test("says nothing where the server has none", () => {
    greet([]);
    expect(hint.value).toBeNull();
  });
});
