// The tool of the toolbox: bodies are drawn out, joints, springs and motors are dragged onto parts.
import * as three from "three";
import { made } from "../state/making";
import { ask, report } from "../state/session";
import type { Spot } from "../state/spot";
import { dimension, hovered, items, joints, prompt, readout, say, select, tool, types } from "../state/store";
import { lengthSaid } from "../state/units";
import { axisValues } from "../view/axis";
import { view } from "../view/current";
import { bodyInput, placeNamed, poseOf, worldInput } from "../view/places";
import type { Stage } from "../view/stage";
import type { Insert, TypeInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { cornersTool, forget as forgetCorners } from "./corners";
import { DrawOut, forgetDepth, nearestSpot, placeAt, put } from "./drawOut";
import { sheetOf } from "./outline";
import { coordinateOf } from "./pick";
import type { Gesture, Pointer, ToolUse } from "./tool";

const ADDED = 12; // px: a joint this near is meant

/** Take a type in hand, or make it at once where it is plugged into nothing and lies nowhere. */
export function takeType(type: TypeInfo): void {
  if (type.family !== "object" && !type.ports.length) {
    ask({ do: "insert", of: type.name })
      .then(([name = ""]) => {
        select(name);
        say(wording.tools.added({ name: type.word || type.title }));
      })
      .catch(report);
    return;
  }
  tool.value = "select";
  made.value = type;
  tool.value = "make";
  prompt.value = promptOf(type);
}

function promptOf(type: TypeInfo): string {
  const word = (type.word || type.title).toLowerCase();
  if (type.drawn === "corners") return wording.tools.clickCorners({ what: word });
  if (type.drawn === "dot") return wording.tools.clickWhereA({ what: word });
  if (type.drawn) return wording.tools.dragToDraw({ what: word });
  if (type.family === "object") return wording.tools.clickWhereThe({ what: word });
  if (isLink(type)) return wording.tools.dragBetween({ what: word });
  if (isOnMeasure(type)) return wording.tools.motorHint;
  return wording.tools.clickWhereHold({ what: word });
}

/** Something between two places: a spring, a rope. */
function isLink(type: TypeInfo): boolean {
  return type.family !== "object" && type.ports.length === 2 && type.ports.every((p) => p.kind === "point");
}

/** Something on a joint's coordinate: a motor. */
function isOnMeasure(type: TypeInfo): boolean {
  return type.ports.length === 1 && type.ports[0]?.kind === "scalar";
}

/** What is drawn is dropped from the toolbox at a place of the page. */
export function dropType(type: TypeInfo, pointer: Pointer): void {
  const stage = view.stage;
  if (!stage) return;
  if (type.family === "object") void put(stage, type, pointer);
  else void place(type, pointer, stage);
}

/** Where a click is meant: the nearest place of a part, else where a part is hit, else a place of the world. */
function spotUnder(pointer: Pointer, stage: Stage): Spot {
  const near = nearestSpot(pointer, stage);
  if (near) return near;
  const hit = stage.bodyAt(pointer.x, pointer.y);
  if (hit) return { body: hit.name, input: bodyInput(hit.name, hit.place), place: hit.place };
  const at = placeAt(pointer, stage, sheetOf(stage.camera.direction(), stage.camera.isPlanar));
  return { body: "", input: worldInput(at, dimension.value), place: at };
}

/** Another part that lies at the same place, the topmost first. */
function otherAt(spot: Spot, pointer: Pointer, stage: Stage): string {
  const caster = new three.Raycaster();
  caster.ray.copy(stage.ray(pointer.x, pointer.y));
  const figures = [...stage.figures.values()].filter((f) => f.item.name !== spot.body);
  const hits = caster.intersectObjects(
    figures.map((f) => f.target),
    false,
  );
  for (const hit of hits) {
    const figure = figures.find((f) => f.target === hit.object);
    if (!figure) continue;
    const isNear = stage.camera.isPlanar || hit.point.distanceTo(spot.place) < figure.extent;
    if (isNear) return figure.item.name;
  }
  return "";
}

/** Put a joint, a nail, a motor or a spring with both ends where a click means. */
async function place(type: TypeInfo, pointer: Pointer, stage: Stage): Promise<void> {
  const glyph = stage.glyphAt(pointer.x, pointer.y, ADDED);
  if (isOnMeasure(type)) return motor(type, glyph, spotUnder(pointer, stage));
  const spot = spotUnder(pointer, stage);
  if (!spot.body) return say(wording.tools.thereIsNoPartHere);
  if (type.is_joint || isLink(type)) {
    const other = otherAt(spot, pointer, stage);
    const inputs = other ? [spot.input, bodyInput(other, spot.place)] : [spot.input];
    if (isLink(type)) return say(wording.tools.dragItFromOnePlaceTo);
    return send([{ do: "insert", of: type.name, inputs, values: axisValues(type.name, spot.body) }], type);
  }
  return send([{ do: "insert", of: type.name, inputs: [spot.input] }], type);
}

/** A motor on a joint; where there is none, on a pin between the parts there, or to the world. */
async function motor(type: TypeInfo, glyph: string, spot: Spot): Promise<void> {
  const coordinate = glyph ? coordinateOf(glyph) : "";
  if (coordinate) return send([{ do: "insert", of: type.name, inputs: [coordinate] }], type);
  const turning = joints.value.find((one) => one.coordinates.length === 1 && one.axis === "turning");
  if (!turning) return say(wording.tools.pickAJointThatHasA);
  const held = items.value.get(glyph);
  const body = spot.body || held?.inputs[0] || "";
  if (!body) return say(wording.tools.noJointNoPart);
  const at = placeNamed(spot.input) ?? spot.place;
  const own = poseOf(body) ? bodyInput(body, at) : spot.input;
  const pin: Insert = {
    do: "insert",
    of: turning.name,
    inputs: [own],
    values: axisValues(turning.name, body),
  };
  const drive: Insert = { do: "insert", of: type.name, inputs: [`#0.${turning.coordinates[0] ?? ""}`] };
  return send([pin, drive], type);
}

async function send(inserts: Insert[], type: TypeInfo): Promise<void> {
  try {
    const names = await ask({ do: "build", inserts });
    select(names.at(-1) ?? "");
    say(wording.tools.added({ name: type.word || type.title }));
  } catch (reason) {
    report(reason);
  }
}

/** A spring, a rope or a joint from one place to another. */
class Link implements Gesture {
  private readonly from: Spot;
  private readonly line: three.Line;

  constructor(
    private readonly stage: Stage,
    private readonly type: TypeInfo,
    start: Pointer,
  ) {
    this.from = spotUnder(start, stage);
    const material = new three.LineBasicMaterial({ color: stage.palette.halo, depthTest: false });
    this.line = new three.Line(new three.BufferGeometry(), material);
    this.line.renderOrder = 20;
    this.line.frustumCulled = false;
    stage.overlay.add(this.line);
  }

  private to(pointer: Pointer): Spot {
    const found = nearestSpot(pointer, this.stage) ?? spotUnder(pointer, this.stage);
    return found.body === this.from.body && found.input === this.from.input ? { ...found, input: "" } : found;
  }

  move(pointer: Pointer): void {
    const to = this.to(pointer);
    this.line.geometry.setFromPoints([this.from.place, to.place]);
    const words = (spot: Spot): string =>
      spot.body ? spot.input.replace(/@.*/, wording.tools.hereInBrackets) : wording.common.theWorld;
    readout.value = {
      x: pointer.x,
      y: pointer.y,
      text: lengthSaid(this.from.place.distanceTo(to.place), 3),
      detail: wording.tools.fromTo({
        what: this.type.word || this.type.title,
        from: words(this.from),
        to: words(to),
      }),
    };
    this.stage.refresh();
  }

  end(pointer: Pointer): void {
    const to = this.to(pointer);
    this.cancel();
    if (!to.input) {
      say(wording.tools.itNeedsTwoPlaces);
      return;
    }
    const inputs = [this.from.input, to.input];
    const values = this.type.is_joint ? axisValues(this.type.name, this.from.body) : {};
    void send([{ do: "insert", of: this.type.name, inputs, values }], this.type);
  }

  cancel(): void {
    this.stage.overlay.remove(this.line);
    readout.value = null;
    this.stage.refresh();
  }
}

export const makeTool: ToolUse = {
  click(pointer, stage, under) {
    const type = made.value;
    if (!type) return;
    if (type.drawn === "corners") cornersTool.click(pointer, stage, under);
    else if (type.family === "object") void put(stage, type, pointer);
    else void place(type, pointer, stage);
  },
  drag(pointer, stage) {
    const type = made.value;
    if (!type || type.drawn === "corners") return null;
    if (type.drawn && type.drawn !== "dot") return new DrawOut(stage, type, pointer);
    if (isLink(type) || type.is_joint) return new Link(stage, type, pointer);
    return null;
  },
  hover(pointer, stage) {
    const type = made.value;
    if (type?.drawn === "corners") return cornersTool.hover?.(pointer, stage);
    const isBody = type?.family === "object";
    const spot = isBody && type.drawn !== "bar" ? null : nearestSpot(pointer, stage);
    const glyph = type && isOnMeasure(type) ? stage.glyphAt(pointer.x, pointer.y, ADDED) : "";
    hovered.value = glyph || spot?.body || "";
    const text = glyph || spot?.input || "";
    readout.value = text ? { x: pointer.x, y: pointer.y, text, detail: "" } : null;
  },
  confirm() {
    if (made.value?.drawn !== "corners") return false;
    return cornersTool.confirm?.() ?? false;
  },
  leave() {
    made.value = null;
    forgetDepth();
    forgetCorners();
    readout.value = null;
  },
};

/** What is drawn first gives its place to others: types that are offered in the toolbox, for this world. */
export function toolbox(): TypeInfo[] {
  return [...types.value.values()]
    .filter((type) => type.tool > 0 && type.spaces.includes(dimension.value))
    .sort((a, b) => a.tool - b.tool);
}
