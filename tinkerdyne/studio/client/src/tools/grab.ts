// Grabbing: a part follows the pointer by a spring, hard (with Shift), or hard with its orientation (with Alt, or once it is turned);
// it shows its force, and snaps to what it can be joined with.

import * as three from "three";
import { ATTACHMENTS, attachment, isCurve, isOnCurve, placeAt } from "../media/curves";
import { completed } from "../state/guide";
import { newtons } from "../state/numbers";
import { ask, nextFrame, report } from "../state/session";
import type { Spot } from "../state/spot";
import { items, joint, readout, say, select, status, typeOf } from "../state/store";
import { axisValues } from "../view/axis";
import { HandLine } from "../view/handLine";
import { coordinates, placeOn, poseOf } from "../view/places";
import type { Stage } from "../view/stage";
import type { Insert } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { drop, type Held, hold } from "./hand";
import { Snap } from "./snap";
import type { Pointer } from "./tool";

const STEP = Math.PI / 12; // rad, of a turn by key

export class Grab implements Held {
  private handle: number | null = null;
  private readonly begun: Promise<void>;
  private turn: three.Quaternion | null = null; // the wanted orientation, where it is held by that too
  private isOver = false;
  private isSending = false;
  private isChanging = false; // from one handle to another: nothing is sent meanwhile
  private wanted: three.Vector3;
  private sent: three.Vector3 | null = null;
  private force = 0; // N
  private torque = 0; // N m
  private readonly line: HandLine;
  private readonly snap: Snap;

  constructor(
    private readonly stage: Stage,
    readonly body: string,
    private readonly own: three.Vector3, // in the body's axes
    readonly isHard: boolean,
    withOrientation = false,
  ) {
    hold(this);
    this.wanted = new three.Vector3();
    this.wanted = this.place();
    this.line = new HandLine(stage);
    this.snap = new Snap(stage, body);
    select(body);
    if (withOrientation && this.canTurn()) this.turn = orientationOf(body);
    this.begun = this.begin();
  }

  private get dimension(): number {
    return items.value.get(this.body)?.dimension ?? 3;
  }

  private canTurn(): boolean {
    const item = items.value.get(this.body);
    if (isCurve(this.body)) return false;
    return (item && typeOf(item)?.state.some((p) => p.name === "orientation" || p.name === "angle")) ?? false;
  }

  /** Catch it; `instead_of` is a handle of the same drag that this one takes over. */
  private async begin(instead_of = 0): Promise<void> {
    const kind = items.value.get(this.body)?.shape?.kind;
    const spans = items.value.get(this.body)?.shape?.spans.length ?? 0; // a curve is held at u, a surface at (u, v)
    const isPoint = this.turn || kind === "point" || (kind === "curve" && !spans);
    const at = isPoint ? [] : coordinates(this.own, spans ? spans / 2 : this.dimension);
    const [is_hard, with_orientation] = [this.isHard, this.turn !== null];
    try {
      this.handle = await ask({ do: "grab", item: this.body, at, is_hard, with_orientation, instead_of });
    } catch (reason) {
      report(reason);
      this.clear();
      return;
    }
    this.sent = null;
    if (this.isOver) letGo(this.handle);
    else void this.send();
    completed("pull");
  }

  /** Hold it by its orientation too from now on. */
  private async twist(): Promise<void> {
    this.turn = orientationOf(this.body);
    this.isChanging = true;
    await this.begun;
    while (this.isSending) await nextFrame();
    const old = this.handle;
    this.handle = null;
    if (old !== null) await this.begin(old);
    this.isChanging = false;
    void this.send();
  }

  /** Turn it about the hand: by steps about the line of sight. */
  rotate(steps: number): void {
    const axis = this.stage.camera.isPlanar
      ? new three.Vector3(0, 0, 1)
      : this.stage.camera.direction().negate();
    this.turnBy(axis, steps * STEP);
  }

  /** Turn it about the picture's upward line (dx) or its line to the right (dy). */
  tilt(dx: number, dy: number): void {
    if (this.stage.camera.isPlanar) this.rotate(-dx - dy);
    else {
      const line = new three.Vector3().setFromMatrixColumn(this.stage.camera.active.matrixWorld, dx ? 1 : 0);
      this.turnBy(line, (dx + dy) * STEP);
    }
  }

  private turnBy(axis: three.Vector3, angle: number): void {
    if (!this.canTurn()) {
      say(wording.tools.cannotBeTurned({ name: this.body }));
      return;
    }
    if (!this.turn) void this.twist();
    this.turn?.premultiply(new three.Quaternion().setFromAxisAngle(axis, angle)).normalize();
    this.sent = null;
    void this.send();
  }

  /** The wheel turns what is held by its orientation; answers whether it did. */
  wheel(notches: number): boolean {
    if (!this.turn) return false;
    this.rotate(notches / 3);
    return true;
  }

  move(pointer: Pointer): void {
    this.wanted = this.stage.across(pointer.x, pointer.y, this.place());
    void this.send();
  }

  /** Move what is held by some pixels of the picture. */
  nudge(dx: number, dy: number): void {
    const p = this.stage.project(this.wanted);
    this.wanted = this.stage.across(p.x + dx, p.y + dy, this.wanted);
    void this.send();
  }

  /** Where the held point is now. */
  place(): three.Vector3 {
    const at = isCurve(this.body) ? placeAt(this.body, this.own) : placeOn(this.body, this.own);
    return at ?? this.wanted.clone();
  }

  /** One message at a time, always the newest. */
  private async send(): Promise<void> {
    if (
      this.handle === null ||
      this.isSending ||
      this.isChanging ||
      this.isOver ||
      this.sent?.equals(this.wanted)
    )
      return;
    this.isSending = true;
    this.sent = this.wanted.clone();
    const origin = this.turn
      ? this.wanted.clone().sub(this.own.clone().applyQuaternion(this.turn))
      : this.wanted;
    const to = coordinates(origin, this.dimension);
    try {
      const felt = await ask({ do: "drag", handle: this.handle, to, orientation: this.orientation() });
      this.force = Math.hypot(...felt.slice(0, this.dimension));
      this.torque = Math.hypot(...felt.slice(this.dimension));
    } catch (reason) {
      if (!this.isOver) say(reason instanceof Error ? reason.message : String(reason)); // it was lost: no fault of who holds it
      this.clear();
    }
    this.isSending = false;
    void this.send();
  }

  /** The wanted orientation as the server takes it: a quaternion, in the plane an angle. */
  private orientation(): number[] {
    if (!this.turn) return [];
    const { w, x, y, z } = this.turn;
    return this.dimension === 2 ? [2 * Math.atan2(z, w)] : [w, x, y, z];
  }

  /** With every frame: the line, the force, and what is near enough to snap to. */
  follow(): void {
    const from = this.place();
    this.line.draw(from, this.wanted);
    this.snap.follow(this.own, this.wanted.clone().sub(from));
    const p = this.stage.project(this.wanted);
    readout.value = {
      x: p.x,
      y: p.y,
      text: isPaused()
        ? wording.tools.movedWhatIsJoinedFollows
        : `${this.turn ? wording.tools.placeAndTurn : this.isHard ? wording.tools.hard : wording.tools.soft} · ${newtons(this.force)}${
            this.turn ? ` · ${newtons(this.torque)} m` : ""
          }`,
      detail: this.snap.description || (this.turn ? wording.tools.turnHint : ""),
    };
    if (this.handle !== null && !this.isSending) {
      this.sent = null; // the force changes although the pointer rests
      void this.send();
    }
  }

  end(): void {
    if (this.isOver) return; // it was lost: what it was near is not joined
    const joined = this.snap.letGo(this.own, this.wanted.clone().sub(this.place()));
    const { handle } = this;
    if (joined) void join(joined.mine, joined.other, handle === null ? {} : { handle }); // which lets go
    if (joined && handle !== null) this.clear();
    else this.release();
  }

  /** Let go; what was moved while nothing runs goes back to where it was. */
  cancel(): void {
    this.release(true);
  }

  private release(isCancelled = false): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.handle !== null) letGo(this.handle, isCancelled);
    this.clear();
  }

  private clear(): void {
    this.isOver = true;
    this.line.clear();
    this.snap.clear();
    readout.value = null;
    drop(this);
    this.stage.refresh();
  }
}

/** Let go; a hand that was lost meanwhile, by undo or with its part, has done so already. */
function letGo(handle: number, is_cancelled = false): void {
  ask({ do: "release", handle, is_cancelled }).catch(() => undefined);
}

/** The end of a drag, that undo takes back together with what was joined. */
type Drag = Pick<Insert, "handle" | "moved">;

/** Join two places with the joint that is chosen, at the end of a drag. */
export async function join(mine: Spot, other: Spot, drag: Drag): Promise<void> {
  try {
    if (isOnCurve(mine.input) || isOnCurve(other.input)) return await attach(mine.input, other.input, drag);
    const values = axisValues(joint.value, mine.body);
    const [made] = await ask({
      do: "insert",
      of: joint.value,
      inputs: [mine.input, other.input],
      values,
      ...drag,
    });
    say(wording.tools.joinedTo({ mine: mine.input, other: other.input || wording.common.theWorld }));
    if (made) select(made);
    completed("snap");
  } catch (reason) {
    report(reason);
    if (drag.handle) letGo(drag.handle);
  }
}

/** Attach curves in the way that is chosen; where only one of the two is a curve, at a point of it, or sliding along it. */
async function attach(a: string, b: string, drag: Drag): Promise<void> {
  const isBoth = isOnCurve(a) && isOnCurve(b);
  const how = isBoth || attachment.value === "slide" ? attachment.value : "fixed";
  const [made] = await ask({ do: "attach", how, a, b, ...drag });
  say(
    wording.tools.attachedTo({
      mine: a.replace(/@.*/, ""),
      other: b.replace(/@.*/, ""),
      how: ATTACHMENTS[how],
    }),
  );
  if (made) select(made);
}

/** Then no force acts: a part goes where the joints let it. */
function isPaused(): boolean {
  return status.value?.is_playing === false;
}

function orientationOf(body: string): three.Quaternion {
  return new three.Quaternion().setFromRotationMatrix(poseOf(body) ?? new three.Matrix4());
}
