// What a body becomes that is drawn out: its place, its turn and its sizes, from where the drag began to where it is now.
import { Matrix4, Quaternion, Vector3 } from "three";
import { shownAs } from "../state/units";
import { numbersIn } from "../state/values";
import type { Parameter, TypeInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";

/** The plane of the world in which something is drawn: across, upwards, and towards who looks. */
export interface DrawingPlane {
  right: Vector3;
  up: Vector3;
  out: Vector3;
}

/** A size that can be typed. */
export interface Size {
  name: string; // of the parameter
  part: number; // of a parameter of several numbers; −1 for a single one
  word: string;
  value: number; // m
}

/** A body as it is drawn. */
export interface Outline {
  values: Record<string, unknown>;
  position: Vector3;
  turn: Quaternion;
  sizes: Size[];
  from: Vector3; // the ends of a bar, the corners of a block, the middle and the rim of a ball
  to: Vector3;
  thick: number; // m: how thick a bar is, how deep a block
}

const LEAST = 1e-3; // m: what is smaller was no drag
const THIN = 0.12; // of its length: a bar as thin keeps its thickness when it is drawn longer
const XYZ = [0, 1, 2] as const;

/** The axes of a view that looks along a direction: the plane of the world that it looks at most. */
export function sheetOf(ahead: Vector3, isPlanar: boolean): DrawingPlane {
  const unit = (k: number): Vector3 => new Vector3().setComponent(k, 1);
  if (isPlanar) return { right: unit(0), up: unit(1), out: unit(2) };
  const size = ahead.toArray().map(Math.abs);
  const k = size.indexOf(Math.max(...size));
  const out = unit(k).multiplyScalar(-Math.sign(ahead.getComponent(k)) || 1);
  const up = k === 2 ? unit(1) : unit(2);
  return { right: up.clone().cross(out), up, out };
}

/** The nearest crossing of a grid, within the plane of a sheet. */
export function gridded(place: Vector3, sheet: DrawingPlane, step: number): Vector3 {
  const found = place.clone();
  for (const axis of [sheet.right, sheet.up]) {
    const along = place.dot(axis);
    found.addScaledVector(axis, Math.round(along / step) * step - along);
  }
  return found;
}

/** A step of the grid that is some pixels wide: 1, 2 or 5 times a power of ten [m]. */
export function stepOf(pixel: number, pixels = 9): number {
  const least = pixel * pixels;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((x) => x * power >= least) ?? 10);
}

/** The end of a line whose direction is a whole number of steps of an angle. */
export function angled(from: Vector3, to: Vector3, sheet: DrawingPlane, step: number): Vector3 {
  const by = to.clone().sub(from);
  const [x, y] = [by.dot(sheet.right), by.dot(sheet.up)];
  const angle = Math.round(Math.atan2(y, x) / step) * step;
  const length = Math.hypot(x, y);
  return from
    .clone()
    .addScaledVector(sheet.right, length * Math.cos(angle))
    .addScaledVector(sheet.up, length * Math.sin(angle));
}

/** A body of a type from a drag; `typed` numbers stand before the drawn ones. */
export function outlineOf(
  type: TypeInfo,
  from: Vector3,
  to: Vector3,
  sheet: DrawingPlane,
  typed: readonly (number | null)[] = [],
): Outline | null {
  const parameters = type.sizes.flatMap((name) => type.parameters.find((p) => p.name === name) ?? []);
  switch (type.drawn) {
    case "bar":
      return bar(type, parameters, from, to, sheet, typed);
    case "block":
      return block(type, parameters, from, to, sheet, typed);
    case "ball":
      return ball(parameters, from, to, sheet, typed);
    case "ground":
      return ground(parameters, from, to, sheet, typed);
    default:
      return null;
  }
}

const usual = (p: Parameter | undefined): number => numbersIn(p?.default)[0] ?? 1;
const word = (name: string): string => name.replaceAll("_", " ");
const tidy = (x: number): number => Number(x.toPrecision(6));

function turnOf(x: Vector3, y: Vector3, z: Vector3): Quaternion {
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
}

function bar(
  type: TypeInfo,
  [long, thick]: readonly Parameter[],
  from: Vector3,
  to: Vector3,
  sheet: DrawingPlane,
  typed: readonly (number | null)[],
): Outline | null {
  const along = to.clone().sub(from);
  const drawn = along.length();
  if (!long || drawn < LEAST) return null;
  along.divideScalar(drawn);
  const [begin = -0.5, end = 0.5] = type.span;
  const length = typed[0] ?? drawn / (end - begin);
  const usualThick = usual(thick);
  const share = usualThick / usual(long);
  const radius = typed[1] ?? (share < THIN ? Math.min(usualThick, THIN * length) : share * length);
  const values: Record<string, unknown> = { [long.name]: tidy(length) };
  const sizes = [size(long, -1, length)];
  if (thick) {
    values[thick.name] = tidy(radius);
    sizes.push(size(thick, -1, radius));
  }
  const across = sheet.out.clone().cross(along);
  return {
    values,
    position: from.clone().addScaledVector(along, -begin * length),
    turn: turnOf(along, across, sheet.out),
    sizes,
    from,
    to: from.clone().addScaledVector(along, (end - begin) * length),
    thick: thick ? radius : 0,
  };
}

function size(p: Parameter, part: number, value: number): Size {
  return { name: p.name, part, word: word(p.name), value: tidy(value) };
}

function block(
  type: TypeInfo,
  parameters: readonly Parameter[],
  from: Vector3,
  to: Vector3,
  sheet: DrawingPlane,
  typed: readonly (number | null)[],
): Outline | null {
  const by = to.clone().sub(from);
  const [w, h] = [by.dot(sheet.right), by.dot(sheet.up)];
  const [wide, high] = [
    typed[0] ?? Math.abs(w),
    typed[1] ?? (typed.length === 1 ? Math.abs(h) : Math.abs(h)),
  ];
  if (
    Math.max(Math.abs(w), LEAST) * Math.max(Math.abs(h), LEAST) < LEAST ** 2 ||
    wide < LEAST ||
    high < LEAST
  )
    return null;
  const corner = from
    .clone()
    .addScaledVector(sheet.right, Math.sign(w || 1) * wide)
    .addScaledVector(sheet.up, Math.sign(h || 1) * high);
  const position = from.clone().add(corner).multiplyScalar(0.5);
  const [first, second] = parameters;
  if (!first) return null;
  const count = numbersIn(first.default).length;
  const deep = typed[2] ?? (count === 3 ? Math.min(wide, high) : 0);
  const common = { position, from, to: corner, thick: deep };
  if (count === 3) {
    // an upright box keeps the axes of the world: its size is that along each of them
    const along = XYZ.map((k) =>
      tidy(
        Math.abs(sheet.right.getComponent(k)) * wide +
          Math.abs(sheet.up.getComponent(k)) * high +
          Math.abs(sheet.out.getComponent(k)) * deep,
      ),
    );
    const order = [sheet.right, sheet.up, sheet.out].map((axis) => axis.toArray().findIndex((x) => x !== 0));
    const words = [wording.tools.width, wording.tools.height, wording.tools.depth];
    const sizes = order.map((k, i) => ({
      name: first.name,
      part: k,
      word: words[i] ?? "",
      value: along[k] ?? 0,
    }));
    return { ...common, values: { [first.name]: along }, turn: new Quaternion(), sizes };
  }
  const turn = type.is_planar ? new Quaternion() : turnOf(sheet.right, sheet.up, sheet.out);
  if (count === 2) {
    const sizes = [wide, high].map((value, k) => ({
      name: first.name,
      part: k,
      word: k ? wording.tools.height : wording.tools.width,
      value: tidy(value),
    }));
    return { ...common, values: { [first.name]: [tidy(wide), tidy(high)] }, turn, sizes };
  }
  if (!second) return null;
  return {
    ...common,
    values: { [first.name]: tidy(wide), [second.name]: tidy(high) },
    turn,
    sizes: [size(first, -1, wide), size(second, -1, high)],
  };
}

function ball(
  [round, other]: readonly Parameter[],
  from: Vector3,
  to: Vector3,
  sheet: DrawingPlane,
  typed: readonly (number | null)[],
): Outline | null {
  const drawn = from.distanceTo(to);
  if (!round || drawn < LEAST) return null;
  const radius = typed[0] ?? drawn;
  const second = typed[1] ?? radius * (usual(other) / usual(round));
  const isRing = other !== undefined && usual(other) < usual(round);
  return {
    values: { [round.name]: tidy(radius), ...(other ? { [other.name]: tidy(second) } : {}) },
    position: from.clone(),
    turn: isRing ? turnOf(sheet.right, sheet.up, sheet.out) : new Quaternion(),
    sizes: [size(round, -1, radius), ...(other ? [size(other, -1, second)] : [])],
    from,
    to: from.clone().add(to.clone().sub(from).setLength(radius)),
    thick: isRing ? second : 0,
  };
}

function ground(
  [wide]: readonly Parameter[],
  from: Vector3,
  to: Vector3,
  sheet: DrawingPlane,
  typed: readonly (number | null)[],
): Outline | null {
  const width = typed[0] ?? Math.abs(to.clone().sub(from).dot(sheet.right));
  if (!wide || width < LEAST) return null;
  const sign = Math.sign(to.clone().sub(from).dot(sheet.right)) || 1;
  const end = from.clone().addScaledVector(sheet.right, sign * width);
  return {
    values: { [wide.name]: tidy(width) },
    position: from.clone().add(end).multiplyScalar(0.5),
    turn: new Quaternion(),
    sizes: [size(wide, -1, width)],
    from,
    to: end,
    thick: 0.02 * width,
  };
}

/** Sizes in words: "1.2 × 0.5 m". */
export function saidSizes(sizes: readonly Size[], most = 2): string {
  const { factor, unit } = shownAs("m");
  const said = sizes.slice(0, most).map(({ value }) => Number((value * factor).toPrecision(3)));
  return `${said.join(" × ")} ${unit}`;
}
