// A world that runs in the page: it lets time go on, answers the commands that a page without Python can carry out,
// and remembers what is plotted.

import { Refusal } from "../wire/connection";
import type { Frame } from "../wire/frame";
import type { Command, Recalled, ResultOf, Status } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Engine, type Moment } from "./engine";
import type { HandPlan, LiveFile } from "./file";
import { frameOf, quantity } from "./frames";

const SOFT = 0.1; // s: time constants of the two ways of pulling, as in world/dragging.py
const HARD = 0.03;
const STRENGTH = 100; // N for each kilogram
const LONGEST = 1 / 20; // s of the world in a frame: a page that was away does not catch up
const SLOWEST = 0.6; // of the time of a frame that steps may take; beyond, the world runs slower
const MOST = 36_000; // moments of the past that plots keep

/** What of a hand's numbers stands where: to, mass, time, limit. */
interface Grip {
  name: string;
  plan: HandPlan;
}

export class Local {
  isPlaying = true;
  speed = 1;
  realSpeed = 0;
  stepTime = 0; // ms
  note = "";
  private grip: Grip | null = null;
  private handles = 0;
  private readonly begin: Moment;
  private readonly parameters: Map<string, Record<string, number[][]>>;
  private readonly names: readonly string[];
  private times: number[] = [];
  private values: number[][] = [];
  private version = 1;

  private constructor(
    readonly file: LiveFile,
    readonly engine: Engine,
    private readonly onFrame: (frame: Frame) => void,
    private readonly onStatus: (status: Status) => void,
  ) {
    this.begin = engine.moment();
    this.parameters = new Map(Object.entries(file.parameters));
    this.names = Object.keys(file.watched);
    this.values = this.names.map(() => []);
  }

  static async start(
    file: LiveFile,
    onFrame: (frame: Frame) => void,
    onStatus: (status: Status) => void,
  ): Promise<Local> {
    const local = new Local(file, await Engine.start(file), onFrame, onStatus);
    local.show();
    return local;
  }

  /** Let so much of the real time pass. */
  pass(seconds: number): void {
    if (!this.isPlaying) return;
    const span = Math.min(seconds * this.speed, LONGEST);
    const start = performance.now();
    const parts = Math.max(1, Math.round(span / this.file.step));
    let done = 0;
    while (done < parts && performance.now() - start < 1000 * SLOWEST * seconds) {
      const good = this.engine.moment();
      const part = Math.min(16, parts - done);
      if (!this.engine.step((span * part) / parts)) {
        this.engine.goBack(good);
        this.isPlaying = false;
        this.note = wording.live.cannotGoOn;
        break;
      }
      done += part;
    }
    this.stepTime = performance.now() - start;
    this.realSpeed = (span * done) / parts / Math.max(seconds, 1e-9);
    this.show();
  }

  /** Show the present moment. */
  show(): void {
    this.engine.evaluate();
    const frame = frameOf(this.file, this.engine);
    this.remember(frame);
    this.onFrame(frame);
    this.onStatus(this.status());
  }

  reset(): void {
    this.grip = null;
    this.engine.goBack(this.begin);
    this.note = "";
    this.times = [];
    this.values = this.names.map(() => []);
    this.version++;
    this.show();
  }

  private remember(frame: Frame): void {
    if ((this.times.at(-1) ?? -1) >= frame.time) return;
    this.times.push(frame.time);
    Object.values(this.file.watched).forEach((one, k) => {
      this.values[k]?.push(quantity(this.engine, one));
    });
    if (this.times.length > MOST) {
      this.times.splice(0, MOST / 10);
      for (const one of this.values) one.splice(0, MOST / 10);
    }
  }

  private status(): Status {
    const { S } = this.engine;
    const { kinetic, energy, gap } = this.file.cells;
    return {
      type: "Status",
      time: this.engine.time,
      is_playing: this.isPlaying,
      speed: this.speed,
      real_speed: this.realSpeed,
      step_ms: this.stepTime,
      kinetic: S[kinetic] ?? 0,
      potential: S[energy] ?? 0,
      gap: S[gap] ?? 0,
      freedoms: this.file.freedoms,
      conflicts: [],
      note: this.note,
      error: 0,
      accuracy: "",
      is_inaccurate: false,
      start: 0,
      end: this.engine.time,
      is_past: false,
      loop: [],
      checkpoints: [],
    };
  }

  // --- what pages ask for --------------------------------------------------------------------------

  /** Carry out a command, or say why that needs Python. */
  ask<C extends Command>(command: C): Promise<ResultOf<C>> {
    try {
      // What an answer holds is declared with the command, as for the server.
      return Promise.resolve(this.answer(command) as ResultOf<C>);
    } catch (reason) {
      return Promise.reject(reason instanceof Error ? reason : new Refusal(String(reason)));
    }
  }

  private answer(command: Command): unknown {
    switch (command.do) {
      case "grab":
        return this.grab(command.item, command.at ?? [], command.is_hard ?? false);
      case "drag":
        return this.drag(command.handle, command.to);
      case "release":
        return this.release();
      case "play":
        if (command.is_playing != null) this.isPlaying = command.is_playing;
        if (command.speed != null) this.speed = command.speed;
        if (command.steps) {
          this.engine.step(command.steps * this.file.step);
          this.show();
        }
        this.onStatus(this.status());
        return null;
      case "recall":
        return this.recalled(command.names, command.version ?? -1, command.since ?? 0);
      default:
        throw new Refusal(wording.live.runsByItself);
    }
  }

  /** Take hold of a body at a point of it. */
  private grab(name: string, own: readonly number[], isHard: boolean): number {
    const plan = this.file.hands[name];
    if (!plan) throw new Refusal(wording.live.cannotBePulled({ name }));
    this.release();
    this.write(plan.at, own);
    this.write(plan.mass, [plan.weighs]);
    this.write(plan.time, [isHard ? HARD : SOFT]);
    this.write(plan.limit, [(isHard ? 100 : 1) * STRENGTH * plan.weighs]);
    this.write(plan.to, this.placeOf(name, own, plan.to.length));
    this.grip = { name, plan };
    this.engine.changed();
    return ++this.handles;
  }

  /** Where a point of a body is now. */
  private placeOf(name: string, own: readonly number[], dimension: number): number[] {
    const frame = frameOf(this.file, this.engine);
    const track = this.file.layout.tracks.find(
      (one) => one.name === name && (one.kind === "pose" || one.kind === "point" || one.kind === "affine"),
    );
    if (!track) return Array.from({ length: dimension }, () => 0);
    const [x = 0, y = 0, z = 0, w = 1, a = 0, b = 0, c = 0] = frame.numbers.subarray(
      track.offset,
      track.offset + track.count,
    );
    const [p = 0, q = 0, r = 0] = own;
    if (track.kind !== "pose") return [x, y, z].slice(0, dimension);
    // R p of a quaternion (w; a, b, c):  p + 2 w (u × p) + 2 u × (u × p)
    const u = [b * r - c * q, c * p - a * r, a * q - b * p] as const;
    const v = [b * u[2] - c * u[1], c * u[0] - a * u[2], a * u[1] - b * u[0]] as const;
    return [
      x + p + 2 * (w * u[0] + v[0]),
      y + q + 2 * (w * u[1] + v[1]),
      z + r + 2 * (w * u[2] + v[2]),
    ].slice(0, dimension);
  }

  /** Pull towards a place; answers the force, as far as it is known. */
  private drag(handle: number, to: readonly number[]): number[] {
    if (!this.grip || handle !== this.handles) throw new Refusal(wording.live.nothingIsHeld);
    this.write(this.grip.plan.to, to);
    this.engine.changed();
    return this.felt();
  }

  /** The force of the hand: mass ((to − p)/time² − 2 ṗ/time), cut off at its limit; here without ṗ. */
  private felt(): number[] {
    if (!this.grip) return [];
    const { plan, name } = this.grip;
    const { S } = this.engine;
    const at = this.placeOf(name, this.read(plan.at), plan.to.length);
    const [time = 1, limit = 0] = [...this.read(plan.time), ...this.read(plan.limit)];
    const force = plan.to.map((place, k) => (plan.weighs * ((S[place] ?? 0) - (at[k] ?? 0))) / time ** 2);
    const share = Math.min(1, limit / Math.max(Math.hypot(...force), 1e-300));
    return force.map((x) => share * x);
  }

  private read(places: readonly number[]): number[] {
    return places.map((place) => this.engine.S[place] ?? 0);
  }

  private write(places: readonly number[], values: readonly number[]): void {
    places.forEach((place, k) => {
      this.engine.S[place] = values[k] ?? 0;
    });
  }

  private release(): null {
    if (this.grip) {
      this.write(this.grip.plan.mass, [0]);
      this.engine.changed();
    }
    this.grip = null;
    return null;
  }

  /** Give a number of an item another value. */
  set(name: string, parameter: string, value: number | readonly number[]): void {
    const places = this.parameters.get(name)?.[parameter];
    const count = places?.[0]?.length ?? 0;
    if (!places || !count) throw new Refusal(wording.live.cannotBeChanged({ name, parameter }));
    const given = typeof value === "number" ? [value] : value;
    if (given.length !== count || !given.every(Number.isFinite))
      throw new Refusal(wording.live.takesNumbers({ name, parameter, count }));
    for (const one of places) this.write(one, given);
    this.engine.changed();
    this.show();
  }

  /** All positions, as they lie in the engine. */
  state(): number[] {
    return this.read(this.file.state);
  }

  /** A quantity that is plotted, now. */
  get(name: string): number {
    const k = this.names.indexOf(name);
    if (k < 0) throw new Refusal(wording.live.notPlotted({ name, names: this.names.join(", ") }));
    return this.values[k]?.at(-1) ?? Number.NaN;
  }

  private recalled(names: readonly string[], version: number, since: number): Recalled {
    const isNew = version !== this.version;
    const first = isNew ? 0 : this.times.findIndex((time) => time > since);
    const from = first < 0 ? this.times.length : first;
    return {
      version: this.version,
      cut: isNew ? -1 : null,
      begin: this.times[0] ?? null,
      times: this.times.slice(from),
      values: names.map((name) => this.values[this.names.indexOf(name)]?.slice(from) ?? []),
    };
  }
}
