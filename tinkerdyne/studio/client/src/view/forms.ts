// Forms: shapes of equal proportions share one geometry of unit size, so that they are drawn together.
import * as three from "three";
import type { DrawnShape } from "../wire/protocol";
import { edgesOf, surfaceOf } from "./geometry";
import { withTextureCoordinates } from "./texture";

const GRAIN = 1e3; // steps of a unit: what is nearer to each other is the same

/** A geometry in the unit cube, and where it belongs in the axes of its object. */
export interface Form {
  surface: three.BufferGeometry;
  edges: three.BufferGeometry | null; // of what has none
  place: three.Matrix4;
  size: three.Vector3; // m
}

const POINT: DrawnShape = { kind: "point", vertices: [], faces: [], radius: 0, is_closed: false, spans: [] };
const byShape = new Map<string, Form | null>();
const byProportions = new Map<string, Pick<Form, "surface" | "edges">>();

/** The form of a shape, or null when nothing is to be seen. */
export function formOf(shape: DrawnShape | null): Form | null {
  const drawn = shape && shape.kind !== "none" ? shape : POINT;
  const key = keyOf(drawn);
  let form = byShape.get(key);
  if (form === undefined) {
    form = made(drawn);
    byShape.set(key, form);
  }
  return form;
}

/** What tells shapes apart. */
export function keyOf(shape: DrawnShape | null): string {
  if (!shape) return "none";
  let sum = 0;
  for (const [i, x] of shape.vertices.entries()) sum += x * Math.sin(i + 1);
  for (const [i, x] of shape.faces.entries()) sum += x * Math.cos(i + 1);
  return `${shape.kind} ${shape.vertices.length} ${shape.faces.length} ${shape.radius} ${sum}`;
}

function made(shape: DrawnShape): Form | null {
  const surface = surfaceOf(shape);
  if (!surface) return null;
  if (shape.kind === "affine") withTextureCoordinates(surface);
  if (shape.kind === "point") {
    bound(surface);
    return { surface, edges: null, place: new three.Matrix4(), size: new three.Vector3() };
  }
  surface.computeBoundingBox();
  const box = surface.boundingBox ?? new three.Box3();
  if (box.isEmpty()) return null;
  const [centre, size] = [box.getCenter(new three.Vector3()), box.getSize(new three.Vector3())];
  const scale = new three.Vector3(size.x || 1, size.y || 1, size.z || 1);
  const place = new three.Matrix4().compose(centre, new three.Quaternion(), scale);
  const edges = edgesOf(surface);
  const back = place.clone().invert();
  surface.applyMatrix4(back);
  edges.applyMatrix4(back);
  const proportions = `${shape.kind} ${print(surface)}`;
  const same = byProportions.get(proportions);
  if (same) {
    surface.dispose();
    edges.dispose();
    return { ...same, place, size };
  }
  bound(surface);
  byProportions.set(proportions, { surface, edges });
  return { surface, edges, place, size };
}

function bound(surface: three.BufferGeometry): void {
  surface.computeBoundingBox();
  surface.computeBoundingSphere();
}

/** A number that geometries of the same corners share. */
function print(surface: three.BufferGeometry): string {
  const places = surface.getAttribute("position").array;
  let [a, b] = [2166136261, 5381];
  for (const x of places) {
    const step = Math.round(x * GRAIN) | 0;
    a = Math.imul(a ^ step, 16777619);
    b = (Math.imul(b, 33) + step) | 0;
  }
  return `${places.length} ${a} ${b}`;
}
