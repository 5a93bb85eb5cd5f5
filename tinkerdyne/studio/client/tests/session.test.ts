import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { plotEach, plots, watched } from "../src/state/plots";
import { connect, eachFrame, showFrame } from "../src/state/session";
import * as store from "../src/state/store";
import type { Changes, Command, Model, Pinned, Request, Values } from "../src/wire/protocol";
import { item, layout, world } from "./items";

const sockets: { onmessage(event: { data: string }): void }[] = [];

const sent: Command[] = []; // by the page

/** What the server says. */
function say(message: object): void {
  sockets[0]?.onmessage({ data: JSON.stringify(message) });
}

beforeAll(() => {
  class Socket {
    static readonly OPEN = 1;
    readyState = 1;
    onmessage = (): void => undefined;
    send = (text: string): void => {
      const { seq, command }: Request = JSON.parse(text);
      sent.push(command);
      if (command.do === "pin")
        queueMicrotask(() => say({ type: "Reply", seq, error: "", can_force: false, result: null }));
    };
    constructor() {
      sockets.push(this);
    }
  }
  vi.stubGlobal("WebSocket", Socket);
  connect();
});

const rod = item({ name: "rod", of: "rod", key: 1, values: { mass: 1, is_on: true } });
const bob = item({ name: "bob", of: "particle", key: 2 });
const opened = (given: Partial<Model> = {}): Model => world({ items: [rod, bob], revision: 5, ...given });

beforeEach(() => {
  store.model.value = null;
  store.tracks.value = null;
  store.selected.value = [];
  store.traced.value = [];
  plots.value = [];
  sent.length = 0;
});

describe("the page's world", () => {
  test("is the one that the server tells", () => {
    say(opened());
    expect([...store.items.value.keys()]).toEqual(["rod", "bob"]);
  });

  test("takes over what changed and the order of all", () => {
    say(opened());
    const nail = item({ name: "nail", of: "nail", key: 3 });
    const changes: Changes = {
      type: "Changes",
      since: 5,
      model: opened({ revision: 6, items: [nail] }),
      order: [3, 1],
    };
    say(changes);
    expect([...store.items.value.keys()]).toEqual(["nail", "rod"]);
  });

  test("ignores changes of a world that it does not know", () => {
    say(opened());
    const changes: Changes = {
      type: "Changes",
      since: 4,
      model: opened({ revision: 6, items: [] }),
      order: [],
    };
    say(changes);
    expect(store.items.value.size).toBe(2);
  });

  test("takes over values, and whether an item is on", () => {
    say(opened());
    const values: Values = {
      type: "Values",
      revision: 6,
      items: { rod: { mass: 2, is_on: false } },
      can_undo: true,
      can_redo: false,
      is_dirty: true,
    };
    say(values);
    expect(store.items.value.get("rod")?.values["mass"]).toBe(2);
    expect(store.items.value.get("rod")?.is_on).toBe(false);
    expect(store.items.value.get("bob")?.is_on).toBe(true);
    expect(store.model.value?.can_undo).toBe(true);
  });

  test("keeps what is selected and plotted when an item gets another name", () => {
    say(opened());
    store.selected.value = ["rod"];
    plots.value = plotEach(["rod.position[0]", "energy"]);
    say(opened({ revision: 6, items: [{ ...rod, name: "arm" }, bob] }));
    expect(store.selected.value).toEqual(["arm"]);
    expect(watched.value).toEqual(["arm.position[0]", "energy"]);
  });

  test("does not take an item of another world for one of the same key", () => {
    say(opened());
    store.selected.value = ["rod"];
    say(opened({ revision: 6, scene: 2, items: [{ ...rod, name: "arm" }] }));
    expect(store.selected.value).toEqual([]);
  });

  test("begins to plot its first joint's force, and the energy", () => {
    say(
      opened({
        scene: 3,
        items: [rod, item({ name: "hook", of: "nail", family: "constraint", inputs: ["rod"], key: 4 })],
      }),
    );
    expect(watched.value).toEqual(["hook.force", "energy"]);
  });
});

describe("plots and traces", () => {
  const pinned = (names: string[], scene: number): Pinned => ({
    type: "Pinned",
    scene,
    plots: names.map((name) => ({ left: [name], right: [], x: "" })),
    traces: ["rod.end2"],
  });
  const answered = (): Promise<void> => new Promise((done) => setTimeout(done));
  const pins = (): Command[] => sent.splice(0).filter((command) => command.do === "pin");

  test("of a page are told to the others, and those of the others are taken over as they are", async () => {
    say(opened({ scene: 10 }));
    await answered();
    expect(pins()).toMatchObject([{ scene: 10, plots: [{ left: ["energy"] }], traces: [] }]);
    say(pinned(["rod.position[0]", "energy"], 10));
    expect(watched.value).toEqual(["rod.position[0]", "energy"]);
    expect(store.traced.value).toEqual(["rod.end2"]);
    await answered();
    expect(pins()).toEqual([]); // and are not told again
  });

  test("that were pinned before are those of a page that comes", async () => {
    say(opened({ scene: 11, pinned: pinned(["gap"], 11) }));
    expect(watched.value).toEqual(["gap"]);
    say(pinned(["energy"], 10)); // of a world that is gone
    expect(watched.value).toEqual(["gap"]);
    await answered();
    expect(pins()).toEqual([]);
  });

  test("keep their numbers, by which they are looked at", () => {
    say(opened({ scene: 12, pinned: pinned(["gap", "energy"], 12) }));
    const [gap] = plots.value;
    say(pinned(["rod.position[0]", "gap"], 12));
    expect(plots.value[1]).toEqual(gap);
  });

  test("that come while the page's own are on their way wait for the answer", async () => {
    say(opened({ scene: 13, pinned: pinned(["gap"], 13) }));
    plots.value = plotEach(["energy"]);
    say(pinned(["rod.position[0]"], 13)); // heard by the server before this page's
    say(pinned(["energy"], 13));
    await answered();
    expect(watched.value).toEqual(["energy"]);
  });
});

describe("frames", () => {
  const frame = (revision: number, numbers: number) => ({
    revision,
    time: 1,
    numbers: new Float32Array(numbers),
  });
  const track = { name: "rod", kind: "pose" as const, offset: 0, count: 7, of: "" };

  test("wait for their layout, and a layout for its first frame", () => {
    say(opened());
    say(layout([track], 6));
    expect(store.tracks.value).toBeNull();
    showFrame(frame(5, 7));
    expect(store.tracks.value).toBeNull();
    showFrame(frame(6, 7));
    expect(store.tracks.value?.layout.revision).toBe(6);
  });

  test("that are too short are not shown", () => {
    const seen = vi.fn();
    eachFrame(seen);
    say(layout([track], 8));
    showFrame(frame(8, 3));
    expect(seen).not.toHaveBeenCalled();
    showFrame(frame(8, 7));
    expect(seen).toHaveBeenCalledOnce();
  });
});

describe("of the past", () => {
  test("items that are gone or changed since are shown as they were, in their order", () => {
    say(opened());
    const gone = item({ name: "gone", of: "rod", key: 0.5 });
    say(layout([], 9, true, [gone, { ...bob, is_on: false }]));
    showFrame({ revision: 9, time: 0, numbers: new Float32Array(0) });
    expect(store.shownItems.value.map((one) => one.name)).toEqual(["gone", "rod", "bob"]);
    expect(store.items.value.get("bob")?.is_on).toBe(false);
  });
});
