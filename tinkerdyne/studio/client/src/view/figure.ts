// The figure of one object: its surface and edges, moved by its pose.
import * as three from "three";
import { groups } from "../media/groups";
import { latest, tracks } from "../state/store";
import type { ItemInfo, Track } from "../wire/protocol";
import { isLowEffects } from "./effects";
import { type Form, formOf, keyOf } from "./forms";
import { Tube } from "./geometry";
import type { Instances } from "./instances";
import type { Outlines } from "./outlines";
import { applyTexture, textureOf } from "./texture";

const LAYERS = 5; // planar parts lie on each other like cards
const DOT = 6; // px: least radius of a point
const LINE = 1.6; // px: of a curve's line

export class Figure extends three.Group {
  readonly extent: number; // m, largest size in its own axes
  readonly size: three.Vector3; // m, in its own axes
  readonly colour = new three.Color();

  private constructor(
    public item: ItemInfo,
    readonly target: three.Mesh, // what is hit by the pointer; drawn by itself only where its surface is its own
    private readonly form: Form | null, // null of a curve
    private readonly material: three.MeshStandardMaterial | null, // of what is drawn by itself
    private readonly key: string,
    private readonly layer: number,
  ) {
    super();
    this.add(target);
    target.userData["name"] = item.name;
    target.castShadow = target.receiveShadow = true;
    target.visible = material !== null;
    this.matrixAutoUpdate = target.matrixAutoUpdate = false;
    if (form) target.matrix.copy(form.place);
    this.size = form?.size ?? new three.Vector3();
    this.extent = Math.max(this.size.x, this.size.y, this.size.z);
  }

  static of(item: ItemInfo, track: Track | undefined, layer: number): Figure | null {
    if (!track) return null;
    const key = keyOf(item.shape);
    if (track.kind === "curve") {
      const closed = item.shape?.is_closed ?? false;
      const material = ownMaterial();
      return new Figure(item, new Tube(track.count / 3, closed, material), null, material, key, layer);
    }
    const form = formOf(item.shape);
    if (!form) return null;
    const material = textureOf(item) ? ownMaterial() : null;
    if (material) applyTexture(item, material);
    return new Figure(item, new three.Mesh(form.surface, material ?? HIDDEN), form, material, key, layer);
  }

  fits(item: ItemInfo): boolean {
    return keyOf(item.shape) === this.key && textureOf(item) === textureOf(this.item);
  }

  /** Go to where a frame has the object. */
  follow(
    name: string,
    poseOf: (name: string, target: three.Matrix4) => three.Matrix4 | null,
    pixel: number,
  ): void {
    if (this.target instanceof Tube) {
      const points = pointsOf(name);
      if (points) this.target.setPoints(points, Math.max(this.item.shape?.radius ?? 0, LINE * pixel));
      this.visible = points !== null;
      return;
    }
    this.visible = poseOf(name, this.matrix) !== null;
    if (this.extent === 0) {
      const isOfSnake = groups.value.points.has(name);
      const radius = isOfSnake ? 0.45 * DOT * pixel : Math.max(this.item.shape?.radius ?? 0, DOT * pixel);
      this.target.matrix.makeScale(radius, radius, radius);
    }
    if (this.item.dimension === 2) this.matrix.elements[14] += (this.layer % LAYERS) * 1.15 * this.size.z;
    this.updateMatrixWorld(true);
  }

  get isCurve(): boolean {
    return this.target instanceof Tube;
  }

  /** The box around it in the world; empty where its numbers are not finite, as a curve's that degenerates. */
  box(): three.Box3 {
    this.updateMatrixWorld(true);
    const box = new three.Box3().setFromObject(this.target);
    return Number.isFinite(box.min.length() + box.max.length()) ? box : box.makeEmpty();
  }

  /** Places by which a small or thin thing can be caught. */
  catches(): three.Vector3[] {
    if (this.target instanceof Tube) {
      const points = pointsOf(this.item.name);
      const found: three.Vector3[] = [];
      for (let i = 0; points && i < points.length; i += 3)
        found.push(new three.Vector3().fromArray(points, i));
      return found;
    }
    return [new three.Vector3().setFromMatrixPosition(this.matrix)];
  }

  /** Take a colour. */
  paint(colour: number): void {
    this.colour.set(colour);
    this.material?.color.set(this.material.map ? 0xffffff : colour);
  }

  /** Be in the next picture, where it is not drawn by itself. */
  draw(instances: Instances): void {
    if (this.visible && this.form && !this.material) {
      const edges = isLowEffects ? null : this.form.edges;
      instances.put(this.form.surface, "part", this.target.matrixWorld, this.colour, edges);
    }
  }

  /** Be outlined in the next picture. */
  outline(outlines: Outlines, colour: three.Color): void {
    if (this.visible) outlines.put(this.target.geometry, this.target.matrixWorld, colour, this.isCurve);
  }

  dispose(): void {
    this.material?.map?.dispose();
    this.material?.dispose();
    if (this.target instanceof Tube) this.target.geometry.dispose();
  }
}

const HIDDEN = new three.MeshBasicMaterial(); // of what is drawn with others

function ownMaterial(): three.MeshStandardMaterial {
  return new three.MeshStandardMaterial({ roughness: 0.5, metalness: 0.04 });
}

function pointsOf(name: string): Float32Array | null {
  return latest.frame ? (tracks.value?.of(name, latest.frame) ?? null) : null;
}
