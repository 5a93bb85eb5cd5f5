// What many items make together: a snake of particles and links, a fit of rows and parameters, a volcano of hills.
import { computed } from "@preact/signals";
import { loadedRows, model, roleOf } from "../state/store";
import { numbersIn, textsIn } from "../state/values";
import type { ItemInfo } from "../wire/protocol";

export interface SnakeInfo {
  name: string;
  points: string[];
  picture: string;
  isClosed: boolean;
  values: Readonly<Record<string, unknown>>; // of one of its links
  items: string[];
}

export interface FitInfo {
  name: string;
  text: string; // left − right
  columns: readonly string[];
  parameters: readonly string[];
  rows: number[][];
  spread: number;
  limit: number;
  items: string[];
}

export interface VolcanoInfo {
  name: string;
  at: readonly [number, number];
  width: number;
  height: number;
  items: string[];
}

interface Groups {
  snakes: SnakeInfo[];
  fits: FitInfo[];
  volcanoes: VolcanoInfo[];
  members: ReadonlySet<string>; // of any of them
  points: ReadonlySet<string>; // of snakes
}

const numbered = (name: string): string | undefined => name.match(/^(.+) \d+$/)?.[1];

export const groups = computed<Groups>(() => {
  const [snakes, fits, volcanoes] = [
    new Map<string, SnakeInfo>(),
    new Map<string, FitInfo>(),
    new Map<string, VolcanoInfo>(),
  ];
  for (const item of model.value?.items ?? []) {
    const role = roleOf(item);
    if (role === "snake link") addLink(snakes, item);
    else if (role === "datum") addRow(fits, item);
    else if (role === "hill") addHill(volcanoes, item);
  }
  const all = model.value?.items ?? [];
  for (const snake of snakes.values()) {
    const own = all
      .filter((i) => i.shape?.kind === "point" && numbered(i.name) === snake.name)
      .map((i) => i.name);
    snake.points = own;
    snake.isClosed = all.some((i) => i.name === `${snake.name} 0 link`);
    const ends = all
      .filter((i) => roleOf(i) === "snake end" && own.includes(i.inputs[0] ?? ""))
      .map((i) => i.name);
    snake.items.push(...own, ...ends, `${snake.name} first tension`);
  }
  const data = loadedRows.value;
  if (data)
    fits.set(" data", {
      name: " data",
      text: "",
      columns: data.columns,
      parameters: [],
      rows: data.rows,
      spread: 1,
      limit: 0,
      items: [],
    });
  const members = [...snakes.values(), ...fits.values(), ...volcanoes.values()].flatMap((g) => g.items);
  return {
    snakes: [...snakes.values()],
    fits: [...fits.values()],
    volcanoes: [...volcanoes.values()],
    members: new Set(members),
    points: new Set([...snakes.values()].flatMap((s) => s.points)),
  };
});

function addLink(snakes: Map<string, SnakeInfo>, item: ItemInfo): void {
  const name = item.name.match(/^(.+) \d+ link$/)?.[1];
  if (name === undefined) return;
  const snake = snakes.get(name) ?? {
    name,
    points: [],
    picture: item.inputs[3] ?? "",
    isClosed: true,
    values: item.values,
    items: [],
  };
  snake.items.push(item.name);
  snakes.set(name, snake);
}

function addRow(fits: Map<string, FitInfo>, item: ItemInfo): void {
  const name = item.name.match(/^(.+) datum \d+$/)?.[1];
  if (name === undefined) return;
  let fit = fits.get(name);
  if (!fit) {
    fit = {
      name,
      text: textsIn(item.values["text"])[0] ?? "",
      columns: textsIn(item.values["constant_names"]),
      parameters: item.inputs,
      rows: [],
      spread: Number(item.values["spread"]),
      limit: Number(item.values["limit"]),
      items: [...item.inputs],
    };
    fits.set(name, fit);
  }
  fit.rows.push(numbersIn(item.values["constants"]));
  fit.items.push(item.name);
}

function addHill(volcanoes: Map<string, VolcanoInfo>, item: ItemInfo): void {
  const name = item.name.match(/^(.+) \d+$/)?.[1];
  if (name === undefined) return;
  const [x = 0, y = 0] = numbersIn(item.values["at"]);
  const hill = volcanoes.get(name) ?? {
    name,
    at: [x, y],
    width: Number(item.values["width"]),
    height: Number(item.values["height"]),
    items: [],
  };
  hill.items.push(item.name);
  volcanoes.set(name, hill);
}

/** The fit, snake or volcano of a name. */
export function groupOf(name: string): SnakeInfo | FitInfo | VolcanoInfo | undefined {
  const { snakes, fits, volcanoes } = groups.value;
  return [...snakes, ...fits, ...volcanoes].find((g) => g.name === name);
}
