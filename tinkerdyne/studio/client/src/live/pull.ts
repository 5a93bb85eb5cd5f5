// A pull at a part of a world that runs in the page: a line from the part to the pointer, with its force.

import * as three from "three";
import { short } from "../state/numbers";
import { readout } from "../state/store";
import { poseOf } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import type { Local } from "./local";

export class Pull {
  private wanted: three.Vector3;
  private readonly handle: number;
  private readonly line: three.Mesh;
  private readonly knob: three.Mesh;

  constructor(
    private readonly stage: Stage,
    private readonly local: Local,
    private readonly body: string,
    private readonly own: three.Vector3, // in the body's axes
    private readonly isHard: boolean,
    private readonly ended: () => void,
  ) {
    this.handle = local.grab(body, own.toArray(), isHard);
    this.wanted = new three.Vector3(...local.held());
    const material = new three.MeshBasicMaterial({ color: stage.palette.grab, depthTest: false });
    this.line = new three.Mesh(new three.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), material);
    this.knob = new three.Mesh(new three.SphereGeometry(1, 16, 12), material);
    this.line.renderOrder = this.knob.renderOrder = 20;
    this.line.frustumCulled = false;
    stage.overlay.add(this.line, this.knob);
  }

  /** Where the part is held now. */
  private place(): three.Vector3 {
    const pose = poseOf(this.body);
    return pose ? this.own.clone().applyMatrix4(pose) : this.wanted.clone();
  }

  move(x: number, y: number): void {
    this.wanted = this.stage.across(x, y, this.place());
  }

  /** With every picture: the line, and how strongly it pulls. */
  follow(): void {
    const force = this.local.drag(this.handle, this.wanted.toArray());
    if (!force.length) {
      this.clear(); // the world began again meanwhile
      return;
    }
    const from = this.place();
    const pixel = this.stage.camera.metresPerPixel(this.wanted);
    this.line.position.lerpVectors(from, this.wanted, 0.5);
    this.line.lookAt(this.wanted);
    this.line.scale.set(1.3 * pixel, 1.3 * pixel, Math.max(from.distanceTo(this.wanted), 1e-9));
    this.knob.position.copy(this.wanted);
    this.knob.scale.setScalar(5 * pixel);
    const { x, y } = this.stage.project(this.wanted);
    const text = `${this.isHard ? wording.live.hard : wording.live.soft} · ${inNewtons(Math.hypot(...force))}`;
    readout.value = { x, y, text, detail: "" };
  }

  end(): void {
    this.local.release(this.handle);
    this.clear();
  }

  private clear(): void {
    this.stage.overlay.remove(this.line, this.knob);
    readout.value = null;
    this.ended();
    this.stage.refresh();
  }
}

function inNewtons(force: number): string {
  return force >= 1e4 ? `${(force / 1000).toPrecision(3)} kN` : `${short(force)} N`;
}
