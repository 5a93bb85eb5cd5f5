// Items, layouts and models as the server describes them, with only what a test is about.
import { hello, latest, model, tracks } from "../src/state/store";
import { Tracks } from "../src/wire/frame";
import type { FrameLayout, Guide, Hello, ItemInfo, Model, Track, TypeInfo } from "../src/wire/protocol";

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

export function type(name: string, given: Partial<TypeInfo> = {}): TypeInfo {
  return {
    name,
    family: "connector",
    group: "",
    title: name,
    doc: "",
    parameters: [],
    state: [],
    ports: [],
    supplies: "",
    coordinates: [],
    places: [],
    is_planar: false,
    is_joint: false,
    python: "",
    glyph: "plain",
    axis: "none",
    seat: "first",
    role: "none",
    word: "",
    rank: 0,
    form: "",
    icon: "box",
    drawn: "",
    sizes: [],
    tool: 0,
    slides: "",
    ends: [],
    span: [],
    spaces: [2, 3],
    ...given,
  };
}

/** A server that knows these types. */
export function greet(types: readonly TypeInfo[], ...guides: Guide[]): void {
  const said: Hello = {
    type: "Hello",
    version: 1,
    build: "",
    types: [...types],
    examples: [],
    guides,
    fits: [],
    can_render: false,
    session: "",
    is_bare: false,
  };
  hello.value = said;
}

export function world(given: Partial<Model> = {}): Model {
  return {
    type: "Model",
    revision: 1,
    title: "",
    path: "",
    items: [],
    settings: {},
    display: {},
    timeline: [],
    can_undo: false,
    can_redo: false,
    is_dirty: false,
    dimension: 3,
    scene: 1,
    pinned: null,
    ...given,
  };
}

export function layout(
  all: readonly Track[],
  revision = 1,
  is_past = false,
  then: ItemInfo[] = [],
): FrameLayout {
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
