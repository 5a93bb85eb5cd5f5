// Carrying: while the world is paused, parts are put somewhere else as they are, turned with R, and snap exactly.
import * as three from "three";
import { completed } from "../state/guide";
import { applyEdit, frameOfEdit } from "../state/session";
import { items, readout, say, select, selected, typeOf } from "../state/store";
import { lengthSaid } from "../state/units";
import { angleOf, carried, coordinates, poseOf, spotsOf } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { join } from "./grab";
import { drop, type Held, hold } from "./hand";
import type { Pair } from "./pairs";
import { Snap } from "./snap";
import type { Pointer } from "./tool";

const STEP = Math.PI / 12; // rad

/** Whether an object has a place that can be given. */
export function isPortable(name: string): boolean {
  const item = items.value.get(name);
  if (item?.shape?.kind === "curve") return false; // it follows its equations, while the world runs
  return item !== undefined && (typeOf(item)?.state.some((p) => p.name === "position") ?? false);
}

/** What is carried when one takes this: the selected parts with it. */
export function carriedWith(name: string): string[] {
  return (selected.value.includes(name) ? selected.value : [name]).filter(isPortable);
}

export class Carry implements Held {
  private readonly bodies: readonly string[];
  private readonly motion = new three.Matrix4();
  private readonly by = new three.Vector3();
  private readonly turn = new three.Quaternion();
  private readonly start: three.Vector3; // where the hand took it
  private readonly snap: Snap;

  constructor(
    private readonly stage: Stage,
    private readonly body: string,
    private readonly own: three.Vector3,
  ) {
    hold(this);
    this.bodies = carriedWith(body);
    if (!selected.value.includes(body)) select(body);
    this.start = own.clone().applyMatrix4(poseOf(body) ?? new three.Matrix4());
    for (const name of this.bodies) carried.set(name, this.motion);
    this.snap = new Snap(stage, body);
    completed("pull");
  }

  move(pointer: Pointer): void {
    this.by.subVectors(this.stage.across(pointer.x, pointer.y, this.start), this.start);
    if (items.value.get(this.body)?.dimension === 2) this.by.z = 0;
    this.update();
  }

  nudge(dx: number, dy: number): void {
    const now = this.start.clone().add(this.by);
    const p = this.stage.project(now);
    this.by.add(this.stage.across(p.x + dx, p.y + dy, now).sub(now));
    this.update();
  }

  /** Turn it by some steps about the hand, in the picture. */
  rotate(steps: number): void {
    const axis = this.stage.camera.isPlanar
      ? new three.Vector3(0, 0, 1)
      : this.stage.camera.direction().negate();
    this.turn.premultiply(new three.Quaternion().setFromAxisAngle(axis, steps * STEP));
    this.update();
  }

  tilt(dx: number, dy: number): void {
    if (this.stage.camera.isPlanar) {
      this.rotate(-dx - dy);
      return;
    }
    const line = new three.Vector3().setFromMatrixColumn(this.stage.camera.active.matrixWorld, dx ? 1 : 0);
    this.turn.premultiply(new three.Quaternion().setFromAxisAngle(line, (dx + dy) * STEP));
    this.update();
  }

  /** x → start + by + turn (x − start) */
  private update(): void {
    const back = new three.Matrix4().makeTranslation(this.start.clone().negate());
    const forth = new three.Matrix4().makeTranslation(this.start.clone().add(this.by));
    this.motion
      .copy(forth)
      .multiply(new three.Matrix4().makeRotationFromQuaternion(this.turn))
      .multiply(back);
    this.stage.refresh();
  }

  follow(): void {
    this.snap.follow(this.own);
    const p = this.stage.project(this.start.clone().add(this.by));
    readout.value = {
      x: p.x,
      y: p.y,
      text: wording.tools.movedBy({ length: lengthSaid(this.by.length(), 3) }),
      detail: this.snap.description,
    };
  }

  end(): void {
    const joined = this.snap.letGo(this.own);
    if (joined) {
      const mine = spotsOf(joined.mine.body).find((s) => s.input === joined.mine.input) ?? joined.mine; // it may have moved since
      this.by.add(joined.other.place).sub(mine.place);
      this.update();
    }
    void this.put(joined);
  }

  private async put(joined: Pair | null): Promise<void> {
    const edits = this.bodies.map((name) => ({ edit: "Move", name, state: stateOf(name), key: 0 }));
    drop(this);
    const isMoved = this.by.lengthSq() > 0 || Math.abs(this.turn.w) < 1;
    const moved = { edit: "Several", edits };
    let wrong = "";
    if (joined) await join(joined.mine, joined.other, isMoved ? { moved } : {});
    else if (isMoved) wrong = await applyEdit(moved);
    if (wrong) say(wrong, "error");
    else if (isMoved) await frameOfEdit();
    this.clear();
  }

  cancel(): void {
    drop(this);
    this.clear();
  }

  private clear(): void {
    for (const name of this.bodies) if (carried.get(name) === this.motion) carried.delete(name);
    this.snap.clear();
    readout.value = null;
    this.stage.refresh();
  }
}

/** Place and orientation of an object as it is carried now. */
export function stateOf(name: string): [string, unknown][] {
  const item = items.value.get(name);
  const pose = poseOf(name) ?? new three.Matrix4();
  const [place, turn] = [new three.Vector3(), new three.Quaternion()];
  pose.decompose(place, turn, new three.Vector3());
  const state: [string, unknown][] = [["position", coordinates(place, item?.dimension ?? 3)]];
  const has = (part: string): boolean => (item && typeOf(item)?.state.some((p) => p.name === part)) ?? false;
  if (has("orientation")) state.push(["orientation", [turn.w, turn.x, turn.y, turn.z]]);
  else if (has("angle")) state.push(["angle", angleOf(name)]);
  return state;
}
