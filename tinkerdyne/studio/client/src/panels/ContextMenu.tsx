// The menu at a part: a click with the right button, or a long press.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { selected } from "../state/store";
import { keysShown } from "../tools/action";
import { action } from "../tools/actions";
import { listenToLongPress } from "../tools/touch";
import { wording } from "../wording/spoken";
import { focusedOf } from "./focus";

const place = signal<{ x: number; y: number } | null>(null);
const ENTRIES = [
  "motor",
  "sketch",
  "plot-selected",
  "trace-selected",
  "frame",
  "duplicate",
  "rename",
  "delete",
] as const;

/** Open the menu for what is selected, at a place of the page. */
export function openMenu(x: number, y: number): void {
  place.value = selected.value.length ? { x, y } : null;
}

export function ContextMenu() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => listenToLongPress(openMenu), []);
  useEffect(() => {
    if (!place.value) return;
    box.current?.querySelector<HTMLElement>("button:not([aria-disabled=true])")?.focus();
    const away = (event: PointerEvent): void => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) place.value = null;
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [place.value]);
  if (!place.value) return null;
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const entries = [...(box.current?.querySelectorAll("button") ?? [])];
    if (by) {
      const now = focusedOf(entries);
      entries[(now + by + entries.length) % entries.length]?.focus();
    } else if (event.key === "Escape") place.value = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const left = Math.min(place.value.x, innerWidth - 230);
  const top = Math.min(place.value.y, innerHeight - 34 * ENTRIES.length - 20);
  return (
    <div
      class="menu-list context"
      role="menu"
      aria-label={wording.bar.whatCanBeDone({ names: selected.value.join(", ") })}
      ref={box}
      style={{ left: `${left}px`, top: `${top}px` }}
      onKeyDown={onKey}
    >
      {ENTRIES.map((id) => {
        const entry = action(id);
        const isPossible = entry.isPossible?.() ?? true;
        return (
          <button
            key={id}
            class="menu-entry"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={!isPossible}
            onClick={() => {
              if (!isPossible) return;
              place.value = null;
              entry.run();
            }}
          >
            <span class="check" aria-hidden="true" />
            <span>{entry.title}</span>
            {entry.keys ? <kbd>{keysShown(entry.keys)}</kbd> : null}
          </button>
        );
      })}
    </div>
  );
}
