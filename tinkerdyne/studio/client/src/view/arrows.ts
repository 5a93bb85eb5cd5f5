// Arrows for forces and rings with heads for torques, all of one scale with a legend.
import * as three from "three";
import { roundBelow } from "../state/numbers";
import { type ForceKind, forceScale, items, latest, roleOf, shownForces, tracks } from "../state/store";
import type { Track } from "../wire/protocol";
import type { Palette } from "./colours";

const MOST = 2000;
const LONGEST = 110; // px: what the largest force is drawn as, about
const LEAST = 1e-3; // of the largest: smaller ones are not drawn

const UP = new three.Vector3(0, 0, 1);

/** Whose force a track holds: that of a constraint, of a field, of a hand, or of another behavior; null of what is not there. */
function kindOf(track: Track): Exclude<ForceKind, "torque"> | null {
  if (track.name.startsWith("grip:")) return "hand";
  const item = items.value.get(track.name);
  if (roleOf(item) === "contact") return "constraint"; // contacts hold as constraints do
  const family = item?.family;
  return family === "constraint" || family === "field" || family === "behavior" ? family : null;
}

export class Arrows extends three.Group {
  private readonly shafts = instanced(
    new three.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5),
  );
  private readonly heads = instanced(
    new three.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5),
  );
  private readonly rings = instanced(new three.TorusGeometry(1, 0.05, 8, 40, 1.6 * Math.PI));
  private readonly tips = instanced(
    new three.ConeGeometry(0.17, 0.5, 12)
      .translate(0, 0.2, 0)
      .rotateZ(1.6 * Math.PI)
      .translate(Math.cos(1.6 * Math.PI), Math.sin(1.6 * Math.PI), 0),
  );
  private largest = 0; // N, smoothed
  private metresPerNewton = 0;

  constructor() {
    super();
    this.add(this.shafts, this.heads, this.rings, this.tips);
  }

  /** Draw the forces of the newest frame; `pixel` is the size of one in metres. */
  update(palette: Palette, pixel: number): void {
    const frame = latest.frame;
    const all = tracks.value;
    let [straight, round_] = [0, 0];
    if (frame && all) {
      this.scaleTo(frame.numbers, pixel);
      const [place, force, torque] = [new three.Vector3(), new three.Vector3(), new three.Vector3()];
      const shown = shownForces.value;
      for (const track of all.forces) {
        const kind = kindOf(track);
        if (!kind || !shown[kind] || straight >= MOST || round_ >= MOST) continue;
        place.fromArray(frame.numbers, track.offset);
        force.fromArray(frame.numbers, track.offset + 3);
        torque.fromArray(frame.numbers, track.offset + 6);
        const colour = new three.Color(kind === "hand" ? palette.grab : palette[kind]);
        if (force.length() > LEAST * this.largest) this.arrow(straight++, place, force, pixel, colour);
        if (shown.torque && torque.length() > 1e-2 * this.largest)
          this.ring(round_++, place, torque, pixel, new three.Color(palette.torque));
      }
    }
    for (const mesh of [this.shafts, this.heads]) finish(mesh, straight);
    for (const mesh of [this.rings, this.tips]) finish(mesh, round_);
  }

  private arrow(
    i: number,
    place: three.Vector3,
    force: three.Vector3,
    pixel: number,
    colour: three.Color,
  ): void {
    const size = force.length();
    const length = size * this.metresPerNewton;
    const head = Math.min(11 * pixel, 0.6 * length);
    const turn = new three.Quaternion().setFromUnitVectors(UP, force.divideScalar(size));
    const shaft = Math.max(length - head, 1e-9);
    const tip = place.clone().addScaledVector(force, shaft);
    const thin = Math.min(1.7 * pixel, 0.15 * length);
    this.shafts.setMatrixAt(
      i,
      new three.Matrix4().compose(place, turn, new three.Vector3(thin, thin, shaft)),
    );
    this.heads.setMatrixAt(
      i,
      new three.Matrix4().compose(tip, turn, new three.Vector3(0.42 * head, 0.42 * head, head)),
    );
    this.shafts.setColorAt(i, colour);
    this.heads.setColorAt(i, colour);
  }

  private ring(
    i: number,
    place: three.Vector3,
    torque: three.Vector3,
    pixel: number,
    colour: three.Color,
  ): void {
    const size = torque.length();
    const radius = pixel * Math.min(46, 9 + 30 * Math.sqrt(size / Math.max(this.largest, 1e-12)));
    const turn = new three.Quaternion().setFromUnitVectors(UP, torque.divideScalar(size));
    const matrix = new three.Matrix4().compose(place, turn, new three.Vector3(radius, radius, radius));
    this.rings.setMatrixAt(i, matrix);
    this.tips.setMatrixAt(i, matrix);
    this.rings.setColorAt(i, colour);
    this.tips.setColorAt(i, colour);
  }

  /** The scale follows the largest force in steps, so that arrows tell sizes and do not jump. */
  private scaleTo(numbers: Float32Array, pixel: number): void {
    let now = 0;
    for (const track of tracks.value?.forces ?? []) {
      const kind = kindOf(track);
      if (!kind || !shownForces.value[kind]) continue;
      const [x = 0, y = 0, z = 0] = numbers.subarray(track.offset + 3, track.offset + 6);
      now = Math.max(now, Math.hypot(x, y, z));
    }
    const pace = now < 0.1 * this.largest ? 0.1 : 0.01; // after a blow, or in another world, soon
    this.largest = now > this.largest ? now : this.largest + pace * (now - this.largest);
    if (!(now > 0)) {
      forceScale.value = null;
      return;
    }
    const newtons = roundBelow(this.largest);
    const metres = (LONGEST * 0.6 * pixel) / newtons;
    const isLong = this.largest * this.metresPerNewton > 1.4 * LONGEST * pixel;
    if (isLong || this.metresPerNewton < 0.45 * metres) this.metresPerNewton = metres;
    const legend = { newtons, pixels: Math.round((newtons * this.metresPerNewton) / pixel) };
    const old = forceScale.value;
    if (!old || old.newtons !== legend.newtons || Math.abs(old.pixels - legend.pixels) > 1)
      forceScale.value = legend;
  }
}

function instanced(geometry: three.BufferGeometry): three.InstancedMesh {
  const mesh = new three.InstancedMesh(
    geometry,
    new three.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 }),
    MOST,
  );
  mesh.frustumCulled = false;
  mesh.count = 0;
  mesh.renderOrder = 10;
  mesh.raycast = () => undefined;
  return mesh;
}

function finish(mesh: three.InstancedMesh, count: number): void {
  mesh.count = count;
  mesh.instanceMatrix.needsUpdate = true;
  if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
}
