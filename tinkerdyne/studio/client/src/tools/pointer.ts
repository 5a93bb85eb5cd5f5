// The pointer in the viewport: a small threshold separates clicks from drags; whatever no tool wants goes to the camera.
import type * as three from "three";
import { isCurve } from "../media/curves";
import { hovered, prompt, readout, say, select, selected, status, type Tool, tool } from "../state/store";
import type { Hit } from "../view/picking";
import { isJoined } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { actTool } from "./act";
import { Carry, carriedWith, isPortable } from "./carry";
import { cutTool } from "./cut";
import { drawTool } from "./draw";
import { bindTool } from "./formula";
import { GizmoDrag, handleAt, hoverGizmo } from "./gizmo";
import { Grab } from "./grab";
import { selectWhole } from "./grouping";
import { type Held, inHand } from "./hand";
import { Lasso, lassoTool } from "./lasso";
import { makeTool } from "./make";
import { measureTool } from "./measure";
import { nailTool } from "./nail";
import { pathTool } from "./path";
import { PathKeyDrag, pathKeyAt } from "./pathKey";
import { pickTool } from "./pick";
import { FitPull } from "./pullFit";
import { clickSketch, dragSketch, hoverSketch } from "./sketchHand";
import type { Gesture, Pointer, ToolUse, Under } from "./tool";
import { openMenuAt, Touch } from "./touch";

const THRESHOLD = 3; // px
const RECENT = 200; // ms
const GLYPH = 10; // px
const WIDE = 16; // px, for tools that want joints

/** The part that was under the pointer last: one that swings is caught although it has just gone. */
let passed: { body: Hit; time: number } | null = null;

const selectTool: ToolUse = {
  click(pointer, stage, under) {
    if (clickSketch(pointer, stage)) return;
    const name = under.glyph || under.body?.name || "";
    selectWhole(name, pointer.isShift || pointer.isControl, pointer.isAlt);
  },
  drag(pointer, stage, under) {
    if (pointer.isControl) return new Lasso(stage, pointer, pointer.isShift);
    const sketched = dragSketch(pointer, stage);
    if (sketched) return sketched;
    const handle = handleAt(pointer, stage);
    if (handle) return new GizmoDrag(stage, handle, pointer);
    for (const path of [...selected.value, under.body ? "" : under.glyph]) {
      const key = pathKeyAt(stage, path, pointer); // those of a selected path before all that lies there
      if (key >= 0) return new PathKeyDrag(stage, path, key);
    }
    const model = under.body ? null : stage.backdrop.modelAt(pointer.x, pointer.y, stage);
    if (model) return new FitPull(stage, model.fit, model.place, model.columns);
    return (
      under.body &&
      take(stage, under.body.name, under.body.own, pointer.isShift || pointer.isAlt, pointer.isAlt)
    );
  },
  hover(pointer, stage) {
    if (hoverSketch(pointer, stage) || hoverGizmo(pointer, stage)) {
      hovered.value = "";
      return;
    }
    const body = stage.bodyAt(pointer.x, pointer.y);
    if (body) passed = { body, time: performance.now() };
    hovered.value = stage.glyphAt(pointer.x, pointer.y, GLYPH) || body?.name || "";
  },
};

/** Take a part in hand: grabbed while the world runs, carried while it is paused. */
export function take(
  stage: Stage,
  name: string,
  own: three.Vector3,
  isHard: boolean,
  withOrientation = false,
): Held {
  const isPaused = status.value?.is_playing === false;
  const isCarried = isPaused && isPortable(name) && !isJoined(carriedWith(name)); // else what is joined to it follows
  if (status.value?.is_playing === false && isCurve(name)) say(wording.tools.curveNeedsRun);
  return isCarried ? new Carry(stage, name, own) : new Grab(stage, name, own, isHard, withOrientation);
}

const USES: Readonly<Record<Tool, ToolUse>> = {
  select: selectTool,
  cut: cutTool,
  nail: nailTool,
  path: pathTool,
  pick: pickTool,
  draw: drawTool,
  bind: bindTool,
  make: makeTool,
  lasso: lassoTool,
  measure: measureTool,
  act: actTool,
};

class Orbit implements Gesture {
  constructor(
    private readonly stage: Stage,
    private last: Pointer,
    private readonly isPan: boolean,
  ) {}

  move(pointer: Pointer): void {
    const [dx, dy] = [pointer.x - this.last.x, pointer.y - this.last.y];
    if (this.isPan) this.stage.camera.pan(dx, dy);
    else this.stage.camera.orbit(dx, dy);
    this.last = pointer;
    this.stage.refresh();
  }

  end(): void {
    return;
  }

  cancel(): void {
    return;
  }
}

/** Put the tool in hand away; answers whether there was one. */
export function putAway(): boolean {
  const was = tool.value;
  tool.value = "select";
  return was !== "select";
}

export function confirmTool(): boolean {
  return USES[tool.value].confirm?.() ?? false;
}

/** The last place of the pointer over the canvas, or null when it is elsewhere. */
export const pointer: { now: Pointer | null } = { now: null };

let gesture: Gesture | null = null;
let pressed: { pointer: Pointer; button: number; under: Under } | null = null;

/** End the gesture without doing what it is for; the button may still be down, the next one begins with the next press. */
export function cancelGesture(): boolean {
  const was = gesture !== null;
  gesture?.cancel();
  gesture = null;
  pressed = null;
  return was;
}

export function listen(stage: Stage): void {
  const canvas = stage.canvas;
  let isHoverDue = false;
  let last = tool.value;
  tool.subscribe((now) => {
    if (now === "select") prompt.value = "";
    canvas.dataset["tool"] = now;
    if (last !== now) USES[last].leave?.();
    last = now;
    stage.refresh();
  });

  const at = (event: PointerEvent | WheelEvent): Pointer => {
    const box = canvas.getBoundingClientRect();
    return {
      x: event.clientX - box.left,
      y: event.clientY - box.top,
      isShift: event.shiftKey,
      isControl: event.ctrlKey || event.metaKey,
      isAlt: event.altKey,
    };
  };

  const touch = new Touch(stage, cancelGesture, (x, y) => {
    select(stage.glyphAt(x, y, WIDE) || stage.bodyAt(x, y)?.name || "");
  });
  const isOfTwo = (event: PointerEvent): boolean => {
    const { x, y } = at(event);
    return touch.takes(event, x, y);
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (isOfTwo(event)) return;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    const now = at(event);
    const recent =
      tool.value === "select" && passed && performance.now() - passed.time < RECENT ? passed.body : null;
    const under = {
      body: stage.bodyAt(now.x, now.y) ?? recent,
      glyph: stage.glyphAt(now.x, now.y, tool.value === "select" ? GLYPH : WIDE),
    };
    pressed = { pointer: now, button: event.button, under };
  });

  canvas.addEventListener("pointermove", (event) => {
    if (isOfTwo(event)) return;
    const now = at(event);
    pointer.now = now;
    if (gesture) return gesture.move(now);
    if (!pressed) {
      if (!isHoverDue)
        requestAnimationFrame(() => {
          isHoverDue = false;
          if (pointer.now && !gesture && !pressed) USES[tool.value].hover?.(pointer.now, stage);
        });
      isHoverDue = true;
      return;
    }
    if (Math.hypot(now.x - pressed.pointer.x, now.y - pressed.pointer.y) < THRESHOLD) return;
    const isPrimary = pressed.button === 0;
    gesture =
      (isPrimary ? USES[tool.value].drag?.(pressed.pointer, stage, pressed.under) : null) ??
      new Orbit(stage, pressed.pointer, pressed.button === 2 || (isPrimary && now.isShift));
    gesture.move(now);
  });

  const lift = (event: PointerEvent): void => {
    if (isOfTwo(event)) return;
    const now = at(event);
    if (gesture) gesture.end(now);
    else if (pressed?.button === 0) USES[tool.value].click(pressed.pointer, stage, pressed.under);
    else if (pressed?.button === 2) {
      select(pressed.under.glyph || pressed.under.body?.name || "");
      openMenuAt(event.clientX, event.clientY);
    }
    gesture = null;
    pressed = null;
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", (event) => {
    isOfTwo(event);
    cancelGesture();
  });
  canvas.addEventListener("pointerleave", () => {
    if (gesture) return;
    pointer.now = null;
    hovered.value = "";
    if (tool.value !== "select") readout.value = null;
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", () => confirmTool());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const p = at(event);
      const lines = event.deltaMode === 1 ? 30 : 1;
      if (inHand()?.wheel?.((event.deltaY * lines) / 100)) return;
      stage.camera.zoom(
        Math.exp(0.0012 * event.deltaY * lines),
        (2 * p.x) / canvas.clientWidth - 1,
        1 - (2 * p.y) / canvas.clientHeight,
      );
      stage.refresh();
    },
    { passive: false },
  );
}
