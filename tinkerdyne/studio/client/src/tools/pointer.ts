// The pointer in the viewport: a small threshold separates clicks from drags; whatever no tool wants goes to the camera.
import * as three from "three";
import { isCurve } from "../media/curves";
import { hovered, prompt, readout, say, select, selected, status, type Tool, tool } from "../state/store";
import type { Hit } from "../view/picking";
import type { Stage } from "../view/stage";
import { Carry, isPortable } from "./carry";
import { cutTool } from "./cut";
import { drawTool } from "./draw";
import { bindTool } from "./formula";
import { Grab } from "./grab";
import { type Held, inHand } from "./hand";
import { makeTool } from "./make";
import { nailTool } from "./nail";
import { pathTool } from "./path";
import { PathKeyDrag, pathKeyAt } from "./pathKey";
import { pickTool } from "./pick";
import { FitPull } from "./pullFit";
import type { Gesture, Pointer, ToolUse, Under } from "./tool";

const THRESHOLD = 3; // px
const RECENT = 200; // ms
const GLYPH = 10; // px
const WIDE = 16; // px, for tools that want joints

/** The part that was under the pointer last: one that swings is caught although it has just gone. */
let passed: { body: Hit; time: number } | null = null;

const selectTool: ToolUse = {
  click(pointer, _stage, under) {
    select(under.glyph || under.body?.name || "", pointer.isShift || pointer.isControl);
  },
  drag(pointer, stage, under) {
    if (pointer.isControl) return new Box(stage, pointer);
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
  const isCarried = status.value?.is_playing === false && isPortable(name);
  if (status.value?.is_playing === false && isCurve(name))
    say("a curve follows its equations while the world runs: press Space");
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
};

/** Selecting what lies in a rectangle. */
class Box implements Gesture {
  private readonly box = document.createElement("div");

  constructor(
    private readonly stage: Stage,
    private readonly start: Pointer,
  ) {
    this.box.className = "lasso";
    stage.canvas.parentElement?.append(this.box);
  }

  move(pointer: Pointer): void {
    const { left, top, width, height } = this.span(pointer);
    Object.assign(this.box.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  }

  end(pointer: Pointer): void {
    const { left, top, width, height } = this.span(pointer);
    const isIn = (place: three.Vector3): boolean => {
      const p = this.stage.project(place);
      return p.x >= left && p.x <= left + width && p.y >= top && p.y <= top + height;
    };
    const bodies = [...this.stage.figures]
      .filter(([, f]) => isIn(f.box().getCenter(new three.Vector3())))
      .map(([name]) => name);
    const joints = [...this.stage.glyphs]
      .filter(([, g]) => g.object.visible && g.anchors.every(isIn))
      .map(([name]) => name);
    selected.value = [...bodies, ...joints];
    this.cancel();
  }

  cancel(): void {
    this.box.remove();
  }

  private span(pointer: Pointer): { left: number; top: number; width: number; height: number } {
    return {
      left: Math.min(pointer.x, this.start.x),
      top: Math.min(pointer.y, this.start.y),
      width: Math.abs(pointer.x - this.start.x),
      height: Math.abs(pointer.y - this.start.y),
    };
  }
}

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

  canvas.addEventListener("pointerdown", (event) => {
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
    const now = at(event);
    if (gesture) gesture.end(now);
    else if (pressed?.button === 0) USES[tool.value].click(pressed.pointer, stage, pressed.under);
    gesture = null;
    pressed = null;
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", cancelGesture);
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
