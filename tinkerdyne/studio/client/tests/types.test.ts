import { beforeEach, describe, expect, test } from "vitest";
import { chosenJoint, dimension, firstOf, joint, joints, roleOf, typeFor } from "../src/state/store";
import { hasAxis } from "../src/view/axis";
import { greet, item, show, type } from "./items";

beforeEach(() => {
  chosenJoint.value = "";
  greet([
    type("slot", { family: "constraint", axis: "sliding", rank: 2 }),
    type("hinge", { family: "constraint", axis: "turning", rank: 1 }),
    type("glue", { family: "constraint" }),
    type("ring", { family: "object", rank: 1 }),
    type("peg", { family: "constraint", role: "nail" }),
  ]);
  show([item({ name: "p", of: "peg" })]);
});

describe("a type is known by its description", () => {
  test("and those that are offered first come in their order", () => {
    expect(joints.value.map((one) => one.name)).toEqual(["hinge", "slot"]);
    expect(firstOf("object").map((one) => one.name)).toEqual(["ring"]);
  });

  test("and parts are joined with the first until another is chosen", () => {
    expect(joint.value).toBe("hinge");
    chosenJoint.value = "slot";
    expect(joint.value).toBe("slot");
  });

  test("and found by its role", () => {
    expect(typeFor("nail")).toBe("peg");
    expect(roleOf(item({ name: "p", of: "peg" }))).toBe("nail");
    expect(roleOf(item({ name: "q", of: "nobody knows" }))).toBe("none");
    expect(() => typeFor("path")).toThrow("path");
  });

  test("and has an axis to choose where it says so; in the plane only what slides", () => {
    expect(dimension.value).toBe(3);
    expect(["hinge", "slot", "glue"].map(hasAxis)).toEqual([true, true, false]);
    show([]);
  });
});

const sources = Object.entries(
  import.meta.glob<string>("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
);

test.each(sources)("%s asks for no type by its name", (_path, text) => {
  expect(text).not.toMatch(/\.of\s*[!=]==?\s*["'`]|\.of\s+in\s|switch\s*\([^)]*\.of\)|includes\([^)]*\.of\b/);
  expect(text).not.toMatch(/\bof:\s*"[^"]/);
  expect(text).not.toMatch(/type\??\.(name|group)\s*[!=]==?\s*["'`]/);
});
