// Fingers: two of them move and zoom the view, one that stays opens the menu of what lies under it.

import type { Stage } from "../view/stage";
import { inHand } from "./hand";

const LONG = 550; // ms
const STILL = 8; // px

interface Finger {
  x: number;
  y: number;
}

type Open = (x: number, y: number) => void;
let openMenu: Open = () => undefined;

/** Have something opened where a finger stays, or the right button clicks. */
export function listenToLongPress(open: Open): () => void {
  openMenu = open;
  return () => {
    openMenu = () => undefined;
  };
}

/** The menu at a place of the page. */
export function openMenuAt(x: number, y: number): void {
  openMenu(x, y);
}

/** Fingers on the canvas; what two of them do is theirs, and no tool sees it. */
export class Touch {
  private readonly fingers = new Map<number, Finger>();
  private last: { x: number; y: number; apart: number } | null = null;
  private waiting = 0;
  private turning: { first: number; angle: number } | null = null; // two fingers turn what the first one holds

  constructor(
    private readonly stage: Stage,
    private readonly cancel: () => void, // what the first finger began
    private readonly press: (x: number, y: number) => void, // a finger stays there, in pixels of the canvas
  ) {}

  /** Whether an event belongs to two fingers. */
  takes(event: PointerEvent, x: number, y: number): boolean {
    if (event.pointerType !== "touch") return false;
    const isDown = event.type === "pointerdown";
    if (isDown || this.fingers.has(event.pointerId)) {
      const before = this.fingers.get(event.pointerId);
      if (!before || Math.hypot(x - before.x, y - before.y) > STILL || this.fingers.size > 1)
        this.stopWaiting();
      if (isDown || this.fingers.size > 1) this.fingers.set(event.pointerId, { x, y });
    }
    if (isDown && this.fingers.size === 1) this.wait(event, x, y);
    const wasPair = this.fingers.size > 1;
    if (wasPair && this.turns(event, isDown)) return event.pointerId !== this.turning?.first;
    if (event.type === "pointerup" || event.type === "pointercancel") {
      this.fingers.delete(event.pointerId);
      this.stopWaiting();
    }
    if (!wasPair) {
      if (this.fingers.size === 0) this.last = null;
      return this.last !== null; // the finger that is left of two
    }
    if (isDown) this.cancel();
    if (this.fingers.size > 1) this.pinch();
    return true;
  }

  /** Whether the fingers turn what is held; the first one goes on to move it. */
  private turns(event: PointerEvent, isDown: boolean): boolean {
    const held = inHand();
    const [a, b] = [...this.fingers.values()];
    if (!held?.spin || !a || !b) return false;
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    if (isDown) {
      const [first = 0] = this.fingers.keys();
      this.turning = { first, angle };
      return true;
    }
    if (!this.turning) return false;
    if (event.type !== "pointermove") {
      this.fingers.delete(event.pointerId);
      if (event.pointerId === this.turning.first) this.fingers.clear();
      else return true;
      return true;
    }
    const by = angle - this.turning.angle;
    held.spin(by - 2 * Math.PI * Math.round(by / (2 * Math.PI)));
    this.turning = { ...this.turning, angle };
    return true;
  }

  private pinch(): void {
    const [a, b] = [...this.fingers.values()];
    if (!a || !b) return;
    const now = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
    if (this.last) {
      const { camera, canvas } = this.stage;
      camera.pan(now.x - this.last.x, now.y - this.last.y);
      camera.zoom(
        this.last.apart / Math.max(now.apart, 1),
        (2 * now.x) / canvas.clientWidth - 1,
        1 - (2 * now.y) / canvas.clientHeight,
      );
      this.stage.refresh();
    }
    this.last = now;
  }

  private wait(event: PointerEvent, x: number, y: number): void {
    const { clientX, clientY } = event;
    this.waiting = window.setTimeout(() => {
      this.cancel();
      this.press(x, y);
      openMenu(clientX, clientY);
    }, LONG);
  }

  private stopWaiting(): void {
    clearTimeout(this.waiting);
  }
}
