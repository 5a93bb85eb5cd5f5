// Grabbing: a part follows the pointer by a spring (or hard, with Shift), shows its force, and snaps to what it can be joined with.
import * as three from "three";
import { followed } from "../guide";
import { items, joint, readout, say, select } from "../store";
import { act, ask, names, report } from "../studio";
import type { Stage } from "../view/stage";
import { coordinates, poseOf, type Spot } from "../view/places";
import { drop, hold, type Held } from "./hand";
import { Snap } from "./snap";
import type { Pointer } from "./tool";

export class Grab implements Held {
  private handle: number | null = null;
  private isOver = false;
  private isSending = false;
  private wanted: three.Vector3;
  private sent: three.Vector3 | null = null;
  private force = 0; // N
  private readonly line: three.Mesh; // from the part to the hand
  private readonly knob: three.Mesh;
  private readonly snap: Snap;

  constructor(
    private readonly stage: Stage,
    readonly body: string,
    private readonly own: three.Vector3, // in the body's axes
    readonly isHard: boolean,
  ) {
    hold(this);
    const place = this.own.clone().applyMatrix4(poseOf(body) ?? new three.Matrix4());
    this.wanted = place.clone();
    const colour = stage.palette.grab;
    const material = new three.MeshBasicMaterial({ color: colour, depthTest: false });
    this.line = new three.Mesh(new three.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), material);
    this.knob = new three.Mesh(new three.SphereGeometry(1, 16, 12), material);
    this.line.renderOrder = this.knob.renderOrder = 20;
    this.line.frustumCulled = false;
    stage.overlay.add(this.line, this.knob);
    this.snap = new Snap(stage, body);
    select(body);
    void this.begin();
  }

  private async begin(): Promise<void> {
    const item = items.value.get(this.body);
    const at = item?.shape?.kind === "point" || item?.shape?.kind === "curve" ? [] : coordinates(this.own, item?.dimension ?? 3);
    try {
      this.handle = Number(await ask({ do: "grab", item: this.body, at, is_hard: this.isHard }));
    } catch (reason) {
      report(reason);
      this.clear();
      return;
    }
    if (this.isOver) void act({ do: "release", handle: this.handle });
    else void this.send();
    followed("pull");
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
    const pose = poseOf(this.body);
    return pose ? this.own.clone().applyMatrix4(pose) : this.wanted.clone();
  }

  /** One message at a time, always the newest. */
  private async send(): Promise<void> {
    if (this.handle === null || this.isSending || this.isOver || (this.sent && this.sent.equals(this.wanted))) return;
    this.isSending = true;
    const to = (this.sent = this.wanted.clone());
    try {
      this.force = magnitude(
        await ask({ do: "drag", handle: this.handle, to: coordinates(to, items.value.get(this.body)?.dimension ?? 3) }),
      );
    } catch (reason) {
      if (!this.isOver) report(reason);
      this.clear();
    }
    this.isSending = false;
    void this.send();
  }

  /** With every frame: the line, the force, and what is near enough to snap to. */
  follow(): void {
    const from = this.place();
    const pixel = this.stage.camera.metresPerPixel(this.wanted);
    this.line.position.lerpVectors(from, this.wanted, 0.5);
    this.line.lookAt(this.wanted);
    this.line.scale.set(1.3 * pixel, 1.3 * pixel, Math.max(from.distanceTo(this.wanted), 1e-9));
    this.knob.position.copy(this.wanted);
    this.knob.scale.setScalar(5 * pixel);
    this.snap.follow(this.own, this.wanted.clone().sub(from));
    const p = this.stage.project(this.wanted);
    readout.value = {
      x: p.x,
      y: p.y,
      text: `${this.isHard ? "hard" : "soft"} · ${shortForce(this.force)}`,
      detail: this.snap.words,
    };
    if (this.handle !== null && !this.isSending) {
      this.sent = null; // the force changes although the pointer rests
      void this.send();
    }
  }

  end(): void {
    const joined = this.snap.found;
    this.release();
    if (joined) void join(this.stage, joined.mine, joined.other);
  }

  cancel(): void {
    this.release();
  }

  private release(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.handle !== null) void act({ do: "release", handle: this.handle });
    this.clear();
  }

  private clear(): void {
    this.isOver = true;
    this.stage.overlay.remove(this.line, this.knob);
    this.snap.clear();
    readout.value = null;
    drop(this);
    this.stage.refresh();
  }
}

/** A pin faces the one who looks: its axis is the world's axis nearest to the view. */
function axisOfView(stage: Stage): Record<string, unknown> {
  if (joint.value !== "pin" || stage.camera.isPlanar) return {};
  const along = stage.camera.direction().toArray();
  const largest = along.reduce((best, x, i) => (Math.abs(x) > Math.abs(along[best] ?? 0) ? i : best), 0);
  return { axis: [0, 1, 2].map((i) => (i === largest ? 1 : 0)) };
}

/** Join two places with the joint that is chosen. */
export async function join(stage: Stage, mine: Spot, other: Spot): Promise<void> {
  try {
    const [made] = names(
      await ask({ do: "insert", of: joint.value, inputs: [mine.input, other.input], values: axisOfView(stage) }),
    );
    say(`${mine.input} joined to ${other.input || "the world"}`);
    if (made) select(made);
    followed("snap");
  } catch (reason) {
    report(reason);
  }
}

function magnitude(result: unknown): number {
  if (typeof result === "number") return Math.abs(result);
  return Array.isArray(result) ? Math.hypot(...result.slice(0, 3).map(Number)) : 0;
}

function shortForce(newtons: number): string {
  return newtons >= 1e4
    ? `${(newtons / 1000).toPrecision(3)} kN`
    : `${newtons < 0.095 ? newtons.toFixed(2) : newtons.toPrecision(3)} N`;
}
