// The keyboard: keys to actions, except where something else has the focus and needs them itself.

import { report } from "../state/session";
import { dialog } from "../state/store";
import { action, actions } from "./actions";
import { paste, stepBack } from "./operations";
import { isTaken } from "./typing";

/** What the End key moves within. */
const MOVES_WITHIN =
  "input, select, [role=slider], [role=treeitem], [role=menuitem], [role=option], [role=tab]";

/** What the keys of a table call a key that was pressed: "Ctrl+Z", "Shift+1", "Space". */
export function keyOf(
  event: Pick<KeyboardEvent, "code" | "ctrlKey" | "key" | "metaKey" | "shiftKey">,
): string {
  const control = event.ctrlKey || event.metaKey;
  const name =
    event.key === " "
      ? "Space"
      : event.key === "Backspace"
        ? "Delete"
        : event.key.length === 1
          ? event.key.toUpperCase()
          : event.key;
  const digit = /^Digit([0-9])$/.exec(event.code)?.[1];
  const isSign = event.key.length === 1 && name === event.key && !/[0-9]/.test(name); // typed with Shift on some keyboards
  const base = event.shiftKey && digit ? digit : name;
  const shift = event.shiftKey && !(isSign && !digit) ? "Shift+" : "";
  return `${control ? "Ctrl+" : ""}${event.shiftKey && /^[A-Z]$/.test(name) ? "Shift+" : shift}${base}`;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches("input:not([type=checkbox]):not([type=range]), textarea, select") ||
      target.isContentEditable)
  );
}

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    const key = keyOf(event);
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (key === "Ctrl+K") {
      event.preventDefault();
      return action("palette").run();
    }
    if (dialog.value) {
      if (key === "Escape") stepBack();
      return;
    }
    const isOfWorld = ["Ctrl+Z", "Ctrl+Y"].includes(key) && target?.dataset["settled"] === "true"; // nothing is half typed
    if (isTyping(target) && key !== "F6" && !isOfWorld) {
      if (key === "Escape") target?.blur();
      return;
    }
    if (isTaken(key)) {
      event.preventDefault();
      return;
    }
    if (key === "Ctrl+V") return; // the browser tells what is pasted
    const isViewport = target?.matches("canvas") ?? false;
    const isNative = [
      "Tab",
      "Shift+Tab",
      "Enter",
      "Space",
      "ArrowLeft",
      "ArrowRight",
      "ArrowUp",
      "ArrowDown",
      "End",
    ].includes(key);
    if (
      isNative &&
      !isViewport &&
      target !== document.body &&
      target?.matches(key === "End" ? MOVES_WITHIN : "button, [role], input, summary, a, [tabindex]")
    ) {
      if (!(key === "Space" && target.matches("[role=treeitem]"))) return;
    }
    if ((key === "Tab" || key === "Shift+Tab") && !isViewport) return;
    const found = actions().find(
      (a) =>
        a.keys === key || (key === "Ctrl+Shift+Z" && a.keys === "Ctrl+Y") || (key === "=" && a.keys === "+"),
    );
    if (!found) return;
    event.preventDefault();
    found.run();
  });
  addEventListener("paste", (event) => {
    if (dialog.value || isTyping(event.target)) return;
    event.preventDefault();
    paste(event.clipboardData?.getData("text/plain") ?? "").catch(report);
  });
}
