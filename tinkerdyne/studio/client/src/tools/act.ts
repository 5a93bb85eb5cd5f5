// Acting a motion: the hand leads a body at any speed, and turns it with the wheel, with keys or with a second finger.
import * as three from "three";
import { chooseFiles } from "../media/files";
import { act, ask, report } from "../state/session";
import { type Gestured, gestured, leading, type Pose, poseOf, sketch } from "../state/sketch";
import { prompt, readout, say, tool } from "../state/store";
import { poseOf as poseNow, vectorOf } from "../view/places";
import type { Stage } from "../view/stage";
import type { ActSketch } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { drop, type Held, hold } from "./hand";
import type { Gesture, Pointer, ToolUse } from "./tool";

const STEP = Math.PI / 18; // rad of a notch of the wheel, or of a key
const APART = 1.5; // px: a gesture is kept as finely
const FEWEST = 4; // samples of a gesture
const TURNED = 0.05; // rad: who turned it less did not mean to
const GESTURES = ".csv,.json,text/csv,application/json";

/** A gesture before it is taken: cut where it comes lowest. */
const ANEW: Gestured = {
  body: "",
  places: [],
  orientations: [],
  text: "",
  flights: 0,
  smooth: 1.5,
  cuts: [],
  heights: [],
};

let body = "";

/** Wait for the hand to lead a body of the sketch. */
export function startActing(name: string): void {
  tool.value = "select";
  body = name;
  tool.value = "act";
  prompt.value = wording.sketch.actHint({ body });
}

/** Where a body starts: as the sketch wants it, else where it is. */
function startOf(name: string): Pose {
  const wished = poseOf({ body: name, flight: 0, what: "start", sample: 0 });
  const now = poseNow(name) ?? new three.Matrix4();
  const turn = new three.Quaternion().setFromRotationMatrix(now);
  return {
    place: wished?.place ?? new three.Vector3().setFromMatrixPosition(now).toArray(),
    orientation: wished?.orientation.length ? wished.orientation : [turn.w, turn.x, turn.y, turn.z],
  };
}

/** A body that is led: what is kept of where it was. */
export class Led {
  place: three.Vector3;
  private readonly turn: three.Quaternion;
  private readonly places: three.Vector3[] = [];
  private readonly turns: three.Quaternion[] = [];
  private turned = 0; // rad

  constructor(readonly name: string) {
    const { place, orientation } = startOf(name);
    const [w = 1, x = 0, y = 0, z = 0] = orientation;
    this.place = vectorOf(place);
    this.turn = new three.Quaternion(x, y, z, w);
    this.keep(true);
  }

  get count(): number {
    return this.places.length;
  }

  about(axis: three.Vector3, by: number): void {
    this.turned += Math.abs(by);
    this.turn.premultiply(new three.Quaternion().setFromAxisAngle(axis.clone().normalize(), by));
  }

  /** Keep where it is now; a pose that only turned replaces the one before. */
  keep(isOnlyTurn: boolean): void {
    if (isOnlyTurn && this.places.length) this.turns[this.turns.length - 1] = this.turn.clone();
    else {
      this.places.push(this.place.clone());
      this.turns.push(this.turn.clone());
    }
    leading.value = {
      body: this.name,
      places: this.places.map((place) => place.toArray()),
      pose: {
        place: this.place.toArray(),
        orientation: [this.turn.w, this.turn.x, this.turn.y, this.turn.z],
      },
    };
  }

  /** Let it be what the sketch shows. */
  give(): void {
    if (this.places.length < FEWEST) {
      say(wording.sketch.tooShort);
      return;
    }
    void give({
      ...ANEW,
      body: this.name,
      places: this.places.map((place) => place.toArray()),
      orientations: this.turned > TURNED ? this.turns.map(({ x, y, z, w }) => [w, x, y, z]) : [],
    });
  }
}

class Acted implements Held, Gesture {
  private readonly led = new Led(body);
  private readonly grip: three.Vector3;
  private last: Pointer;

  constructor(
    private readonly stage: Stage,
    start: Pointer,
  ) {
    const { place } = this.led;
    this.grip = place.clone().sub(stage.across(start.x, start.y, place));
    this.last = start;
    hold(this);
    this.keep(true);
  }

  move(pointer: Pointer): void {
    const isFar = Math.hypot(pointer.x - this.last.x, pointer.y - this.last.y) > APART;
    if (!isFar) return;
    this.last = pointer;
    this.led.place = this.stage.across(pointer.x, pointer.y, this.led.place).add(this.grip);
    this.keep(false);
  }

  nudge(dx: number, dy: number): void {
    this.move({ ...this.last, x: this.last.x + dx, y: this.last.y + dy });
  }

  rotate(steps: number): void {
    this.spin(steps * STEP);
  }

  tilt(dx: number, dy: number): void {
    const axis = new three.Vector3().setFromMatrixColumn(this.stage.camera.active.matrixWorld, dx ? 1 : 0);
    this.about(axis, (dx || dy) * STEP);
  }

  wheel(notches: number): boolean {
    this.rotate(notches);
    return true;
  }

  /** Turn it in the picture. */
  spin(by: number): void {
    this.about(this.stage.camera.direction(), by);
  }

  private about(axis: three.Vector3, by: number): void {
    this.led.about(axis, by);
    this.keep(true);
  }

  private keep(isOnlyTurn: boolean): void {
    this.led.keep(isOnlyTurn);
    readout.value = {
      x: this.last.x,
      y: this.last.y,
      text: wording.sketch.recorded({ count: this.led.count }),
      detail: wording.sketch.wheelTurns,
    };
    this.stage.refresh();
  }

  follow(): void {
    return;
  }

  end(): void {
    this.put();
    this.led.give();
  }

  cancel(): void {
    this.put();
  }

  private put(): void {
    drop(this);
    leading.value = null;
    readout.value = null;
    tool.value = "select";
    this.stage.refresh();
  }
}

/** Let a gesture be what the sketch shows; how it is cut and smoothed can be changed afterwards. */
export async function give(now: Gestured): Promise<void> {
  const { body: name, places, orientations, text, flights, smooth, cuts } = now;
  const command: ActSketch = {
    do: "act-sketch",
    body: name,
    places: places.map((row) => [...row]),
    orientations: orientations.map((row) => [...row]),
    text,
    flights,
    smooth,
    cuts: [...cuts],
  };
  try {
    const found = await ask(command);
    gestured.value = { ...now, ...found, flights: found.cuts.length + 1 };
  } catch (reason) {
    report(reason);
  }
}

/** A gesture from a file, with columns x, y, z and perhaps qw, qx, qy, qz. */
export async function readGesture(name: string): Promise<void> {
  const [file] = await chooseFiles(GESTURES);
  if (!file) return;
  await give({ ...ANEW, body: name, text: await file.text() });
}

/** Other wishes for style. */
export function wish(name: string, isOn: boolean): void {
  const style = { ...(sketch.value?.style ?? {}), [name]: isOn ? 1 : 0 };
  void act({ do: "edit-sketch", style });
}

export const actTool: ToolUse = {
  click() {
    say(wording.sketch.pressAndMove);
  },
  drag: (pointer, stage) => (sketch.value ? new Acted(stage, pointer) : null),
  leave() {
    prompt.value = "";
  },
};
