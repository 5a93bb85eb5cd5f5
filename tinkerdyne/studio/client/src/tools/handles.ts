// Handles around a place: arrows along the axes of the world and rings about them, and how far one of them is pulled.
import * as three from "three";
import { isSnapping } from "../state/making";
import { angleSaid, lengthSaid } from "../state/units";
import { AXIS_COLOURS } from "../view/colours";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { stepOf } from "./outline";
import type { Pointer } from "./tool";

const REACH = 64; // px of an arrow
const BEGIN = 16; // px from the middle to where it begins
const RING = 46; // px
const NEAR = 9; // px to a handle
const TURN = Math.PI / 12; // rad
const XYZ = ["x", "y", "z"] as const;
const BOTH = ["move", "turn"] as const;

/** What is caught of them: an arrow, a ring. */
export interface Handle {
  kind: "move" | "turn";
  axis: 0 | 1 | 2;
}

const unit = (k: number): three.Vector3 => new three.Vector3().setComponent(k, 1);

function axesOf(kind: Handle["kind"], isPlanar: boolean): (0 | 1 | 2)[] {
  if (!isPlanar) return [0, 1, 2];
  return kind === "move" ? [0, 1] : [2];
}

export class Handles extends three.Group {
  private readonly handles: { handle: Handle; object: three.Object3D; material: three.MeshBasicMaterial }[] =
    [];
  hot: Handle | null = null;

  constructor() {
    super();
    for (const kind of BOTH)
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

  /** Stand around a place, or nowhere. */
  stand(stage: Stage, centre: three.Vector3 | null, kinds: readonly Handle["kind"][] = BOTH): void {
    this.visible = centre !== null;
    if (!centre) return;
    this.position.copy(centre);
    this.scale.setScalar(stage.camera.metresPerPixel(centre));
    for (const { handle, object, material } of this.handles) {
      object.visible =
        kinds.includes(handle.kind) && axesOf(handle.kind, stage.camera.isPlanar).includes(handle.axis);
      const isHot = this.hot?.kind === handle.kind && this.hot.axis === handle.axis;
      material.opacity = isHot ? 1 : 0.72;
      material.color.set(isHot ? stage.palette.halo : AXIS_COLOURS[handle.axis]);
    }
  }

  /** Light up the handle under the pointer; answers whether there is one. */
  light(stage: Stage, found: Handle | null): boolean {
    if (found?.kind !== this.hot?.kind || found?.axis !== this.hot?.axis) stage.refresh();
    this.hot = found;
    return found !== null;
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

/** The handle under the pointer of those around a place; null for none. */
export function handleNear(
  pointer: Pointer,
  stage: Stage,
  centre: three.Vector3,
  kinds: readonly Handle["kind"][] = BOTH,
): Handle | null {
  const pixel = stage.camera.metresPerPixel(centre);
  let [best, least]: [Handle | null, number] = [null, NEAR];
  const consider = (handle: Handle, place: three.Vector3, within = NEAR): void => {
    const p = stage.project(place);
    const d = Math.hypot(p.x - pointer.x, p.y - pointer.y);
    if (kinds.includes(handle.kind) && d < Math.min(least, within)) [best, least] = [handle, d];
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

/** How far a handle is pulled. */
export class Pull {
  private readonly from: number;
  private turned = 0; // rad, of the pointer so far
  private before: number; // rad, of the pointer last

  constructor(
    private readonly stage: Stage,
    private readonly handle: Handle,
    private readonly centre: three.Vector3,
    start: Pointer,
  ) {
    this.before = this.angleOf(start);
    this.from = this.along(start);
  }

  /** The amount by which the pointer pulls, in metres or rad. */
  to(pointer: Pointer): number {
    const isSnapped = isSnapping.value && !pointer.isControl;
    if (this.handle.kind === "move") {
      const by = this.along(pointer) - this.from;
      const step = stepOf(this.stage.camera.metresPerPixel(this.centre), 5);
      return isSnapped ? Math.round(by / step) * step : by;
    }
    const now = this.angleOf(pointer);
    const by = now - this.before;
    this.turned += by - 2 * Math.PI * Math.round(by / (2 * Math.PI));
    this.before = now;
    return isSnapped ? Math.round(this.turned / TURN) * TURN : this.turned;
  }

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
}

/** The amount in words. */
export function amountShown(handle: Handle, amount: number): string {
  return handle.kind === "turn"
    ? wording.tools.turnedAbout({ angle: angleSaid(amount), axis: XYZ[handle.axis] })
    : wording.tools.movedAlong({ length: lengthSaid(amount), axis: XYZ[handle.axis] });
}

/** The motion by some amount along or about an axis of the world. */
export function motionOf({ kind, axis }: Handle, amount: number, centre: three.Vector3): three.Matrix4 {
  const along = unit(axis);
  if (kind === "move") return new three.Matrix4().makeTranslation(along.multiplyScalar(amount));
  const back = new three.Matrix4().makeTranslation(centre.clone().negate());
  const forth = new three.Matrix4().makeTranslation(centre);
  return forth.multiply(new three.Matrix4().makeRotationAxis(along, amount)).multiply(back);
}
