// The page's side of the conversation: messages become signals, gestures become commands.

import { batch, effect } from "@preact/signals";
import { Connection, Refusal } from "../wire/connection";
import { type Frame, Tracks } from "../wire/frame";
import type {
  Changes,
  Command,
  Hello,
  Model,
  Pinned,
  ResultOf,
  ServerMessage,
  Values,
} from "../wire/protocol";
import { MOST_RECALLED, SOCKET } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { heard } from "./heard";
import { history, ownerOf, renamed } from "./history";
import { pace } from "./pace";
import { keptOf, namesOf, plotEach, plots, plotsTold, renamePlots, rowOf, watched } from "./plots";
import { takeMotion, takeOthers, takeSketch } from "./sketch";
import * as store from "./store";
import { textsIn } from "./values";

const LONGEST_WAIT = 300; // ms for a frame,
const LONGEST_EDIT = 3000; // and for one that must come
const READOUTS = 100; // ms between two readings of the numbers in panels,
const PICTURES = 4; // and as many pictures: where drawing is slow, panels must not make it slower
const SLOWEST_READOUTS = 500; // ms

const AXES = ["[0]", "[1]", "[2]"];
const onFrames: ((frame: Frame) => void)[] = [];
let waiting: (() => void)[] = [];
let connection: Server | null = null;
let lastTick = 0;
let nextTick = 0;
let awaited: Tracks | null = null; // a layout whose first frame has not come yet

/** Who answers commands: a connection to the studio's server, or a world that runs in the page. */
export interface Server {
  ask<C extends Command>(command: C): Promise<ResultOf<C>>;
}

/** Let a world in the page answer. */
export function serveBy(server: Server): void {
  connection = server;
}

/** Have something called with every frame that is drawn. */
export function eachFrame(listener: (frame: Frame) => void): void {
  onFrames.push(listener);
}

/** The next frame that is drawn, or a moment later when none comes. */
export function nextFrame(longest = LONGEST_WAIT): Promise<void> {
  return new Promise((done) => {
    waiting.push(done);
    setTimeout(done, longest);
  });
}

/** The frame with what was just put somewhere else: nothing is seen at its old place meanwhile, where the server is slow too. */
export function frameOfEdit(): Promise<void> {
  return nextFrame(LONGEST_EDIT);
}

/** Show a frame: the newest one of the server, or one of a recording. */
export function showFrame(frame: Frame): void {
  if (awaited?.layout.revision === frame.revision) expect(awaited, frame);
  const tracks = store.tracks.value;
  if (tracks?.layout.revision !== frame.revision || frame.numbers.length < tracks.layout.size) return;
  store.latest.frame = frame;
  for (const listener of onFrames) listener(frame);
  const awaiting = waiting;
  waiting = [];
  for (const done of awaiting) done();
  if (nextTick) return;
  const pause = Math.min(SLOWEST_READOUTS, Math.max(READOUTS, PICTURES * pace.drawn));
  nextTick = setTimeout(read, Math.max(0, lastTick + pause - performance.now()));
}

/** Let panels read the newest frame: no frame is the last one and left unread. */
function read(): void {
  nextTick = 0;
  lastTick = performance.now();
  store.tick.value++;
  void recall();
}

let isRecalling = false;

/** Have the plotted quantities up to now, from the recording. */
export async function recall(): Promise<void> {
  const names = wantedNames();
  if (isRecalling || !names.length || !connection) return;
  isRecalling = true;
  const scene = store.model.value?.scene;
  try {
    const told = await ask(history.wanted(names));
    if (scene !== store.model.value?.scene) return; // of another world
    history.take(names, told);
    store.recalled.value++;
  } catch {
    // the connection went, or the world is being opened: asked again with the next frame
  } finally {
    isRecalling = false;
  }
  if (names.join() !== wantedNames().join()) void recall();
}

/** Quantities that are plotted, and places that are traced. */
function wantedNames(): string[] {
  const plotted = watched.value;
  const room = Math.floor((MOST_RECALLED - plotted.length) / AXES.length);
  const traced = store.tracedPlaces.value.slice(0, Math.max(0, room));
  return [...new Set([...plotted, ...traced.flatMap((place) => AXES.map((k) => place + k))])];
}

/** From this frame on, frames are read by other tracks. */
function expect(tracks: Tracks, frame: Frame): void {
  awaited = null;
  store.latest.frame = frame;
  store.tracks.value = tracks;
  keepSelected();
}

/** What is gone is no longer selected. */
function keepSelected(): void {
  const left = store.selected.value.filter((name) => store.items.value.has(name));
  if (left.length !== store.selected.value.length) store.selected.value = left;
}

export function connect(): void {
  const url = new URL(SOCKET, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  connection = new Connection(url.href, {
    onMessage: receive,
    onFrame: showFrame,
    onState: (isOpen) => {
      store.isConnected.value = isOpen;
      if (isOpen) store.wasConnected.value = isJoining = true;
      if (isOpen) void recall();
    },
  });
  store.tracedPlaces.subscribe(() => void recall());
  effect(() => void pinAll(plots.value.map(rowOf), store.traced.value));
}

let isJoining = false; // the next model is the first one of a connection
let agreed = ""; // what is pinned in all pages, as far as this one knows
let pinning = 0; // how many times it was told otherwise, and has no answer yet
let coming: Pinned | null = null; // what came meanwhile

/** Have these plots and traces in all pages, where they are others than before. */
async function pinAll(rows: Pinned["plots"], traces: readonly string[]): Promise<void> {
  const scene = store.model.peek()?.scene;
  const now = JSON.stringify([rows, traces]);
  if (scene === undefined || now === agreed) return;
  agreed = now;
  pinning++;
  await ask({ do: "pin", scene, plots: rows, traces: [...traces] }).catch(() => undefined); // a page that comes back is told
  pinning--;
  if (coming) takePinned(coming);
}

/** Plots and traces that a page pinned. Where two do it at once, all end with those that the server heard last. */
function takePinned(message: Pinned): void {
  coming = pinning ? message : null;
  if (pinning || message.scene !== store.model.value?.scene) return;
  agreed = JSON.stringify([message.plots.map(rowOf), message.traces]);
  batch(() => {
    plots.value = plotsTold(message.plots);
    store.traced.value = message.traces;
  });
  void recall();
}

/** Do something on the server and have its answer, or its refusal. */
export function ask<C extends Command>(command: C): Promise<ResultOf<C>> {
  return connection
    ? connection.ask(command)
    : Promise.reject(new Refusal(wording.app.aReplayCannotBeChanged));
}

/** Do something on the server; a refusal is shown. Answers whether it was done. */
export async function act(command: Command): Promise<boolean> {
  try {
    await ask(command);
    return true;
  } catch (reason) {
    report(reason);
    return false;
  }
}

/** Give a parameter another value; answers what the server has against it. */
export async function change(name: string, parameter: string, value: unknown): Promise<string> {
  return applyEdit({ edit: "Change", name, parameter, value, key: 0 });
}

/** Carry out an edit; answers what the server has against it. */
export async function applyEdit(edit: Record<string, unknown>): Promise<string> {
  try {
    await ask({ do: "apply", edit });
    return "";
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
}

export function report(reason: unknown): void {
  store.say(reason instanceof Error ? reason.message : String(reason), "error");
}

export function receive(message: Exclude<ServerMessage, { type: "Reply" }>): void {
  switch (message.type) {
    case "Hello":
      if (store.hello.value && store.hello.value.build !== message.build) store.isOutdated.value = true;
      void meet(store.hello.value, message);
      break;
    case "Model":
      open(message);
      break;
    case "Changes":
      follow(message);
      break;
    case "Values":
      merge(message);
      break;
    case "Pinned":
      takePinned(message);
      break;
    case "Layout":
      expectTracks(new Tracks(message));
      break;
    case "Status":
      store.status.value = { ...message, ...store.expectedStatus.now }; // it may have been on its way before the server heard of these
      break;
    case "Sketch":
      takeSketch(message);
      break;
    case "Motion":
      takeMotion(message);
      break;
    case "Others":
      takeOthers(message);
      break;
    case "Notice":
      store.say(message.text, message.level);
  }
}

/** A server says who it is. One that was started anew gets back the world that this page had, where it has no other. */
async function meet(before: Hello | null, now: Hello): Promise<void> {
  const mine = before && before.session !== now.session ? store.model.value : null;
  store.hello.value = heard(now);
  try {
    const offer = await ask({ do: "ask", what: "recovery" });
    const isFree = now.is_bare || store.model.value?.title === mine?.title;
    const isMine = mine !== null && isFree && offer?.title === mine.title;
    if (isMine) await ask({ do: "open", unsaved: offer.name });
    else if (mine?.path && now.is_bare) await ask({ do: "open", path: mine.path });
    if (isMine || (mine?.path && now.is_bare)) store.say(wording.app.startedAnew);
    store.recovery.value = isMine ? null : offer;
  } catch (reason) {
    if (!mine) report(reason); // else another page was quicker
  }
}

/** The next frames are read by these tracks. */
export function expectTracks(tracks: Tracks): void {
  awaited = tracks;
}

function open(message: Model): void {
  const before = store.model.value;
  if (before && before.scene === message.scene) rename(before, message);
  else {
    history.forget();
    agreed = "";
    coming = null;
  }
  store.model.value = message;
  const isNew = isJoining || before?.scene !== message.scene;
  isJoining = false;
  if (isNew && message.pinned) takePinned(message.pinned);
  else if (isNew) batch(() => plotFirst(message));
  document.title = `${message.is_dirty ? "• " : ""}${message.title || wording.common.untitled} · Tinkerdyne`;
  keepSelected();
}

/** A model of which only changes came; without the one before, the whole is on its way. */
function follow({ since, model, order }: Changes): void {
  const before = store.model.value;
  if (before?.revision !== since) return;
  const items = new Map([...before.items, ...model.items].map((item) => [item.key, item]));
  open({ ...model, items: order.flatMap((key) => items.get(key) ?? []) });
}

/** Items keep their keys when their names change; what is selected, plotted and traced goes on under the new ones. */
function rename(before: Model, after: Model): void {
  const old = new Map(before.items.map((item) => [item.key, item.name]));
  const names = new Map<string, string>();
  for (const { key, name } of after.items) {
    const was = old.get(key);
    if (was !== undefined && was !== name) names.set(was, name);
  }
  if (!names.size) return;
  const now = (name: string): string => renamed(name, names);
  for (const list of [store.selected, store.traced, store.tracedPlaces]) list.value = list.value.map(now);
  renamePlots(now);
  store.hovered.value = now(store.hovered.value);
  history.rename(now);
}

function merge(message: Values): void {
  const model = store.model.value;
  if (!model) return;
  const { can_undo, can_redo, is_dirty } = message;
  const items = model.items.map((item) => {
    const values = message.items[item.name];
    if (!values) return item;
    const { is_on = item.is_on, is_fixed = item.is_fixed } = values;
    return {
      ...item,
      is_on: is_on === true,
      is_fixed: is_fixed === true,
      values: { ...item.values, ...values },
    };
  });
  store.model.value = { ...model, items, can_undo, can_redo, is_dirty };
}

/** A world that was opened goes on with the plots that it can have; to begin with, its first joint's force and the energy. */
function plotFirst(model: Model): void {
  const { display } = model;
  if (display["traces"] !== undefined) store.traced.value = textsIn(display["traces"]);
  if (display["plots"] !== undefined) {
    plots.value = plotEach(textsIn(display["plots"]));
    return void recall();
  }
  const known = new Set(model.items.map((item) => item.name));
  const isOfItem = (quantity: string): boolean => known.has(ownerOf(quantity, known));
  store.traced.value = store.traced.value.filter(isOfItem);
  const kept = keptOf(plots.value, (quantity) => !quantity.includes(".") || isOfItem(quantity));
  const first = model.items.find((item) => item.family === "constraint" && item.inputs.length > 0);
  const force = first && !kept.some((plot) => namesOf(plot).some(isOfItem)) ? [`${first.name}.force`] : [];
  const energy = kept.length ? [] : ["energy"];
  plots.value = [...plotEach(force), ...kept, ...plotEach(energy)];
  void recall();
}
