import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { plotEach, plots, watched } from "../src/state/plots";
import { connect, eachFrame, showFrame } from "../src/state/session";
import * as store from "../src/state/store";
import type { Changes, Model, Values } from "../src/wire/protocol";
import { item, layout, world } from "./items";

const sockets: { onmessage(event: { data: string }): void }[] = [];

/** What the server says. */
function say(message: object): void {
  sockets[0]?.onmessage({ data: JSON.stringify(message) });
}

beforeAll(() => {
  class Socket {
    static readonly OPEN = 1;
    readyState = 1;
    onmessage = (): void => undefined;
    send = vi.fn();
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
  plots.value = [];
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
