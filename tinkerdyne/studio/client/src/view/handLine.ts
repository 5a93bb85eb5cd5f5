// The line from a part to the hand that holds it, with a knob at the hand.
import * as three from "three";
import type { Stage } from "./stage";

const THIN = 1.3; // px, half of the line's width
const KNOB = 5; // px, its radius

export class HandLine {
  private readonly line: three.Mesh;
  private readonly knob: three.Mesh;

  constructor(private readonly stage: Stage) {
    const material = new three.MeshBasicMaterial({ color: stage.palette.grab, depthTest: false });
    this.line = new three.Mesh(new three.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), material);
    this.knob = new three.Mesh(new three.SphereGeometry(1, 16, 12), material);
    this.line.renderOrder = this.knob.renderOrder = 20;
    this.line.frustumCulled = false;
    stage.overlay.add(this.line, this.knob);
  }

  draw(from: three.Vector3, to: three.Vector3): void {
    const pixel = this.stage.camera.metresPerPixel(to);
    this.line.position.lerpVectors(from, to, 0.5);
    this.line.lookAt(to);
    this.line.scale.set(THIN * pixel, THIN * pixel, Math.max(from.distanceTo(to), 1e-9));
    this.knob.position.copy(to);
    this.knob.scale.setScalar(KNOB * pixel);
  }

  clear(): void {
    this.stage.overlay.remove(this.line, this.knob);
  }
}
