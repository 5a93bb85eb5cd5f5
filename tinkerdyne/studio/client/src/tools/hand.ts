// The hand: what is held now, by the pointer or by the keyboard; at most one thing.
import type { Gesture } from "./tool";

export interface Held extends Gesture {
  /** Move it by some pixels of the picture. */
  nudge(dx: number, dy: number): void;
  /** Turn it by some steps, where it can be turned. */
  rotate?(steps: number): void;
  /** Turn it by a step about the picture's upward line (dx) or its line to the right (dy). */
  tilt?(dx: number, dy: number): void;
  /** Turn it in the picture [rad], as two fingers do. */
  spin?(by: number): void;
  /** The wheel was turned; answers whether that was used. */
  wheel?(notches: number): boolean;
  /** Let go; what is near is joined. */
  end(): void;
  /** With every frame: draw what belongs to it. */
  follow(): void;
}

let held: Held | null = null;

export function inHand(): Held | null {
  return held;
}

/** Take something in hand; what was there is let go. */
export function hold(what: Held): void {
  const before = held;
  held = what;
  before?.cancel();
}

export function drop(what: Held): void {
  if (held === what) held = null;
}
