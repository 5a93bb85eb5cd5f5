// Measuring: two places, and their distance stays in the view as a dimension line, a measure of the world.
import * as three from "three";
import { stateOf } from "../media/curves";
import { ask, report } from "../state/session";
import type { Spot } from "../state/spot";
import { hovered, prompt, readout, roleOf, say, select, shownItems, tool, typeFor } from "../state/store";
import { lengthSaid } from "../state/units";
import { placeOf } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { beforePicture, moreLabels } from "./labels";
import { spotAt } from "./pick";
import type { Pointer, ToolUse } from "./tool";

const TICK = 6; // px

let first: Spot | null = null;

export function startMeasuring(): void {
  tool.value = "select";
  first = null;
  tool.value = "measure";
  prompt.value = wording.tools.measureHint;
}

async function measure(a: Spot, b: Spot): Promise<void> {
  try {
    const [made = ""] = await ask({ do: "insert", of: typeFor("distance"), inputs: [a.input, b.input] });
    select(made);
    say(wording.tools.useMeasure({ name: made }));
  } catch (reason) {
    report(reason);
  }
}

export const measureTool: ToolUse = {
  click(pointer, stage) {
    const spot = spotAt(pointer, stage);
    if (!spot) return;
    if (!first) {
      first = spot;
      return;
    }
    const [from, to] = [first, spot];
    first = null;
    tool.value = "select";
    void measure(from, to);
  },
  hover(pointer, stage) {
    const spot = spotAt(pointer, stage);
    hovered.value = spot?.body ?? "";
    aim(pointer, spot);
    stage.refresh();
  },
  leave() {
    first = null;
    readout.value = null;
  },
};

let ahead: three.Vector3 | null = null; // where the pointer is, from the first place on

function aim(pointer: Pointer, spot: Spot | null): void {
  ahead = spot?.place ?? null;
  const apart = first && spot ? first.place.distanceTo(spot.place) : null;
  readout.value = spot
    ? {
        x: pointer.x,
        y: pointer.y,
        text: apart === null ? spot.input.replace(/@.*/, wording.tools.hereInBrackets) : lengthSaid(apart),
        detail:
          apart === null
            ? ""
            : wording.tools.toPlace({ place: spot.input.replace(/@.*/, wording.tools.hereInBrackets) }),
      }
    : null;
}

// --- dimension lines ----------------------------------------------------------------------------------

/** The measures of the world that have two places. */
function measures(): { name: string; a: three.Vector3; b: three.Vector3 }[] {
  return shownItems.value.flatMap((item) => {
    if (roleOf(item) !== "distance") return [];
    const [a, b] = item.inputs.map((name) => placeOf(name));
    return a && b ? [{ name: item.name, a, b }] : [];
  });
}

const material = new three.LineBasicMaterial({ depthTest: false, transparent: true });
const lines = new three.LineSegments(new three.BufferGeometry(), material);
lines.renderOrder = 17;
lines.frustumCulled = false;
lines.raycast = () => undefined;

beforePicture.push((stage) => {
  if (lines.parent !== stage.overlay) stage.overlay.add(lines);
  const all = measures();
  if (first && ahead) all.push({ name: "", a: first.place, b: ahead });
  lines.visible = all.length > 0;
  if (!all.length) return;
  material.color.set(stage.palette.edge);
  if (document.documentElement.dataset["theme"] === "dark") material.color.set(stage.palette.metal);
  lines.geometry.dispose();
  lines.geometry = new three.BufferGeometry().setFromPoints(
    all.flatMap(({ a, b }) => dimensionLine(stage, a, b)),
  );
});

/** A line from place to place with a slanted tick at both ends, as in drawings. */
function dimensionLine(stage: Stage, a: three.Vector3, b: three.Vector3): three.Vector3[] {
  const ahead = stage.camera.direction();
  const along = b.clone().sub(a).normalize();
  const across = along.clone().cross(ahead).normalize();
  const ticks = [a, b].flatMap((end) => {
    const by = across
      .clone()
      .add(along)
      .setLength(TICK * stage.camera.metresPerPixel(end));
    return [end.clone().sub(by), end.clone().add(by)];
  });
  return [a, b, ...ticks];
}

moreLabels.push(() =>
  measures().map(({ name, a, b }) => {
    const [value] = stateOf(name) ?? [];
    const said = value === undefined ? "…" : lengthSaid(value);
    return { key: `measure ${name}`, text: said, at: a.clone().lerp(b, 0.5), kind: "measure" as const };
  }),
);
