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
import { wording } from "../../wording/spoken";
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
      aria-label={wording.formulas.formulaByHand}
      onSubmit={(e) => void submit(e)}
      onKeyDown={onKey}
    >
      <header>
        <h2>{wording.formulas.formulaByHand}</h2>
        <button type="button" class="plain" aria-label={wording.common.close} onClick={closeFormula}>
          ✕
        </button>
      </header>
      <Forms />
      <input
        ref={field}
        class="formula-text"
        aria-label={wording.formulas.formula}
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
          {wording.common.makeIt}
        </button>
        <button type="button" onClick={closeFormula}>
          {wording.common.cancel}
        </button>
        {found?.python ? (
          <button
            type="button"
            class="plain line"
            title={wording.formulas.copyThisLine}
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
      <div class="segments" role="radiogroup" aria-label={wording.formulas.whatItShallBe}>
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
      <span class="muted">{wording.formulas.suchAs}</span>{" "}
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
          title={draft.form === "force" ? wording.formulas.actsOn : wording.formulas.leads}
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
          aria-label={wording.formulas.isTheNumber({ name })}
          value={meaning.number}
          onInput={(e) => mean(name, { number: e.currentTarget.value })}
        />
      ) : null}
      <select
        aria-label={wording.formulas.standsFor({ name: title })}
        value={meaning && "number" in meaning ? "#" : input}
        onChange={(e) => choose(e.currentTarget.value)}
      >
        <option value="">{isWanted ? wording.formulas.clickItInTheView : wording.formulas.choose}</option>
        {isNumber ? <option value="#">{wording.formulas.aNumber}</option> : null}
        {isKnown ? null : <option value={input}>{input.replace(/@.*/, wording.formulas.aPlaceOfIt)}</option>}
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
        title={wording.formulas.nextClickTells({ name: title })}
        onClick={() => (picking.value = name)}
      >
        {isWanted
          ? wording.formulas.clickInView
          : meaning && "input" in meaning && meaning.isGuess
            ? wording.formulas.guessed
            : wording.formulas.pick}
      </button>
    </div>
  );
}

/** What it says now, and what it would do. */
function Now() {
  const [draft, found] = [formula.value, understood.value];
  if (!draft?.text.trim() || !found || found.faults.length) return null;
  const word = { constraint: wording.formulas.offBy, condition: wording.formulas.leftSideIs } as const;
  const said =
    draft.form === "constraint" || draft.form === "condition" ? word[draft.form] : wording.formulas.is;
  return (
    <p class="formula-now" role="status">
      {found.now.length ? (
        <>
          <span class="muted">
            {wording.formulas.nowWord} {said}
          </span>{" "}
          <strong>{found.now.map(short).join(", ")}</strong>
        </>
      ) : null}
      {foreseen.value ? <span>{foreseen.value}</span> : isReady() ? <span class="muted">…</span> : null}
    </p>
  );
}
