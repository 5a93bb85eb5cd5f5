// The right side: the inspector, and the panels of models, images and data, one at a time.
import { useEffect } from "preact/hooks";
import { groups } from "../../media/groups";
import { model, roleOf, type SideName, side, typeOf } from "../../state/store";
import { listenToDrops } from "../../tools/loading";
import { wording } from "../../wording/spoken";
import { Inspector } from "../Inspector";
import { SketchPanel } from "../sketch/SketchPanel";
import { DataPanel } from "./DataPanel";
import { ModelPanel } from "./ModelPanel";
import { PicturePanel } from "./PicturePanel";

const TABS: readonly (readonly [SideName, string])[] = [
  ["inspector", wording.common.inspector],
  ["model", wording.common.model],
  ["image", wording.media.image],
  ["data", wording.media.data],
  ["sketch", wording.sketch.motion],
];

/** The panel that a world that was opened asks for. */
function suited(): SideName {
  const { snakes, fits } = groups.value;
  const all = model.value?.items ?? [];
  if (model.value?.display["sketch"]) return "sketch";
  const bodies = all.filter((i) => i.family === "object");
  if (snakes.length || all.some((i) => typeOf(i)?.supplies === "picture")) return "image";
  if (fits.some((f) => f.parameters.length)) return "data";
  return bodies.length && bodies.every((i) => roleOf(i) === "variable") ? "model" : "inspector";
}

export function Side() {
  useEffect(listenToDrops, []);
  const title = model.value?.title;
  useEffect(() => {
    if (title !== undefined) side.value = suited();
  }, [title]);
  const now = side.value;
  const choose = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const at = TABS.findIndex(([name]) => name === now);
    side.value = TABS[(at + by + TABS.length) % TABS.length]?.[0] ?? now;
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(".side-tabs [aria-selected=true]")?.focus(),
    );
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <aside class="side">
      <div
        class="side-tabs"
        role="tablist"
        aria-label={wording.common.panelsOfTheRightSide}
        onKeyDown={choose}
      >
        {TABS.map(([name, title]) => (
          <button
            key={name}
            role="tab"
            aria-selected={now === name}
            tabIndex={now === name ? 0 : -1}
            onClick={() => (side.value = name)}
          >
            {title}
          </button>
        ))}
      </div>
      {now === "model" ? (
        <ModelPanel />
      ) : now === "image" ? (
        <PicturePanel />
      ) : now === "data" ? (
        <DataPanel />
      ) : now === "sketch" ? (
        <SketchPanel />
      ) : (
        <Inspector />
      )}
    </aside>
  );
}
