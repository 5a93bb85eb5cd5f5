// The hand on a fitted model: pull its line, or in space its surface, out of a wrong minimum.
import * as three from "three";
import { act, ask, report } from "../state/session";
import { pulledFit, readout } from "../state/store";
import { coordinates } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { drop, type Held, hold } from "./hand";
import type { Pointer } from "./tool";

export class FitPull implements Held {
  private handle: number | null = null;
  private isOver = false;
  private isSending = false;
  private wanted: three.Vector3;
  private sent: three.Vector3 | null = null;
  private readonly knob: three.Mesh;

  constructor(
    private readonly stage: Stage,
    private readonly fit: string,
    at: three.Vector3,
    private readonly columns: number, // of its data: 2 in the plane, 3 in space
  ) {
    hold(this);
    pulledFit.name = fit;
    this.wanted = at.clone();
    const material = new three.MeshBasicMaterial({ color: stage.palette.grab, depthTest: false });
    this.knob = new three.Mesh(new three.SphereGeometry(1, 16, 12), material);
    this.knob.renderOrder = 80;
    stage.overlay.add(this.knob);
    void this.begin(at);
  }

  private async begin(at: three.Vector3): Promise<void> {
    try {
      this.handle = await ask({ do: "grab", item: this.fit, at: coordinates(at, this.columns) });
    } catch (reason) {
      report(reason);
      return this.clear();
    }
    if (this.isOver) void act({ do: "release", handle: this.handle });
    else void this.send();
  }

  move(pointer: Pointer): void {
    this.wanted = this.stage.across(pointer.x, pointer.y, this.wanted);
    void this.send();
  }

  nudge(dx: number, dy: number): void {
    const p = this.stage.project(this.wanted);
    this.wanted = this.stage.across(p.x + dx, p.y + dy, this.wanted);
    void this.send();
  }

  private async send(): Promise<void> {
    if (this.handle === null || this.isSending || this.isOver || this.sent?.equals(this.wanted)) return;
    this.isSending = true;
    const to = this.wanted.clone();
    this.sent = to;
    try {
      await ask({ do: "drag", handle: this.handle, to: coordinates(to, this.columns) });
    } catch (reason) {
      if (!this.isOver) report(reason);
      this.clear();
    }
    this.isSending = false;
    void this.send();
  }

  follow(): void {
    this.knob.position.copy(this.wanted);
    this.knob.scale.setScalar(5 * this.stage.camera.metresPerPixel(this.wanted));
    const p = this.stage.project(this.wanted);
    readout.value = { x: p.x, y: p.y, text: wording.tools.pulling({ name: this.fit }), detail: "" };
  }

  end(): void {
    this.cancel();
  }

  cancel(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.handle !== null) void act({ do: "release", handle: this.handle });
    this.clear();
  }

  private clear(): void {
    this.isOver = true;
    pulledFit.name = "";
    this.stage.overlay.remove(this.knob);
    readout.value = null;
    drop(this);
    this.stage.refresh();
  }
}
