// The figure of one object: its surface and edges, moved by its pose.
import * as three from "three";
import { groups } from "../media/groups";
import { latest, tracks } from "../state/store";
import type { ItemInfo, Shape, Track } from "../wire/protocol";
import { isLowEffects } from "./effects";
import { edgesOf, surfaceOf, Tube } from "./geometry";
import { applyTexture, textureOf, withTextureCoordinates } from "./texture";

const LAYERS = 5; // planar parts lie on each other like cards
const DOT = 6; // px: least radius of a point
const LINE = 1.6; // px: of a curve's line

interface Form {
  surface: three.BufferGeometry;
  edges: three.BufferGeometry;
}
const forms = new Map<string, Form>(); // equal shapes share their geometry

export class Figure extends three.Group {
  readonly extent: number; // m, largest size in its own axes
  private readonly thickness: number;

  private constructor(
    public item: ItemInfo,
    readonly target: three.Mesh, // what is hit by the pointer
    private readonly material: three.MeshStandardMaterial,
    private readonly edges: three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> | null,
    private readonly key: string,
    private readonly layer: number,
  ) {
    super();
    this.add(target);
    if (edges) this.add(edges);
    target.userData["name"] = item.name;
    target.castShadow = target.receiveShadow = true;
    this.matrixAutoUpdate = false;
    const box = target.geometry.boundingBox ?? new three.Box3();
    const size = box.isEmpty() ? new three.Vector3() : box.getSize(new three.Vector3());
    this.extent = item.shape?.kind === "point" ? 0 : Math.max(size.x, size.y, size.z);
    this.thickness = size.z;
  }

  static of(item: ItemInfo, track: Track | undefined, colour: number, layer: number): Figure | null {
    if (!track) return null;
    const material = new three.MeshStandardMaterial({
      color: colour,
      roughness: 0.55,
      metalness: 0.02,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    const key = keyOf(item.shape);
    if (track.kind === "curve") {
      const closed = item.shape?.is_closed ?? false;
      return new Figure(item, new Tube(track.count / 3, closed, material), material, null, key, layer);
    }
    const shape: Shape =
      item.shape && item.shape.kind !== "none"
        ? item.shape
        : { kind: "point", vertices: [], faces: [], radius: 0, is_closed: false, spans: [] };
    let form = forms.get(key);
    if (!form) {
      const surface = surfaceOf(shape);
      if (!surface) return null;
      if (shape.kind === "affine") withTextureCoordinates(surface);
      surface.computeBoundingBox();
      surface.computeBoundingSphere();
      form = { surface, edges: edgesOf(surface) };
      forms.set(key, form);
    }
    const edges =
      isLowEffects || shape.kind === "point"
        ? null
        : new three.LineSegments(
            form.edges,
            new three.LineBasicMaterial({ transparent: true, opacity: 0.55 }),
          );
    if (edges) edges.raycast = () => undefined;
    const mesh = new three.Mesh(form.surface, material);
    applyTexture(item, material);
    return new Figure(item, mesh, material, edges, key, layer);
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
      this.target.scale.setScalar(
        isOfSnake ? 0.45 * DOT * pixel : Math.max(this.item.shape?.radius ?? 0, DOT * pixel),
      );
    }
    if (this.item.dimension === 2) this.matrix.elements[14] += (this.layer % LAYERS) * 1.15 * this.thickness;
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

  paint(colour: number, edge: number, glow: number | null, isSelected: boolean): void {
    this.material.color.set(this.material.map ? 0xffffff : colour);
    if (glow !== null) this.material.color.lerp(new three.Color(glow), isSelected ? 0.78 : 0.35);
    this.material.emissive.set(glow ?? 0).multiplyScalar(isSelected ? 0.16 : 0.06);
    this.edges?.material.color.set(isSelected && glow !== null ? glow : edge);
    if (this.edges) this.edges.material.opacity = isSelected ? 1 : 0.55;
  }

  dispose(): void {
    this.material.map?.dispose();
    this.material.dispose();
    this.edges?.material.dispose();
    if (this.target instanceof Tube) this.target.geometry.dispose();
  }
}

function pointsOf(name: string): Float32Array | null {
  return latest.frame ? (tracks.value?.of(name, latest.frame) ?? null) : null;
}

function keyOf(shape: Shape | null): string {
  if (!shape) return "none";
  let sum = 0;
  for (const [i, x] of shape.vertices.entries()) sum += x * Math.sin(i + 1);
  for (const [i, x] of shape.faces.entries()) sum += x * Math.cos(i + 1);
  return `${shape.kind} ${shape.vertices.length} ${shape.faces.length} ${shape.radius} ${sum}`;
}
