// The rubber band: a rectangle selects what lies wholly in it, drawn to the left all that it touches.
import * as three from "three";
import { isGround, prompt, select, selected, tool } from "../state/store";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { withGroups } from "./grouping";
import type { Gesture, Pointer, ToolUse } from "./tool";

interface Span {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class Lasso implements Gesture {
  private readonly box = document.createElement("div");

  constructor(
    private readonly stage: Stage,
    private readonly start: Pointer,
    private readonly isAdding = false,
  ) {
    this.box.className = "lasso";
    stage.canvas.parentElement?.append(this.box);
  }

  move(pointer: Pointer): void {
    const { left, top, width, height } = this.span(pointer);
    this.box.classList.toggle("touching", pointer.x < this.start.x);
    Object.assign(this.box.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  }

  end(pointer: Pointer): void {
    const span = this.span(pointer);
    const isTouching = pointer.x < this.start.x;
    const bodies = [...this.stage.figures]
      .filter(([, figure]) => !isGround(figure.item) && lies(this.stage, figure.box(), span, isTouching))
      .map(([name]) => name);
    const marks = [...this.stage.glyphs]
      .filter(([, glyph]) => glyph.object.visible)
      .filter(([, { anchors }]) => {
        const isIn = (place: three.Vector3): boolean => within(this.stage.project(place), span);
        return isTouching ? anchors.some(isIn) : anchors.every(isIn);
      })
      .map(([name]) => name);
    const found = withGroups([...bodies, ...marks]);
    selected.value = this.isAdding ? [...new Set([...selected.value, ...found])] : found;
    this.cancel();
  }

  cancel(): void {
    this.box.remove();
  }

  private span(pointer: Pointer): Span {
    return {
      left: Math.min(pointer.x, this.start.x),
      top: Math.min(pointer.y, this.start.y),
      width: Math.abs(pointer.x - this.start.x),
      height: Math.abs(pointer.y - this.start.y),
    };
  }
}

function within(p: { x: number; y: number }, { left, top, width, height }: Span): boolean {
  return p.x >= left && p.x <= left + width && p.y >= top && p.y <= top + height;
}

/** Whether a box of the world lies in a rectangle of the picture, or touches it. */
function lies(stage: Stage, box: three.Box3, span: Span, isTouching: boolean): boolean {
  if (box.isEmpty()) return false;
  const corners = [box.min.x, box.max.x].flatMap((x) =>
    [box.min.y, box.max.y].flatMap((y) =>
      [box.min.z, box.max.z].map((z) => stage.project(new three.Vector3(x, y, z))),
    ),
  );
  if (!isTouching) return corners.every((corner) => within(corner, span));
  const [xs, ys] = [corners.map((c) => c.x), corners.map((c) => c.y)];
  return (
    Math.min(...xs) <= span.left + span.width &&
    Math.max(...xs) >= span.left &&
    Math.min(...ys) <= span.top + span.height &&
    Math.max(...ys) >= span.top
  );
}

export function startLasso(): void {
  tool.value = "lasso";
  prompt.value = wording.tools.lassoHint;
}

/** The rubber band by a tool: one rectangle, then it is put away. */
class Once extends Lasso {
  override end(pointer: Pointer): void {
    super.end(pointer);
    tool.value = "select";
  }
}

export const lassoTool: ToolUse = {
  click(_pointer, _stage, under) {
    select(under.glyph || under.body?.name || "");
    tool.value = "select";
  },
  drag: (pointer, stage) => new Once(stage, pointer, pointer.isShift),
};
