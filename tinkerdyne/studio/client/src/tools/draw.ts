// Drawing in the plane with clicks: places of a snake or of a sheet, a circle by a drag, one place of a volcano.
import * as three from "three";
import { Ribbons, segmentsThrough } from "../media/lines";
import { ask, report } from "../state/session";
import { prompt, say, tool } from "../state/store";
import { view } from "../view/current";
import { coordinates } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import type { Gesture, Pointer, ToolUse } from "./tool";

type Place = [number, number];

/** What is drawn, and what becomes of it. */
export interface Drawing {
  prompt: string;
  fewest: number; // places; one is done at the first click
  isClosed: boolean;
  done(places: readonly Place[]): Promise<unknown>;
  circle?(centre: Place, radius: number): Promise<unknown>;
}

let wanted: Drawing | null = null;
let places: Place[] = [];
let line: Ribbons | null = null;

export function startDrawing(drawing: Drawing): void {
  tool.value = "select";
  wanted = drawing;
  places = [];
  tool.value = "draw";
  prompt.value = drawing.prompt;
}

function at(pointer: Pointer, stage: Stage): Place {
  const [x = 0, y = 0] = coordinates(stage.across(pointer.x, pointer.y, new three.Vector3()), 2);
  return [x, y];
}

function show(stage: Stage, points: readonly Place[], isClosed: boolean): void {
  if (!line) {
    line = new Ribbons(70);
    line.material.color.set(stage.palette.select);
    stage.overlay.add(line);
  }
  line.setSegments(segmentsThrough(points.flat(), isClosed), 2.2 * stage.camera.metresPerPixel());
  stage.refresh();
}

function finish(run: () => Promise<unknown>): void {
  tool.value = "select";
  run().catch(report);
}

/** A circle from its centre outwards. */
class Circle implements Gesture {
  private readonly centre: Place;

  constructor(
    private readonly stage: Stage,
    start: Pointer,
    private readonly drawing: Drawing,
  ) {
    this.centre = at(start, stage);
  }

  private radius(pointer: Pointer): number {
    const [x, y] = at(pointer, this.stage);
    return Math.hypot(x - this.centre[0], y - this.centre[1]);
  }

  move(pointer: Pointer): void {
    const r = this.radius(pointer);
    const ring = Array.from({ length: 60 }, (_, i): Place => {
      const turn = (2 * Math.PI * i) / 60;
      return [this.centre[0] + r * Math.cos(turn), this.centre[1] + r * Math.sin(turn)];
    });
    show(this.stage, ring, true);
  }

  end(pointer: Pointer): void {
    const [radius, drawing] = [this.radius(pointer), this.drawing];
    finish(() => drawing.circle?.(this.centre, radius) ?? Promise.resolve());
  }

  cancel(): void {
    tool.value = "select";
  }
}

export const drawTool: ToolUse = {
  click(pointer, stage) {
    if (!wanted) return;
    const drawing = wanted;
    places.push(at(pointer, stage));
    show(stage, places, false);
    const given = [...places];
    if (drawing.fewest === 1) finish(() => drawing.done(given));
  },
  drag(pointer, stage) {
    return wanted?.circle && !places.length ? new Circle(stage, pointer, wanted) : null;
  },
  hover(pointer, stage) {
    if (places.length) show(stage, [...places, at(pointer, stage)], wanted?.isClosed ?? false);
  },
  confirm() {
    if (!wanted) return false;
    const [drawing, given] = [wanted, places.filter((p, i) => i === 0 || p.join() !== places[i - 1]?.join())];
    if (given.length < drawing.fewest) {
      say(wording.tools.atLeastPlaces({ count: drawing.fewest }));
      return true;
    }
    finish(() => drawing.done(given));
    return true;
  },
  leave() {
    wanted = null;
    places = [];
    prompt.value = "";
    if (line) view.stage?.overlay.remove(line);
    line = null;
    view.stage?.refresh();
  },
};

/** Draw an elastic sheet. */
export function drawSheet(): void {
  startDrawing({
    prompt: wording.tools.sheetHint,
    fewest: 3,
    isClosed: true,
    done: (given) => ask({ do: "sheet", places: given.map((p) => [...p]) }),
  });
}

/** Put a snake on a picture. */
export function drawSnake(picture: string, isClosed: boolean): void {
  const prompt = isClosed ? wording.tools.closedSnakeHint : wording.tools.openSnakeHint;
  startDrawing({
    prompt: wording.tools.endsDrawing({ prompt }),
    fewest: isClosed ? 3 : 2,
    isClosed,
    done: (given) => ask({ do: "snake", picture, places: given.map((p) => [...p]), is_closed: isClosed }),
    ...(isClosed
      ? { circle: (centre: Place, radius: number) => ask({ do: "snake", picture, centre, radius }) }
      : {}),
  });
}

/** Put a volcano beside a snake. */
export function drawVolcano(snake: string): void {
  startDrawing({
    prompt: wording.tools.volcanoHint,
    fewest: 1,
    isClosed: false,
    done: ([at]) => (at ? ask({ do: "volcano", snake, at: [...at] }) : Promise.resolve()),
  });
}
