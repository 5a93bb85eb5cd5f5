// The pointer in a page without the studio: parts are pulled, what lies beside them turns the view; two fingers move it.

import { hovered } from "../state/store";
import { Touch } from "../tools/touch";
import type { Stage } from "../view/stage";
import type { Pull } from "./pull";

const THRESHOLD = 3; // px

/** Take hold of the part at a point of the canvas; null where there is none. */
export type Take = (stage: Stage, x: number, y: number, isHard: boolean) => Pull | null;

/** Look around, and pull what `take` gives. */
export function listenTo(stage: Stage, take: Take = () => null): void {
  const { canvas, camera } = stage;
  let pull: Pull | null = null;
  let last: { x: number; y: number } | null = null; // of what turns the view
  let pressed: { x: number; y: number; isMoved: boolean; isPan: boolean } | null = null;
  const at = (event: PointerEvent | WheelEvent): { x: number; y: number } => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const letGo = (): void => {
    pull?.end();
    pull = last = pressed = null;
  };
  const touch = new Touch(stage, letGo, () => undefined);
  const isOfTwo = (event: PointerEvent): boolean => touch.takes(event, at(event).x, at(event).y);

  canvas.addEventListener("pointerdown", (event) => {
    if (isOfTwo(event)) return;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    const now = at(event);
    pull = event.button === 0 ? take(stage, now.x, now.y, event.shiftKey) : null;
    pressed = { ...now, isMoved: false, isPan: event.button === 2 || event.shiftKey };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (isOfTwo(event)) return;
    const now = at(event);
    if (!pressed) {
      hovered.value = event.pointerType === "touch" ? "" : (stage.bodyAt(now.x, now.y)?.name ?? "");
      return;
    }
    if (pull) return pull.move(now.x, now.y);
    pressed.isMoved ||= Math.hypot(now.x - pressed.x, now.y - pressed.y) > THRESHOLD;
    if (!pressed.isMoved) return;
    const [dx, dy] = [now.x - (last ?? now).x, now.y - (last ?? now).y];
    if (pressed.isPan) camera.pan(dx, dy);
    else camera.orbit(dx, dy);
    last = now;
    stage.refresh();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!isOfTwo(event)) letGo();
  });
  canvas.addEventListener("pointercancel", (event) => {
    isOfTwo(event);
    letGo();
  });
  canvas.addEventListener("pointerleave", () => {
    if (!pressed) hovered.value = "";
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const p = at(event);
      camera.zoom(
        Math.exp(0.0012 * event.deltaY * (event.deltaMode === 1 ? 30 : 1)),
        (2 * p.x) / canvas.clientWidth - 1,
        1 - (2 * p.y) / canvas.clientHeight,
      );
      stage.refresh();
    },
    { passive: false },
  );
}
