// Drawing a body out in place, to size: a bar from end to end, a block from corner to corner, a ball from its middle.
import * as three from "three";
import { isSnapping, sizing } from "../state/making";
import { ask, report } from "../state/session";
import type { Spot } from "../state/spot";
import { dimension, isGround, joint, readout, say, select, typeFor } from "../state/store";
import { meant } from "../state/units";
import type { Figure } from "../view/figure";
import { coordinates, spotsOf, worldInput, worldSpots } from "../view/places";
import type { Stage } from "../view/stage";
import type { Insert, TypeInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import {
  angled,
  type DrawingPlane,
  gridded,
  type Outline,
  outlineOf,
  saidSizes,
  sheetOf,
  stepOf,
} from "./outline";
import type { Gesture, Pointer } from "./tool";
import { Typed, takeKeys } from "./typing";

const NEAR = 14; // px to a place that a bar begins or ends at
const ABOVE = 24; // px over a body that still are on it, …
const BESIDE = 10; // … and px beside it
const TURN = Math.PI / 12; // rad
const TOWARDS = 5; // px to a direction of whole steps

/** Where the last thing was drawn: the next one is drawn in the same depth. */
let depth: three.Vector3 | null = null;

export function forgetDepth(): void {
  depth = null;
}

/** A place that the pointer means, and the part it belongs to. */
export interface Begin {
  place: three.Vector3;
  spot: Spot | null;
}

/** The place of a part under the pointer, the nearest one; those of the world too. */
export function nearestSpot(pointer: Pointer, stage: Stage, without = ""): Spot | null {
  let [best, least]: [Spot | null, number] = [null, NEAR];
  const bodies = [...stage.figures.values()].filter((f) => !isGround(f.item) && f.item.name !== without);
  for (const spot of [...worldSpots(), ...bodies.flatMap((f) => spotsOf(f.item.name))]) {
    const p = stage.project(spot.place);
    const d = Math.hypot(p.x - pointer.x, p.y - pointer.y);
    if (p.isAhead && d < least) [best, least] = [spot, d];
  }
  return best;
}

/** The body on which or just above which something is begun, which is in its depth then. */
function bodyBelow(pointer: Pointer, stage: Stage): Figure | null {
  const hit = stage.bodyAt(pointer.x, pointer.y);
  const under = hit && stage.figures.get(hit.name);
  if (under && !isGround(under.item)) return under;
  let [best, least]: [Figure | null, number] = [null, ABOVE];
  for (const figure of stage.figures.values()) {
    const rectangle = isGround(figure.item) ? null : rectangleOf(figure, stage);
    if (!rectangle || pointer.x < rectangle.min.x - BESIDE || pointer.x > rectangle.max.x + BESIDE) continue;
    const above = rectangle.min.y - pointer.y;
    if (above > -(rectangle.max.y - rectangle.min.y) && above < least) [best, least] = [figure, above];
  }
  return best;
}

/** What a body covers in the picture [px]. */
function rectangleOf(figure: Figure, stage: Stage): three.Box2 | null {
  const box = figure.box();
  if (box.isEmpty()) return null;
  const found = new three.Box2();
  for (const x of [box.min.x, box.max.x])
    for (const y of [box.min.y, box.max.y])
      for (const z of [box.min.z, box.max.z]) {
        const p = stage.project(new three.Vector3(x, y, z));
        found.expandByPoint(new three.Vector2(p.x, p.y));
      }
  return found;
}

/** The place in the world that a click means: in the depth of a body there, on the ground, or where one drew last. */
export function placeAt(pointer: Pointer, stage: Stage, sheet: DrawingPlane): three.Vector3 {
  const body = bodyBelow(pointer, stage);
  if (body) return onSheet(pointer, stage, sheet, new three.Vector3().setFromMatrixPosition(body.matrix));
  const hit = stage.bodyAt(pointer.x, pointer.y);
  if (hit && !stage.camera.isPlanar) {
    const step = stepOf(stage.camera.metresPerPixel(hit.place));
    return snaps(pointer) ? gridded(hit.place, { ...sheet, up: sheet.out }, step) : hit.place;
  }
  return onSheet(pointer, stage, sheet, depth ?? stage.camera.target);
}

function onSheet(pointer: Pointer, stage: Stage, sheet: DrawingPlane, through: three.Vector3): three.Vector3 {
  const plane = new three.Plane().setFromNormalAndCoplanarPoint(sheet.out, through);
  const found = stage.ray(pointer.x, pointer.y).intersectPlane(plane, new three.Vector3());
  return found ?? stage.across(pointer.x, pointer.y, through);
}

/** Whether a press of Ctrl or Alt switches snapping off for a moment. */
export function snaps(pointer: Pointer): boolean {
  return isSnapping.value && !pointer.isControl && !pointer.isAlt;
}

/** Where the pointer is, on the grid where that is wanted. */
export function snapped(
  place: three.Vector3,
  pointer: Pointer,
  stage: Stage,
  sheet: DrawingPlane,
): three.Vector3 {
  return snaps(pointer) ? gridded(place, sheet, stepOf(stage.camera.metresPerPixel(place))) : place;
}

export class DrawOut implements Gesture {
  private readonly sheet: DrawingPlane;
  private readonly begin: Begin;
  private end_: Begin;
  private readonly typed = new Typed();
  private readonly release: () => void;
  private readonly ghost = new three.Group();
  private last: Pointer;

  constructor(
    private readonly stage: Stage,
    private readonly type: TypeInfo,
    start: Pointer,
  ) {
    this.sheet = sheetOf(stage.camera.direction(), stage.camera.isPlanar);
    const spot = this.isBar ? nearestSpot(start, stage) : null;
    const free = placeAt(start, stage, this.sheet);
    this.begin = { spot, place: spot?.place.clone() ?? snapped(free, start, stage, this.sheet) };
    this.end_ = this.begin;
    this.last = start;
    stage.overlay.add(this.ghost);
    this.release = takeKeys((key) => {
      const isMine = this.typed.take(key);
      if (isMine) this.update();
      return isMine;
    });
  }

  private get isBar(): boolean {
    return this.type.drawn === "bar";
  }

  move(pointer: Pointer): void {
    this.last = pointer;
    const { sheet, stage } = this;
    const spot = this.isBar ? nearestSpot(pointer, stage, this.begin.spot?.body ?? "") : null;
    const free = onSheet(pointer, stage, sheet, this.begin.place);
    let place = spot?.place.clone() ?? snapped(free, pointer, stage, sheet);
    if (!spot && this.isBar) {
      const turned = angled(this.begin.place, free, sheet, TURN);
      const isNear = turned.distanceTo(free) < TOWARDS * stage.camera.metresPerPixel(free);
      if (pointer.isShift) place = turned;
      else if (isNear && snaps(pointer) && !this.begin.spot) place = this.evened(turned);
    }
    this.end_ = { spot, place };
    this.update();
  }

  /** A length of whole steps along a direction of whole steps. */
  private evened(to: three.Vector3): three.Vector3 {
    const step = stepOf(this.stage.camera.metresPerPixel(to));
    const by = to.clone().sub(this.begin.place);
    return this.begin.place.clone().add(by.setLength(Math.max(step, Math.round(by.length() / step) * step)));
  }

  private outline(): Outline | null {
    const sizes = this.typed.numbers.map((x) => (x === null ? x : meant(x, "m")));
    return outlineOf(this.type, this.begin.place, this.end_.place, this.sheet, sizes);
  }

  private update(): void {
    const found = this.outline();
    this.haunt(found);
    const joins = [this.begin.spot, this.end_.spot].flatMap((spot) => (spot ? [spot.input] : []));
    readout.value = {
      x: this.last.x,
      y: this.last.y,
      text: found ? saidSizes(found.sizes, this.isBar ? 1 : 3) : this.type.title,
      detail: [
        this.typed.text ? wording.tools.typed({ text: this.typed.text }) : "",
        joins.length ? `${joint.value}: ${joins.join(wording.tools.and)}` : "",
      ]
        .filter(Boolean)
        .join(" · "),
    };
    this.stage.refresh();
  }

  /** The body as it would be. */
  private haunt(found: Outline | null): void {
    this.ghost.traverse((one) => one instanceof three.Mesh && one.geometry.dispose());
    this.ghost.clear();
    if (!found) return;
    const { halo } = this.stage.palette;
    const glass = new three.MeshBasicMaterial({
      color: halo,
      transparent: true,
      opacity: 0.35,
      depthTest: false,
    });
    const mesh = new three.Mesh(formOf(this.type, found, this.stage.camera.isPlanar), glass);
    mesh.renderOrder = 19;
    mesh.position.copy(found.position);
    mesh.quaternion.copy(found.turn);
    if (this.isBar) mesh.position.copy(found.from).add(found.to).multiplyScalar(0.5);
    const line = new three.LineBasicMaterial({ color: halo, depthTest: false });
    const edges = new three.LineSegments(new three.EdgesGeometry(mesh.geometry, 30), line);
    edges.position.copy(mesh.position);
    edges.quaternion.copy(mesh.quaternion);
    edges.renderOrder = 20;
    this.ghost.add(mesh, edges);
  }

  end(): void {
    const found = this.outline();
    this.clear();
    if (!found) return void put(this.stage, this.type, this.last);
    const ends = [this.begin, this.typed.numbers.length ? { spot: null } : this.end_];
    void build(
      this.type,
      found,
      ends.map(({ spot }) => spot),
      this.isBar,
    );
  }

  cancel(): void {
    this.clear();
  }

  private clear(): void {
    this.release();
    this.haunt(null);
    this.stage.overlay.remove(this.ghost);
    readout.value = null;
    this.stage.refresh();
  }
}

function formOf(type: TypeInfo, found: Outline, isPlanar: boolean): three.BufferGeometry {
  const length = found.from.distanceTo(found.to);
  const [first = 0, second = 0] = found.sizes.map(({ value }) => value);
  switch (type.drawn) {
    case "bar":
      return isPlanar
        ? new three.BoxGeometry(length, found.thick, 1e-3)
        : new three.CylinderGeometry(found.thick, found.thick, length, 24).rotateZ(Math.PI / 2);
    case "ball":
      if (found.thick) return new three.TorusGeometry(first, second, 12, 48);
      return isPlanar ? new three.CircleGeometry(first, 64) : new three.SphereGeometry(first, 32, 20);
    case "ground":
      return isPlanar
        ? new three.BoxGeometry(first, found.thick, 1e-3).translate(0, -found.thick / 2, 0)
        : new three.BoxGeometry(first, first, found.thick).translate(0, 0, -found.thick / 2);
    default: {
      const size = Object.values(found.values).flatMap((value) =>
        Array.isArray(value) ? value : [value],
      ) as number[];
      const [x = 1, y = 1, z = 1e-3] = size;
      return new three.BoxGeometry(x, y, z);
    }
  }
}

/** What `Insert` is told of where a body lies. */
function stateOf(type: TypeInfo, position: three.Vector3, turn: three.Quaternion): Record<string, unknown> {
  const isPlanar = type.is_planar || dimension.value === 2;
  const state: Record<string, unknown> = { position: coordinates(position, isPlanar ? 2 : 3) };
  const tidy = (x: number): number => Number(x.toPrecision(9));
  if (type.state.some((p) => p.name === "orientation")) {
    const { w, x, y, z } = turn;
    state["orientation"] = [w, x, y, z].map(tidy);
  } else if (type.state.some((p) => p.name === "angle")) {
    state["angle"] = tidy(2 * Math.atan2(turn.z, turn.w));
  }
  return state;
}

const numbersOf = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((x): x is number => typeof x === "number");

/** How far a body may be put off what it was drawn over: half of its least size; a ball was drawn from its middle. */
function liftOf(found: Outline): number {
  const sizes = Object.values(found.values).flatMap(numbersOf);
  return sizes.length ? (found.sizes.length > 1 ? 0.5 : 1.05) * Math.min(...sizes) : 0;
}

/** Make what was drawn, joined at the places where it began and ended: one step for undo. */
async function build(
  type: TypeInfo,
  found: Outline,
  spots: readonly (Spot | null)[],
  isBar: boolean,
): Promise<void> {
  depth = found.position.clone();
  const joins = spots.flatMap((spot, k): Insert[] => {
    const end = type.ends[k];
    return spot && end ? [joining(`#0.${end}`, spot)] : [];
  });
  const body: Insert = {
    do: "insert",
    of: type.name,
    values: { ...found.values, ...stateOf(type, found.position, found.turn) },
    most_lift: joins.length ? 0 : liftOf(found),
  };
  try {
    const [name = ""] = await ask({ do: "build", inserts: [body, ...joins] });
    select(name);
    sizing.value = {
      item: name,
      sizes: found.sizes.map(({ name, part, word }) => ({ name, part, word })),
      end: isBar ? found.from.toArray() : null,
      first: "",
    };
    say(joins.length ? wording.tools.isThereJoined({ name }) : wording.tools.typeItsSize({ name }));
  } catch (reason) {
    report(reason);
  }
}

/** The joint that is chosen, between an end of what is made and a place; of the world a nail. */
function joining(end: string, spot: Spot): Insert {
  if (!spot.body)
    return {
      do: "insert",
      of: typeFor("connection"),
      inputs: [end, spot.input || worldInput(spot.place, dimension.value)],
    };
  return { do: "insert", of: joint.value, inputs: [end, spot.input] };
}

/** Put a body of its usual size where a click means. */
export async function put(stage: Stage, type: TypeInfo, pointer: Pointer): Promise<void> {
  const sheet = sheetOf(stage.camera.direction(), stage.camera.isPlanar);
  const place = snapped(placeAt(pointer, stage, sheet), pointer, stage, sheet);
  depth = place.clone();
  try {
    const values = stateOf(type, place, new three.Quaternion());
    const [name = ""] = await ask({ do: "insert", of: type.name, values: { position: values["position"] } });
    select(name);
    say(wording.tools.isThere({ name }));
  } catch (reason) {
    report(reason);
  }
}
