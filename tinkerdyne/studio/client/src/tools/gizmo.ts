// The gizmo of a paused world: arrows move what is selected along an axis, rings turn it; numbers that are typed count.
import * as three from "three";
import { applyEdit, frameOfEdit } from "../state/session";
import { readout, say, selected, status, tool } from "../state/store";
import { meant } from "../state/units";
import { carried, poseOf } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { isPortable, stateOf } from "./carry";
import { drop, type Held, hold, inHand } from "./hand";
import { amountShown, type Handle, Handles, handleNear, motionOf, Pull } from "./handles";
import { beforePicture } from "./labels";
import type { Pointer } from "./tool";
import { Typed, takeKeys } from "./typing";

/** The parts that are moved: those that are selected and have a place. */
function movable(): string[] {
  return selected.value.filter(isPortable);
}

/** The middle of what is selected; null where there is nothing to move now. */
function centreOf(): three.Vector3 | null {
  if (status.value?.is_playing !== false || status.value.is_past || tool.value !== "select") return null;
  const poses = movable().flatMap((name) => poseOf(name) ?? []);
  if (!poses.length) return null;
  const middle = new three.Vector3();
  for (const pose of poses) middle.add(new three.Vector3().setFromMatrixPosition(pose));
  return middle.divideScalar(poses.length);
}

const gizmo = new Handles();

beforePicture.push((stage) => {
  if (gizmo.parent !== stage.overlay) stage.overlay.add(gizmo);
  const isBusy = inHand() !== null && !(inHand() instanceof GizmoDrag);
  gizmo.stand(stage, isBusy ? null : centreOf());
});

/** The handle under the pointer; null for none. */
export function handleAt(pointer: Pointer, stage: Stage): Handle | null {
  const centre = centreOf();
  if (!centre || inHand()) return null;
  return handleNear(pointer, stage, centre);
}

/** Light up the handle under the pointer; answers whether there is one. */
export function hoverGizmo(pointer: Pointer, stage: Stage): boolean {
  const found = handleAt(pointer, stage);
  stage.canvas.style.cursor = found ? "grab" : "";
  return gizmo.light(stage, found);
}

export class GizmoDrag implements Held {
  private readonly bodies = movable();
  private readonly centre: three.Vector3;
  private readonly motion = new three.Matrix4();
  private readonly typed = new Typed();
  private readonly release: () => void;
  private amount = 0; // m or rad
  private last: Pointer;
  private readonly pull: Pull;

  constructor(
    private readonly stage: Stage,
    private readonly handle: Handle,
    start: Pointer,
  ) {
    this.centre = centreOf() ?? new three.Vector3();
    this.last = start;
    hold(this);
    for (const name of this.bodies) carried.set(name, this.motion);
    this.release = takeKeys((key) => {
      const isMine = this.typed.take(key);
      if (isMine) this.show();
      return isMine;
    });
    this.pull = new Pull(stage, handle, this.centre, start);
  }

  move(pointer: Pointer): void {
    this.last = pointer;
    this.amount = this.pull.to(pointer);
    this.show();
  }

  nudge(dx: number, dy: number): void {
    const step = this.handle.kind === "move" ? 0.01 : Math.PI / 180;
    this.amount += Math.sign(dx - dy) * step;
    this.show();
  }

  private value(): number {
    const [given] = this.typed.numbers;
    if (given === undefined || given === null) return this.amount;
    return meant(given, this.handle.kind === "turn" ? "rad" : "m");
  }

  private show(): void {
    const value = this.value();
    this.motion.copy(motionOf(this.handle, value, this.centre));
    readout.value = {
      x: this.last.x,
      y: this.last.y,
      text: amountShown(this.handle, value),
      detail: this.typed.text ? wording.tools.typedWord : wording.tools.typeANumberForAnExact,
    };
    this.stage.refresh();
  }

  follow(): void {
    return;
  }

  end(): void {
    const value = this.value();
    void this.put(value !== 0);
  }

  private async put(isMoved: boolean): Promise<void> {
    drop(this);
    const edits = this.bodies.map((name) => ({ edit: "Move", name, state: stateOf(name), key: 0 }));
    if (isMoved) {
      const wrong = await applyEdit({ edit: "Several", edits });
      if (wrong) say(wrong, "error");
      else await frameOfEdit();
    }
    this.clear();
  }

  cancel(): void {
    drop(this);
    this.clear();
  }

  private clear(): void {
    this.release();
    for (const name of this.bodies) if (carried.get(name) === this.motion) carried.delete(name);
    readout.value = null;
    this.stage.canvas.style.cursor = "";
    this.stage.refresh();
  }
}

/** Move and turn what is selected by typed amounts [m, rad]; answers what is wrong. */
export async function moveBy(by: three.Vector3, axis: 0 | 1 | 2, angle: number): Promise<string> {
  const bodies = movable();
  const poses = bodies.flatMap((name) => poseOf(name) ?? []);
  if (!poses.length) return wording.tools.selectAPartFirst;
  const centre = new three.Vector3();
  for (const pose of poses) centre.add(new three.Vector3().setFromMatrixPosition(pose));
  centre.divideScalar(poses.length);
  const motion = motionOf({ kind: "turn", axis }, angle, centre).premultiply(
    new three.Matrix4().makeTranslation(by),
  );
  for (const name of bodies) carried.set(name, motion);
  const edits = bodies.map((name) => ({ edit: "Move", name, state: stateOf(name), key: 0 }));
  for (const name of bodies) carried.delete(name);
  return applyEdit({ edit: "Several", edits });
}
