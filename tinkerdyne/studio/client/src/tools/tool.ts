// A tool: what the pointer does in the viewport while it is in hand.
import type { Hit } from "../view/picking";
import type { Stage } from "../view/stage";

/** The pointer over the canvas, in pixels. */
export interface Pointer {
  x: number;
  y: number;
  isShift: boolean;
  isControl: boolean;
  isAlt: boolean;
}

/** A gesture that runs from press to release; a press that never moves is a click. */
export interface Gesture {
  move(pointer: Pointer): void;
  end(pointer: Pointer): void;
  cancel(): void;
}

/** What was under the pointer when it was pressed: a moment later it may have swung away. */
export interface Under {
  body: Hit | null;
  glyph: string; // the nearest joint or force, "" for none
}

export interface ToolUse {
  /** A click. */
  click(pointer: Pointer, stage: Stage, under: Under): void;
  /** A drag begins; null leaves it to the camera. */
  drag?(pointer: Pointer, stage: Stage, under: Under): Gesture | null;
  /** The pointer moves with no button down. */
  hover?(pointer: Pointer, stage: Stage): void;
  /** Enter: done; answers whether the tool wanted it. */
  confirm?(): boolean;
  /** The tool is put away. */
  leave?(): void;
}
