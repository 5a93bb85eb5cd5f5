// A world in a notebook: the live page, kept in step with the world in Python as an anywidget.
//
// The page runs by itself, and tells Python some times a second where everything is; what is changed by hand is told at
// once. What Python changes comes as numbers, or, where the world has another structure, as another page. Where Python is
// gone, the page goes on.

import "./embed";
import type { TinkerdyneWorld } from "./embed";

const PAUSE = 100; // ms between two reports

/** What of anywidget's model is used. */
interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: (message: Told) => void): void;
  send(message: object): void;
}

interface Told {
  kind?: "set" | "resume" | "play";
  item?: string;
  parameter?: string;
  value?: unknown;
  numbers?: number[];
  turn?: number;
}

function render({ model, el }: { model: Model; el: HTMLElement }): void {
  // by its name: where the cell runs again, this module is another copy of the one that defined it
  const world = document.createElement("tinkerdyne-world") as TinkerdyneWorld;
  world.style.height = `${Number(model.get("height"))}px`;
  el.append(world);
  let turn = 0; // which of Python's states the page goes on from: older reports are of no use to it
  let last = 0;
  let isAsking = false;
  const report = async (): Promise<void> => {
    if (isAsking || performance.now() - last < PAUSE) return;
    isAsking = true;
    last = performance.now();
    const of = turn;
    try {
      const [numbers, readings] = await Promise.all([world.now(), world.readings()]);
      model.send({ kind: "now", numbers, readings, turn: of });
    } finally {
      isAsking = false;
    }
  };
  world.on("frame", () => void report());
  world.on("change", (item, parameter, value) => model.send({ kind: "change", item, parameter, value }));
  const open = (): void => {
    world.show(String(model.get("page")));
    turn = Number(model.get("turn"));
  };
  model.on("change:page", open);
  model.on("change:height", () => (world.style.height = `${Number(model.get("height"))}px`));
  model.on("msg:custom", (told) => {
    if (told.kind === "set") void world.set(told.item ?? "", told.parameter ?? "", told.value);
    else if (told.kind === "play") void world.play(Boolean(told.value));
    else if (told.kind === "resume") {
      turn = told.turn ?? turn;
      void world.resume(told.numbers ?? []);
    }
  });
  open();
}

export default { render };
