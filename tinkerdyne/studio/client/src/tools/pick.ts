// Picking: a constraint or behavior asks for its connectors one after the other, in the viewport or in the list.
import * as three from "three";
import type { Port, TypeInfo } from "../protocol";
import { dimension, hovered, items, model, prompt, readout, say, select, selected, tool, types } from "../store";
import { ask, names, report } from "../studio";
import type { Stage } from "../view/stage";
import { bodyInput, spotsOf, worldInput, worldSpots, type Spot } from "../view/places";
import type { Pointer, ToolUse } from "./tool";

const NEAR = 14; // px

let wanted: TypeInfo | null = null;
let chosen: string[] = [];

/** Begin to insert something; what needs nothing is made at once. */
export function insert(type: TypeInfo, stage: Stage): void {
  if (type.family === "object" || !type.ports.length) return void make(type, [], placed(type, stage));
  wanted = type;
  chosen = [];
  const given = selected.value.filter((name) => fits(type.ports[0], name));
  if (type.ports.length === given.length && given.length > 1) chosen = [...given];
  tool.value = "pick";
  advance();
}

/** Where a new object appears: at the middle of the view. */
function placed(type: TypeInfo, stage: Stage): Record<string, unknown> {
  const position = type.state.find((p) => p.name === "position");
  if (type.family !== "object" || !position) return {};
  const centre = stage.camera.target.clone();
  const taken = [...stage.figures.values()].some((f) => f.box().distanceToPoint(centre) < 2 * stage.unit);
  if (taken)
    centre.add(
      new three.Vector3(0, dimension.value === 2 ? 0.6 : 0, dimension.value === 2 ? 0 : 0.6).multiplyScalar(20 * stage.unit),
    );
  const isPlanar = type.is_planar || dimension.value === 2;
  return {
    position: centre
      .toArray()
      .slice(0, isPlanar ? 2 : 3)
      .map((x) => Number(x.toPrecision(4))),
  };
}

async function make(type: TypeInfo, inputs: string[], values: Record<string, unknown>): Promise<void> {
  try {
    const made = names(await ask({ do: "insert", of: type.name, inputs, values }));
    const [main] = made;
    if (main) select(main);
    say(`${type.title} added`);
  } catch (reason) {
    report(reason);
  }
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
    const [type, inputs] = [wanted, chosen];
    tool.value = "select";
    return void make(type, inputs, {});
  }
  const number = ["first", "second", "third", "fourth"][chosen.length] ?? "next";
  const what = next.kind === "scalar" ? "joint or measure" : next.kind === "frame" ? "body" : next.kind;
  prompt.value = `${wanted.title}: pick the ${wanted.ports.length > 1 ? `${number} ` : ""}${what} (${next.name})${next.is_many && isEnough ? ", or Enter when that is all" : ""} · Esc stops`;
}

function forget(): void {
  if (!wanted) return;
  wanted = null;
  chosen = [];
  readout.value = null;
}

/** Take a connector by name, as from the list of parts. */
export function take(input: string): void {
  if (!wanted) return;
  chosen.push(input);
  advance();
}

export function isPicking(): boolean {
  return wanted !== null;
}

function fits(next: Port | undefined, name: string): boolean {
  const item = items.value.get(name);
  return next !== undefined && item !== undefined && (item.family === "object" || item.family === "connector");
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

export const pickTool: ToolUse = {
  click(pointer, stage, under) {
    const next = port();
    if (!next) return;
    if (next.kind === "scalar" || next.kind === "vector" || next.kind === "anything") {
      const name = under.glyph || under.body?.name || "";
      const coordinate = coordinateOf(name);
      if (coordinate) take(coordinate);
      else say("pick a joint with a free coordinate, or a measure in the list of parts");
      return;
    }
    if (next.kind === "curve" || next.kind === "particles") {
      if (under.body) take(under.body.name);
      else say("pick a curve");
      return;
    }
    const spot = spotAt(pointer, stage);
    if (spot) take(spot.input);
  },
  hover(pointer, stage) {
    const spot = spotAt(pointer, stage, false);
    hovered.value = stage.glyphAt(pointer.x, pointer.y, 8) || spot?.body || "";
    readout.value = spot ? { x: pointer.x, y: pointer.y, text: spot.input.replace(/@.*/, " (here)"), detail: "" } : null;
  },
  confirm() {
    if (!wanted || chosen.length < wanted.ports.length) return false;
    const [type, inputs] = [wanted, chosen];
    tool.value = "select";
    void make(type, inputs, {});
    return true;
  },
  leave: forget,
};

/** A measure by name: a connector itself, or the first free coordinate of a joint. */
function coordinateOf(name: string): string {
  const item = items.value.get(name);
  if (!item) return "";
  if (item.family === "connector" || item.of === "variable") return name;
  const known = (model.value?.items ?? []).find((i) => i.part_of === name && i.family === "connector");
  if (known) return known.name;
  const first = types.value.get(item.of)?.coordinates[0];
  return first ? `${name}.${first}` : "";
}
