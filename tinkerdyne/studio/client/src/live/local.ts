// A world that runs in the page: it lets time go on, answers the commands that a page without Python can carry out,
// and remembers what is plotted and traced.

import { Refusal } from "../wire/connection";
import type { Frame } from "../wire/frame";
import type { Command, Recalled, ResultOf, Status, Values } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Engine, type Moment } from "./engine";
import type { HandPlan, LiveFile } from "./file";
import { frameOf, quantity } from "./frames";
import { Switches } from "./switches";
import { due, nextTime } from "./timeline";

const SOFT = 0.1; // s: time constants of the two ways of pulling, as in world/dragging.py
const HARD = 0.03;
const STRENGTH = 100; // N for each kilogram
const LONGEST = 1 / 20; // s of the world in a frame: a page that was away does not catch up
const SLOWEST = 0.6; // of the time of a frame that steps may take; beyond, the world runs slower
const MOST = 36_000; // moments of the past that plots keep
const SMALLEST = 1e-9; // s: the shortest step
const FRAME = 1 / 60; // s of one step by hand
const PART = 16; // steps between two looks at the clock

/** Whom a world tells what happens to it. */
export interface Listener {
  onFrame(frame: Frame): void;
  onStatus(status: Status): void;
  onValues(values: Values): void; // parameters have changed
  whereIs(place: string): readonly number[]; // that is traced, in the frame that was told last
}

export class Local {
  isPlaying = true;
  speed = 1;
  realSpeed = 0;
  stepTime = 0; // ms
  note = "";
  traced: readonly string[] = []; // places whose way is drawn
  onChange: (name: string, parameter: string, value: unknown) => void = () => undefined; // by a hand in the page
  private grip: HandPlan | null = null;
  private handles = 0;
  private readonly begin: Moment;
  private readonly parameters: Map<string, Record<string, number[][]>>;
  private readonly switches: Switches;
  private readonly names: readonly string[];
  private played = -Infinity; // s: up to when the timeline was carried out
  private times: number[] = [];
  private rows: number[][] = []; // what is plotted, then what is traced, of each time
  private version = 1;

  private constructor(
    readonly file: LiveFile,
    readonly engine: Engine,
    private readonly listener: Listener,
  ) {
    this.parameters = new Map(Object.entries(file.parameters));
    this.names = Object.keys(file.watched);
    this.switches = new Switches(file, engine);
    this.begin = engine.moment();
    this.switches.begin();
    const shown = file.model.display["is_running"];
    if (shown === false) this.isPlaying = false;
  }

  static async start(file: LiveFile, listener: Listener): Promise<Local> {
    return new Local(file, await Engine.start(file), listener);
  }

  /** Let so much of the real time pass. */
  pass(seconds: number): void {
    if (!this.isPlaying) return;
    const span = Math.min(seconds * this.speed, LONGEST);
    const start = performance.now();
    const good = this.engine.moment();
    const parts = Math.max(1, Math.round(span / this.file.step));
    let done = 0;
    while (done < parts && (!done || performance.now() - start < 1000 * SLOWEST * seconds)) {
      const part = Math.min(PART, parts - done);
      if (!this.play((span * part) / parts)) {
        this.engine.goBack(good);
        this.switches.keep();
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

  /** Let so much of the world's time pass; answers whether it could. */
  step(seconds: number): boolean {
    const isDone = this.play(seconds);
    this.show();
    return isDone;
  }

  /** A step along the timeline, divided where something happens. */
  private play(seconds: number): boolean {
    const { engine, file } = this;
    if (!file.timeline.length) return engine.step(seconds);
    for (const end = engine.time + seconds; ; ) {
      const when = nextTime(file.timeline, this.played);
      const part = Math.min(when, end) - engine.time;
      if (part > SMALLEST && !engine.step(part)) return false;
      if (when > end + SMALLEST) return true;
      for (const { name, parameter, values } of due(file.timeline, when)) this.put(name, parameter, values);
      this.played = when;
    }
  }

  /** Show the present moment. */
  show(): void {
    this.engine.evaluate();
    const frame = frameOf(this.file, this.engine);
    this.listener.onFrame(frame);
    this.remember(frame.time);
    this.listener.onStatus(this.status());
  }

  reset(): void {
    this.grip = null;
    this.engine.goBack(this.begin);
    this.switches.forget();
    this.switches.begin();
    this.played = -Infinity;
    this.note = "";
    this.forgetPast();
    const items = Object.fromEntries(
      this.file.model.items.map(({ name, values, is_on }) => [name, { ...values, is_on }]),
    );
    this.tell(items);
    this.show();
  }

  private forgetPast(): void {
    this.times = [];
    this.rows = [];
    this.version++;
  }

  private remember(time: number): void {
    if ((this.times.at(-1) ?? -Infinity) >= time) return;
    this.times.push(time);
    const plotted = Object.values(this.file.watched).map((one) => quantity(this.engine, one));
    this.rows.push([...plotted, ...this.traced.flatMap((place) => this.listener.whereIs(place))]);
    if (this.times.length <= MOST) return;
    this.times.splice(0, MOST / 10);
    this.rows.splice(0, MOST / 10);
  }

  /** Follow the ways of these places from now on. */
  trace(places: readonly string[]): void {
    if (places.join() === this.traced.join()) return;
    this.traced = places;
    this.forgetPast();
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
      case "steer":
        return this.change(command.name, command.parameter, command.value);
      case "apply":
        return this.apply(command.edit);
      case "play":
        if (command.is_playing != null) this.isPlaying = command.is_playing;
        if (command.speed != null) this.speed = command.speed;
        if (command.steps) this.step(command.steps * FRAME);
        this.listener.onStatus(this.status());
        return null;
      case "recall":
        return this.recalled(command.names, command.version ?? -1, command.since ?? 0);
      default:
        throw new Refusal(wording.live.runsByItself);
    }
  }

  private apply(edit: Record<string, unknown>): null {
    const { edit: kind, name, parameter, value } = edit;
    if (kind !== "Change") throw new Refusal(wording.live.runsByItself);
    return this.change(String(name), String(parameter), value);
  }

  /** A hand in the page gives a number another value. */
  private change(name: string, parameter: string, value: unknown): null {
    this.set(name, parameter, value);
    this.onChange(name, parameter, value);
    return null;
  }

  // --- pulling -------------------------------------------------------------------------------------

  /** Take hold of a body at a point of it. */
  grab(name: string, own: readonly number[], isHard: boolean): number {
    const plan = this.file.hands[name];
    if (!plan) throw new Refusal(wording.live.cannotBePulled({ name }));
    this.letGo();
    this.write(plan.at, own);
    this.write(plan.mass, [plan.weighs]);
    this.write(plan.time, [isHard ? HARD : SOFT]);
    this.write(plan.limit, [(isHard ? 100 : 1) * STRENGTH * plan.weighs]);
    this.engine.evaluate();
    this.write(plan.to, this.read(plan.value));
    this.grip = plan;
    this.changed();
    return ++this.handles;
  }

  /** Where it is held now. */
  held(): number[] {
    const [x = 0, y = 0, z = 0] = this.grip ? this.read(this.grip.value) : [];
    return [x, y, z];
  }

  /** Pull towards a place; answers the force: m ((to − p)/τ² − 2 ṗ/τ), cut off at its limit. Nothing once it is let go. */
  drag(handle: number, to: readonly number[]): number[] {
    const plan = this.grip;
    if (!plan || handle !== this.handles) return [];
    this.write(plan.to, to);
    this.engine.S[this.file.cells.ready] = 0;
    const [p, v] = [this.read(plan.value), this.read(plan.velocity)];
    const [time = 1, limit = 0] = [...this.read(plan.time), ...this.read(plan.limit)];
    const force = plan.to.map(
      (place, k) =>
        plan.weighs * (((this.engine.S[place] ?? 0) - (p[k] ?? 0)) / time ** 2 - (2 * (v[k] ?? 0)) / time),
    );
    const share = Math.min(1, limit / Math.max(Math.hypot(...force), 1e-300));
    return force.map((x) => share * x);
  }

  release(handle: number): void {
    if (handle === this.handles) this.letGo();
  }

  private letGo(): void {
    if (!this.grip) return;
    this.write(this.grip.mass, [0]);
    this.grip = null;
    this.changed();
  }

  /** Parameters are others now. */
  private changed(): void {
    this.engine.changed();
    this.switches.keep();
  }

  private read(places: readonly number[]): number[] {
    return places.map((place) => this.engine.S[place] ?? 0);
  }

  private write(places: readonly number[], values: readonly number[]): void {
    places.forEach((place, k) => {
      this.engine.S[place] = values[k] ?? 0;
    });
  }

  // --- parameters ----------------------------------------------------------------------------------

  /** Give a number of an item another value, or switch it. */
  set(name: string, parameter: string, value: unknown): void {
    this.put(name, parameter, value);
    this.show();
  }

  private put(name: string, parameter: string, value: unknown): void {
    const item = this.file.model.items.find((one) => one.name === name);
    if (item && parameter === "is_on" && this.switches.has(name)) {
      const isOn = typeof value === "boolean" ? value : Boolean(numbersOf(value)[0]);
      this.switches.set(name, isOn);
      this.tell({ [name]: { is_on: isOn } });
      return;
    }
    const places = this.parameters.get(name)?.[parameter];
    const count = places?.[0]?.length ?? 0;
    if (!places || !count) throw new Refusal(wording.live.cannotBeChanged({ name, parameter }));
    const given = numbersOf(value);
    if (given.length !== count || !given.every(Number.isFinite))
      throw new Refusal(wording.live.takesNumbers({ name, parameter, count }));
    for (const one of places) this.write(one, given);
    this.tell({ [name]: { [parameter]: Array.isArray(item?.values[parameter]) ? given : given[0] } });
    this.changed();
  }

  private tell(items: Values["items"]): void {
    this.listener.onValues({
      type: "Values",
      revision: this.file.model.revision,
      items,
      can_undo: false,
      can_redo: false,
      is_dirty: false,
    });
  }

  /** All positions, as they lie in the engine. */
  state(): number[] {
    return this.read(this.file.state);
  }

  /** Time, positions and velocities of everything. */
  now(): number[] {
    return [this.engine.time, ...this.read(this.file.state), ...this.read(this.file.velocities)];
  }

  /** Go on from a time, positions and velocities. */
  resume([time = 0, ...numbers]: readonly number[]): void {
    const { state, velocities, cells } = this.file;
    if (numbers.length !== state.length + velocities.length || !numbers.every(Number.isFinite))
      throw new Refusal(
        wording.live.takesNumbers({ name: "world", parameter: "now", count: this.now().length }),
      );
    this.letGo();
    this.write(state, numbers.slice(0, state.length));
    this.write(velocities, numbers.slice(state.length));
    if (time < this.engine.time) this.forgetPast();
    this.engine.S[cells.time] = time;
    this.engine.S[cells.phase] = 0;
    this.played = time - SMALLEST;
    this.changed();
    this.show();
  }

  /** A quantity that is plotted, or the number of a parameter, now. */
  get(name: string): number | number[] {
    const watched = this.file.watched[name] ?? this.file.readable[name];
    if (watched) return quantity(this.engine, watched);
    const at = name.lastIndexOf(".");
    const [first] = this.parameters.get(name.slice(0, at))?.[name.slice(at + 1)] ?? [];
    if (!first) throw new Refusal(wording.live.notPlotted({ name, names: this.names.join(", ") }));
    const found = this.read(first);
    return found.length === 1 ? (found[0] ?? Number.NaN) : found;
  }

  /** The widest gap after the last step. */
  gap(): number {
    return this.engine.S[this.file.cells.gap] ?? 0;
  }

  /** All quantities that are plotted, now. */
  readings(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.file.watched).map(([name, one]) => [name, quantity(this.engine, one)]),
    );
  }

  private recalled(names: readonly string[], version: number, since: number): Recalled {
    const isNew = version !== this.version;
    const first = isNew ? 0 : this.times.findIndex((time) => time > since);
    const from = first < 0 ? this.times.length : first;
    const all = [
      ...this.names,
      ...this.traced.flatMap((place) => ["[0]", "[1]", "[2]"].map((k) => place + k)),
    ];
    return {
      version: this.version,
      cut: isNew ? null : since, // what is later is told anew
      begin: this.times[0] ?? null,
      times: this.times.slice(from),
      values: names.map((name) => {
        const k = all.indexOf(name);
        return this.rows.slice(from).map((row) => row[k] ?? null);
      }),
    };
  }
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [Number(value)];
}
