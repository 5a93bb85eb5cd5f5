// What lies in the plane behind and between the parts: pictures, data, fitted models, snakes and volcanoes.
import * as three from "three";
import { stateOf } from "../media/curves";
import { compiled } from "../media/formula";
import { type FitInfo, groups } from "../media/groups";
import { Ribbons, segmentsThrough, zeroLines } from "../media/lines";
import { zeroSurface } from "../media/surface";
import { ask, report } from "../state/session";
import { dimension, items, latest, model, pictures, pulledFit, tracks, typeOf } from "../state/store";
import type { PictureInfo } from "../wire/protocol";
import type { Palette } from "./colours";

const DOT = 3.2; // px: radius of a datum
const MODEL = 3; // px: width of a model's line
const BEHIND = -60; // m: where pictures lie
const MORE = 0.35; // of the data's size: how far a model is drawn beyond them

/** Heights count in the plane, where things lie on each other; in space all lies in it. */
const height = (z: number): number => (dimension.value === 2 ? z : z < 0 ? -1e-3 : 0);

/** How places and pixels belong together. */
interface Looking {
  project(place: three.Vector3): { x: number; y: number };
  ray(x: number, y: number): three.Ray;
}

/** A fitted model that was caught. */
interface Caught {
  fit: string;
  place: three.Vector3;
  columns: number; // of its data
}

class Picture extends three.Mesh<three.PlaneGeometry, three.MeshBasicMaterial> {
  key = "";
  box = new three.Box3();

  constructor() {
    super(new three.PlaneGeometry(1, 1), new three.MeshBasicMaterial({ color: 0xffffff }));
    this.visible = false;
    this.renderOrder = -10;
    this.raycast = () => undefined;
  }

  show(info: PictureInfo, done: () => void): void {
    const texture = new three.TextureLoader().load(info.image, done);
    texture.colorSpace = three.SRGBColorSpace;
    texture.magFilter = three.NearestFilter;
    texture.generateMipmaps = false;
    texture.minFilter = three.LinearFilter;
    this.material.map?.dispose();
    this.material.map = texture;
    this.material.needsUpdate = true;
    const [w = 1, h = 1] = info.size;
    const [x = 0, y = 0] = info.corner;
    this.scale.set(w, h, 1);
    this.position.set(x + w / 2, y + h / 2, BEHIND);
    this.box.set(new three.Vector3(x, y, 0), new three.Vector3(x + w, y + h, 0));
    this.visible = true;
  }
}

class FitFigure extends three.Group {
  readonly line = new Ribbons(60);
  private readonly surface = new three.Mesh(
    new three.BufferGeometry(),
    new three.MeshStandardMaterial({
      side: three.DoubleSide,
      transparent: true,
      opacity: 0.45,
      depthWrite: false,
      roughness: 0.6,
    }),
  );
  private shownSurface = ""; // what the surface shows
  private dots: three.InstancedMesh<three.BufferGeometry, three.MeshBasicMaterial> | null = null;
  private rows: FitInfo["rows"] = [];
  readonly box = new three.Box3();

  constructor(public info: FitInfo) {
    super();
    this.add(this.line, this.surface);
    this.surface.renderOrder = -1; // before the ground, which would hide what is under it
  }

  /** Take over what is fitted now. */
  take(info: FitInfo): void {
    this.info = info;
    if (same(this.rows, info.rows)) return;
    this.rows = info.rows;
    if (this.dots) this.remove(this.dots);
    const isFlat = info.columns.length < 3;
    const form = isFlat ? new three.CircleGeometry(1, 16) : new three.SphereGeometry(1, 12, 8);
    this.dots = new three.InstancedMesh(
      form,
      new three.MeshBasicMaterial({ depthTest: !isFlat }),
      Math.max(1, info.rows.length),
    );
    this.dots.renderOrder = 50;
    this.dots.frustumCulled = false;
    this.dots.raycast = () => undefined;
    this.box.setFromPoints(info.rows.map(([x = 0, y = 0, z = 0]) => new three.Vector3(x, y, z)));
    this.add(this.dots);
  }

  follow(pixel: number, palette: Palette, isHot: boolean): void {
    const place = new three.Matrix4();
    this.rows.forEach(([x = 0, y = 0, z = 0], i) => {
      place.makeScale(DOT * pixel, DOT * pixel, DOT * pixel).setPosition(x, y, z || height(50));
      this.dots?.setMatrixAt(i, place);
    });
    if (this.dots) {
      this.dots.instanceMatrix.needsUpdate = true;
      this.dots.material.color.set(palette.sky < 0x808080 ? palette.metal : palette.dark);
    }
    this.line.material.color.set(isHot ? palette.select : palette.constraint);
    this.line.position.z = height(60);
    this.line.setSegments(this.lines(), MODEL * (isHot ? 1.6 : 1) * pixel);
    this.surface.material.color.set(isHot ? palette.select : palette.constraint);
    if (this.info.columns.length === 3) this.updateSurface();
  }

  /** The surface of a model in space, made anew when its parameters have moved. */
  private updateSurface(): void {
    const f = compiled(this.info.text);
    if (!f || this.box.isEmpty()) return;
    const names = this.numbers();
    const key = `${this.info.text} ${Object.values(names)
      .map((x) => x.toPrecision(4))
      .join(" ")} ${this.rows.length}`;
    if (key === this.shownSurface) return;
    this.shownSurface = key;
    this.surface.geometry.dispose();
    const size = this.box.getSize(new three.Vector3());
    const more = MORE * Math.max(size.x, size.y, size.z, 1e-6);
    this.surface.geometry = zeroSurface(f, names, this.info.columns, this.box.clone().expandByScalar(more));
  }

  /** Where a ray meets the surface first. */
  hit(ray: three.Ray): three.Vector3 | null {
    if (this.info.columns.length !== 3) return null;
    return (
      new three.Raycaster(ray.origin, ray.direction).intersectObject(this.surface, false)[0]?.point ?? null
    );
  }

  private numbers(): Record<string, number> {
    return Object.fromEntries(this.info.parameters.map((name) => [name, stateOf(name)?.[0] ?? NaN]));
  }

  /** The model with its parameters as they are now. */
  private lines(): number[] {
    const f = compiled(this.info.text);
    const [across = "x", up = "y"] = this.info.columns;
    if (!f || this.info.columns.length !== 2 || this.box.isEmpty()) return [];
    const names = this.numbers();
    const size = this.box.getSize(new three.Vector3());
    const more = MORE * Math.max(size.x, size.y, 1e-6);
    const box = new three.Box2(
      new three.Vector2(this.box.min.x - more, this.box.min.y - more),
      new three.Vector2(this.box.max.x + more, this.box.max.y + more),
    );
    return zeroLines(f, names, across, up, box);
  }
}

function same(a: FitInfo["rows"], b: FitInfo["rows"]): boolean {
  return a.length === b.length && a.every((row, i) => row.every((x, k) => x === b[i]?.[k]));
}

export class Backdrop extends three.Group {
  private readonly pictures = new Map<string, Picture>();
  private readonly fits = new Map<string, FitFigure>();
  private readonly snakes = new Map<string, Ribbons>();
  private readonly hills = new Map<string, three.Mesh<three.BufferGeometry, three.MeshBasicMaterial>>();

  constructor(
    private readonly refresh: () => void,
    private readonly settle: () => void, // show everything: what lies here has become larger
  ) {
    super();
  }

  /** Bring it in line with the model. */
  rebuild(): void {
    const wanted = new Map(
      (model.value?.items ?? []).filter((i) => typeOf(i)?.supplies === "picture").map((i) => [i.name, i]),
    );
    keep(this.pictures, wanted, this, () => new Picture());
    for (const [name, picture] of this.pictures) {
      const values = wanted.get(name)?.values ?? {};
      const key = JSON.stringify([values["image"], values["pixel"], values["corner"]]);
      if (key === picture.key) continue;
      picture.key = key;
      void this.load(name, picture);
    }
    const { snakes, fits, volcanoes } = groups.value;
    keep(this.fits, new Map(fits.map((f) => [f.name, f])), this, (_, info) => new FitFigure(info));
    for (const info of fits) this.fits.get(info.name)?.take(info);
    keep(this.snakes, new Map(snakes.map((s) => [s.name, s])), this, () => new Ribbons(40));
    keep(this.hills, new Map(volcanoes.map((v) => [v.name, v])), this, () => {
      const material = new three.MeshBasicMaterial({ transparent: true, opacity: 0.35, depthTest: false });
      const mesh = new three.Mesh(new three.CircleGeometry(1, 40), material);
      mesh.raycast = () => undefined;
      mesh.renderOrder = 30;
      return mesh;
    });
    for (const v of volcanoes) {
      const mesh = this.hills.get(v.name);
      mesh?.position.set(v.at[0], v.at[1], 30);
      mesh?.scale.setScalar(v.width);
    }
  }

  private async load(name: string, picture: Picture): Promise<void> {
    try {
      const info = pictures.value.get(name) ?? (await ask({ do: "report", what: "picture", name }));
      const isNew = !picture.visible;
      picture.show(info, () => this.refresh());
      if (isNew) this.settle();
      this.refresh();
    } catch (reason) {
      if (items.value.has(name)) report(reason);
    }
  }

  /** Move it to where the newest frame has it. */
  follow(pixel: number, palette: Palette): void {
    for (const fit of this.fits.values()) fit.follow(pixel, palette, pulledFit.name === fit.info.name);
    for (const snake of groups.value.snakes) {
      const line = this.snakes.get(snake.name);
      const points: number[] = [];
      for (const name of snake.points) {
        const at = latest.frame && tracks.value?.of(name, latest.frame);
        if (at) points.push(at[0] ?? 0, at[1] ?? 0);
      }
      line?.material.color.set(palette.select);
      line?.position.setZ(height(40));
      line?.setSegments(segmentsThrough(points, snake.isClosed), 2.4 * pixel);
    }
    for (const picture of this.pictures.values()) picture.position.z = height(BEHIND);
    for (const hill of this.hills.values()) {
      hill.material.color.set(palette.conflict);
      hill.position.z = height(30);
    }
  }

  /** The box around what lies here. */
  box(): three.Box3 {
    const box = new three.Box3();
    for (const picture of this.pictures.values()) box.union(picture.box);
    for (const fit of this.fits.values()) box.union(fit.box);
    return box;
  }

  /** The fitted model whose line is nearest to a place of the canvas, or whose surface lies there, and where. */
  modelAt(x: number, y: number, stage: Looking, within = 10): Caught | null {
    let [best, least]: [Caught | null, number] = [null, within];
    const pointer = new three.Vector3(x, y, 0);
    for (const [fit, figure] of this.fits) {
      const hit = figure.hit(stage.ray(x, y));
      if (hit) return { fit, place: hit, columns: 3 };
      const s = figure.line.segments;
      for (let i = 0; i + 3 < s.length; i += 4) {
        const a = new three.Vector3(s[i], s[i + 1], 0);
        const b = new three.Vector3(s[i + 2], s[i + 3], 0);
        const [p, q] = [stage.project(a), stage.project(b)];
        const line = new three.Line3(new three.Vector3(p.x, p.y, 0), new three.Vector3(q.x, q.y, 0));
        const share = line.closestPointToPointParameter(pointer, true);
        const d = line.at(share, new three.Vector3()).distanceTo(pointer);
        if (d < least) [best, least] = [{ fit, place: a.lerp(b, share), columns: 2 }, d];
      }
    }
    return best;
  }
}

/** Drop what is no more, make what is new. */
function keep<T extends three.Object3D, I>(
  have: Map<string, T>,
  wanted: ReadonlyMap<string, I>,
  group: three.Group,
  make: (name: string, info: I) => T,
): void {
  for (const [name, one] of have)
    if (!wanted.has(name)) {
      group.remove(one);
      have.delete(name);
    }
  for (const [name, info] of wanted)
    if (!have.has(name)) {
      const one = make(name, info);
      have.set(name, one);
      group.add(one);
    }
}
