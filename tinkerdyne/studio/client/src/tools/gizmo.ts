// The gizmo of a paused world: arrows move what is selected along an axis, rings turn it; numbers that are typed count.
import * as three from "three";
import { isSnapping } from "../state/making";
import { applyEdit, frameOfEdit } from "../state/session";
import { readout, say, selected, status, tool } from "../state/store";
import { AXIS_COLOURS } from "../view/colours";
import { carried, poseOf } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { isPortable, stateOf } from "./carry";
import { drop, type Held, hold, inHand } from "./hand";
import { beforePicture } from "./labels";
import { stepOf } from "./outline";
import type { Pointer } from "./tool";
import { Typed, takeKeys } from "./typing";

const REACH = 64; // px of an arrow
const BEGIN = 16; // px from the middle to where it begins
const RING = 46; // px
const NEAR = 9; // px to a handle
const TURN = Math.PI / 12; // rad
const XYZ = ["x", "y", "z"] as const;

/** What is caught of it: an arrow, a ring. */
export interface Handle {
  kind: "move" | "turn";
  axis: 0 | 1 | 2;
}

const unit = (k: number): three.Vector3 => new three.Vector3().setComponent(k, 1);

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

function axesOf(kind: Handle["kind"], isPlanar: boolean): (0 | 1 | 2)[] {
  if (!isPlanar) return [0, 1, 2];
  return kind === "move" ? [0, 1] : [2];
}

class Gizmo extends three.Group {
  private readonly handles: { handle: Handle; object: three.Object3D; material: three.MeshBasicMaterial }[] =
    [];
  hot: Handle | null = null;

  constructor() {
    super();
    for (const kind of ["move", "turn"] as const)
      for (const axis of [0, 1, 2] as const) {
        const material = new three.MeshBasicMaterial({
          color: AXIS_COLOURS[axis],
          depthTest: false,
          transparent: true,
        });
        const object = kind === "move" ? arrow(material) : ring(material);
        object.quaternion.setFromUnitVectors(unit(2), unit(axis));
        object.traverse((one) => {
          one.renderOrder = 18;
          one.frustumCulled = false;
          one.raycast = () => undefined;
        });
        this.handles.push({ handle: { kind, axis }, object, material });
        this.add(object);
      }
  }

  follow(stage: Stage): void {
    const centre = centreOf();
    const isBusy = inHand() !== null && !(inHand() instanceof GizmoDrag);
    this.visible = centre !== null && !isBusy;
    if (!centre) return;
    this.position.copy(centre);
    this.scale.setScalar(stage.camera.metresPerPixel(centre));
    for (const { handle, object, material } of this.handles) {
      object.visible = axesOf(handle.kind, stage.camera.isPlanar).includes(handle.axis);
      const isHot = this.hot?.kind === handle.kind && this.hot.axis === handle.axis;
      material.opacity = isHot ? 1 : 0.72;
      material.color.set(isHot ? stage.palette.halo : AXIS_COLOURS[handle.axis]);
    }
  }
}

function arrow(material: three.Material): three.Object3D {
  const shaft = new three.Mesh(
    new three.CylinderGeometry(1.3, 1.3, REACH - BEGIN, 8)
      .rotateX(Math.PI / 2)
      .translate(0, 0, (REACH + BEGIN) / 2),
    material,
  );
  const head = new three.Mesh(
    new three.ConeGeometry(5, 13, 16).rotateX(Math.PI / 2).translate(0, 0, REACH + 6),
    material,
  );
  return new three.Group().add(shaft, head);
}

function ring(material: three.Material): three.Object3D {
  return new three.Mesh(new three.TorusGeometry(RING, 1.1, 8, 72), material);
}

const gizmo = new Gizmo();

beforePicture.push((stage) => {
  if (gizmo.parent !== stage.overlay) stage.overlay.add(gizmo);
  gizmo.follow(stage);
});

/** The handle under the pointer; null for none. */
export function handleAt(pointer: Pointer, stage: Stage): Handle | null {
  const centre = centreOf();
  if (!centre || inHand()) return null;
  const pixel = stage.camera.metresPerPixel(centre);
  let [best, least]: [Handle | null, number] = [null, NEAR];
  const consider = (handle: Handle, place: three.Vector3, within = NEAR): void => {
    const p = stage.project(place);
    const d = Math.hypot(p.x - pointer.x, p.y - pointer.y);
    if (d < Math.min(least, within)) [best, least] = [handle, d];
  };
  for (const axis of axesOf("move", stage.camera.isPlanar))
    for (let s = BEGIN + 8; s <= REACH + 10; s += 5)
      consider({ kind: "move", axis }, centre.clone().addScaledVector(unit(axis), s * pixel));
  for (const axis of axesOf("turn", stage.camera.isPlanar)) {
    const [u, w] = [unit((axis + 1) % 3), unit((axis + 2) % 3)];
    for (let k = 0; k < 72; k++) {
      const angle = (k * Math.PI) / 36;
      const place = centre
        .clone()
        .addScaledVector(u, RING * pixel * Math.cos(angle))
        .addScaledVector(w, RING * pixel * Math.sin(angle));
      consider({ kind: "turn", axis }, place, 6);
    }
  }
  return best;
}

/** Light up the handle under the pointer; answers whether there is one. */
export function hoverGizmo(pointer: Pointer, stage: Stage): boolean {
  const found = handleAt(pointer, stage);
  if (found?.kind !== gizmo.hot?.kind || found?.axis !== gizmo.hot?.axis) stage.refresh();
  gizmo.hot = found;
  stage.canvas.style.cursor = found ? "grab" : "";
  return found !== null;
}

export class GizmoDrag implements Held {
  private readonly bodies = movable();
  private readonly centre: three.Vector3;
  private readonly motion = new three.Matrix4();
  private readonly typed = new Typed();
  private readonly release: () => void;
  private amount = 0; // m or rad
  private last: Pointer;
  private turned = 0; // rad, of the pointer so far
  private before: number | null = null; // rad, of the pointer last

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
    this.before = this.angleOf(start);
    this.from = this.along(start);
  }

  private readonly from: number;

  /** How far along its axis a place of the picture is: where the line of sight is nearest to the axis. */
  private along(pointer: Pointer): number {
    const axis = unit(this.handle.axis);
    const ray = this.stage.ray(pointer.x, pointer.y);
    const across = this.centre.clone().sub(ray.origin);
    const cosine = axis.dot(ray.direction);
    const sine = 1 - cosine * cosine;
    return sine < 1e-4 ? 0 : (cosine * across.dot(ray.direction) - across.dot(axis)) / sine;
  }

  /** The angle of a place of the picture about its axis. */
  private angleOf(pointer: Pointer): number {
    const { axis } = this.handle;
    const plane = new three.Plane().setFromNormalAndCoplanarPoint(unit(axis), this.centre);
    const place =
      this.stage.ray(pointer.x, pointer.y).intersectPlane(plane, new three.Vector3()) ??
      this.stage.across(pointer.x, pointer.y, this.centre);
    const by = place.sub(this.centre);
    return Math.atan2(by.getComponent((axis + 2) % 3), by.getComponent((axis + 1) % 3));
  }

  move(pointer: Pointer): void {
    this.last = pointer;
    const isSnapped = isSnapping.value && !pointer.isControl;
    if (this.handle.kind === "move") {
      const by = this.along(pointer) - this.from;
      const step = stepOf(this.stage.camera.metresPerPixel(this.centre), 5);
      this.amount = isSnapped ? Math.round(by / step) * step : by;
    } else {
      const now = this.angleOf(pointer);
      const by = now - (this.before ?? now);
      this.turned += by - 2 * Math.PI * Math.round(by / (2 * Math.PI));
      this.before = now;
      this.amount = isSnapped ? Math.round(this.turned / TURN) * TURN : this.turned;
    }
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
    return this.handle.kind === "turn" ? (given * Math.PI) / 180 : given;
  }

  private show(): void {
    const value = this.value();
    this.motion.copy(motionOf(this.handle, value, this.centre));
    const said =
      this.handle.kind === "turn"
        ? wording.tools.degreesAbout({
            degrees: Number(((value * 180) / Math.PI).toFixed(2)),
            axis: XYZ[this.handle.axis],
          })
        : wording.tools.metresAlong({ metres: Number(value.toPrecision(4)), axis: XYZ[this.handle.axis] });
    readout.value = {
      x: this.last.x,
      y: this.last.y,
      text: said,
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

/** The motion by some amount along or about an axis of the world. */
function motionOf({ kind, axis }: Handle, amount: number, centre: three.Vector3): three.Matrix4 {
  const along = unit(axis);
  if (kind === "move") return new three.Matrix4().makeTranslation(along.multiplyScalar(amount));
  const back = new three.Matrix4().makeTranslation(centre.clone().negate());
  const forth = new three.Matrix4().makeTranslation(centre);
  return forth.multiply(new three.Matrix4().makeRotationAxis(along, amount)).multiply(back);
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
