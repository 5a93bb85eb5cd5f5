// Drawing a body by its corners, click by click.
import { Ribbons, segmentsThrough } from "../media/lines";
import { made } from "../state/making";
import { ask, report } from "../state/session";
import { readout, say, select } from "../state/store";
import { lengthSaid } from "../state/units";
import { view } from "../view/current";
import type { Stage } from "../view/stage";
import type { TypeInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { placeAt, snapped } from "./drawOut";
import { sheetOf } from "./outline";
import type { Pointer, ToolUse } from "./tool";

let places: [number, number][] = [];
let line: Ribbons | null = null;

function at(pointer: Pointer, stage: Stage): [number, number] {
  const sheet = sheetOf(stage.camera.direction(), stage.camera.isPlanar);
  const { x, y } = snapped(placeAt(pointer, stage, sheet), pointer, stage, sheet);
  return [Number(x.toPrecision(6)), Number(y.toPrecision(6))];
}

function show(stage: Stage, points: readonly [number, number][]): void {
  if (!line) {
    line = new Ribbons(70);
    line.material.color.set(stage.palette.select);
    stage.overlay.add(line);
  }
  line.setSegments(segmentsThrough(points.flat(), points.length > 2), 2.2 * stage.camera.metresPerPixel());
  stage.refresh();
}

export function forget(): void {
  places = [];
  if (line) view.stage?.overlay.remove(line);
  line = null;
  view.stage?.refresh();
}

export const cornersTool: ToolUse = {
  click(pointer, stage) {
    places.push(at(pointer, stage));
    show(stage, places);
  },
  hover(pointer, stage) {
    const here = at(pointer, stage);
    if (places.length) show(stage, [...places, here]);
    const last = places.at(-1);
    const side = last && Math.hypot(here[0] - last[0], here[1] - last[1]);
    readout.value = side ? { x: pointer.x, y: pointer.y, text: lengthSaid(side, 3), detail: "" } : null;
  },
  confirm() {
    const type = made.value;
    const given = places.filter((p, i) => i === 0 || p.join() !== places[i - 1]?.join());
    if (!type) return false;
    if (given.length < 3) say(wording.tools.atLeastCorners);
    else void build(type, given);
    return true;
  },
};

/** The body lies where it was drawn: its place is that of its middle of mass, by the formula of Gauss. */
async function build(type: TypeInfo, given: readonly [number, number][]): Promise<void> {
  forget();
  let [area, cx, cy] = [0, 0, 0];
  given.forEach(([x, y], i) => {
    const [u, v] = given[(i + 1) % given.length] ?? [0, 0];
    const cross = x * v - u * y;
    area += cross;
    cx += cross * (x + u);
    cy += cross * (y + v);
  });
  const [vertices = ""] = type.sizes;
  const position = [cx / (3 * area), cy / (3 * area)];
  try {
    const made = await ask({ do: "insert", of: type.name, values: { [vertices]: given, position } });
    select(made[0] ?? "");
    say(wording.tools.isThere({ name: made[0] ?? "" }));
  } catch (reason) {
    report(reason);
  }
}
