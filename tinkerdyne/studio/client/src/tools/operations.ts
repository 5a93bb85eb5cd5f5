// What the actions do: each of these is one thing that a person can ask for.
import { Vector3 } from "three";
import { download } from "../media/files";
import { completed } from "../state/guide";
import { watched } from "../state/plots";
import { act, ask, report } from "../state/session";
import * as store from "../state/store";
import { CHOICES, choices } from "../view/axis";
import { view } from "../view/current";
import { placeOf } from "../view/places";
import { Refusal } from "../wire/connection";
import type { Status, Turned } from "../wire/protocol";
import { remember } from "../wording/memory";
import { wording } from "../wording/spoken";
import { Grab } from "./grab";
import { inHand } from "./hand";
import { startNail } from "./nail";
import { cancelGesture, confirmTool, pointer, putAway, take } from "./pointer";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];
export const has = (): boolean => store.selected.value.length > 0;
const COPIED = "tinkerdyne-items"; // what a text begins with that holds parts
let clipboard = ""; // what was copied on this page, for browsers that do not lend theirs

/** Have a text of the server, or say why not. */
async function asked(what: "python" | "scene" | "share" | "live" | "csv"): Promise<string> {
  const traces = [...store.tracedPlaces.value];
  return (await ask({ do: "ask", what, plots: [...watched.value], traces })).text;
}

export function exportAs(what: "scene" | "share" | "csv", ending: string, kind: string): void {
  asked(what)
    .then((content) => download(`${fileName()}${ending}`, content, kind))
    .catch(report);
}

function fileName(): string {
  return (store.model.value?.title || "world").replace(/\.[a-z]+$/, "").replace(/[^\w-]+/g, "_");
}

/** A page in which the world runs by itself; where only Python can run it, the replay, and why. */
export async function shareLive(): Promise<void> {
  store.say(wording.tools.livePageIsMade);
  try {
    download(`${fileName()}.html`, await asked("live"), "text/html");
  } catch (reason) {
    store.say(wording.tools.aReplayInstead({ reason: (reason as Error).message }), "warning");
    exportAs("share", ".html", "text/html");
  }
}

export async function save(path = "", isForced = false): Promise<boolean> {
  try {
    const saved = await ask({ do: "save", path, is_forced: isForced });
    store.say(wording.tools.saved({ path: saved.path }));
    return true;
  } catch (reason) {
    if (!(reason instanceof Refusal) || !reason.canForce) report(reason);
    else {
      store.question.value = {
        text: reason.message,
        yes: wording.tools.replace,
        run: () => void save(path, true),
      };
      store.dialog.value = "question";
    }
    return false;
  }
}

/** Take up a world that was left unsaved: the newest, or one by its name. */
export async function recover(unsaved = ""): Promise<boolean> {
  const isDone = await act(unsaved ? { do: "open", unsaved } : { do: "open", recover: true });
  if (isDone) store.recovery.value = null;
  return isDone;
}

export async function copy(): Promise<void> {
  if (!has()) return;
  clipboard = (await ask({ do: "copy", names: [...store.selected.value] })).text;
  await navigator.clipboard?.writeText(clipboard).catch(() => undefined); // a page without the permission keeps its own copy
  store.say(wording.tools.copied({ names: store.selected.value.join(", ") }));
}

/** Ctrl+V gives the browser's clipboard by itself; from the menu it must be asked for. */
export async function pasteFromMenu(): Promise<void> {
  await paste((await navigator.clipboard?.readText().catch(() => "")) ?? "");
}

/** Parts of a text, or, where it holds none, those that were copied here. */
export async function paste(given: string, by: number[] = []): Promise<void> {
  const content = given.includes(COPIED) ? given : clipboard;
  if (!content) return store.say(wording.tools.clipboardEmpty);
  const made = await ask({ do: "paste", text: content, by });
  store.selected.value = made.filter((n) => store.items.value.get(n)?.family === "object");
}

export async function duplicate(): Promise<void> {
  if (!has()) return;
  const { text } = await ask({ do: "copy", names: [...store.selected.value] });
  await paste(text, aside());
}

/** To the right, by so much that nothing lies in its copy. */
function aside(): number[] {
  const box = view.stage?.bounds(store.selected.value);
  const wide = box && !box.isEmpty() ? box.max.x - box.min.x : 0;
  return wide ? [Number((1.2 * wide).toPrecision(2)), 0, 0].slice(0, store.dimension.value) : [];
}

/** A hand that pulls lets go first: time goes back, and its drag with it. */
function letGo(): void {
  if (!(inHand() instanceof Grab)) return;
  cancelGesture();
  inHand()?.cancel();
}

export function undo(isWhole = false): void {
  letGo();
  ask({ do: "undo", is_whole: isWhole })
    .then((turned) => {
      completed("undo");
      sayTurned(wording.tools.undid, turned);
    })
    .catch(report);
}

export function redo(): void {
  letGo();
  ask({ do: "redo" })
    .then((turned) => sayTurned(wording.tools.didAgain, turned))
    .catch(report);
}

/** Say what was undone, what became of the run, and how to have it the other way. */
function sayTurned(word: string, { is_done, says, time, earlier }: Turned): void {
  if (!is_done) {
    store.say(
      word === wording.tools.undid ? wording.tools.thereIsNothingToUndo : wording.tools.thereIsNothingToRedo,
    );
    return;
  }
  const run =
    time !== null
      ? wording.tools.nowAt({ time: time.toFixed(2) })
      : earlier !== null
        ? wording.tools.runWasKept
        : "";
  const back =
    earlier === null
      ? undefined
      : {
          title: wording.tools.goBackToo({ time: earlier.toFixed(2) }),
          run: () => void act({ do: "rewind" }),
        };
  store.say(`${word}: ${says}${run}`, "info", back);
}

/** Show at once what is asked for; when the server has answered, it has the last word. */
async function run(soon: { is_playing: boolean } | { speed: number }): Promise<void> {
  const mine: Partial<Status> = { ...store.expectedStatus.now, ...soon };
  store.expectedStatus.now = mine;
  if (store.status.value) store.status.value = { ...store.status.value, ...soon };
  await act({ do: "play", ...soon });
  if (store.expectedStatus.now === mine) store.expectedStatus.now = {}; // else more was asked for meanwhile
}

export function play(isPlaying: boolean): void {
  if (isPlaying) completed("play");
  void run({ is_playing: isPlaying });
}

export function setSpeed(speed: number): void {
  void run({ speed });
}

export function faster(by: 1 | -1): void {
  const now = store.expectedStatus.now.speed ?? store.status.value?.speed ?? 1; // before the first status too
  const next =
    by > 0 ? SPEEDS.find((s) => s > now * 1.01) : [...SPEEDS].reverse().find((s) => s < now * 0.99);
  if (next !== undefined) setSpeed(next);
}

/** Grab the selected part by its middle, to be moved with the arrow keys. */
export function grabByKey(isHard: boolean, withOrientation = false): void {
  const name = store.selected.value.find((n) => store.isBody(store.items.value.get(n)));
  if (!name || !placeOf(name) || !view.stage) {
    store.say(wording.tools.selectAPartFirstWithTab);
    return;
  }
  take(view.stage, name, new Vector3(), isHard, withOrientation);
  const turns = withOrientation ? wording.tools.keysTurnIt : "";
  store.say(wording.tools.keysMoveIt({ turns }));
}

export function nudge(dx: number, dy: number): void {
  const held = inHand();
  if (held) held.nudge(dx, dy);
  else if (view.stage) {
    view.stage.camera.orbit(-2 * dx, -2 * dy);
    view.stage.refresh();
  }
}

/** Tab: select the next part. */
export function cycle(by: 1 | -1): void {
  const all = (store.model.value?.items ?? []).filter((i) => i.family !== "connector").map((i) => i.name);
  if (!all.length) return;
  const now = all.indexOf(store.selected.value[0] ?? "");
  store.select(all[(now + by + all.length) % all.length] ?? "");
}

/** A: the next axis for joints. */
export function nextAxis(): void {
  const all = choices();
  store.axis.value = all[(all.indexOf(store.axis.value) + 1) % all.length] ?? "auto";
  store.say(wording.tools.axisIsNow({ choice: CHOICES[store.axis.value] }));
}

export function stepBack(): void {
  if (store.dialog.value) store.dialog.value = "";
  else if (inHand()) {
    cancelGesture();
    inHand()?.cancel();
  } else if (!cancelGesture() && !putAway()) store.selected.value = [];
}

export function deleteSelected(): void {
  if (store.selected.value.length) void act({ do: "delete", names: [...store.selected.value] });
}

export function nailSelected(): void {
  const stage = view.stage;
  if (stage) startNail(stage, pointer.now);
}

export function changeTheme(): void {
  store.theme.value = store.theme.value === "dark" ? "light" : "dark";
  remember("theme", store.theme.value);
}

export function confirm(): void {
  const held = inHand();
  if (held) held.end();
  else confirmTool();
}

export function nextPanel(): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-panel]")];
  const panels = all.filter((panel) => panel.getClientRects().length > 0); // others are hidden
  const now = panels.findIndex((p) => p.contains(document.activeElement));
  const next = panels[(now + 1) % panels.length];
  (next?.matches("canvas")
    ? next
    : next?.querySelector<HTMLElement>("button, input, select, [tabindex='0']")
  )?.focus();
}

/** Put a text on the clipboard, where the browser allows that. */
export function copyText(content: string): void {
  navigator.clipboard.writeText(content).then(
    () => store.say(wording.tools.copiedText),
    () => store.say(wording.tools.noCopying, "warning"),
  );
}
