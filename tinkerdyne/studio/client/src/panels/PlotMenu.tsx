// What can be done with a plot: other axes, more quantities, files.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import {
  addTo,
  namesOf,
  otherSide,
  type PlotSpec,
  plotOver,
  plots,
  removeFrom,
  watched,
} from "../state/plots";
import { OF_WORLD, quantities, spokenOf } from "../state/quantities";
import { recall } from "../state/session";
import { items, selected } from "../state/store";
import { wording } from "../wording/spoken";
import type { PlotFile } from "./Plot";
import { unitOf } from "./units";

const FILES: readonly PlotFile[] = ["png", "svg", "csv"];
const ROOM = 8; // px to the edge of the page

/** Everything that may be put into a plot at hand: what is plotted, of the world, and of what is selected. */
function offered(spec: PlotSpec): string[] {
  const own = selected.value.flatMap((name) => {
    const item = items.value.get(name);
    return item ? quantities(item) : [];
  });
  const all = new Set([...watched.value, ...own, ...OF_WORLD]);
  return [...all].filter((name) => !spec.left.includes(name) && !spec.right.includes(name));
}

export function PlotMenu({ spec, exportAs }: { spec: PlotSpec; exportAs(kind: PlotFile): void }) {
  const isOpen = useSignal(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen.value) return undefined;
    const away = (event: Event): void => {
      if (!(event.target instanceof Node && place.current?.contains(event.target))) isOpen.value = false;
    };
    addEventListener("pointerdown", away);
    place.current?.querySelector<HTMLElement>("select, button.first")?.focus();
    return () => removeEventListener("pointerdown", away);
  }, [isOpen.value]);
  const button = place.current?.getBoundingClientRect();
  const where = button
    ? { right: `${Math.max(ROOM, innerWidth - button.right)}px`, bottom: `${innerHeight - button.top + 4}px` }
    : {};
  return (
    <div
      ref={place}
      class="plot-menu"
      onKeyDown={(e) => {
        if (e.key === "Escape" && isOpen.value) {
          e.stopPropagation();
          isOpen.value = false;
          place.current?.querySelector("button")?.focus();
        }
      }}
    >
      <button
        class="plain"
        aria-label={wording.plots.menuOf({ names: namesOf(spec).join(", ") })}
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        ⋯
      </button>
      {isOpen.value ? (
        <div class="plot-sheet" role="dialog" aria-label={wording.common.plot} style={where}>
          <label>
            {wording.common.add}{" "}
            <select
              value=""
              onChange={(e) => {
                addTo(spec.id, e.currentTarget.value, unitOf);
                void recall();
              }}
            >
              <option value="">{wording.plots.aQuantity}</option>
              {offered(spec).map((name) => (
                <option key={name} value={name}>
                  {spokenOf(name)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {wording.plots.over}{" "}
            <select
              value={spec.x}
              onChange={(e) => {
                plotOver(spec.id, e.currentTarget.value);
                void recall();
              }}
            >
              <option value="">{wording.plots.time}</option>
              {[...new Set([...(spec.x ? [spec.x] : []), ...offered(spec), ...namesOf(spec)])].map((name) => (
                <option key={name} value={name}>
                  {spokenOf(name)}
                </option>
              ))}
            </select>
          </label>
          <ul>
            {[...spec.left, ...spec.right].map((name) => (
              <li key={name}>
                <span>{spokenOf(name)}</span>
                <button
                  aria-label={
                    spec.left.includes(name)
                      ? wording.plots.toRight({ name })
                      : wording.plots.toLeft({ name })
                  }
                  onClick={() => otherSide(spec.id, name)}
                >
                  {spec.left.includes(name) ? wording.plots.leftAxis : wording.plots.rightAxis}
                </button>
                <button
                  aria-label={wording.plots.takeOut({ name })}
                  onClick={() => removeFrom(spec.id, name)}
                >
                  ✕
                </button>
              </li>
            ))}
          </ul>
          {plots.value.length > 1 ? <p class="muted">{wording.plots.dragNames}</p> : null}
          <div class="buttons">
            {FILES.map((kind) => (
              <button key={kind} onClick={() => exportAs(kind)}>
                {kind.toUpperCase()}
              </button>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  );
}
