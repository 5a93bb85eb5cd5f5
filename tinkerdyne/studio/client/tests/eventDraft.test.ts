import { beforeEach, describe, expect, test } from "vitest";
import { candidates, draftOf, entryOf, fresh, parametersOf } from "../src/panels/eventDraft";
import { latest, selected } from "../src/state/store";
import type { EventInfo, Parameter } from "../src/wire/protocol";
import { greet, item, show, type } from "./items";

const parameter = (name: string, sort: Parameter["sort"], value: unknown): Parameter => ({
  name,
  sort,
  default: value,
  unit: "",
  choices: [],
});
const spring = item({
  name: "spring",
  of: "spring",
  family: "behavior",
  values: { stiffness: 10, is_on: true },
});
const rod = item({ name: "rod", of: "rod", values: { mass: 1 } });

beforeEach(() => {
  greet([
    type("spring", {
      family: "behavior",
      parameters: [parameter("stiffness", "number", 1), parameter("is_on", "truth", true)],
    }),
    type("rod", {
      family: "object",
      parameters: [parameter("mass", "size", 1)],
      state: [parameter("velocity", "vector", [0, 0, 0])],
    }),
  ]);
  show([spring, rod, item({ name: "tip", of: "point", family: "connector" })]);
  selected.value = [];
});

const planned = (entry: Record<string, unknown>, kind: EventInfo["kind"] = "event"): EventInfo => ({
  index: 0,
  kind,
  start: 2,
  end: 3,
  title: "",
  item: "spring",
  keys: [],
  entry,
});

describe("what can be planned", () => {
  test("is to switch what can be switched", () => {
    expect(candidates("off").map((one) => one.name)).toEqual(["spring"]);
  });

  test("is to remove all but connectors", () => {
    expect(candidates("remove").map((one) => one.name)).toEqual(["spring", "rod"]);
  });

  test("is to set parameters and state, and to ramp numbers of parameters", () => {
    expect(parametersOf("set", rod).map((one) => one.name)).toEqual(["mass", "velocity"]);
    expect(parametersOf("ramp", rod).map((one) => one.name)).toEqual(["mass"]);
    expect(parametersOf("set", spring).map((one) => one.name)).toEqual(["stiffness"]);
  });

  test("begins with what is selected, a second ahead of the clock", () => {
    selected.value = ["rod"];
    if (latest.frame) latest.frame.time = 7.04;
    const draft = fresh();
    expect(draft.item).toBe("rod");
    expect(draft.kind).toBe("ramp");
    expect(draft.start).toBeCloseTo(8);
  });
});

describe("an entry and its form", () => {
  test.each([
    [
      {
        edit: "Event",
        time: 2,
        what: { edit: "Change", name: "spring", parameter: "is_on", value: false, key: 0 },
      },
    ],
    [
      {
        edit: "Event",
        time: 2,
        what: { edit: "Change", name: "spring", parameter: "stiffness", value: 5, key: 0 },
      },
    ],
    [{ edit: "Event", time: 2, what: { edit: "Remove", names: ["spring"] } }],
  ])("say the same: %j", (entry) => {
    const draft = draftOf(planned(entry));
    expect(draft && entryOf(draft)).toEqual(entry);
  });

  test("of a ramp too", () => {
    const ramp = { name: "spring", parameter: "stiffness", low: 1, high: 9, is_smooth: true };
    const entry = { edit: "Ramp", start: 2, end: 3, ...ramp };
    const draft = draftOf(planned(entry, "ramp"));
    expect(draft && entryOf(draft)).toEqual(entry);
  });

  test("set a part of the state by moving the object", () => {
    const draft = { ...fresh(), kind: "set" as const, item: "rod", parameter: "velocity", value: [1, 0, 0] };
    expect(entryOf(draft)["what"]).toEqual({
      edit: "Move",
      name: "rod",
      state: [["velocity", [1, 0, 0]]],
      key: 0,
    });
  });

  test("have no form for several edits at once", () => {
    expect(draftOf(planned({ what: { edit: "Several", edits: [] } }))).toBeNull();
    expect(draftOf(planned({ what: { edit: "Remove", names: ["a", "b"] } }))).toBeNull();
  });
});
