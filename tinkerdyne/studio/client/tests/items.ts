// Items, layouts and models as the server describes them, with only what a test is about.
import { latest, model, tracks } from "../src/state/store";
import { Tracks } from "../src/wire/frame";
import type { ItemInfo, Layout, Model, Track } from "../src/wire/protocol";

export function item(given: Partial<ItemInfo> & { name: string; of: string }): ItemInfo {
  return {
    family: "object",
    inputs: [],
    values: {},
    is_on: true,
    is_fixed: false,
    dimension: 3,
    shape: null,
    places: {},
    part_of: "",
    key: 0,
    ...given,
  };
}

export function world(given: Partial<Model> = {}): Model {
  return {
    type: "Model",
    revision: 1,
    title: "",
    path: "",
    items: [],
    settings: {},
    timeline: [],
    can_undo: false,
    can_redo: false,
    is_dirty: false,
    dimension: 3,
    scene: 1,
    ...given,
  };
}

export function layout(all: readonly Track[], revision = 1, is_past = false, then: ItemInfo[] = []): Layout {
  const size = Math.max(0, ...all.map((track) => track.offset + track.count));
  return { type: "Layout", revision, size, tracks: [...all], then, since: [], is_past };
}

/** Show a world with these items, the numbers of each one's track behind each other in a frame. */
export function show(
  items: readonly ItemInfo[],
  moving: readonly (readonly [Omit<Track, "offset" | "count" | "of">, number[]])[] = [],
): void {
  const all: Track[] = [];
  const numbers: number[] = [];
  for (const [track, own] of moving) {
    all.push({ ...track, of: "", offset: numbers.length, count: own.length });
    numbers.push(...own);
  }
  model.value = world({ items: items.map((one, i) => ({ ...one, key: one.key || i + 1 })) });
  tracks.value = new Tracks(layout(all));
  latest.frame = { revision: 1, time: 0, numbers: new Float32Array(numbers) };
}
