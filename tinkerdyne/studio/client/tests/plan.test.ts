import { describe, expect, test } from "vitest";
import { entries, headingOf, shifted, timesOf, withKey, wordOf } from "../src/state/plan";
import { model } from "../src/state/store";
import type { EventInfo } from "../src/wire/protocol";
import { item, world } from "./items";

const event = (given: Partial<EventInfo>): EventInfo => ({
  index: 0,
  kind: "event",
  start: 1,
  end: 1,
  title: "",
  item: "",
  keys: [],
  entry: {},
  ...given,
});
const switched = (index: number, time: number, name: string, value: boolean): EventInfo =>
  event({
    index,
    start: time,
    end: time,
    item: name,
    entry: { edit: "Event", time, what: { edit: "Change", name, parameter: "is_on", value } },
  });

describe("a part of an entry that is moved in time", () => {
  test("goes as far as it is moved", () => {
    expect(shifted([1, 2, 3], 1, 0.5)).toEqual([1, 2.5, 3]);
  });

  test("does not pass its neighbours", () => {
    expect(shifted([1, 2, 3], 1, 5)).toEqual([1, 2.99, 3]);
    expect(shifted([1, 2, 3], 1, -5)).toEqual([1, 1.01, 3]);
  });

  test("takes all others along when it is the whole", () => {
    expect(shifted([1, 2, 3], -1, 0.25)).toEqual([1.25, 2.25, 3.25]);
  });

  test("comes out with tidy numbers", () => {
    expect(shifted([0.1], 0, 0.2)).toEqual([0.3]);
  });
});

describe("entries of a timeline", () => {
  test("keep their names while they are moved in time", () => {
    model.value = world({ timeline: [switched(0, 1, "hook", false), switched(1, 2, "hook", true)] });
    const before = entries().map((e) => e.id);
    model.value = world({ timeline: [switched(0, 7, "hook", false), switched(1, 2, "hook", true)] });
    expect(entries().map((e) => e.id)).toEqual(before);
  });

  test("that say the same twice have different names", () => {
    model.value = world({ timeline: [switched(0, 1, "hook", false), switched(1, 2, "hook", false)] });
    expect(new Set(entries().map((e) => e.id)).size).toBe(2);
  });

  test("about one parameter lie in one lane", () => {
    model.value = world({ timeline: [switched(0, 1, "hook", false), switched(1, 2, "hook", true)] });
    expect(entries().map((e) => e.lane)).toEqual(["hook.is_on", "hook.is_on"]);
  });

  test("have the times of what they are", () => {
    expect(timesOf(event({ start: 2 }))).toEqual([2]);
    expect(timesOf(event({ kind: "ramp", start: 2, end: 5 }))).toEqual([2, 5]);
    const keys = [
      [0, 1, 1],
      [3, 2, 2],
    ];
    expect(timesOf(event({ kind: "path", keys }))).toEqual([0, 3]);
  });

  test("say in a word what they do", () => {
    expect(wordOf(switched(0, 1, "hook", false))).toBe("off");
    expect(wordOf(switched(0, 1, "hook", true))).toBe("on");
    expect(wordOf(event({ kind: "ramp", entry: { low: 0.5, high: [1 / 3, 2] } }))).toBe("0.5 → 0.3333, 2");
    expect(wordOf(event({ entry: { what: { edit: "Change", parameter: "length", value: 2 } } }))).toBe("= 2");
    expect(wordOf(event({ entry: { what: { edit: "Remove" } } }))).toBe("remove");
  });

  test("do not write out an image", () => {
    const what = { edit: "Change", parameter: "image", value: "data:image/png;base64,AAAA" };
    expect(wordOf(event({ entry: { what } }))).toBe("= another image");
  });

  test("that switch an item are headed by its name alone", () => {
    model.value = world({ items: [item({ name: "hook", of: "nail", family: "constraint" })] });
    expect(headingOf("hook.is_on")).toBe("hook");
    expect(headingOf("gone.is_on")).toBe("gone.is_on");
    expect(headingOf("hook.tau")).toBe("hook.tau");
  });
});

describe("another key of a path", () => {
  const keys = [
    [0, 0, 0],
    [2, 4, 8],
  ];

  test("lies on the straight line between its neighbours", () => {
    expect(withKey(keys, 0.5)).toEqual([
      [0, 0, 0],
      [0.5, 1, 2],
      [2, 4, 8],
    ]);
  });

  test("behind the last stays where that is", () => {
    expect(withKey(keys, 3)?.at(-1)).toEqual([3, 4, 8]);
  });

  test("cannot come before the first", () => {
    expect(withKey(keys, -1)).toBeNull();
  });

  test("leaves the others as they were", () => {
    withKey(keys, 1);
    expect(keys).toHaveLength(2);
  });
});
