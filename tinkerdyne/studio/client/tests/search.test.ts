import { describe, expect, test } from "vitest";
import { type Listed, listedTitle, ranked } from "../src/tools/search";

const commands: Listed[] = [
  { id: "palette", title: "All commands", menu: "Help" },
  { id: "spring-forces", title: "Forces of springs", menu: "View" },
  {
    id: "insert-spring",
    title: "Spring",
    menu: "Insert",
    group: "Forces",
    python: "world.add(spring(a, b))",
  },
  { id: "insert-scalar", title: "Scalar spring", menu: "Insert", group: "Forces" },
  { id: "nudge", title: "Move the spring", menu: "Edit", group: "Keys" },
  { id: "undo", title: "Undo", menu: "Edit", python: "world.undo()" },
];
const found = (text: string): string[] => ranked(commands, text).map((one) => one.id);

describe("searching commands", () => {
  test("finds those in which all words are, in any order and case", () => {
    expect(found("SPRING scalar")).toEqual(["insert-scalar"]);
  });

  test("puts the one that is called so first, then those that contain it", () => {
    expect(found("spring")).toEqual(["insert-spring", "spring-forces", "insert-scalar"]);
  });

  test("knows a command by how it stands in the list", () => {
    expect(listedTitle(commands[2] ?? { id: "", title: "", menu: "" })).toBe("Insert: Spring");
    expect(found("insert: spring")[0]).toBe("insert-spring");
  });

  test("finds a command by its line of Python", () => {
    expect(found("world.undo")).toEqual(["undo"]);
  });

  test("leaves out the list itself and mere keys", () => {
    expect(found("")).not.toContain("palette");
    expect(found("move")).toEqual([]);
  });
});
