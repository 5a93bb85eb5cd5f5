// Cutting: a click on a joint, or a swipe across several.
import * as three from "three";
import { completed } from "../state/guide";
import { ask, report } from "../state/session";
import { hovered, prompt, say, selected, tool } from "../state/store";
import { distanceToSegment } from "../view/picture";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import type { Gesture, Pointer, ToolUse } from "./tool";

const NEAR = 11; // px

/** X: cut what is selected, or take the knife in hand. */
export function startCut(stage: Stage): void {
  const joints = selected.value.filter((name) => stage.glyphs.has(name));
  if (joints.length) return void cut(joints);
  tool.value = "cut";
  prompt.value = wording.tools.cutHint;
}

async function cut(names: string[]): Promise<void> {
  if (!names.length) return;
  tool.value = "select";
  try {
    await ask({ do: "delete", names });
    completed("cut");
    say(wording.tools.wasCut({ names: names.join(", ") }));
  } catch (reason) {
    report(reason);
  }
}

class Swipe implements Gesture {
  private readonly met = new Set<string>();
  private readonly line = document.createElement("canvas");
  private last: Pointer;

  constructor(
    private readonly stage: Stage,
    start: Pointer,
  ) {
    this.last = start;
    this.line.className = "swipe";
    this.line.width = stage.canvas.clientWidth;
    this.line.height = stage.canvas.clientHeight;
    stage.canvas.parentElement?.append(this.line);
  }

  move(pointer: Pointer): void {
    const pen = this.line.getContext("2d");
    if (pen) {
      pen.strokeStyle = `#${new three.Color(this.stage.palette.conflict).getHexString()}`;
      pen.lineWidth = 2.5;
      pen.lineCap = "round";
      pen.beginPath();
      pen.moveTo(this.last.x, this.last.y);
      pen.lineTo(pointer.x, pointer.y);
      pen.stroke();
    }
    for (const [name, glyph] of this.stage.glyphs)
      if (
        glyph.object.visible &&
        glyph.anchors.some((a) => distanceToSegment(this.stage.project(a), this.last, pointer) < NEAR)
      )
        this.met.add(name);
    this.last = pointer;
  }

  end(): void {
    this.cancel();
    if (this.met.size) void cut([...this.met]);
    else say(wording.tools.thereWasNoJointInThe);
  }

  cancel(): void {
    this.line.remove();
  }
}

export const cutTool: ToolUse = {
  click(_pointer, _stage, under) {
    if (under.glyph) void cut([under.glyph]);
    else say(wording.tools.noJointHere);
  },
  drag: (pointer, stage) => new Swipe(stage, pointer),
  hover(pointer, stage) {
    hovered.value = stage.glyphAt(pointer.x, pointer.y, 16);
  },
};
