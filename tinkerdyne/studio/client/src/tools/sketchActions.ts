// What the menus have for sketching motions, and what the panel of a sketch does.
import * as three from "three";
import { act } from "../state/session";
import {
  chosen,
  isPreviewing,
  motion,
  poseAt,
  poseOf,
  previewed,
  type Spot,
  secondsOf,
  sketch,
  spots,
} from "../state/sketch";
import * as store from "../state/store";
import { view } from "../view/current";
import { vectorOf } from "../view/places";
import { pointOf } from "../view/sketched";
import type { AskWish } from "../wire/protocol";
import { wording } from "../wording/spoken";
import type { Action } from "./action";

export type Wanted = Exclude<AskWish["kind"], "inside">;
export const WANTED: readonly Wanted[] = ["position", "orientation", "velocity", "spin", "point"];
const LARGE = 0.2; // of the picture: what is smaller is looked at from nearer
const ROOM = 1.7; // of the view, to what is sketched
const BRIEF = 1e-3; // s, over which a speed is read from a motion

/** The direction in which a throw begins: to the right of the picture. */
function along(): number[] {
  const matrix = view.stage?.camera.active.matrixWorld;
  const right = matrix ? new three.Vector3().setFromMatrixColumn(matrix, 0) : new three.Vector3(1, 0, 0);
  return right.toArray().map((x) => Number(x.toFixed(6)));
}

/** Sketch a motion of the bodies that are selected. */
export async function beginSketch(): Promise<void> {
  const bodies = store.selected.value.filter((name) => store.isBody(store.items.value.get(name)));
  store.side.value = "sketch";
  if (!bodies.length) {
    if (!sketch.value) store.say(wording.sketch.selectFirst);
    return;
  }
  if (!(await act({ do: "sketch", bodies, along: along() }))) return;
  store.selected.value = [];
  await view.stage?.caughtUp();
  look();
}

/** Come near enough to see what is sketched. */
function look(): void {
  const stage = view.stage;
  if (!stage || !sketch.value) return;
  const box = stage.bounds(sketch.value.bodies);
  for (const spot of spots()) box.expandByPoint(vectorOf(poseOf(spot)?.place));
  const [a, b] = [stage.project(box.min), stage.project(box.max)];
  const { clientWidth, clientHeight } = stage.canvas;
  const isIn = [a, b].every((p) => p.x > 0 && p.y > 0 && p.x < clientWidth && p.y < clientHeight);
  const isLarge = Math.hypot(a.x - b.x, a.y - b.y) > LARGE * Math.hypot(clientWidth, clientHeight);
  if (!isIn || !isLarge) stage.camera.frame(box, ROOM);
  stage.refresh();
}

export function forgetSketch(): void {
  chosen.value = null;
  previewed.value = null;
  isPreviewing.value = false;
  void act({ do: "sketch" });
}

/** The motion goes on in the world. */
export async function playMotion(): Promise<void> {
  isPreviewing.value = false;
  previewed.value = null;
  if (await act({ do: "play-motion" })) store.say(wording.sketch.playsOn);
}

/** What the motion has of a body when a flight begins or ends: what a wish that is made begins with. */
export function momentValue(
  body: string,
  flight: number,
  when: "start" | "end",
  kind: Wanted,
  at: readonly number[] = [],
): number[] {
  const found = motion.value;
  const time = found?.grid[flight + (when === "end" ? 1 : 0)] ?? 0;
  const by = when === "end" ? -BRIEF : BRIEF;
  const now = found && poseAt(found, body, time + (when === "end" ? 0 : 1e-9));
  const then = found && poseAt(found, body, Math.min(Math.max(time + by, 0), secondsOf(found)));
  const tidy = (x: number): number => Number(x.toFixed(4)) + 0;
  if (kind === "position") return (now?.place ?? [0, 0, 0]).map(tidy);
  if (kind === "point") return now ? pointOf(now, at).toArray().map(tidy) : [0, 0, 0];
  if (kind === "orientation") return [...(now?.orientation ?? [1, 0, 0, 0])];
  if (!now || !then) return [0, 0, 0];
  if (kind === "velocity")
    return vectorOf(then.place).sub(vectorOf(now.place)).divideScalar(by).toArray().map(tidy);
  const [w = 1, x = 0, y = 0, z = 0] = now.orientation;
  const [a = 1, b = 0, c = 0, d = 0] = then.orientation;
  const turn = new three.Quaternion(x, y, z, w).invert().multiply(new three.Quaternion(b, c, d, a));
  const sign = turn.w < 0 ? -1 : 1;
  return [turn.x, turn.y, turn.z].map((part) => tidy((2 * sign * part) / by)); // in the body's own axes
}

/** How the motion is turned when it passes a sample. */
export function momentTurn({ body, flight, sample }: Spot): number[] {
  const found = motion.value;
  const time = found?.paths.find((one) => one.body === body)?.samples[flight]?.[sample] ?? 0;
  return [...((found && poseAt(found, body, time))?.orientation ?? [1, 0, 0, 0])];
}

export const SKETCHING: readonly Action[] = [
  {
    id: "sketch",
    title: wording.actions.sketchAMotion,
    menu: "Insert",
    group: "By hand",
    keys: "S",
    python:
      "from tinkerdyne.sketch import Sketch; sketch = Sketch(a); sketch.follow(a, [(1, 0, 1)]); sketch.solve().world()",
    run: () => void beginSketch(),
  },
];
