// Eyes: where a slender part is jointed, it has a round boss about the pin, as links of linkages have.
import * as three from "three";
import { dimension, items, typeOf } from "../state/store";
import type { TypeInfo } from "../wire/protocol";
import type { Figure } from "./figure";
import type { Instances } from "./instances";
import type { Mark } from "./marks";
import { axisOf, bodiesOf, placeOf } from "./places";

const SLENDER = 4; // how many times longer than wide a link is, at least
const WIDER = 1.9; // an eye, than its link
const ABOUT = 1.3; // an eye, than the pin in it
const PIN: Readonly<Partial<Record<TypeInfo["glyph"], number>>> = {
  nail: 1.15,
  rivet: 1.1,
  ball: 1.1,
  hinge: 0.95,
}; // radius, in units
const FLAT_PIN = 0.85; // in the plane
const UP = new three.Vector3(0, 0, 1);

const disc = new three.CylinderGeometry(1, 1, 1, 32).rotateX(Math.PI / 2);
const rim = new three.EdgesGeometry(disc, 32);

/** Half the width of a slender part; 0 of others. */
function halfWidthOf(figure: Figure, isFlat: boolean): number {
  const [a = 0, b = 0, c = 0] = figure.size.toArray().sort((x, y) => y - x);
  if (figure.isCurve || a < SLENDER * b) return 0;
  return (isFlat ? b : Math.max(b, c)) / 2;
}

/** Put the eyes of all links into the next picture. */
export function drawEyes(
  marks: ReadonlyMap<string, Mark>,
  figures: ReadonlyMap<string, Figure>,
  instances: Instances,
  unit: number,
): void {
  const isFlat = dimension.value === 2;
  const matrix = new three.Matrix4();
  const [turn, scale] = [new three.Quaternion(), new three.Vector3()];
  for (const { item, object } of marks.values()) {
    const glyph = typeOf(item)?.glyph ?? "none";
    const pin = PIN[glyph];
    if (pin === undefined || !object.visible || !item.is_on) continue;
    for (const input of item.inputs) {
      const source = items.value.get(input);
      const [body = ""] = source ? bodiesOf({ ...source, inputs: [input] }) : [];
      const figure = figures.get(body);
      const half = figure ? halfWidthOf(figure, isFlat) : 0;
      const place = half > 0 ? placeOf(input) : null;
      if (!figure?.visible || !place) continue;
      const radius = Math.max(WIDER * half, ABOUT * unit * (isFlat ? FLAT_PIN : pin));
      if (isFlat) {
        place.z = figure.matrix.elements[14];
        scale.set(radius, radius, 1.02 * figure.size.z);
      } else scale.set(radius, radius, 2.3 * half);
      turn.setFromUnitVectors(UP, isFlat || glyph !== "hinge" ? UP : axisOf(input));
      if (!isFlat && glyph !== "hinge") turn.copy(acrossOf(figure));
      instances.put(disc, "part", matrix.compose(place, turn, scale), figure.colour, rim);
    }
  }
}

/** The orientation of an eye whose pin may turn every way: its axis is that of the part which is most level. */
function acrossOf(figure: Figure): three.Quaternion {
  const sizes = figure.size.toArray();
  const long = sizes.indexOf(Math.max(...sizes));
  const across = [0, 1, 2].filter((k) => k !== long);
  const axes = across.map((k) => new three.Vector3().setFromMatrixColumn(figure.matrix, k).normalize());
  const [level = UP] = axes.sort((a, b) => Math.abs(a.z) - Math.abs(b.z));
  return new three.Quaternion().setFromUnitVectors(UP, level);
}
