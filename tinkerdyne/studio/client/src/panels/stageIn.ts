// A stage in a canvas, kept in step with what the page knows. What listens to the pointer is handed in.
import { effect } from "@preact/signals";
import { hint } from "../state/guide";
import { pictureDrawn } from "../state/pace";
import { eachFrame } from "../state/session";
import * as store from "../state/store";
import { drawn, isAway, view } from "../view/current";
import { Stage } from "../view/stage";

const LOOKS = 400; // ms between two looks whether everything has left the picture

/** What a page does with its stage. */
export interface Uses {
  listen(stage: Stage): void; // to the pointer
  before?(stage: Stage): void; // each picture
  after?(stage: Stage): void;
}

/** Make the stage and keep it in step; answers how to end that. */
export function stageIn(canvas: HTMLCanvasElement, uses: Uses): () => void {
  const stage = new Stage(canvas);
  view.stage = stage;
  uses.listen(stage);
  const watcher = new ResizeObserver(() => {
    stage.resize(canvas.clientWidth, canvas.clientHeight);
    stage.draw();
  });
  watcher.observe(canvas);
  stage.resize(canvas.clientWidth, canvas.clientHeight);
  const rebuild = (): void => {
    const [model, tracks] = [store.model.value, store.tracks.value];
    const isPast = tracks !== null && tracks.layout.then.length + tracks.layout.since.length > 0;
    isDue ||= model !== null && tracks !== null && (isPast || tracks.layout.revision >= model.revision); // else its layout is on the way
    if (model && !model.items.some((item) => item.family === "object")) stage.rebuild(); // at once: its first part shall not be framed alone
  };
  let isDue = false;
  const stops = [
    effect(rebuild),
    effect(() => {
      void [
        store.selected.value,
        store.hovered.value,
        store.theme.value,
        store.shownForces.value,
        store.areTracesShown.value,
        store.traced.value,
      ];
      void [
        store.isGridShown.value,
        store.areNamesShown.value,
        store.status.value?.conflicts.length,
        hint.value,
      ];
      void store.shownAxis.value;
      stage.refresh();
    }),
  ];
  eachFrame(() => stage.refresh());
  let next = 0;
  let lookedAt = 0; // ms, whether everything has left
  const loop = (): void => {
    next = requestAnimationFrame(loop);
    if (isDue) {
      isDue = false;
      stage.rebuild();
    }
    uses.before?.(stage);
    if (!stage.draw()) return;
    pictureDrawn(performance.now());
    uses.after?.(stage);
    drawn.value++;
    if (performance.now() - lookedAt < LOOKS) return;
    lookedAt = performance.now();
    isAway.value = stage.isEmptied;
  };
  loop();
  return () => {
    cancelAnimationFrame(next);
    watcher.disconnect();
    for (const stop of stops) stop();
  };
}
