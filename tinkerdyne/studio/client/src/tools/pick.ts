// Picking: a constraint or behavior asks for its connectors one after the other, in the viewport or in the list.

import * as three from "three";
import { ask, report } from "../state/session";
import type { Spot } from "../state/spot";
import {
  axis,
  dimension,
  hovered,
  isAiming,
  isBody,
  isGround,
  items,
  model,
  prompt,
  readout,
  say,
  select,
  selected,
  tool,
  typeOf,
  types,
} from "../state/store";
import { axisValues, CHOICES, directionOf, hasAxis, kindOf, preview } from "../view/axis";
import { bodyInput, coordinates, poseOf, spotsOf, worldInput, worldSpots } from "../view/places";
import type { Stage } from "../view/stage";
import type { Port, TypeInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import type { Pointer, ToolUse } from "./tool";

const NEAR = 14; // px

const WORDS: Readonly<Record<string, string>> = {
  scalar: wording.tools.jointOrMeasure,
  part: wording.tools.body,

  frame: wording.tools.body,
  direction: wording.tools.directionIs,
};
const PLACES = ["point", "frame"]; // kinds for which a click means a place
const ROWS = [0, 1, 2]; // of new objects, upwards
const COLUMNS = [0, 1, -1, 2, -2, 3, -3]; // to both sides

/** What is being made: it asks for its inputs first. */
interface Picking {
  title: string;
  ports: readonly Port[];
  type: TypeInfo | null; // of what is inserted; null for what is made in another way
  make(inputs: string[]): Promise<string[]>; // the new names, that of the item first
}

let wanted: Picking | null = null;
let chosen: string[] = [];

/** Begin to insert something; what needs nothing is made at once. */
export function insert(type: TypeInfo, stage: Stage | null): void {
  const of = type.name;
  if (type.family === "object" || !type.ports.length)
    return void make(
      {
        title: type.title,
        ports: [],
        type,
        make: async () => ask({ do: "insert", of, values: await placed(type, stage) }),
      },
      [],
    );
  // Of a joint only the bodies are asked for: what else it goes by, such as the turns of a screw, it makes itself.
  const ports = type.is_joint ? type.ports.filter((p) => p.kind === "frame") : type.ports;
  const insertAt = (inputs: string[]): Promise<string[]> =>
    ask({ do: "insert", of, inputs, values: valuesOf(type, inputs) });
  pick({ title: type.title, ports, type, make: insertAt });
}

/** Begin to ask for inputs; what is selected and fits is taken at once. */
export function pick(picking: Picking): void {
  wanted = picking;
  chosen = [];
  const given = selected.value.filter((name) => fits(picking.ports[0], name));
  if (picking.ports.length === given.length && given.length > 1) chosen = [...given];
  tool.value = "pick";
  advance();
}

/** Where a new object appears: at the middle of the view, or above and beside it where nothing is. */
async function placed(type: TypeInfo, stage: Stage | null): Promise<Record<string, unknown>> {
  const position = type.state.find((p) => p.name === "position");
  if (type.family !== "object" || !position || !stage) return {};
  await stage.caughtUp();
  const place = freePlace(type, stage).toArray();
  const isPlanar = type.is_planar || dimension.value === 2;
  return { position: place.slice(0, isPlanar ? 2 : 3).map((x) => Number(x.toPrecision(4))) };
}

/** The first free place of rows that grow upwards in the middle of the view, then beside it. */
function freePlace(type: TypeInfo, stage: Stage): three.Vector3 {
  const isPlane = dimension.value === 2;
  const [wide, high] = halves(type, stage.unit);
  const half = isPlane ? new three.Vector3(wide, high, 1) : new three.Vector3(wide, wide, high);
  const right = new three.Vector3().setFromMatrixColumn(stage.camera.active.matrixWorld, 0);
  const across =
    isPlane || Math.abs(right.x) >= Math.abs(right.y)
      ? new three.Vector3(1, 0, 0)
      : new three.Vector3(0, 1, 0);
  const up = isPlane ? new three.Vector3(0, 1, 0) : new three.Vector3(0, 0, 1);
  // what is put into a floor is lifted onto it
  const taken = [...stage.figures.values()].filter((f) => !isGround(f.item)).map((figure) => figure.box());
  const places = COLUMNS.flatMap((column) =>
    ROWS.map((row) =>
      stage.camera.target
        .clone()
        .addScaledVector(across, column * (2 * wide + 4 * stage.unit))
        .addScaledVector(up, row * Math.max(12 * stage.unit, 2 * high + 2 * stage.unit)),
    ),
  );
  const isFree = (place: three.Vector3): boolean => {
    const box = new three.Box3(place.clone().sub(half), place.clone().add(half));
    return !taken.some((other) => other.intersectsBox(box));
  };
  const crowded = places[taken.length % places.length] ?? stage.camera.target; // something large lies around it all
  return places.find(isFree) ?? crowded;
}

/** Half of how wide and high a new object is [m]: what has ends lies. */
function halves(type: TypeInfo, unit: number): [number, number] {
  const size = (name: string): number[] => {
    const given = [...type.parameters, ...type.state].find((p) => p.name === name)?.default;
    return (Array.isArray(given) ? given : [given]).filter((x): x is number => typeof x === "number");
  };
  const thin = [...size("radius"), ...size("width").map((x) => x / 2)];
  const sizes = [...thin, ...size("radii"), ...["size", "length", "height"].flatMap(size).map((x) => x / 2)];
  const half = sizes.length ? Math.max(...sizes) : 10 * unit;
  return [half, type.places.includes("end1") ? Math.max(...thin) : half];
}

async function make(picking: Picking, inputs: string[]): Promise<void> {
  try {
    const [main] = await picking.make(inputs);
    if (main) select(main);
    say(wording.tools.added({ name: picking.title }));
  } catch (reason) {
    report(reason);
  }
}

/** A joint gets the axis that is chosen, unless it is plugged into frames that have their own. */
function valuesOf(type: TypeInfo, inputs: readonly string[]): Record<string, unknown> {
  const isFramed = inputs.every((name) => {
    const item = items.value.get(name);
    return item?.family === "connector" && typeOf(item)?.supplies === "frame";
  });
  return type.is_joint && !isFramed ? axisValues(type.name, bodyOf(inputs[0] ?? "")) : {};
}

/** The body that an input belongs to: "rod", "rod.end1", "rod@0,0,1", or a connector on it. */
function bodyOf(input: string): string {
  const item = items.value.get(input);
  if (item) return item.family === "object" ? input : bodyOf(item.inputs[0] ?? "");
  const owner = input.includes("@")
    ? input.slice(0, input.indexOf("@"))
    : input.slice(0, Math.max(0, input.lastIndexOf(".")));
  return items.value.has(owner) ? owner : "";
}

function port(): Port | undefined {
  if (!wanted) return undefined;
  return wanted.ports[chosen.length] ?? (wanted.ports.at(-1)?.is_many ? wanted.ports.at(-1) : undefined);
}

function advance(): void {
  if (!wanted) return;
  const next = port();
  const isEnough = chosen.length >= wanted.ports.length;
  if (!next || (isEnough && !next.is_many)) {
    const [picking, inputs] = [wanted, chosen];
    tool.value = "select";
    return void make(picking, inputs);
  }
  const number = wording.tools.ordinals[chosen.length] ?? wording.tools.next;
  isAiming.value = next.kind === "direction" || hasAxis(wanted.type?.name ?? "");
  const what = WORDS[next.kind] ?? next.kind;
  prompt.value = wording.tools.pickThe({
    title: wanted.title,
    what: wanted.ports.length > 1 ? wording.tools.numbered({ number, what }) : what,
    name: next.name,
    more: next.is_many && isEnough ? wording.tools.orEnter : "",
  });
}

function forget(): void {
  isAiming.value = false;
  if (!wanted) return;
  wanted = null;
  chosen = [];
  readout.value = null;
  preview(null);
}

/** Take an input that is named in full, such as a place of a body. */
export function take(input: string): void {
  if (!wanted) return;
  chosen.push(input);
  advance();
}

/** Take something by its name, as from the list of parts: where a number is wanted, a joint means its coordinate. */
export function pickNamed(name: string): void {
  const next = port();
  if (!isMeasured(next)) {
    take(name);
    return;
  }
  const whole = next?.kind !== "scalar" && isBody(items.value.get(name)) ? name : "";
  const coordinate = coordinateOf(name) || whole;
  if (coordinate) take(coordinate);
  else say(wording.tools.noFreeCoordinate({ name: name || wording.tools.thisItem }));
}

/** Whether a port wants a number or numbers rather than a place. */
function isMeasured(next: Port | undefined): boolean {
  return next !== undefined && ["scalar", "vector", "anything"].includes(next.kind);
}

export function isPicking(): boolean {
  return wanted !== null;
}

function fits(next: Port | undefined, name: string): boolean {
  const item = items.value.get(name);
  return (
    next !== undefined && item !== undefined && (item.family === "object" || item.family === "connector")
  );
}

/** The place that a click means: a named one near it, else where the body is hit, else a place of the world. */
export function spotAt(pointer: Pointer, stage: Stage, isFree = true): Spot | null {
  let [best, least]: [Spot | null, number] = [null, NEAR];
  for (const spot of [...worldSpots(), ...[...stage.figures.keys()].flatMap(spotsOf)]) {
    const p = stage.project(spot.place);
    const d = Math.hypot(p.x - pointer.x, p.y - pointer.y);
    if (d < least) [best, least] = [spot, d];
  }
  if (best) return best;
  const hit = stage.bodyAt(pointer.x, pointer.y);
  if (hit) return { body: hit.name, input: bodyInput(hit.name, hit.place), place: hit.place };
  if (!isFree) return null;
  const place = stage.across(pointer.x, pointer.y, stage.camera.target);
  return { body: "", input: worldInput(place, dimension.value), place };
}

/** The direction that a click means: an axis of the body that is hit, or one of the world where none is. */
function aimedAt(
  pointer: Pointer,
  stage: Stage,
): { input: string; place: three.Vector3; along: three.Vector3; text: string } {
  const hit = stage.bodyAt(pointer.x, pointer.y);
  const pose = hit && poseOf(hit.name);
  const usual = hit ? "part x" : dimension.value === 2 ? "y" : "z";
  const choice = axis.value === "auto" ? usual : axis.value;
  const along = directionOf(choice, "none", hit?.name ?? "");
  const own = pose ? along.clone().transformDirection(pose.invert()) : along;
  return {
    input: `${hit?.name ?? ""}@${coordinates(own, dimension.value).join(",")}`,
    place: hit?.place ?? stage.across(pointer.x, pointer.y, stage.camera.target),
    along,
    text: hit
      ? `${hit.name}: ${CHOICES[choice]}`
      : wording.tools.axisOfWorld({ choice: CHOICES[choice].replace(wording.tools.ofThePart, "") }),
  };
}

export const pickTool: ToolUse = {
  click(pointer, stage, under) {
    const next = port();
    if (!next) return;
    if (isMeasured(next)) return pickNamed(under.glyph || under.body?.name || "");
    if (next.kind === "direction") return take(aimedAt(pointer, stage).input);
    if (!PLACES.includes(next.kind)) {
      const item = items.value.get(under.body?.name ?? "");
      const supplies = item && typeOf(item)?.supplies;
      const fitting = next.kind === "part" ? isBody(item) : !supplies || supplies === next.kind;
      if (item && fitting) take(item.name);
      else
        say(
          item
            ? wording.tools.isNoKind({ name: item.name, kind: next.kind })
            : wording.tools.pickA({ kind: next.kind }),
        );
      return;
    }
    const spot = spotAt(pointer, stage);
    if (spot) take(spot.input);
  },
  hover(pointer, stage) {
    const spot = spotAt(pointer, stage, false);
    hovered.value = stage.glyphAt(pointer.x, pointer.y, 8) || spot?.body || "";
    if (port()?.kind === "direction") {
      const { place, along, text } = aimedAt(pointer, stage);
      preview(place, along);
      readout.value = { x: pointer.x, y: pointer.y, text, detail: wording.tools.aTakesAnotherAxis };
      return;
    }
    const type = wanted?.type;
    if (type?.is_joint && hasAxis(type.name)) {
      const body = bodyOf(chosen[0] ?? spot?.input ?? "");
      preview(spot?.place ?? null, directionOf(axis.value, kindOf(type.name), body));
    }
    readout.value = spot
      ? {
          x: pointer.x,
          y: pointer.y,
          text: spot.input.replace(/@.*/, wording.tools.hereInBrackets),
          detail: "",
        }
      : null;
  },
  confirm() {
    if (!wanted || chosen.length < wanted.ports.length) return false;
    const [picking, inputs] = [wanted, chosen];
    tool.value = "select";
    void make(picking, inputs);
    return true;
  },
  leave: forget,
};

/** A measure by name: a connector itself, or the first free coordinate of a joint. */
export function coordinateOf(name: string): string {
  const item = items.value.get(name);
  if (!item) return "";
  if (item.family === "connector" || typeOf(item)?.supplies === "scalar") return name;
  const known = (model.value?.items ?? []).find((i) => i.part_of === name && i.family === "connector");
  if (known) return known.name;
  const first = types.value.get(item.of)?.coordinates[0];
  return first ? `${name}.${first}` : "";
}
