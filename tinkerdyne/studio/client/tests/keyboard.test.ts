import { describe, expect, test } from "vitest";
import { keyOf } from "../src/tools/keyboard";

const press = (key: string, given: Partial<Parameters<typeof keyOf>[0]> = {}): string =>
  keyOf({ key, code: "", ctrlKey: false, metaKey: false, shiftKey: false, ...given });

describe("a key that is pressed is called", () => {
  test("by its letter, whether capital or not", () => {
    expect(press("g")).toBe("G");
    expect(press("G", { shiftKey: true })).toBe("Shift+G");
  });

  test("Ctrl with the key of a Mac too", () => {
    expect(press("z", { ctrlKey: true })).toBe("Ctrl+Z");
    expect(press("z", { metaKey: true })).toBe("Ctrl+Z");
    expect(press("Z", { ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+Z");
  });

  test("by its digit, whatever sign Shift makes of it", () => {
    expect(press("!", { shiftKey: true, code: "Digit1" })).toBe("Shift+1");
    expect(press("1", { code: "Digit1" })).toBe("1");
  });

  test("by its sign, on keyboards that need Shift for it too", () => {
    expect(press("?", { shiftKey: true, code: "Slash" })).toBe("?");
    expect(press("+")).toBe("+");
  });

  test("Space, and Delete for both keys that delete", () => {
    expect(press(" ")).toBe("Space");
    expect(press("Backspace")).toBe("Delete");
    expect(press("Delete")).toBe("Delete");
  });

  test("by its arrow, with Shift", () => {
    expect(press("ArrowLeft", { shiftKey: true })).toBe("Shift+ArrowLeft");
  });
});
