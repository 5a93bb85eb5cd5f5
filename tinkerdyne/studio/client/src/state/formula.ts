// A formula that is being written by hand: its text, and what its names stand for.
import { computed, signal } from "@preact/signals";
import type { Formulate, Formulated } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { parsed } from "./numbers";
import { isBody, isGround, items, selected, shownItems, typeOf } from "./store";

export type FormulaKind = Exclude<Formulate["form"], "">;

/** What a name stands for: a number as it is typed, or something as `Insert` takes it. A guess may be taken over by a click. */
export type Meaning = { number: string } | { input: string; isGuess: boolean };

export const ON = "·on"; // stands for what a force acts on or a path leads, beside the names

export const FORMS: Readonly<
  Record<FormulaKind, { title: string; says: string; examples: readonly string[] }>
> = {
  constraint: {
    title: wording.common.constraint,
    says: wording.formulas.constraintIs,
    examples: ["|a − b| = 2 r", "p.y = sin(p.x)", "a + b = 2 c"],
  },
  condition: {
    title: wording.formulas.condition,
    says: wording.formulas.conditionIs,
    examples: ["|a − b| >= 1", "p.x <= 2"],
  },
  energy: {
    title: wording.formulas.energy,
    says: wording.formulas.energyIs,
    examples: ["k |a − b|²/2", "m g p.y"],
  },
  force: {
    title: wording.formulas.force,
    says: wording.formulas.forceIs,
    examples: ["-k (p − q)", "-c p_dot", "M sin(2 pi t)"],
  },
  measure: {
    title: wording.common.measure,
    says: wording.formulas.measureIs,
    examples: ["|a − b|", "(a + b)/2", "dot(a − c, b − c)"],
  },
  path: {
    title: wording.formulas.path,
    says: wording.formulas.pathIs,
    examples: ["cos(t), sin(t)", "0.5 sin(2 pi t)"],
  },
};

export interface Draft {
  form: FormulaKind;
  text: string;
  meanings: Readonly<Record<string, Meaning>>; // what was chosen
  on: string;
}

export const formula = signal<Draft | null>(null);
export const understood = signal<Formulated | null>(null); // the server's word on it
export const foreseen = signal(""); // what it would do
export const picking = signal(""); // the name whose place the next click tells, ON, or "" for none

/** Whether it is for something that is no name in it. */
export const hasTarget = computed(() => formula.value?.form === "force" || formula.value?.form === "path");

/** What every name stands for now: what was chosen, else an item of that name, what is selected, the newest parts. */
export const meanings = computed<Readonly<Record<string, Meaning>>>(() => {
  const [draft, names] = [formula.value, understood.value?.names ?? []];
  if (!draft) return {};
  const places = names.filter((n) => n.is_place && !draft.meanings[n.name] && !items.value.has(n.name));
  const guesses = candidates(places.length);
  const found: Record<string, Meaning> = {};
  let next = 0;
  for (const { name, is_place } of names) {
    const chosen = draft.meanings[name];
    const known = items.value.get(name);
    if (chosen) found[name] = chosen;
    else if (known?.family === "object" || known?.family === "connector")
      found[name] = { input: name, isGuess: true };
    else if (!is_place) found[name] = { number: "1" };
    else {
      const input = guesses[next++];
      if (input !== undefined) found[name] = { input, isGuess: true };
    }
  }
  return found;
});

/** Parts that names may stand for: those that are selected, or as many of the newest as are wanted. */
function candidates(count: number): string[] {
  const fits = (name: string): boolean => {
    const item = items.value.get(name);
    return isBody(item)
      ? !isGround(item) && ["point", "frame"].includes(typeOf(item)?.supplies ?? "")
      : false;
  };
  const chosen = selected.value.filter(fits);
  if (chosen.length >= count) return chosen.slice(0, count);
  const bodies = shownItems.value.map((item) => item.name).filter(fits);
  return bodies.slice(-count);
}

/** The names of a draft as `Formulate` takes them. */
export function namesGiven(): Record<string, string | number> {
  const given: Record<string, string | number> = {};
  for (const [name, meaning] of Object.entries(meanings.value)) {
    if ("input" in meaning) given[name] = meaning.input;
    else {
      const value = parsed(meaning.number);
      if (value !== null) given[name] = value;
    }
  }
  return given;
}

/** The first name whose place nobody chose; a click in the view tells it. */
export function nextToPick(): string {
  const draft = formula.value;
  if (!draft) return "";
  const open = (understood.value?.names ?? []).find((n) => n.is_place && !draft.meanings[n.name]);
  if (open) return open.name;
  return hasTarget.value && !draft.on ? ON : "";
}

/** Change what is being written. */
export function rewrite(change: Partial<Draft>): void {
  if (formula.value) formula.value = { ...formula.value, ...change };
}

export function mean(name: string, meaning: Meaning | null): void {
  const draft = formula.value;
  if (!draft) return;
  if (name === ON) {
    rewrite({ on: meaning && "input" in meaning ? meaning.input : "" });
    return;
  }
  const { [name]: _old, ...others } = draft.meanings;
  rewrite({ meanings: meaning ? { ...others, [name]: meaning } : others });
}
