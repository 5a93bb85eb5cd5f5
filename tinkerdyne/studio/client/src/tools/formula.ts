// Formulas by hand: opening the form, reading along while it is typed, and clicking the places of its names.
import { effect } from "@preact/signals";
import {
  type FormulaKind,
  foreseen,
  formula,
  mean,
  meanings,
  namesGiven,
  nextToPick,
  ON,
  picking,
  understood,
} from "../state/formula";
import { ask } from "../state/session";
import {
  hovered,
  items,
  model,
  prompt,
  readout,
  say,
  select,
  status,
  tick,
  tool,
  typeOf,
} from "../state/store";
import { placeNamed, placeOf } from "../view/places";
import type { Stage } from "../view/stage";
import type { Formulate } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { moreLabels } from "./labels";
import { coordinateOf, spotAt } from "./pick";
import type { Pointer, ToolUse } from "./tool";

const PAUSE = 90; // ms without a key before the server reads
const LOOK = 350; // ms more before it looks ahead
const READINGS = 4; // readouts between two readings of a formula while the world runs

export function openFormula(form: FormulaKind = "constraint", text = ""): void {
  understood.value = null;
  foreseen.value = "";
  formula.value = { form, text, meanings: {}, on: "" };
}

export function closeFormula(): void {
  formula.value = null;
  if (tool.value === "bind") tool.value = "select";
}

/** What the server is told of it. */
function asked<W extends Formulate["what"]>(what: W): (Formulate & { what: W }) | null {
  const draft = formula.value;
  return (
    draft && { do: "formulate", what, form: draft.form, text: draft.text, names: namesGiven(), on: draft.on }
  );
}

let counter = 0;

/** Have it read as it stands, and a moment later what it would do. */
effect(() => {
  const draft = formula.value;
  const names = JSON.stringify(meanings.value);
  const moment = status.value?.is_playing ? Math.floor(tick.value / READINGS) : 0;
  void [names, moment, model.value?.revision];
  counter++;
  if (!draft?.text.trim()) {
    understood.value = null;
    foreseen.value = "";
    return;
  }
  const mine = counter;
  setTimeout(() => void read(mine), PAUSE);
});

let looked = ""; // what was looked at ahead last

async function read(mine: number): Promise<void> {
  const command = asked("read");
  if (mine !== counter || !command) return;
  const found = await ask(command).catch(() => null);
  if (!found || mine !== counter) return;
  if (JSON.stringify(found) !== JSON.stringify(understood.value)) understood.value = found;
  const [isWhole, key] = [isReady(), JSON.stringify([asked("foresee"), model.value?.revision])];
  if (!isWhole) foreseen.value = "";
  if (!isWhole || key === looked) return;
  await new Promise((done) => setTimeout(done, LOOK));
  const ahead = asked("foresee");
  if (!ahead || JSON.stringify([ahead, model.value?.revision]) !== key) return;
  looked = key;
  foreseen.value = await ask(ahead).then(
    ({ says }) => says,
    (reason: unknown) => (reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason)),
  );
}

/** Whether it can be made as it stands. */
export function isReady(): boolean {
  const [draft, found] = [formula.value, understood.value];
  if (!draft || !found || found.faults.length || !draft.text.trim()) return false;
  const given = namesGiven();
  return found.names.every((n) => n.name in given) && (draft.form !== "path" || draft.on !== "");
}

/** Make it; answers what the server has against it. */
export async function makeFormula(): Promise<string> {
  const last = await ask(asked("read") ?? { do: "formulate", what: "read", form: "constraint", text: "" });
  understood.value = last; // names that were typed a moment ago
  const command = asked("make");
  if (!command) return "";
  try {
    const [made] = await ask(command);
    closeFormula();
    if (made) select(made);
    say(wording.tools.holdsFromNow({ name: made ?? wording.tools.theFormula }));
    return "";
  } catch (reason) {
    return reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason);
  }
}

// --- clicking the places of names ---------------------------------------------------------------------

/** Keep the pointer ready for the next name, as long as there is one. */
effect(() => {
  const isOpen = formula.value !== null;
  void understood.value;
  const wanted = isOpen ? picking.value || nextToPick() : "";
  if (isOpen && wanted && tool.peek() === "select") tool.value = "bind";
  else if (!wanted && tool.peek() === "bind") tool.value = "select";
  if (!isOpen) picking.value = "";
});

/** What a click at a place means: a joint's coordinate where its mark is nearer, else a place of a part. */
function meant(pointer: Pointer, stage: Stage): string {
  const glyph = stage.glyphAt(pointer.x, pointer.y);
  const coordinate = glyph ? coordinateOf(glyph) : "";
  const wanted = picking.value || nextToPick();
  const isPlace = wanted === ON || (understood.value?.names.find((n) => n.name === wanted)?.is_place ?? true);
  if (coordinate && !isPlace) return coordinate;
  const spot = spotAt(pointer, stage, false);
  if (spot && !(coordinate && wanted === ON && !spot.body)) return spot.input;
  return coordinate;
}

export const bindTool: ToolUse = {
  click(pointer, stage) {
    const wanted = picking.value || nextToPick();
    const input = meant(pointer, stage);
    if (!input) return say(wording.tools.clickPlaceFor({ name: wanted === ON ? wording.tools.it : wanted }));
    bind(wanted, input);
  },
  hover(pointer, stage) {
    const wanted = picking.value || nextToPick();
    const input = meant(pointer, stage);
    hovered.value = input.split(/[.@]/)[0] ?? "";
    if (!items.value.has(hovered.value)) hovered.value = "";
    prompt.value = "";
    readout.value = input
      ? {
          x: pointer.x,
          y: pointer.y,
          text: (wanted === ON ? wording.tools.forPlace : wording.tools.nameIs)({
            name: wanted,
            place: input.replace(/@.*/, wording.tools.hereInBrackets),
          }),
          detail: "",
        }
      : null;
  },
  leave() {
    readout.value = null;
  },
};

/** Let a name stand for something. */
export function bind(name: string, input: string): void {
  mean(name, { input, isGuess: false });
  picking.value = "";
}

/** Where a name's place is now; null for what has none. */
function placeMeant(input: string): ReturnType<typeof placeOf> {
  const [body = "", numbers = ""] = input.split("@");
  if (!numbers) return placeNamed(input) ?? placeOf(input);
  return placeNamed(body);
}

moreLabels.push(() => {
  if (!formula.value) return [];
  return Object.entries(meanings.value).flatMap(([name, meaning]) => {
    const at = "input" in meaning ? placeMeant(meaning.input) : null;
    return at ? [{ key: `formula ${name}`, text: name, at, kind: "tag" as const }] : [];
  });
});

/** Everything that a name may stand for, as `Insert` takes it: for choosing by keyboard. */
export function meaningsOffered(): string[] {
  const all = model.value?.items ?? [];
  const bodies = all.filter((item) => item.family === "object");
  const places = bodies.flatMap((item) => [
    item.name,
    ...Object.keys(item.places).map((place) => `${item.name}.${place}`),
  ]);
  const measures = all
    .filter((item) => item.family === "connector" && !item.part_of && typeOf(item)?.supplies !== "direction")
    .map((item) => item.name);
  const coordinates = all.flatMap((item) =>
    (typeOf(item)?.coordinates ?? []).map((coordinate) => `${item.name}.${coordinate}`),
  );
  return [...new Set([...places, ...coordinates, ...measures])].slice(0, 500);
}
