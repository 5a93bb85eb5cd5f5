// The stage: the three.js scene of a world, kept in step with the model and its frames, drawn when something changed.
import * as three from "three";
import { isCurve, parameterAt } from "../media/curves";
import { groups } from "../media/groups";
import { hint } from "../state/guide";
import {
  areTracesShown,
  dimension,
  hovered,
  isGridShown,
  model,
  selected,
  shownItems,
  status,
  theme,
  traced,
  tracks,
  typeOf,
} from "../state/store";
import { keysOf } from "../state/values";
import type { ItemInfo } from "../wire/protocol";
import { Arrows } from "./arrows";
import { AxisLine } from "./axisLine";
import { Backdrop } from "./backdrop";
import { Camera } from "./camera";
import { PALETTES, type Palette } from "./colours";
import { isLowEffects } from "./effects";
import { Figure } from "./figure";
import { type Glyph, glyphOf, type Materials, worldNames } from "./glyphs";
import { Ground } from "./ground";
import { bodiesOf, isOfWorld, poseOf } from "./places";
import { Traces } from "./traces";

const UNIT = 0.05; // radius of a joint, of the usual size of bodies
const FADED = 0.35;
const ROOM = 1.55; // the view of a world that was opened, to the box around it
const WHOLE = 1.15; // to the box around all of a motion
const NEARBY = [
  [0, 0],
  [5, 0],
  [-5, 0],
  [0, 5],
  [0, -5],
] as const; // px: hands are not that exact

type Standard = Materials<three.MeshStandardMaterial>;

/** A body that was hit. */
export interface Hit {
  name: string;
  place: three.Vector3; // in the world
  own: three.Vector3; // in the body's axes
}

export class Stage {
  readonly scene = new three.Scene();
  readonly camera = new Camera();
  readonly figures = new Map<string, Figure>();
  readonly glyphs = new Map<string, Glyph & { item: ItemInfo; key: string; materials: Standard }>();
  readonly overlay = new three.Group(); // what tools draw
  unit = 0.05; // m
  private readonly renderer: three.WebGLRenderer;
  private readonly sun = new three.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new three.HemisphereLight(0xffffff, 0xb0a89e, 1.5);
  private readonly ground = new Ground();
  private readonly arrows = new Arrows();
  private readonly traces = new Traces();
  private readonly axis = new AxisLine();
  readonly backdrop = new Backdrop(
    () => this.refresh(),
    () => this.settle(),
  );
  private isStale = true;
  private shown = -1; // which of the worlds that were opened
  private size = new three.Vector2(1, 1);

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new three.WebGLRenderer({
      canvas,
      antialias: !isLowEffects,
      preserveDrawingBuffer: true,
      powerPreference: "high-performance",
    });
    this.renderer.setPixelRatio(isLowEffects ? 1 : Math.min(2, devicePixelRatio));
    this.renderer.toneMapping = three.NoToneMapping;
    this.renderer.shadowMap.enabled = !isLowEffects;
    this.renderer.shadowMap.type = three.PCFSoftShadowMap;
    this.sun.castShadow = !isLowEffects;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 5;
    this.scene.add(
      this.sun,
      this.sun.target,
      this.sky,
      this.ground,
      this.arrows,
      this.traces,
      this.axis,
      this.overlay,
    );
    this.scene.add(this.backdrop);
    const fill = new three.DirectionalLight(0xdfe8ff, 0.5);
    fill.position.set(-3, 4, 2);
    this.scene.add(fill);
  }

  get palette(): Palette {
    return PALETTES[theme.value];
  }

  resize(width: number, height: number): void {
    this.size.set(width, height);
    this.renderer.setSize(width, height, false);
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
      const colours = this.palette.parts;
      const figure = Figure.of(item, track, colours[this.figures.size % colours.length] ?? 0x888888, layer);
      if (!figure) continue;
      this.figures.set(item.name, figure);
      this.scene.add(figure);
    }
    this.unit = UNIT * this.usualSize();
    this.rebuildGlyphs(items);
    this.backdrop.rebuild();
    const isTurned = this.camera.isPlanar !== (dimension.value === 2); // something of space came into the plane, or went
    if (world.scene !== this.shown || !this.figures.size || isTurned) {
      this.shown = world.scene;
      this.camera.isPlanar = dimension.value === 2;
      this.settle();
    }
    this.isStale = true;
  }

  private drop(name: string, figure: Figure): void {
    this.scene.remove(figure);
    figure.dispose();
    this.figures.delete(name);
  }

  private rebuildGlyphs(all: readonly ItemInfo[]): void {
    const wanted = new Map(
      all
        .filter((i) => i.family === "constraint" || i.family === "behavior" || typeOf(i)?.glyph === "path")
        .map((i) => [i.name, i]),
    );
    for (const [name, glyph] of this.glyphs) {
      const item = wanted.get(name);
      const key = item ? keyOf(item) : "";
      if (key === glyph.key && item) {
        glyph.item = item;
        wanted.delete(name);
        continue;
      }
      this.scene.remove(glyph.object);
      for (const key of keysOf(glyph.materials)) glyph.materials[key].dispose();
      this.glyphs.delete(name);
    }
    for (const item of wanted.values()) {
      const materials = this.materials();
      const glyph = glyphOf(item, materials);
      if (!glyph) continue;
      glyph.object.traverse((o) => (o.userData["name"] = item.name));
      this.glyphs.set(item.name, Object.assign(glyph, { item, key: keyOf(item), materials }));
      this.scene.add(glyph.object);
    }
  }

  private materials(): Standard {
    const p = this.palette;
    return {
      metal: new three.MeshStandardMaterial({ color: p.metal, roughness: 0.4, metalness: 0.25 }),
      dark: new three.MeshStandardMaterial({ color: p.dark, roughness: 0.55, metalness: 0.1 }),
      accent: new three.MeshStandardMaterial({ color: p.behavior, roughness: 0.5 }),
    };
  }

  private usualSize(): number {
    const sizes = [...this.figures.values()]
      .map((f) => f.extent)
      .filter((x) => x > 0)
      .sort((a, b) => a - b);
    return sizes[Math.floor(sizes.length / 2)] ?? 1;
  }

  /** The box that holds everything now, or some of it. */
  bounds(only?: readonly string[]): three.Box3 {
    const box = new three.Box3();
    for (const [name, figure] of this.figures) if (!only || only.includes(name)) box.union(figure.box());
    for (const [name, glyph] of this.glyphs)
      if (!only || only.includes(name)) for (const anchor of glyph.anchors) box.expandByPoint(anchor);
    if (!only) box.union(this.backdrop.box());
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
    const lowest = this.figures.size ? box.min.z + this.unit : 0;
    const floor =
      lowest >= -1e-3 && lowest < 4 * ball.radius + 1 ? 0 : Math.floor((lowest - ball.radius) * 4) / 4;
    this.ground.place(dimension.value === 2, floor, ball);
    this.camera.frame(box, whole ? WHOLE : ROOM);
    this.aim(ball);
  }

  frameAll(only?: readonly string[]): void {
    this.camera.frame(this.bounds(only?.length ? only : undefined), only?.length ? 2 : 1.2);
    this.aim(this.bounds().getBoundingSphere(new three.Sphere()));
    this.isStale = true;
  }

  private aim(ball: three.Sphere): void {
    const r = 2.2 * ball.radius;
    this.sun.position.copy(ball.center).add(new three.Vector3(-0.55, -0.95, 1.1).multiplyScalar(3 * r));
    this.sun.target.position.copy(ball.center);
    const shadow = this.sun.shadow.camera;
    Object.assign(shadow, { left: -r, right: r, top: r, bottom: -r, near: 0.1 * r, far: 9 * r });
    shadow.updateProjectionMatrix();
  }

  /** Move everything to where the newest frame has it. */
  place(): void {
    const pixel = this.camera.metresPerPixel();
    for (const [name, figure] of this.figures) figure.follow(name, poseOf, pixel);
    this.backdrop.follow(pixel, this.palette);
    const acting = tracks.value?.acting;
    const since = new Set(tracks.value?.layout.since);
    for (const [name, glyph] of this.glyphs) {
      glyph.update(this.unit);
      if (
        glyph.item.family === "constraint" &&
        glyph.item.is_on &&
        !acting?.has(name) &&
        !bodiesOf(glyph.item).some(isCurve)
      )
        glyph.object.visible = false; // not yet, or no more
      if (since.has(glyph.item.key)) glyph.object.visible = false;
    }
  }

  /** Draw, when something has changed since the last time. Answers whether it did. */
  draw(): boolean {
    if (!this.isStale) return false;
    this.isStale = false;
    this.place();
    this.paint();
    this.arrows.update(this.palette, this.camera.metresPerPixel());
    this.axis.update(this.palette, (place) => this.camera.metresPerPixel(place));
    this.traces.visible = traced.value.length > 0 || areTracesShown.value;
    this.traces.follow(this.traces.visible ? this.points() : [], this.palette.parts);
    this.renderer.render(this.scene, this.camera.active);
    return true;
  }

  private points(): readonly string[] {
    if (!areTracesShown.value) return traced.value;
    const ends = [...this.figures.values()].map((f) => {
      const last = Object.keys(f.item.places).filter((k) => /end2|right|corner/.test(k))[0];
      return last ? `${f.item.name}.${last}` : f.item.name;
    });
    return [...new Set([...traced.value, ...ends.slice(0, 40)])];
  }

  /** Colours of what is selected, hovered, in conflict or switched off. */
  private paint(): void {
    const p = this.palette;
    this.scene.background = new three.Color(p.sky);
    this.ground.paint(p, isGridShown.value);
    const isDark = theme.value === "dark";
    this.sky.intensity = isDark ? 1.5 : 2.1;
    this.sun.intensity = isDark ? 1.9 : 2.2;
    const conflict = new Set(
      status.value?.conflicts.flatMap((c) => (c.kind === "redundant" ? [] : c.names)) ?? [],
    );
    const chosen = new Set(selected.value);
    let i = 0;
    for (const [name, figure] of this.figures) {
      const base = groups.value.points.has(name)
        ? p.select
        : figure.item.is_fixed
          ? p.fixed
          : (p.parts[i++ % p.parts.length] ?? p.metal);
      figure.paint(base, p.edge, glowOf(name, p, chosen), chosen.has(name));
    }
    for (const [name, glyph] of this.glyphs) {
      const glow = conflict.has(name)
        ? p.conflict
        : chosen.has(name)
          ? p.select
          : hovered.value === name
            ? p.hover
            : 0;
      const colours: Record<keyof Materials, number> = { metal: p.metal, dark: p.dark, accent: p.behavior };
      for (const key of ["metal", "dark", "accent"] as const) {
        const m = glyph.materials[key];
        m.color.set(glow || colours[key]);
        m.emissive.set(glow).multiplyScalar(0.35);
        m.transparent = !glyph.item.is_on;
        m.opacity = glyph.item.is_on ? 1 : FADED;
      }
    }
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
    const meshes = [...this.figures.values()].map((figure) => figure.target);
    const caster = new three.Raycaster();
    for (const [dx, dy] of NEARBY) {
      caster.ray.copy(this.ray(x + dx, y + dy));
      const hit = caster.intersectObjects(meshes, false)[0];
      if (hit) return { name: String(hit.object.userData["name"]), place: hit.point, own: this.ownOf(hit) };
    }
    return this.smallBodyAt(x, y);
  }

  /** A place that was hit, in the axes of what was hit, as it was drawn then. */
  private ownOf(hit: three.Intersection): three.Vector3 {
    const figure = this.figures.get(String(hit.object.userData["name"]));
    if (figure?.isCurve) return parameterAt(figure.item.name, hit.point);
    const own = figure ? hit.point.clone().applyMatrix4(figure.matrix.clone().invert()) : new three.Vector3();
    if (figure?.item.dimension === 2) own.z = 0;
    return own;
  }

  /** Small and thin things can be caught from a few pixels away. */
  private smallBodyAt(x: number, y: number): Hit | null {
    let best: Hit | null = null;
    let least = 9;
    for (const [name, figure] of this.figures) {
      for (const place of figure.catches()) {
        const p = this.project(place);
        const d = Math.hypot(p.x - x, p.y - y);
        if (p.isAhead && d < least)
          [best, least] = [
            { name, place, own: figure.isCurve ? parameterAt(name, place) : new three.Vector3() },
            d,
          ];
      }
    }
    return best;
  }

  /** The constraint or behavior whose mark lies under a point of the canvas. */
  glyphAt(x: number, y: number, within = 12): string {
    let [best, least] = ["", within];
    for (const [name, glyph] of this.glyphs) {
      if (!glyph.object.visible) continue;
      for (const anchor of glyph.anchors) {
        const p = this.project(anchor);
        const d = Math.hypot(p.x - x, p.y - y);
        if (p.isAhead && d < least) [best, least] = [name, d];
      }
    }
    return best;
  }

  /** Where a ray through a point of the canvas meets the plane through a place, parallel to the picture. */
  across(x: number, y: number, through: three.Vector3): three.Vector3 {
    const plane = new three.Plane().setFromNormalAndCoplanarPoint(this.camera.direction(), through);
    return this.ray(x, y).intersectPlane(plane, new three.Vector3()) ?? through.clone();
  }
}

function glowOf(name: string, p: Palette, chosen: ReadonlySet<string>): number | null {
  if (chosen.has(name)) return p.select;
  return hovered.value === name || hint.value?.glows === name ? p.hover : null;
}

function keyOf(item: ItemInfo): string {
  return `${item.of} ${item.inputs.join(" ")} ${JSON.stringify(item.values["keys"]) ?? ""}`;
}
