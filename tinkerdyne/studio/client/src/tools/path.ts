// Drawing a path: clicks set keys a second apart, a stroke is followed as it was drawn; a path that starts on a part leads it.

import * as three from "three";
import { ask, report } from "../state/session";
import type { Spot } from "../state/spot";
import { dimension, items, prompt, say, select, status, tool, typeFor } from "../state/store";
import { coordinates } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { spotAt } from "./pick";
import { type Key, thinned } from "./stroke";
import type { Gesture, Pointer, ToolUse } from "./tool";

const STEP = 1; // s between clicked keys

let keys: Key[] = [];
let leads: Spot | null = null;
let drawing: three.Line | null = null;

export function startPath(): void {
  keys = [];
  leads = null;
  tool.value = "path";
  prompt.value = wording.tools.pathHint;
}

function add(pointer: Pointer, stage: Stage, time: number): void {
  if (!keys.length) {
    const spot = spotAt(pointer, stage, false);
    leads = spot?.body ? spot : null;
    keys.push({
      time: 0,
      place: spot?.place.clone() ?? stage.across(pointer.x, pointer.y, stage.camera.target),
    });
  } else
    keys.push({ time, place: stage.across(pointer.x, pointer.y, keys[0]?.place ?? stage.camera.target) });
  draw(stage);
}

/** The time of the next clicked key, or of a stroke after clicked ones [s]. */
function next(): number {
  const last = keys.at(-1);
  return last ? last.time + STEP : 0;
}

function draw(stage: Stage): void {
  drawing?.removeFromParent();
  stage.refresh();
  if (!keys.length) return;
  const geometry = new three.BufferGeometry().setFromPoints(keys.map((k) => k.place));
  drawing = new three.Line(
    geometry,
    new three.LineBasicMaterial({ color: stage.palette.halo, depthTest: false }),
  );
  drawing.add(
    new three.Points(
      geometry,
      new three.PointsMaterial({
        color: stage.palette.halo,
        size: 9,
        sizeAttenuation: false,
        depthTest: false,
      }),
    ),
  );
  drawing.renderOrder = 20;
  stage.overlay.add(drawing);
}

/** A stroke alone is a path; after clicked keys it goes on from them, and more may follow. */
class Stroke implements Gesture {
  private readonly start = performance.now();
  private readonly before: readonly Key[] = keys;
  private readonly begin = next(); // s

  constructor(
    private readonly stage: Stage,
    first: Pointer,
  ) {
    keys = [...keys];
    add(first, stage, this.begin);
  }

  move(pointer: Pointer): void {
    add(pointer, this.stage, this.begin + (performance.now() - this.start) / 1000);
  }

  end(): void {
    const drawn = keys.slice(this.before.length);
    if (!drawn.length) return;
    keys = [...this.before, ...thinned(drawn, this.begin)];
    if (this.before.length) draw(this.stage);
    else void finish();
  }

  cancel(): void {
    keys = [...this.before];
    draw(this.stage);
  }
}

async function finish(): Promise<void> {
  const [drawn, led] = [keys, leads];
  tool.value = "select";
  if (drawn.length < 2) return say(wording.tools.twoKeysNeeded);
  const start = (status.value?.time ?? 0) + 0.5;
  const rows = drawn.map((k) => [
    Number((start + k.time).toFixed(3)),
    ...coordinates(k.place, dimension.value),
  ]);
  try {
    const path = freeName();
    if (led) {
      const moved = { edit: "Add", items: [{ type: typeFor("path"), name: path, values: [["keys", rows]] }] }; // both are one step for undo
      await ask({ do: "insert", of: typeFor("connection"), inputs: [led.input, path], moved });
    } else await ask({ do: "insert", of: typeFor("path"), name: path, values: { keys: rows } });
    select(path);
    say(led ? wording.tools.followsPath({ name: led.body }) : wording.tools.pathAdded);
  } catch (reason) {
    report(reason);
  }
}

function freeName(): string {
  let k = 1;
  while (items.value.has(`path-${k}`)) k++;
  return `path-${k}`;
}

export const pathTool: ToolUse = {
  click(pointer, stage) {
    add(pointer, stage, next());
  },
  drag: (pointer, stage) => new Stroke(stage, pointer),
  confirm() {
    void finish();
    return true;
  },
  leave() {
    drawing?.removeFromParent();
    drawing = null;
    keys = [];
  },
};
