// Joints, nails, springs and other constraints and behaviors, drawn as what they are.
import * as three from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { contactOf } from "../media/curves";
import { dimension, items, roleOf, typeOf, types } from "../state/store";
import { numbersIn, rowsIn } from "../state/values";
import type { ItemInfo, TypeInfo } from "../wire/protocol";
import { coil } from "./geometry";
import { axisOf, endsOf, placeOf, vectorOf } from "./places";

const UP = new three.Vector3(0, 0, 1);
const NAILED_FROM = new three.Vector3(-0.25, -1, 0.55).normalize(); // from the front, a little above
const ABOVE = 20; // units: joints of the plane lie over all parts

const ARC = 1.5 * Math.PI; // rad of the arrow that shows how a motor turns

/** Forms that all glyphs share, of unit size. */
const form = {
  ball: new three.SphereGeometry(1, 24, 16),
  disc: new three.CylinderGeometry(1, 1, 1, 32).rotateX(Math.PI / 2),
  sleeve: new three.CylinderGeometry(1, 1, 1, 24, 1, true).rotateX(Math.PI / 2),
  spike: new three.ConeGeometry(1, 1, 16).rotateX(-Math.PI / 2).translate(0, 0, -0.5),
  box: new three.BoxGeometry(1, 1, 1),
  ring: new three.TorusGeometry(1, 0.16, 10, 40),
  arc: new three.TorusGeometry(1, 0.13, 10, 40, ARC),
  tip: new three.ConeGeometry(0.42, 0.8, 16)
    .translate(0, 0.3, 0)
    .rotateZ(ARC)
    .translate(Math.cos(ARC), Math.sin(ARC), 0),
  coil: coil(),
  gem: new three.OctahedronGeometry(1),
};

/** What a glyph is made of. */
export interface Materials<M extends three.Material = three.Material> {
  metal: M;
  dark: M;
  accent: M;
}

/** How one constraint or behavior is drawn; `update` moves it to where its connectors are. */
export interface Glyph {
  object: three.Object3D;
  anchors: three.Vector3[]; // where it can be picked and cut
  update(unit: number): void;
}

type Parts = (m: Materials) => three.Object3D;

function part(
  geometry: three.BufferGeometry,
  material: three.Material,
  scale: readonly [number, number, number],
  z = 0,
): three.Mesh {
  const mesh = new three.Mesh(geometry, material);
  mesh.scale.set(...scale);
  mesh.position.z = z;
  mesh.castShadow = true;
  return mesh;
}

/** Parts of one material become one mesh: worlds have hundreds of joints. The merged forms are kept. */
function compact(kind: string, m: Materials, make: Parts): three.Object3D {
  const keys = ["metal", "dark", "accent"] as const;
  let forms = merged.get(kind);
  if (!forms) {
    const made = make(m);
    made.updateMatrixWorld(true);
    forms = keys.flatMap((key) => {
      const own: three.BufferGeometry[] = [];
      made.traverse((o) => {
        if (o instanceof three.Mesh && o.material === m[key] && o.geometry instanceof three.BufferGeometry)
          own.push(plain(o.geometry).applyMatrix4(o.matrixWorld));
      });
      return own.length ? [[key, mergeGeometries(own)] as const] : [];
    });
    merged.set(kind, forms);
  }
  return group(...forms.map(([key, geometry]) => part(geometry, m[key], [1, 1, 1])));
}

function plain(geometry: three.BufferGeometry): three.BufferGeometry {
  return geometry.index ? geometry.toNonIndexed() : geometry.clone();
}

const merged = new Map<string, readonly (readonly [keyof Materials, three.BufferGeometry])[]>();

function group(...parts: three.Object3D[]): three.Object3D {
  return new three.Group().add(...parts);
}

const nail: Parts = (m) =>
  group(
    part(form.disc, m.metal, [1.15, 1.15, 0.35], 1.5),
    part(form.disc, m.metal, [0.42, 0.42, 1.6], 0.7),
    part(form.spike, m.metal, [0.42, 0.42, 1.4], 0),
  );
const ball: Parts = (m) =>
  group(part(form.ball, m.metal, [1.1, 1.1, 1.1]), part(form.ring, m.dark, [1.12, 1.12, 1.12]));
const hinge: Parts = (m) =>
  group(
    part(form.disc, m.metal, [0.6, 0.6, 4]),
    part(form.disc, m.dark, [0.95, 0.95, 0.35], 2),
    part(form.disc, m.dark, [0.95, 0.95, 0.35], -2),
  );
const slider: Parts = (m) =>
  group(part(form.box, m.dark, [1.9, 1.9, 2.6]), part(form.box, m.metal, [0.7, 0.7, 7]));
const cylinder: Parts = (m) =>
  group(part(form.disc, m.dark, [1.15, 1.15, 2.6]), part(form.disc, m.metal, [0.5, 0.5, 7]));
const screw: Parts = (m) =>
  group(
    part(form.disc, m.metal, [0.5, 0.5, 7]),
    ...[-3, -2, -1, 0, 1, 2, 3].map((z) => part(form.ring, m.dark, [0.75, 0.75, 0.75], 0.8 * z)),
  );
const cross: Parts = (m) => {
  const one = part(form.disc, m.metal, [0.45, 0.45, 3.4]);
  const other = one.clone();
  one.rotation.y = Math.PI / 2;
  other.rotation.x = Math.PI / 2;
  return group(part(form.ball, m.dark, [0.9, 0.9, 0.9]), one, other);
};
const weld: Parts = (m) => group(part(form.box, m.dark, [1.7, 1.7, 1.7]));
const table: Parts = (m) =>
  group(part(form.box, m.metal, [6, 6, 0.3]), part(form.disc, m.dark, [0.9, 0.9, 0.8]));
const bead: Parts = (m) =>
  group(part(form.ball, m.dark, [0.9, 0.9, 0.9]), part(form.disc, m.metal, [0.35, 0.35, 8]));
const wheel: Parts = (m) =>
  group(
    part(form.arc, m.accent, [1.9, 1.9, 1.9]),
    part(form.tip, m.accent, [1.9, 1.9, 1.9]),
    part(form.ball, m.dark, [0.5, 0.5, 0.5]),
  );
const flatPin: Parts = (m) =>
  group(part(form.disc, m.dark, [0.85, 0.85, 0.5]), part(form.disc, m.metal, [0.45, 0.45, 0.8]));
const flatNail: Parts = (m) => {
  const slots = [0, Math.PI / 2].map((angle) => {
    const slot = part(form.box, m.dark, [1.3, 0.2, 1]);
    slot.rotation.z = angle + Math.PI / 4;
    return slot;
  });
  return group(
    part(form.disc, m.dark, [1.12, 1.12, 0.4]),
    part(form.disc, m.metal, [0.92, 0.92, 0.7]),
    ...slots,
  );
};
const gem: Parts = (m) => group(part(form.gem, m.accent, [0.9, 0.9, 0.9]));

type Name = TypeInfo["glyph"];

/** Marks that stand at one place. */
const MARKS: Readonly<Record<Exclude<Name, "none" | "path" | "bar" | "coil" | "dashpot">, Parts>> = {
  plain: gem,
  nail,
  rivet: ball,
  ball,
  hinge,
  cross,
  cylinder,
  slider,
  screw,
  weld,
  table,
  bead,
  wheel,
  gear: gem,
};
type MarkName = keyof typeof MARKS;
const ROUND: readonly Name[] = ["rivet", "ball", "hinge"]; // which look the same from above
const POINTED: readonly Name[] = ["rivet", "ball"]; // which have no axis
const LAID: readonly Name[] = ["table", "bead"]; // along a direction, where one is plugged in

function markOf(mark: MarkName, m: Materials): three.Object3D {
  return dimension.value === 2 && ROUND.includes(mark)
    ? compact("flat pin", m, flatPin)
    : compact(mark, m, MARKS[mark]);
}

/** The glyph of a constraint or behavior; null for what has no place (gravity), or is drawn as a whole with others. */
export function glyphOf(item: ItemInfo, m: Materials<three.MeshStandardMaterial>): Glyph | null {
  if (item.family === "field") return null;
  const glyph = typeOf(item)?.glyph ?? "plain";
  const [a, b] = item.inputs;
  if (glyph === "path") return pathOf(item, m);
  if (glyph === "none" || a === undefined || !placeOf(a)) return null;
  if (roleOf(item) === "hold" && roleOf(items.value.get(a)) === "number") return null; // a lock, shown beside its number
  switch (glyph) {
    case "coil":
      return between(item, group(part(form.coil, m.accent, [1, 1, 1])), 1.3);
    case "dashpot": {
      const [piston, sleeve] = [
        part(form.disc, m.metal, [0.4, 0.4, 1], 0.5),
        part(form.disc, m.dark, [1, 1, 0.4], 0.4),
      ];
      return between(item, group(piston, sleeve), 1);
    }
    case "bar": {
      const material = item.family === "constraint" ? m.metal : m.accent;
      return between(item, group(part(form.disc, material, [0.22, 0.22, 1], 0.5)), 1);
    }
    default: {
      const isTied = glyph === "rivet" && [a, b].some((n) => n !== undefined && worldNames.has(n));
      if (glyph !== "nail" && !isTied) return single(item, markOf(glyph, m), glyph);
      const isFlat = dimension.value === 2;
      return single(item, isFlat ? compact("flat nail", m, flatNail) : compact("nail", m, nail), "nail");
    }
  }
}

/** The form of a joint that is not made yet, of unit size with its axis along z. */
export function ghostOf(of: string, m: Materials): three.Object3D {
  const glyph = types.value.get(of)?.glyph ?? "plain";
  return markOf(isMark(glyph) ? glyph : "plain", m);
}

function isMark(glyph: Name): glyph is MarkName {
  return glyph in MARKS;
}

/** Names of the places that belong to the world; kept by the stage with every model. */
export const worldNames = new Set<string>();

function single(item: ItemInfo, object: three.Object3D, mark: MarkName): Glyph {
  const anchor = new three.Vector3();
  const [a = "", b = ""] = item.inputs;
  const seat = mark === "nail" && worldNames.has(b) ? b : a;
  const direction = item.inputs.find((name) => typeOf(items.value.get(name))?.supplies === "direction");
  const frame = items.value.get(a)?.inputs[0]; // of the joint whose turn a motor drives
  const axle = LAID.includes(mark) ? (direction ?? a) : mark === "wheel" ? (frame ?? a) : a;
  if (dimension.value === 2) object.traverse((o) => (o.castShadow = false)); // from so far above they would fall beside
  return {
    object,
    anchors: [anchor],
    update(unit) {
      // a nail stands where it holds, also while its part is elsewhere
      const place =
        contactOf(item) ??
        (mark === "nail" && seat === a ? endsOf(item)?.[1] : null) ??
        placeOf(seat) ??
        placeOf(b);
      object.visible = place !== null;
      if (!place) return;
      anchor.copy(place);
      object.position.copy(place);
      object.scale.setScalar(unit);
      const isBack = mark === "wheel" && isTurningBack(items.value.get(item.name) ?? item);
      if (dimension.value === 2) {
        object.rotation.x = isBack ? Math.PI : 0;
        return void object.position.setZ(place.z + ABOVE * unit);
      }
      const axis = mark === "nail" ? NAILED_FROM : POINTED.includes(mark) ? UP : axisOf(axle);
      object.quaternion.setFromUnitVectors(UP, isBack ? axis.negate() : axis);
    },
  };
}

/** Whether a motor turns to the right, as seen from the tip of its axis. */
function isTurningBack(item: ItemInfo): boolean {
  const [speed = 0] = numbersIn(item.values["speed"] ?? item.values["at"]);
  return speed < 0;
}

/** A path through its keys, with a bead on each. */
function pathOf(item: ItemInfo, m: Materials<three.MeshStandardMaterial>): Glyph | null {
  const anchors = rowsIn(item.values["keys"]).map((row) => vectorOf(row.slice(1)));
  if (anchors.length < 2) return null;
  const curve =
    item.values["style"] === "linear"
      ? anchors
      : new three.CatmullRomCurve3(anchors, false, "centripetal").getPoints(16 * anchors.length);
  const line = new three.Line(
    new three.BufferGeometry().setFromPoints(curve),
    new three.LineDashedMaterial({
      color: m.accent.color,
      dashSize: 0.06,
      gapSize: 0.04,
    }),
  );
  line.computeLineDistances();
  line.raycast = () => undefined;
  const beads = anchors.map((at) => {
    const bead = part(form.ball, m.accent, [1, 1, 1]);
    bead.position.copy(at);
    return bead;
  });
  return {
    object: group(line, ...beads),
    anchors,
    update(unit) {
      for (const bead of beads) bead.scale.setScalar(0.5 * unit);
    },
  };
}

/** Something that reaches from its first connector to its second; radius in units. */
function between(item: ItemInfo, object: three.Object3D, radius: number): Glyph {
  const anchors = [new three.Vector3(), new three.Vector3(), new three.Vector3()] as const;
  const [middle, from, to] = anchors;
  const along = new three.Vector3();
  return {
    object,
    anchors: [...anchors],
    update(unit) {
      const a = placeOf(item.inputs[0] ?? "");
      const b = placeOf(item.inputs[1] ?? "");
      object.visible = a !== null && b !== null;
      if (!a || !b) return;
      from.copy(a);
      to.copy(b);
      middle.lerpVectors(a, b, 0.5);
      along.subVectors(b, a);
      const length = Math.max(along.length(), 1e-9);
      object.position.copy(a);
      object.scale.set(radius * unit, radius * unit, length);
      object.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
    },
  };
}
