// The fields of a typed curve: its equations, the spans of its letters, and the numbers that its names begin with.
import type { Signal } from "@preact/signals";
import type { Fault as FaultFound } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { type CurveForm, ELLIPSE, SURFACE, TYPED } from "./curveForms";
import { Fault } from "./Fault";

type Texts = Signal<readonly string[]>;
type FaultOf = (field: number) => FaultFound | undefined;

function set(texts: Texts, i: number, text: string): void {
  texts.value = texts.value.map((old, k) => (k === i ? text : old));
}

/** Equations to begin with. */
export function BeginWith({ fill }: { fill: (form: CurveForm, isSurface: boolean) => void }) {
  const choose = (key: string): void =>
    key === "surface" ? fill(SURFACE, true) : fill(TYPED[key] ?? ELLIPSE, false);
  return (
    <label class="setting">
      <span>{wording.media.beginWith}</span>
      <select aria-label={wording.media.beginWith} onChange={(e) => choose(e.currentTarget.value)}>
        {Object.entries(TYPED).map(([key, form]) => (
          <option key={key} value={key}>
            {form.title}
          </option>
        ))}
        <option value="surface">{wording.media.surfaceSpace}</option>
      </select>
    </label>
  );
}

export function Equations({
  letters,
  texts,
  faultOf,
}: {
  letters: readonly string[];
  texts: Texts;
  faultOf: FaultOf;
}) {
  /** The place of a text among those that are not empty, which are sent. */
  const sentAs = (i: number): number => texts.value.slice(0, i).filter((text) => text.trim()).length;
  return (
    <>
      {["x", "y", "z"].map((name, i) => (
        <div key={name}>
          <label class="formula">
            <span>
              {name}({letters.join(", ")}) =
            </span>
            <input
              aria-label={wording.media.coordinateOfCurve({ name })}
              spellcheck={false}
              autocomplete="off"
              placeholder={i === 2 ? wording.media.nothingInPlane : ""}
              autofocus={i === 0}
              value={texts.value[i] ?? ""}
              onInput={(e) => set(texts, i, e.currentTarget.value)}
            />
          </label>
          <Fault
            fault={texts.value[i]?.trim() ? faultOf(sentAs(i)) : undefined}
            text={texts.value[i] ?? ""}
          />
        </div>
      ))}
    </>
  );
}

/** From where to where each letter goes. */
export function Spans({
  letters,
  spans,
  faultOf,
}: {
  letters: readonly string[];
  spans: Texts;
  faultOf: FaultOf;
}) {
  return (
    <>
      {letters.map((letter, k) => {
        const [from, to] = [2 * k, 2 * k + 1];
        const first = faultOf(-2 - from);
        return (
          <div key={letter}>
            <div class="formula">
              <span>
                {letter} {wording.media.from}
              </span>
              <input
                aria-label={wording.media.letterFrom({ letter })}
                value={spans.value[from] ?? ""}
                onInput={(e) => set(spans, from, e.currentTarget.value)}
              />
              <span class="to">{wording.media.to}</span>
              <input
                aria-label={wording.media.letterTo({ letter })}
                value={spans.value[to] ?? ""}
                onInput={(e) => set(spans, to, e.currentTarget.value)}
              />
            </div>
            <Fault fault={first ?? faultOf(-2 - to)} text={spans.value[first ? from : to] ?? ""} />
          </div>
        );
      })}
    </>
  );
}

export function StartNumbers({
  names,
  values,
}: {
  names: readonly string[];
  values: Signal<CurveForm["values"]>;
}) {
  return (
    <div class="curve-numbers">
      {names.map((name) => (
        <label key={name}>
          <span>{name}</span>
          <input
            class="number"
            inputMode="decimal"
            aria-label={wording.media.startOf({ name })}
            value={values.value[name] ?? "1"}
            onInput={(e) => (values.value = { ...values.value, [name]: e.currentTarget.value })}
          />
        </label>
      ))}
      {names.length ? null : <p class="muted">{wording.media.everyName}</p>}
    </div>
  );
}
