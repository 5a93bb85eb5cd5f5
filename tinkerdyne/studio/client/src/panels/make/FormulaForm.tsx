// A formula by hand: typed as on paper, with the places of its names clicked in the view, and what it says now.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import {
  FORMS,
  type FormulaKind,
  foreseen,
  formula,
  hasTarget,
  type Meaning,
  mean,
  meanings,
  nextToPick,
  ON,
  picking,
  rewrite,
  understood,
} from "../../state/formula";
import { short } from "../../state/numbers";
import { keysOf } from "../../state/values";
import { bind, closeFormula, isReady, makeFormula, meaningsOffered } from "../../tools/formula";
import { copyText } from "../../tools/operations";
import { view } from "../../view/current";
import { Fault } from "../media/Fault";
import { Wrong } from "../Wrong";

export function FormulaForm() {
  const draft = formula.value;
  return draft ? <Sheet key="formula" /> : null;
}

function Sheet() {
  const field = useRef<HTMLInputElement>(null);
  const wrong = useSignal("");
  useLayoutEffect(() => {
    field.current?.focus();
    return () => view.stage?.canvas.focus();
  }, []);
  const draft = formula.value;
  if (!draft) return null;
  const found = understood.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    wrong.value = "";
    wrong.value = await makeFormula();
  };
  const onKey = (event: KeyboardEvent): void => {
    event.stopPropagation(); // letters are no commands here
    if (event.key === "Escape") closeFormula();
  };
  return (
    <form
      class="formula-form"
      aria-label="Formula by hand"
      onSubmit={(e) => void submit(e)}
      onKeyDown={onKey}
    >
      <header>
        <h2>Formula by hand</h2>
        <button type="button" class="plain" aria-label="Close" onClick={closeFormula}>
          ✕
        </button>
      </header>
      <Forms />
      <input
        ref={field}
        class="formula-text"
        aria-label="Formula"
        spellcheck={false}
        autocomplete="off"
        placeholder={FORMS[draft.form].examples[0]}
        value={draft.text}
        onInput={(e) => {
          wrong.value = "";
          rewrite({ text: e.currentTarget.value });
        }}
      />
      {draft.text.trim() ? (
        <Fault fault={found?.faults[0]} text={found?.faults[0]?.field === 0 ? draft.text : ""} />
      ) : (
        <Examples form={draft.form} />
      )}
      <Names />
      <Now />
      <Wrong says={wrong.value} />
      <div class="buttons">
        <button
          type="submit"
          class="primary"
          disabled={!draft.text.trim() || (found?.faults.length ?? 0) > 0}
        >
          Make it
        </button>
        <button type="button" onClick={closeFormula}>
          Cancel
        </button>
        {found?.python ? (
          <button
            type="button"
            class="plain line"
            title="Copy this line"
            onClick={() => copyText(found.python)}
          >
            <code>{found.python}</code>
          </button>
        ) : null}
      </div>
    </form>
  );
}

/** What it shall be. */
function Forms() {
  const draft = formula.value;
  return (
    <>
      <div class="segments" role="radiogroup" aria-label="What it shall be">
        {keysOf(FORMS).map((form) => (
          <label key={form} class="segment">
            <input
              type="radio"
              name="form"
              checked={draft?.form === form}
              onChange={() => rewrite({ form })}
            />
            <span>{FORMS[form].title}</span>
          </label>
        ))}
      </div>
      <p class="muted">{draft ? FORMS[draft.form].says : ""}</p>
    </>
  );
}

function Examples({ form }: { form: FormulaKind }) {
  return (
    <p class="examples">
      <span class="muted">such as</span>{" "}
      {FORMS[form].examples.map((text) => (
        <button key={text} type="button" class="chip" onClick={() => rewrite({ text })}>
          {text}
        </button>
      ))}
    </p>
  );
}

/** A row for each name: what it stands for, by click, by list, or as a number. */
function Names() {
  const [draft, found] = [formula.value, understood.value];
  if (!draft?.text.trim()) return null;
  const wanted = picking.value || nextToPick();
  const offered = meaningsOffered();
  return (
    <div class="formula-names">
      {hasTarget.value ? (
        <Name
          name={ON}
          title={draft.form === "force" ? "acts on" : "leads"}
          meaning={draft.on ? { input: draft.on, isGuess: false } : undefined}
          isWanted={wanted === ON}
          offered={offered}
          isNumber={false}
        />
      ) : null}
      {(found?.names ?? []).map(({ name }) => (
        <Name
          key={name}
          name={name}
          title={name}
          meaning={meanings.value[name]}
          isWanted={wanted === name}
          offered={offered}
          isNumber
        />
      ))}
    </div>
  );
}

function Name(given: {
  name: string;
  title: string;
  meaning: Meaning | undefined;
  isWanted: boolean;
  offered: readonly string[];
  isNumber: boolean;
}) {
  const { name, title, meaning, isWanted, offered, isNumber } = given;
  const input = meaning && "input" in meaning ? meaning.input : "";
  const isKnown = !input || offered.includes(input);
  const choose = (value: string): void => {
    if (value === "#") mean(name, { number: "1" });
    else if (value) bind(name, value);
    else mean(name, null);
  };
  return (
    <div class="formula-name" data-wanted={isWanted}>
      <span class="of">{title}</span>
      {meaning && "number" in meaning ? (
        <input
          class="number"
          inputMode="decimal"
          aria-label={`${name} is the number`}
          value={meaning.number}
          onInput={(e) => mean(name, { number: e.currentTarget.value })}
        />
      ) : null}
      <select
        aria-label={`what ${title} stands for`}
        value={meaning && "number" in meaning ? "#" : input}
        onChange={(e) => choose(e.currentTarget.value)}
      >
        <option value="">{isWanted ? "click it in the view" : "choose…"}</option>
        {isNumber ? <option value="#">a number</option> : null}
        {isKnown ? null : <option value={input}>{input.replace(/@.*/, " (a place of it)")}</option>}
        {offered.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="chip"
        aria-pressed={isWanted}
        title={`the next click in the view tells what ${title} is`}
        onClick={() => (picking.value = name)}
      >
        {isWanted
          ? "click in the view"
          : meaning && "input" in meaning && meaning.isGuess
            ? "guessed"
            : "pick"}
      </button>
    </div>
  );
}

/** What it says now, and what it would do. */
function Now() {
  const [draft, found] = [formula.value, understood.value];
  if (!draft?.text.trim() || !found || found.faults.length) return null;
  const word = { constraint: "off by", condition: "its left side is" } as const;
  const said = draft.form === "constraint" || draft.form === "condition" ? word[draft.form] : "is";
  return (
    <p class="formula-now" role="status">
      {found.now.length ? (
        <>
          <span class="muted">now {said}</span> <strong>{found.now.map(short).join(", ")}</strong>
        </>
      ) : null}
      {foreseen.value ? <span>{foreseen.value}</span> : isReady() ? <span class="muted">…</span> : null}
    </p>
  );
}
