// What scripts beside the page can do with its world, and pages in which it stands, by messages.

import type { Local } from "./local";

/** `window.world` of a live page. */
export interface LiveWorld {
  ready: Promise<void>;
  done(): void; // it is ready
  failed(problem: unknown): void;
  play(isPlaying?: boolean): void;
  pause(): void;
  reset(): void;
  step(seconds: number): void;
  get(quantity: string): number | number[];
  set(item: string, parameter: string, value: unknown): void;
  on(what: "frame", listener: (time: number) => void): void;
  readonly time: number;
  readonly version: string;
  state(): number[];
  now(): number[]; // time, positions, velocities
  resume(numbers: readonly number[]): void; // go on from there
  readings(): Record<string, number>; // what is plotted
  gap(): number; // the widest gap of a constraint, after the last step [m, rad]
}

declare global {
  interface Window {
    world: LiveWorld;
  }
}

/** What a page around this one asks for, and what it is told: see embed.ts. */
interface Asked {
  tinkerdyne: "ask";
  id: number;
  what: string;
  values: unknown[];
}

const MESSAGES = 1; // raised when older scripts cannot read them any more
const CALLED = [
  "play",
  "pause",
  "reset",
  "step",
  "get",
  "set",
  "state",
  "now",
  "resume",
  "readings",
  "gap",
  "time",
  "version",
] as const;

/** Give scripts the world. */
export function lend(local: Local, listeners: ((time: number) => void)[]): void {
  const lent: Omit<LiveWorld, "ready" | "done" | "failed" | "time"> = {
    version: local.file.version,
    play: (isPlaying = true) => void local.ask({ do: "play", is_playing: isPlaying }),
    pause: () => void local.ask({ do: "play", is_playing: false }),
    reset: () => local.reset(),
    step: (seconds) => void local.step(seconds),
    get: (quantity) => local.get(quantity),
    set: (item, parameter, value) => local.set(item, parameter, value),
    on: (_what, listener) => void listeners.push(listener),
    state: () => local.state(),
    now: () => local.now(),
    resume: (numbers) => local.resume(numbers),
    readings: () => local.readings(),
    gap: () => local.gap(),
  };
  Object.assign(window.world, lent);
  Object.defineProperty(window.world, "time", { get: () => local.engine.time });
}

/** Answer the page around this one, and tell it every frame and every parameter that is changed here. */
export function answerParent(local: Local, listeners: ((time: number) => void)[]): void {
  const { parent } = window;
  if (parent === window) return;
  const tell = (message: object): void => parent.postMessage(message, "*"); // nothing secret: who embeds the file has it
  addEventListener("message", (event: MessageEvent<Partial<Asked> | null>) => {
    const { data } = event;
    if (event.source !== parent || data?.tinkerdyne !== "ask") return;
    const { id = 0, what = "", values = [] } = data;
    window.world.ready
      .then(() => call(what, values))
      .then(
        (value) => tell({ tinkerdyne: "answer", id, value }),
        (problem: unknown) => tell({ tinkerdyne: "answer", id, error: String((problem as Error).message) }),
      );
  });
  listeners.push((time) => tell({ tinkerdyne: "frame", time }));
  local.onChange = (item, parameter, value) => tell({ tinkerdyne: "change", item, parameter, value });
  window.world.ready.then(
    () => tell({ tinkerdyne: "ready", version: window.world.version, messages: MESSAGES }),
    (problem: unknown) => tell({ tinkerdyne: "failed", error: String(problem) }),
  );
}

function call(what: string, values: unknown[]): unknown {
  const name = CALLED.find((one) => one === what);
  if (!name) throw new Error(`a world has no ${what}; it has ${CALLED.join(", ")}`);
  const found: unknown = window.world[name];
  return typeof found === "function" ? found(...values) : found;
}
