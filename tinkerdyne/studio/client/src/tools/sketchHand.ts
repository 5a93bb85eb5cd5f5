// The hand on a sketch: poses are dragged in the view and turned by handles, and the motion follows while they move.
import * as three from "three";
import { short } from "../state/numbers";
import {
  chosen,
  isPreviewing,
  isSame,
  isSketching,
  motion,
  type Pose,
  poseOf,
  previewed,
  put,
  type Spot,
  secondsOf,
  shown,
  takeBack,
} from "../state/sketch";
import { readout, selected } from "../state/store";
import { vectorOf } from "../view/places";
import { type Caught, caughtAt, matrixOf, momentOf, Sketched } from "../view/sketched";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { drop, type Held, hold, inHand } from "./hand";
import { amountShown, type Handle, Handles, handleNear, motionOf, Pull } from "./handles";
import { beforePicture, moreLabels } from "./labels";
import type { Pointer } from "./tool";

const STEP = Math.PI / 36; // rad of a notch of the wheel, or of a key
const FINE = 1e-5; // m or 1: nothing is told more finely
const KEPT = 1000; // latencies
const NOTED = 4; // faults that are named in the view

const drawn = new Sketched();
const handles = new Handles();

/** The place around which the handles stand; null for none. */
function centre(): three.Vector3 | null {
  const pose = chosen.value && isSketching.value ? poseOf(chosen.value) : null;
  return pose && vectorOf(pose.place);
}

function kindsOf(spot: Spot | null): readonly Handle["kind"][] {
  return spot && poseOf(spot)?.orientation.length ? ["move", "turn"] : ["move"];
}

/** How long it took from moves of the hand to the pictures with their motions [ms], for benchmarks. */
export const latencies: number[] = [];
let timed = 0; // the motion that was counted last

let before = 0; // ms, of the picture before
beforePicture.push((stage) => {
  for (const one of [drawn, handles]) if (one.parent !== stage.overlay) stage.overlay.add(one);
  const now = performance.now();
  if (isPreviewing.value && isSketching.value) {
    const whole = secondsOf(motion.value);
    const next = (previewed.peek() ?? 0) + Math.min(now - before, 100) / 1000;
    previewed.value = whole > 0 ? next % (whole + 0.4) : null; // it rests at its end for a moment
  }
  before = now;
  if (shown.value && shown.value.number !== timed) {
    timed = shown.value.number;
    latencies.push(now - shown.value.sent);
    if (latencies.length > KEPT) latencies.shift();
  }
  drawn.follow(stage);
  handles.stand(stage, inHand() instanceof PoseDrag ? null : centre(), kindsOf(chosen.value));
});

moreLabels.push(() => {
  const [found, isShown] = [motion.value, isSketching.value];
  if (!found || !isShown) return [];
  const wrong = found.faults.filter((one) => one.place.length).slice(0, NOTED);
  return wrong.map((one, k) => ({
    key: `sketch fault ${k}`,
    text: `${short(one.size)} ${one.unit}`,
    at: vectorOf(one.place),
    kind: "tag" as const,
  }));
});

/** What of a sketch is under the pointer. */
export function sketchedAt(pointer: Pointer, stage: Stage): Caught | null {
  return inHand() ? null : caughtAt(stage, drawn, pointer.x, pointer.y);
}

function handleAt(pointer: Pointer, stage: Stage): Handle | null {
  const at = centre();
  return at && !inHand() ? handleNear(pointer, stage, at, kindsOf(chosen.value)) : null;
}

/** Light up what can be caught of a sketch; answers whether there is something. */
export function hoverSketch(pointer: Pointer, stage: Stage): boolean {
  if (!isSketching.value) return false;
  const handle = handleAt(pointer, stage);
  handles.light(stage, handle);
  const isNear = handle !== null || sketchedAt(pointer, stage) !== null;
  if (isNear) stage.canvas.style.cursor = "grab";
  return isNear;
}

/** A click chooses a pose; answers whether there was one. */
export function clickSketch(pointer: Pointer, stage: Stage): boolean {
  const caught = sketchedAt(pointer, stage);
  if (!caught) {
    if (chosen.value) chosen.value = null;
    return false;
  }
  if (caught.spot.what !== "new") choose(caught.spot);
  return true;
}

export function choose(spot: Spot | null): void {
  if (spot) selected.value = [];
  chosen.value = isSame(chosen.value, spot) ? null : spot;
}

/** A drag of a pose begins; null where none is under the pointer. */
export function dragSketch(pointer: Pointer, stage: Stage): PoseDrag | null {
  if (!isSketching.value) return null;
  const handle = handleAt(pointer, stage);
  const pose = chosen.value && poseOf(chosen.value);
  if (handle && chosen.value && pose)
    return new PoseDrag(stage, { spot: chosen.value, pose }, pointer, handle);
  const caught = sketchedAt(pointer, stage);
  return caught && new PoseDrag(stage, caught, pointer, null);
}

/** Take the bodies in hand where the motion is shown: what they become is a new sample. */
export function dragMoment(stage: Stage, body: string, pointer: Pointer): PoseDrag | null {
  const caught = momentOf(body, previewed.value ?? 0);
  return caught && new PoseDrag(stage, caught, pointer, null);
}

export class PoseDrag implements Held {
  private readonly from: three.Matrix4;
  private readonly grip: three.Vector3; // from the place to where it was caught
  private readonly pull: Pull | null;
  private readonly hasTurn: boolean;
  private amount = 0;
  private turned = new three.Quaternion(); // by wheel and keys
  private moved: three.Vector3;
  private last: Pointer;

  constructor(
    private readonly stage: Stage,
    private readonly caught: Caught,
    start: Pointer,
    private readonly handle: Handle | null,
  ) {
    this.from = matrixOf(caught.pose);
    this.hasTurn = caught.pose.orientation.length > 0;
    this.moved = vectorOf(caught.pose.place);
    this.grip = this.moved.clone().sub(stage.across(start.x, start.y, this.moved));
    this.pull = handle && new Pull(stage, handle, this.moved.clone(), start);
    this.last = start;
    selected.value = [];
    hold(this);
    if (caught.spot.what !== "new") chosen.value = caught.spot;
  }

  move(pointer: Pointer): void {
    this.last = pointer;
    if (this.pull) this.amount = this.pull.to(pointer);
    else this.moved = this.stage.across(pointer.x, pointer.y, this.moved).add(this.grip);
    this.show(false);
  }

  nudge(dx: number, dy: number): void {
    const pixel = this.stage.camera.metresPerPixel(this.moved);
    const { active } = this.stage.camera;
    const [right, up] = [0, 1].map((k) => new three.Vector3().setFromMatrixColumn(active.matrixWorld, k));
    if (right && up) this.moved.addScaledVector(right, dx * pixel).addScaledVector(up, -dy * pixel);
    this.show(false);
  }

  rotate(steps: number): void {
    this.turn(this.stage.camera.direction(), steps * STEP);
  }

  tilt(dx: number, dy: number): void {
    const { active } = this.stage.camera;
    const axis = new three.Vector3().setFromMatrixColumn(active.matrixWorld, dx ? 1 : 0);
    this.turn(axis, (dx || dy) * STEP);
  }

  wheel(notches: number): boolean {
    this.rotate(notches);
    return true;
  }

  spin(by: number): void {
    this.turn(this.stage.camera.direction(), by);
  }

  private turn(axis: three.Vector3, by: number): void {
    this.turned.premultiply(new three.Quaternion().setFromAxisAngle(axis.clone().normalize(), by));
    this.show(false);
  }

  private pose(): Pose {
    const base = vectorOf(this.caught.pose.place);
    const by = this.handle ? motionOf(this.handle, this.amount, base) : new three.Matrix4();
    const matrix = this.from.clone().premultiply(by);
    const place = this.handle ? new three.Vector3().setFromMatrixPosition(matrix) : this.moved;
    const turn = this.turned.clone().multiply(new three.Quaternion().setFromRotationMatrix(matrix));
    const tidy = (x: number): number => Math.round(x / FINE) * FINE;
    return {
      place: place.toArray().map(tidy),
      orientation: this.hasTurn ? [turn.w, turn.x, turn.y, turn.z] : [],
    };
  }

  private show(isFinal: boolean): void {
    const pose = this.pose();
    put(this.caught.spot, pose, isFinal);
    const place = pose.place.map((x) => x.toFixed(3)).join(", ");
    readout.value = {
      x: this.last.x,
      y: this.last.y,
      text: this.handle ? amountShown(this.handle, this.amount) : `${place} m`,
      detail: this.hasTurn && !this.handle ? wording.sketch.wheelTurns : nameOf(this.caught.spot),
    };
    this.stage.refresh();
  }

  follow(): void {
    return;
  }

  end(): void {
    drop(this);
    this.show(true);
    const { spot } = this.caught;
    chosen.value = spot.what === "new" ? { ...spot, what: "sample" } : spot;
    this.clear();
  }

  cancel(): void {
    drop(this);
    takeBack();
    this.clear();
  }

  private clear(): void {
    readout.value = null;
    this.stage.canvas.style.cursor = "";
    this.stage.refresh();
  }
}

/** A pose of a sketch in words. */
export function nameOf({ body, flight, what, sample }: Spot): string {
  const given = { body, flight: flight + 1, sample: sample + 1 };
  if (what === "start") return wording.sketch.startOf(given);
  if (what === "end") return wording.sketch.endOf(given);
  return what === "new" ? wording.sketch.newSampleOf(given) : wording.sketch.sampleOf(given);
}
