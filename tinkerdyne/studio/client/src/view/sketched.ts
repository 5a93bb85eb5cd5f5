// A sketch of a motion in the view: what it shows and wants, the motion that was found beside it, and what is wrong in place.
import * as three from "three";
import {
  chosen,
  held,
  isSame,
  isSketching,
  leading,
  motion,
  type Pose,
  placeWish,
  poseAt,
  poseIn,
  poseOf,
  previewed,
  type Spot,
  secondsOf,
  sketch,
  spots,
  trackOf,
} from "../state/sketch";
import { items, theme } from "../state/store";
import type { MotionPath } from "../wire/protocol";
import type { Palette } from "./colours";
import { formOf } from "./forms";
import { Tube } from "./geometry";
import { poseOf as poseNow, vectorOf } from "./places";
import type { Stage } from "./stage";

const GHOSTS = 4; // of the motion in a flight
const CURVE = 1.7; // px: half the width of the motion's curve
const DOT = { sample: 11, wish: 15, halo: 24, blow: 12 }; // px
const ARROW = 46; // px of a normal
const SAME = 1e-4; // m: a ghost as near to its body is not drawn
const CLEAR = { motion: 0.16, sketch: 0.34, preview: 0.8 };
const LOUD = 1e-3; // m/s or rad/s of a blow that physics does not explain: smaller gaps are not shown

/** A body's pose as a matrix. */
export function matrixOf({ place, orientation }: Pose, target = new three.Matrix4()): three.Matrix4 {
  const [w = 1, x = 0, y = 0, z = 0] = orientation;
  return target.makeRotationFromQuaternion(new three.Quaternion(x, y, z, w)).setPosition(vectorOf(place));
}

/** A point of a body, given in its own axes. */
export function pointOf(pose: Pose, at: readonly number[]): three.Vector3 {
  return (at.length ? vectorOf(at) : new three.Vector3()).applyMatrix4(matrixOf(pose));
}

function disc(isFilled: boolean): three.Texture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.fillStyle = pen.strokeStyle = "white";
    pen.lineWidth = 13;
    pen.beginPath();
    pen.arc(32, 32, isFilled ? 29 : 24, 0, 2 * Math.PI);
    if (isFilled) pen.fill();
    else pen.stroke();
  }
  return new three.CanvasTexture(canvas);
}

/** A ghost that can be caught: the surface of a sample. */
interface Ghost {
  mesh: three.Mesh;
  spot: Spot;
}

export class Sketched extends three.Group {
  ghosts: Ghost[] = [];
  private known: readonly unknown[] = [];
  private readonly materials = new Map<string, three.Material>();
  private readonly textures = { disc: disc(true), ring: disc(false) };
  private made: { dispose(): void }[] = [];

  /** Draw it as it is now; where nothing changed, nothing is done. */
  follow(stage: Stage): void {
    this.visible = isSketching.value;
    const pixel = Math.round(40 * Math.log(stage.camera.metresPerPixel()));
    const now = this.visible
      ? [
          sketch.value,
          motion.value,
          held.value,
          chosen.value,
          previewed.value,
          leading.value,
          theme.value,
          items.value,
          pixel,
        ]
      : [];
    if (now.length === this.known.length && now.every((one, i) => one === this.known[i])) return;
    this.known = now;
    this.clear();
    for (const one of this.made) one.dispose();
    this.made = [];
    this.ghosts = [];
    if (this.visible) this.draw(stage);
    stage.refresh();
  }

  private draw(stage: Stage): void {
    const p = stage.palette;
    for (const path of motion.value?.paths ?? []) this.drawMotion(stage, path, p);
    for (const body of sketch.value?.bodies ?? []) this.drawTracks(body, p);
    this.drawSpots(stage, p);
    this.drawBlows(stage, p);
    const led = leading.value;
    if (led) {
      const ends = led.places.flatMap((row, k) => (k ? [vectorOf(led.places[k - 1]), vectorOf(row)] : []));
      this.lines(ends, new three.LineBasicMaterial({ color: p.select, depthTest: false }));
      this.ghost(led.body, led.pose, p.select, CLEAR.preview);
    }
    const time = previewed.value;
    for (const { body } of time === null ? [] : (motion.value?.paths ?? [])) {
      const pose = motion.value && poseAt(motion.value, body, time ?? 0);
      if (pose) this.ghost(body, pose, stage.figures.get(body)?.colour.getHex() ?? p.metal, CLEAR.preview);
    }
  }

  private drawMotion(stage: Stage, path: MotionPath, p: Palette): void {
    const colour = stage.figures.get(path.body)?.colour.getHex() ?? p.metal;
    path.flights.forEach((rows, f) => {
      const places = rows.filter((_, i) => i % 7 < 3);
      const tube = new Tube(places.length / 3, false, this.material("curve", p.constraint, 1));
      const middle = vectorOf(places.slice(3 * Math.floor(places.length / 6)));
      tube.setPoints(places, CURVE * stage.camera.metresPerPixel(middle));
      tube.raycast = () => undefined;
      this.made.push(tube.geometry);
      this.add(tube);
      for (let k = 1; k <= GHOSTS; k++) {
        const pose = poseIn(path, f, k / GHOSTS);
        if (pose) this.ghost(path.body, pose, colour, CLEAR.motion);
      }
    });
  }

  /** What is shown of a body, dashed, and how far the motion is from it. */
  private drawTracks(body: string, p: Palette): void {
    const [dashes, residuals]: [three.Vector3[], three.Vector3[]] = [[], []];
    sketch.value?.flights.forEach((_, flight) => {
      const places = (trackOf(body, flight)?.places ?? []).map((_, sample) =>
        vectorOf(poseOf({ body, flight, what: "sample", sample })?.place),
      );
      for (let k = 1; k < places.length; k++) dashes.push(...places.slice(k - 1, k + 1));
      const times = motion.value?.paths.find((one) => one.body === body)?.samples[flight] ?? [];
      times.forEach((time, sample) => {
        const there = motion.value && poseAt(motion.value, body, time);
        const here = places[sample];
        if (there && here) residuals.push(here, pointOf(there, trackOf(body, flight)?.at ?? []));
      });
    });
    this.lines(dashes, new three.LineDashedMaterial({ color: p.select, dashSize: 0.012, gapSize: 0.01 }));
    this.lines(
      residuals,
      new three.LineBasicMaterial({ color: p.grab, depthTest: false, transparent: true }),
    );
  }

  private drawSpots(stage: Stage, p: Palette): void {
    const [samples, hard, soft]: [three.Vector3[], three.Vector3[], three.Vector3[]] = [[], [], []];
    const all = [...spots(), ...(held.value?.spot.what === "new" ? [held.value.spot] : [])];
    for (const spot of all) {
      const pose = poseOf(spot);
      if (!pose) continue;
      const place = vectorOf(pose.place);
      const isSample = spot.what === "sample" || spot.what === "new";
      const isHard = !isSample && placeWish(spot.body, spot.flight, spot.what as "start")?.is_hard;
      (isSample ? samples : isHard ? hard : soft).push(place);
      const isChosen = isSame(chosen.value, spot);
      if (isChosen) this.dots([place], p.halo, DOT.halo, "ring");
      const body = poseNow(spot.body);
      const isAtBody = body && new three.Vector3().setFromMatrixPosition(body).distanceTo(place) < SAME;
      if (!pose.orientation.length || (isAtBody && !isSample)) continue;
      const colour = isSample ? p.select : p.behavior;
      const mesh = this.ghost(spot.body, pose, colour, isChosen ? 2 * CLEAR.sketch : CLEAR.sketch);
      if (mesh) this.ghosts.push({ mesh, spot });
    }
    this.dots(samples, p.select, DOT.sample, "disc");
    this.dots(hard, p.behavior, DOT.wish, "disc");
    this.dots(soft, p.behavior, DOT.wish, "ring");
    void stage;
  }

  private drawBlows(stage: Stage, p: Palette): void {
    for (const blow of motion.value?.blows ?? []) {
      const place = vectorOf(blow.place);
      const isWrong = blow.is_wild || Math.max(blow.speed_gap, blow.spin_gap) > LOUD;
      const colour = isWrong ? p.conflict : p.torque;
      this.dots([place], colour, DOT.blow, isWrong ? "ring" : "disc");
      const length = ARROW * stage.camera.metresPerPixel(place);
      const arrow = new three.ArrowHelper(
        vectorOf(blow.normal),
        place,
        length,
        colour,
        0.26 * length,
        0.14 * length,
      );
      arrow.traverse((one) => (one.raycast = () => undefined));
      this.made.push(arrow);
      this.add(arrow);
    }
    for (const fault of motion.value?.faults ?? [])
      if (fault.place.length) this.dots([vectorOf(fault.place)], p.conflict, DOT.halo, "ring");
  }

  // --- strokes ---------------------------------------------------------------------------------
  private material(kind: string, colour: number, opacity: number): three.Material {
    const key = `${kind} ${colour} ${opacity}`;
    let found = this.materials.get(key);
    if (!found) {
      found =
        kind === "curve"
          ? new three.MeshBasicMaterial({ color: colour })
          : kind === "edges"
            ? new three.LineBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false })
            : new three.MeshStandardMaterial({
                color: colour,
                roughness: 0.6,
                transparent: true,
                opacity,
                depthWrite: false,
              });
      this.materials.set(key, found);
    }
    return found;
  }

  private ghost(body: string, pose: Pose, colour: number, opacity: number): three.Mesh | null {
    const form = formOf(items.value.get(body)?.shape ?? null);
    if (!form) return null;
    const mesh = new three.Mesh(form.surface, this.material("ghost", colour, opacity));
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrixOf(pose)).multiply(form.place);
    mesh.renderOrder = 3;
    if (form.edges) {
      const edges = new three.LineSegments(form.edges, this.material("edges", colour, 1.6 * opacity));
      edges.raycast = () => undefined;
      mesh.add(edges);
    }
    this.add(mesh);
    mesh.updateMatrixWorld(true);
    return mesh;
  }

  private dots(places: readonly three.Vector3[], colour: number, size: number, kind: "disc" | "ring"): void {
    if (!places.length) return;
    const geometry = new three.BufferGeometry().setFromPoints([...places]);
    const material = new three.PointsMaterial({
      color: colour,
      size: size * devicePixelRatio,
      sizeAttenuation: false,
      map: this.textures[kind],
      alphaTest: 0.4,
      depthTest: false,
      transparent: true,
    });
    const points = new three.Points(geometry, material);
    points.renderOrder = 21;
    points.frustumCulled = false;
    points.raycast = () => undefined;
    this.made.push(geometry, material);
    this.add(points);
  }

  private lines(ends: readonly three.Vector3[], material: three.LineBasicMaterial): void {
    const geometry = new three.BufferGeometry().setFromPoints([...ends]);
    const lines = new three.LineSegments(geometry, material);
    if (material instanceof three.LineDashedMaterial) lines.computeLineDistances();
    lines.frustumCulled = false;
    lines.renderOrder = 20;
    lines.raycast = () => undefined;
    this.made.push(geometry, material);
    this.add(lines);
  }
}

/** What a pointer can catch of a sketch. */
export interface Caught {
  spot: Spot;
  pose: Pose;
}

const NEAR = { dot: 11, curve: 9 }; // px

/** The pose under a place of the picture: a sample, what is wanted, or a moment of the motion, which becomes a new sample. */
export function caughtAt(stage: Stage, drawn: Sketched, x: number, y: number): Caught | null {
  if (!isSketching.value) return null;
  let [best, least]: [Spot | null, number] = [null, NEAR.dot];
  for (const spot of spots()) {
    const pose = poseOf(spot);
    const at = pose && stage.project(vectorOf(pose.place));
    const far = at?.isAhead ? Math.hypot(at.x - x, at.y - y) : Infinity;
    if (far < least || (far === least && spot.what !== "sample")) [best, least] = [spot, far];
  }
  best ??= ghostAt(stage, drawn, x, y);
  const pose = best && poseOf(best);
  return best && pose ? { spot: best, pose } : newAt(stage, x, y);
}

function ghostAt(stage: Stage, drawn: Sketched, x: number, y: number): Spot | null {
  const ray = stage.ray(x, y);
  const caster = new three.Raycaster(ray.origin, ray.direction);
  const [hit] = caster.intersectObjects(
    drawn.ghosts.map((one) => one.mesh),
    false,
  );
  return drawn.ghosts.find((one) => one.mesh === hit?.object)?.spot ?? null;
}

/** A moment of the motion, as a sample to come. */
function newAt(stage: Stage, x: number, y: number): Caught | null {
  const found = motion.value;
  if (!found) return null;
  let [best, least]: [{ body: string; time: number } | null, number] = [null, NEAR.curve];
  const steps = 32 * (found.grid.length - 1);
  for (const { body } of found.paths)
    for (let k = 0; k <= steps; k++) {
      const time = (k / steps) * secondsOf(found);
      const pose = poseAt(found, body, time);
      const at = pose && stage.project(vectorOf(pose.place));
      const far = at?.isAhead ? Math.hypot(at.x - x, at.y - y) : Infinity;
      if (far < least) [best, least] = [{ body, time }, far];
    }
  return best && momentOf(best.body, best.time);
}

/** A sample to come at a time of the motion. */
export function momentOf(body: string, time: number): Caught | null {
  const found = motion.value;
  const pose = found && poseAt(found, body, time);
  if (!found || !pose) return null;
  let flight = 0;
  while (flight < found.grid.length - 2 && time > (found.grid[flight + 1] ?? 0)) flight++;
  const times = found.paths.find((one) => one.body === body)?.samples[flight] ?? [];
  const sample = times.filter((t) => t < time).length;
  return { spot: { body, flight, what: "new", sample }, pose };
}
