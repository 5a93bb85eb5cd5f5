// A 3-D mouse: its cap is pushed and turned, and the body that it leads moves and turns as fast. Browsers have one as a gamepad with six axes, or by WebHID.
import * as three from "three";
import { leading } from "../state/sketch";
import { prompt, readout, say } from "../state/store";
import { view } from "../view/current";
import { wording } from "../wording/spoken";
import { Led } from "./act";
import { drop, type Held, hold } from "./hand";

/** How far its cap is pushed (right, away, down) and turned about the same, −1 to 1 each. */
export type Push = readonly [number, number, number, number, number, number];

const KNOWN = /space ?(mouse|navigator|pilot|explorer|ball)|3dconnexion|256f|046d.*c6[0-9a-f]{2}/i;
const VENDORS = [0x256f, 0x046d];
const FULL = 350; // of a report, where the cap is pushed as far as it goes
const REST = 0.04; // a cap that is pushed less is at rest
const FAST = { move: 0.9, turn: 5 }; // of the view's height, and rad, a second
const PAUSE = 700; // ms at rest, after which the gesture is over
const PATIENCE = 6000; // ms without an answer
const SLOWEST = 100; // ms: a picture that took longer moves it no further

let reported: Push | null = null; // by WebHID

/** What its cap does now; null where no 3-D mouse is there. */
export function pushed(): Push | null {
  for (const pad of navigator.getGamepads?.() ?? [])
    if (pad && pad.axes.length >= 6 && KNOWN.test(pad.id))
      return [...pad.axes.slice(0, 6)] as unknown as Push;
  return reported;
}

/** The six numbers of a report, of which some devices tell three at a time. */
export function heard(id: number, data: DataView, before: Push | null): Push | null {
  const told = Array.from({ length: Math.floor(data.byteLength / 2) }, (_, k) =>
    Math.min(1, Math.max(-1, data.getInt16(2 * k, true) / FULL)),
  );
  const now = [...(before ?? [0, 0, 0, 0, 0, 0])];
  if (id === 1) now.splice(0, Math.min(told.length, 6), ...told.slice(0, 6));
  else if (id === 2) now.splice(3, 3, ...told.slice(0, 3));
  else return before;
  return now as unknown as Push;
}

interface Device {
  open(): Promise<void>;
  opened: boolean;
  addEventListener(kind: "inputreport", then: (event: { reportId: number; data: DataView }) => void): void;
}

/** Ask the browser for one, where it can be asked. */
async function connect(): Promise<void> {
  const { hid } = navigator as unknown as {
    hid?: { requestDevice(of: { filters: { vendorId: number }[] }): Promise<Device[]> };
  };
  const [device] = (await hid?.requestDevice({ filters: VENDORS.map((vendorId) => ({ vendorId })) })) ?? [];
  if (!device) return;
  if (!device.opened) await device.open();
  device.addEventListener("inputreport", ({ reportId, data }) => {
    reported = heard(reportId, data, reported);
  });
}

/** Wait for its cap to lead a body of the sketch. */
export async function startPuck(body: string): Promise<void> {
  if (!pushed()) await connect().catch(() => undefined);
  prompt.value = wording.sketch.puckHint({ body });
  new Pucked(body);
}

class Pucked implements Held {
  private readonly led: Led;
  private before = performance.now();
  private moved = 0; // ms, when it was moved last; 0: not yet
  private readonly begun = performance.now();
  private isOver = false;

  constructor(body: string) {
    this.led = new Led(body);
    hold(this);
    requestAnimationFrame(this.step);
  }

  private readonly step = (): void => {
    if (this.isOver) return;
    const now = performance.now();
    const seconds = Math.min(now - this.before, SLOWEST) / 1000;
    this.before = now;
    const push = pushed();
    if (push?.some((x) => Math.abs(x) > REST)) {
      this.moved = now;
      this.lead(push, seconds);
    } else if (this.moved && now - this.moved > PAUSE) {
      this.end();
      return;
    } else if (!this.moved && now - this.begun > PATIENCE && !push) {
      say(wording.sketch.puckMissing);
      this.cancel();
      return;
    }
    requestAnimationFrame(this.step);
  };

  /** As far as its cap is pushed, so fast. */
  private lead(push: Push, seconds: number): void {
    const stage = view.stage;
    if (!stage) return;
    const camera = stage.camera.active.matrixWorld;
    const [right, up, back] = [0, 1, 2].map((k) => new three.Vector3().setFromMatrixColumn(camera, k));
    if (!right || !up || !back) return;
    const ways = [right, back, up.negate()]; // of pushes to the right, towards the person, and down
    const far = FAST.move * stage.camera.metresPerPixel(this.led.place) * stage.canvas.clientHeight * seconds;
    ways.forEach((way, k) => {
      this.led.place = this.led.place.clone().addScaledVector(way, far * (push[k] ?? 0));
      const by = FAST.turn * seconds * (push[3 + k] ?? 0);
      if (Math.abs(push[3 + k] ?? 0) > REST) this.led.about(way, by);
    });
    this.led.keep(push.slice(0, 3).every((x) => Math.abs(x) <= REST));
    readout.value = {
      ...stage.project(this.led.place),
      text: wording.sketch.recorded({ count: this.led.count }),
      detail: "",
    };
    stage.refresh();
  }

  end(): void {
    this.put();
    this.led.give();
  }

  cancel(): void {
    this.put();
  }

  move(): void {
    return;
  }

  nudge(): void {
    return;
  }

  rotate(): void {
    return;
  }

  tilt(): void {
    return;
  }

  follow(): void {
    return;
  }

  private put(): void {
    this.isOver = true;
    drop(this);
    leading.value = null;
    readout.value = null;
    prompt.value = "";
    view.stage?.refresh();
  }
}
