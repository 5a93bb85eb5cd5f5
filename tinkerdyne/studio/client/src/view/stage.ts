// The stage: the three.js scene of a world, kept in step with the model and its frames, drawn when something changed.
import * as three from "three";
import { groups } from "../media/groups";
import { cameraOf } from "../state/display";
import { hint } from "../state/guide";
import {
  areTracesShown,
  dimension,
  hovered,
  isGridShown,
  isGround,
  model,
  selected,
  shownItems,
  status,
  theme,
  traced,
  tracks,
} from "../state/store";
import { Apart } from "./apart";
import { Arrows } from "./arrows";
import { AxisLine } from "./axisLine";
import { Backdrop } from "./backdrop";
import { Camera } from "./camera";
import { PALETTES, type Palette } from "./colours";
import { isLowEffects } from "./effects";
import { drawEyes } from "./eyes";
import { Figure } from "./figure";
import { Footprints } from "./footprints";
import { worldNames } from "./glyphs";
import { Ground } from "./ground";
import { Instances } from "./instances";
import { Lights, roomOf } from "./lights";
import { type Mark, Marks } from "./marks";
import { Outlines } from "./outlines";
import { bodyAt, glyphAt, type Hit } from "./picking";
import { isOfWorld, poseOf } from "./places";
import { drawTeeth } from "./teeth";
import { Traces } from "./traces";

const UNIT = 0.05; // radius of a joint, of the usual size of bodies
const ROOM = 1.55; // the view of a world that was opened, to the box around it
const LEVEL = 0.05; // of its width: how high a floor is at most that lies level
const NEAR = 0.35; // of the radius of a world: what is as little below 0 stands on the ground
const WHOLE = 1.15; // to the box around all of a motion
const PATIENCE = 120; // pictures, until a layout must have come

export class Stage {
  readonly scene = new three.Scene();
  readonly camera = new Camera();
  readonly figures = new Map<string, Figure>();
  private readonly marks = new Marks();
  readonly glyphs: ReadonlyMap<string, Mark> = this.marks.all;
  readonly overlay = new three.Group(); // what tools draw
  unit = 0.05; // m
  private readonly renderer: three.WebGLRenderer;
  private readonly lights = new Lights();
  private readonly ground = new Ground();
  private readonly arrows = new Arrows();
  readonly traces = new Traces();
  private readonly axis = new AxisLine();
  private readonly apart = new Apart();
  private readonly instances = new Instances();
  private readonly outlines = new Outlines();
  private readonly footprints = new Footprints();
  private readonly pen = new three.Color();
  readonly backdrop = new Backdrop(
    () => this.refresh(),
    () => this.settle(),
  );
  private isStale = true;
  private shown = -1; // which of the worlds that were opened,
  private built = -1; // and which of its models
  private size = new three.Vector2(1, 1);

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new three.WebGLRenderer({
      canvas,
      antialias: !isLowEffects,
      stencil: true, // for outlines
      preserveDrawingBuffer: true,
      powerPreference: "high-performance",
    });
    this.renderer.info.autoReset = false; // it would forget the shadows
    this.renderer.setPixelRatio(isLowEffects ? 1 : Math.min(2, devicePixelRatio));
    this.renderer.toneMapping = three.NoToneMapping;
    this.renderer.shadowMap.enabled = !isLowEffects;
    this.renderer.shadowMap.type = three.PCFSoftShadowMap;
    this.scene.add(this.lights, this.marks, this.ground, this.arrows, this.traces, this.axis, this.overlay);
    this.scene.environment = roomOf(this.renderer);
    this.scene.environmentIntensity = 0.3;
    this.scene.environmentRotation.set(Math.PI / 2, 0, 0); // z is up here
    this.scene.add(this.footprints, this.backdrop, this.instances, this.outlines, this.apart);
  }

  get palette(): Palette {
    return PALETTES[theme.value];
  }

  /** Draw calls of the last picture, those of its shadows with them. */
  get calls(): number {
    return this.renderer.info.render.calls;
  }

  resize(width: number, height: number): void {
    this.size.set(width, height);
    this.renderer.setSize(width, height, false);
    this.outlines.resize(width, height);
    this.camera.resize(width, height);
    this.isStale = true;
  }

  refresh(): void {
    this.isStale = true;
  }

  /** Bring the scene in line with the model: keep what is unchanged, make what is new. */
  rebuild(): void {
    const world = model.value;
    if (!world) return;
    this.built = world.revision;
    const items = shownItems.value;
    worldNames.clear();
    for (const item of items) if (isOfWorld(item)) worldNames.add(item.name);
    const present = new Set(items.map((item) => item.name));
    for (const [name, figure] of this.figures) if (!present.has(name)) this.drop(name, figure);
    let planar = 0;
    for (const item of items) {
      if (item.family !== "object") continue;
      const old = this.figures.get(item.name);
      const layer = item.dimension === 2 ? planar++ : 0;
      if (old?.fits(item)) {
        old.item = item;
        this.figures.delete(item.name); // and to the end: figures are in the order of the items, which their colours follow
        this.figures.set(item.name, old);
        continue;
      }
      if (old) this.drop(item.name, old);
      const track = tracks.value?.motion.get(item.name);
      const figure = Figure.of(item, track, layer);
      if (!figure) continue;
      this.figures.set(item.name, figure);
      this.scene.add(figure);
    }
    this.unit = UNIT * this.usualSize();
    this.marks.rebuild(items, this.palette);
    this.backdrop.rebuild();
    const isTurned = this.camera.isPlanar !== (dimension.value === 2); // something of space came into the plane, or went
    if (world.scene !== this.shown || !this.figures.size || isTurned) {
      this.shown = world.scene;
      this.camera.isPlanar = dimension.value === 2;
      this.settle();
      const kept = cameraOf();
      if (kept) this.camera.stand(kept);
    }
    this.isStale = true;
  }

  /** Wait until the scene is that of the model: what is put into the middle of the view is put into what is seen then. */
  async caughtUp(): Promise<void> {
    const isBehind = (): boolean => model.value !== null && this.built !== model.value.revision;
    for (let k = 0; k < PATIENCE && isBehind(); k++) await new Promise(requestAnimationFrame);
  }

  private drop(name: string, figure: Figure): void {
    this.scene.remove(figure);
    figure.dispose();
    this.figures.delete(name);
  }

  private usualSize(): number {
    const sizes = [...this.figures.values()]
      .filter((f) => !isGround(f.item))
      .map((f) => f.extent)
      .filter((x) => x > 0)
      .sort((a, b) => a - b);
    return sizes[Math.floor(sizes.length / 2)] ?? 1;
  }

  /** The box that holds everything now, or some of it. */
  bounds(only?: readonly string[]): three.Box3 {
    const box = new three.Box3();
    // a floor is as large as anyone likes: what stands on it is what is looked at
    const isBare = [...this.figures.values()].every((f) => isGround(f.item));
    for (const [name, figure] of this.figures)
      if (only ? only.includes(name) : isBare || !isGround(figure.item)) box.union(figure.box());
    for (const [name, glyph] of this.glyphs)
      if (!only || only.includes(name)) for (const anchor of glyph.anchors) box.expandByPoint(anchor);
    if (!only) box.union(this.backdrop.box());
    if (!only && this.figures.size && isBare) {
      // a floor alone is there for what will stand on it
      const room = box.getSize(new three.Vector3()).x * 0.6;
      if (dimension.value === 2) box.max.y += room;
      else box.max.z += room;
    }
    if (box.isEmpty())
      box.setFromCenterAndSize(new three.Vector3(), new three.Vector3(3, 3, dimension.value === 2 ? 0 : 3));
    return box.expandByScalar(this.unit);
  }

  /** Put the ground under a world that was opened, and the camera before it, with room to move; or before all of its way. */
  settle(whole?: three.Box3): void {
    this.camera.place();
    this.place();
    const box = whole ?? this.bounds();
    const ball = box.getBoundingSphere(new three.Sphere());
    const surface = this.surfaceOfFloor();
    const lowest = this.figures.size ? box.min.z + this.unit : 0;
    const isNear = lowest > -NEAR * ball.radius; // feet
    const floor =
      surface ??
      (lowest >= -1e-3 && lowest < 4 * ball.radius + 1
        ? 0
        : isNear
          ? lowest
          : Math.floor((lowest - ball.radius) * 4) / 4);
    this.ground.place(dimension.value === 2, floor, ball, surface !== null);
    this.camera.frame(box, whole ? WHOLE : ROOM);
    this.lights.aim(ball);
  }

  /** The height of the largest level floor: the ground is there, as floors have no end; null where there is none. */
  private surfaceOfFloor(): number | null {
    let [widest, height]: [number, number | null] = [0, null];
    for (const figure of this.figures.values()) {
      if (!isGround(figure.item)) continue;
      const box = figure.box();
      const size = box.getSize(new three.Vector3());
      if (size.z > LEVEL * size.x || size.x <= widest) continue;
      [widest, height] = [size.x, box.max.z];
    }
    return height;
  }

  frameAll(only?: readonly string[]): void {
    this.camera.frame(this.bounds(only?.length ? only : undefined), only?.length ? 2 : 1.2);
    this.lights.aim(this.bounds().getBoundingSphere(new three.Sphere()));
    this.isStale = true;
  }

  /** Move everything to where the newest frame has it. */
  place(): void {
    const pixel = this.camera.metresPerPixel();
    for (const [name, figure] of this.figures) figure.follow(name, poseOf, pixel);
    this.backdrop.follow(pixel, this.palette);
    this.marks.place(this.unit);
  }

  /** Draw, when something has changed since the last time. Answers whether it did. */
  draw(): boolean {
    if (!this.isStale) return false;
    this.isStale = false;
    this.ground.follow(this.camera.target, this.camera.distance);
    this.place();
    this.paint();
    this.footprints.visible = dimension.value === 3;
    if (dimension.value === 3)
      this.footprints.follow(this.figures.values(), this.ground.position.z, this.palette.shade);
    this.arrows.update(this.palette, this.camera.metresPerPixel());
    this.apart.update(this.palette, this.unit, this.camera.metresPerPixel());
    this.axis.update(this.palette, (place) => this.camera.metresPerPixel(place));
    this.traces.visible = traced.value.length > 0 || areTracesShown.value;
    this.traces.follow(this.traces.visible ? this.points() : [], this.palette.parts);
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera.active);
    return true;
  }

  /** The ground's cells and height [m]. */
  get scaleOfGround(): { cell: number; height: number } {
    return { cell: this.ground.cell, height: this.ground.height };
  }

  /** Whether there are parts, and none of them is in the picture. */
  get isEmptied(): boolean {
    const { active } = this.camera;
    const seen = new three.Frustum().setFromProjectionMatrix(
      new three.Matrix4().multiplyMatrices(active.projectionMatrix, active.matrixWorldInverse),
    );
    let parts = 0;
    for (const figure of this.figures.values()) {
      if (!figure.visible || isGround(figure.item)) continue;
      const box = figure.box();
      if (box.isEmpty()) continue;
      if (seen.intersectsBox(box)) return false;
      parts++;
    }
    return parts > 0;
  }

  private points(): readonly string[] {
    if (!areTracesShown.value) return traced.value;
    const ends = [...this.figures.values()].map((f) => {
      const last = Object.keys(f.item.places).filter((k) => /end2|right|corner/.test(k))[0];
      return last ? `${f.item.name}.${last}` : f.item.name;
    });
    return [...new Set([...traced.value, ...ends.slice(0, 40)])];
  }

  /** Colours of everything, and outlines of what is selected, hovered or in conflict. */
  private paint(): void {
    const p = this.palette;
    this.scene.background = new three.Color(p.sky);
    this.ground.paint(p, isGridShown.value);
    this.lights.paint(theme.value === "dark");
    const conflict = new Set(
      status.value?.conflicts.flatMap((c) => (c.kind === "redundant" ? [] : c.names)) ?? [],
    );
    let i = 0;
    for (const [name, figure] of this.figures) {
      const isOfSnake = groups.value.points.has(name);
      const own = figure.item.is_fixed ? p.fixed : (p.parts[i++ % p.parts.length] ?? p.metal);
      figure.paint(isOfSnake ? p.select : own);
      figure.draw(this.instances);
    }
    const chosen = new Set(selected.value);
    this.marks.draw(this.instances, p, chosen, conflict);
    drawTeeth(shownItems.value, this.figures, this.instances);
    drawEyes(this.marks.all, this.figures, this.instances, this.unit);
    this.instances.commit(p.edge);
    for (const name of conflict) this.outline(name, p.conflict);
    const lit = new Set([hovered.value, hint.value?.glows ?? ""]);
    for (const name of lit) if (!chosen.has(name)) this.outline(name, p.hover);
    for (const name of chosen) this.outline(name, p.select);
    this.outlines.commit();
  }

  private outline(name: string, colour: number): void {
    this.pen.set(colour);
    this.figures.get(name)?.outline(this.outlines, this.pen);
    this.marks.outline(name, this.outlines, this.pen);
  }

  /** Where a place appears, in pixels of the canvas. */
  project(place: three.Vector3): { x: number; y: number; isAhead: boolean } {
    const p = place.clone().project(this.camera.active);
    return { x: ((p.x + 1) / 2) * this.size.x, y: ((1 - p.y) / 2) * this.size.y, isAhead: p.z < 1 };
  }

  ray(x: number, y: number): three.Ray {
    return this.camera.ray((2 * x) / this.size.x - 1, 1 - (2 * y) / this.size.y);
  }

  /** The body under a point of the canvas or a few pixels from it, and where it is hit. */
  bodyAt(x: number, y: number): Hit | null {
    return bodyAt(this, x, y);
  }

  /** The constraint or behavior whose mark lies under a point of the canvas. */
  glyphAt(x: number, y: number, within = 12): string {
    return glyphAt(this, x, y, within);
  }

  /** Where a ray through a point of the canvas meets the plane through a place, parallel to the picture. */
  across(x: number, y: number, through: three.Vector3): three.Vector3 {
    const plane = new three.Plane().setFromNormalAndCoplanarPoint(this.camera.direction(), through);
    return this.ray(x, y).intersectPlane(plane, new three.Vector3()) ?? through.clone();
  }
}
