// Teeth of gears: round parts whose turns mesh have teeth that mesh.
import * as three from "three";
import { dimension, items, typeOf } from "../state/store";
import type { ItemInfo } from "../wire/protocol";
import type { Figure } from "./figure";
import type { Instances } from "./instances";
import { bodiesOf } from "./places";

const FEWEST = 14; // teeth of the smaller of two gears
const MOST = 240;
const ROUND = 0.02; // by how much the width and height of a round part may differ
const HIGH = 0.55; // a tooth, of the distance between two
const WIDE = 0.46;
const form = tooth();

/** A tooth of unit width and height, narrower outside, standing on the x, z plane. */
function tooth(): three.BufferGeometry {
  const box = new three.BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
  const places = box.getAttribute("position");
  for (let i = 0; i < places.count; i++)
    if (places.getY(i) > 0.5) places.setX(i, 0.55 * places.getX(i));
    else places.setY(i, -0.35);
  box.computeVertexNormals();
  return box;
}

interface Wheel {
  figure: Figure;
  centre: three.Vector3;
  axis: three.Vector3;
  radius: number;
}

/** The round part that an item turns. */
function wheelOf(name: string, figures: ReadonlyMap<string, Figure>): Wheel | null {
  const source = items.value.get(name);
  const bodies = source ? bodiesOf(source) : [];
  for (const body of [...bodies].reverse()) {
    const figure = figures.get(body);
    const { x = 0, y = 0 } = figure?.size ?? {};
    if (!figure?.visible || figure.isCurve || !(x > 0) || Math.abs(x - y) > ROUND * x) continue;
    const centre = new three.Vector3().setFromMatrixPosition(figure.matrix);
    const axis = new three.Vector3().setFromMatrixColumn(figure.matrix, 2).normalize();
    return { figure, centre, axis, radius: x / 2 };
  }
  return null;
}

/** Put the teeth of all gears into the next picture. */
export function drawTeeth(
  all: Iterable<ItemInfo>,
  figures: ReadonlyMap<string, Figure>,
  instances: Instances,
): void {
  const toothed = new Set<Figure>();
  for (const item of all) {
    if (typeOf(item)?.glyph !== "gear" || !item.is_on) continue;
    const [a = "", b = ""] = item.inputs;
    const [first, second] = [wheelOf(a, figures), wheelOf(b, figures)];
    if (!first || !second || first.figure === second.figure) continue;
    const ratio = Math.abs(Number(item.values["ratio"] ?? 1)) || 1; // teeth of the first, of those of the second
    const few = FEWEST + 2;
    const counts = ratio < 1 ? [few, Math.round(few / ratio)] : [Math.round(few * ratio), few];
    const [n = few, m = few] = counts.map((count) => Math.min(MOST, Math.max(FEWEST, count)));
    const line = second.centre.clone().sub(first.centre);
    const phase = phaseAt(first, line) * n;
    if (!toothed.has(first.figure)) ring(first, n, 0, null, instances);
    if (!toothed.has(second.figure)) ring(second, m, 0.5 - phase, line.clone().negate(), instances);
    toothed.add(first.figure).add(second.figure);
  }
}

/** A direction across the axis of a wheel, and one across both: the wheel's own, or those towards something. */
function frameOf(wheel: Wheel, towards: three.Vector3 | null): [three.Vector3, three.Vector3] {
  const x = towards
    ? towards.clone().addScaledVector(wheel.axis, -towards.dot(wheel.axis)).normalize()
    : new three.Vector3().setFromMatrixColumn(wheel.figure.matrix, 0).normalize();
  return [x, wheel.axis.clone().cross(x)];
}

/** Which share of a turn lies between a wheel's own direction and another. */
function phaseAt(wheel: Wheel, towards: three.Vector3): number {
  const [x, y] = frameOf(wheel, null);
  return Math.atan2(towards.dot(y), towards.dot(x)) / (2 * Math.PI);
}

/** A ring of teeth, the first of them a share of their distance from a direction. */
function ring(
  wheel: Wheel,
  count: number,
  shift: number,
  towards: three.Vector3 | null,
  instances: Instances,
): void {
  const { figure, centre, radius, axis } = wheel;
  const [x, y] = frameOf(wheel, towards);
  const pitch = (2 * Math.PI * radius) / count;
  const size = new three.Vector3(
    WIDE * pitch,
    HIGH * pitch,
    (dimension.value === 2 ? 1 : 0.98) * figure.size.z,
  );
  const [matrix, turn, place] = [new three.Matrix4(), new three.Quaternion(), new three.Vector3()];
  const basis = new three.Matrix4();
  for (let k = 0; k < count; k++) {
    const angle = (2 * Math.PI * (k + shift)) / count;
    const out = x.clone().multiplyScalar(Math.cos(angle)).addScaledVector(y, Math.sin(angle));
    const side = out.clone().cross(axis);
    turn.setFromRotationMatrix(basis.makeBasis(side, out, axis));
    place.copy(centre).addScaledVector(out, radius);
    instances.put(form, "part", matrix.compose(place, turn, size), figure.colour);
  }
}
