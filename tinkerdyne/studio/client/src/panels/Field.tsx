// A field for one parameter: by its sort, with its unit, and the server's word when it is refused.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { fitting, parsed } from "../state/numbers";
import { shownAs } from "../state/units";
import type { Parameter } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Wrong } from "./Wrong";

interface Props {
  parameter: Parameter;
  value: unknown;
  digits?: number; // that are meant, of what comes rounded
  commit: (value: unknown) => Promise<string>; // answers what is wrong with it
}

export function Field({ parameter, value, commit, digits }: Props) {
  const error = useSignal("");
  const spoken = useRef(0);
  const complain = (words: string): void => {
    spoken.current++;
    error.value = words;
  };
  const give = async (next: unknown): Promise<void> => {
    complain("");
    const before = spoken.current;
    const words = await commit(next);
    if (spoken.current === before) complain(words); // a late answer has nothing to say of a newer entry
  };
  const title = parameter.name.replaceAll("_", " ");
  const { factor, unit } = isPlain(value) ? shownAs(parameter.unit) : { factor: 1, unit: parameter.unit };
  const shown = times(value, factor, digits);
  return (
    <div
      class={`field ${isRows(value) || (isNumbers(value) && value.length > 2) ? "long" : ""}`}
      role="group"
      aria-label={title}
    >
      <span class="field-name">{title}</span>
      <div class="field-value">
        <Editor
          parameter={parameter}
          value={shown}
          give={(next) => give(typedOf(next, shown, value, factor))}
          complain={complain}
        />
        {unit ? <span class="unit">{unit}</span> : null}
      </div>
      <Wrong says={error.value} />
    </div>
  );
}

/** Whether a value can be shown in other units: a number, or a few of one kind. */
function isPlain(value: unknown): boolean {
  return typeof value === "number" || (isNumbers(value) && value.length <= 3);
}

const EXACT = 12; // digits of a number in another unit: without the noise of the change

/** Numbers in another unit. */
function times(value: unknown, factor: number, digits = EXACT): unknown {
  if (factor === 1 && digits === EXACT) return value;
  const other = (x: number): number => Number((x * factor).toPrecision(digits));
  return typeof value === "number" ? other(value) : isNumbers(value) ? value.map(other) : value;
}

/** What was typed, in the world's unit; numbers beside it that were left stay as they are, not as they are shown. */
function typedOf(next: unknown, shown: unknown, value: unknown, factor: number): unknown {
  const meant = times(next, 1 / factor);
  if (!isNumbers(meant) || !isNumbers(next) || !isNumbers(shown) || !isNumbers(value)) return meant;
  return meant.map((x, k) => (next[k] === shown[k] ? (value[k] ?? x) : x));
}

interface Giving {
  give: (value: unknown) => Promise<void>;
  complain: (words: string) => void; // "" takes them back
}

function Editor({ parameter, value, give, complain }: Giving & { parameter: Parameter; value: unknown }) {
  if (typeof value === "boolean")
    return (
      <input
        type="checkbox"
        aria-label={parameter.name}
        checked={value}
        onChange={(e) => void give(e.currentTarget.checked)}
      />
    );
  if (typeof value === "number")
    return <NumberInput label={parameter.name} value={value} give={give} complain={complain} />;
  if (typeof value === "string" && parameter.choices.length)
    return (
      <select aria-label={parameter.name} value={value} onChange={(e) => void give(e.currentTarget.value)}>
        {parameter.choices.map((c) => (
          <option key={c} value={c}>
            {c}
          </option>
        ))}
      </select>
    );
  if (isNumbers(value) && value.length <= 4)
    return (
      <>
        {value.map((x, i) => (
          <NumberInput
            key={i}
            label={`${parameter.name} ${(parameter.name === "orientation" ? "wxyz" : "xyzw")[i] ?? i}`}
            value={x}
            give={(next) => give(value.map((old, k) => (k === i ? next : old)))}
            complain={complain}
          />
        ))}
      </>
    );
  if (isRows(value) && value.length <= MOST_ROWS)
    return <Rows parameter={parameter} rows={value} give={give} complain={complain} />;
  return <TextInput label={parameter.name} value={JSON.stringify(value)} give={give} />;
}

const MOST_ROWS = 40;

function isRows(value: unknown): value is number[][] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => isNumbers(row) && row.length <= 4);
}

/** Rows of numbers, such as the keys of a path; another one is put behind the last. */
function Rows({ parameter, rows, give, complain }: Giving & { parameter: Parameter; rows: number[][] }) {
  const last = rows.at(-1) ?? [];
  const another = last.map((x, k) => (k === 0 ? x + 1 : x));
  return (
    <div class="rows">
      {rows.map((row, i) => (
        <div key={i} class="field-value">
          {row.map((x, k) => (
            <NumberInput
              key={k}
              label={`${parameter.name} ${i + 1} ${(parameter.sort === "keys" ? "txyz" : "xyzw")[k] ?? k}`}
              value={x}
              give={(next) =>
                give(rows.map((old, j) => (j === i ? old.map((y, m) => (m === k ? next : y)) : old)))
              }
              complain={complain}
            />
          ))}
          <button
            class="plain"
            aria-label={wording.field.removeRow({ row: i + 1 })}
            onClick={() => void give(rows.filter((_, j) => j !== i))}
          >
            ✕
          </button>
        </div>
      ))}
      <button class="chip" onClick={() => void give([...rows, another])}>
        {wording.field.addRow}
      </button>
    </div>
  );
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === "number");
}

const PADDING = 8; // px
const pen = document.createElement("canvas").getContext("2d");

/** How many digits fit into a field. */
function roomIn(field: HTMLInputElement): number {
  const { fontSize, fontFamily } = getComputedStyle(field);
  if (pen) pen.font = `${fontSize} ${fontFamily}`;
  return Math.floor((field.clientWidth - PADDING) / (pen?.measureText("0").width || 8));
}

/** A number, in short until it has the focus; arrow keys step it by a tenth of itself, with Shift by itself. What is being typed is
 * not overwritten, and only what was typed is sent. */
function NumberInput({ label, value, give, complain }: Giving & { label: string; value: number }) {
  const text = useSignal<string | null>(null); // what stands there instead of the value
  const hasFocus = useSignal(false);
  const room = useSignal(7); // characters
  const field = useRef<HTMLInputElement>(null);
  const isTyped = useRef(false); // and not sent yet
  const sending = useRef(0);
  const shown = text.value ?? (hasFocus.value ? String(value) : fitting(value, room.value));
  useLayoutEffect(() => {
    if (field.current) room.value = roomIn(field.current);
  });
  useLayoutEffect(() => {
    if (hasFocus.value && text.value === null) field.current?.select(); // so that the next key replaces it
  }, [shown]);
  useLayoutEffect(() => {
    if (!isTyped.current && !sending.current) text.value = null; // the world's word on it
  }, [value]);
  const settle = (isSettled: boolean): void => {
    isTyped.current = !isSettled;
    if (field.current) field.current.dataset["settled"] = String(isSettled); // then Ctrl+Z is the world's
  };
  const send = async (next: number): Promise<void> => {
    settle(true);
    sending.current++;
    await give(next);
    sending.current--;
  };
  const finish = (): void => {
    if (!isTyped.current) return;
    const next = parsed(text.value ?? "");
    if (next !== null && (next !== value || sending.current)) void send(next);
    else if (next === null) complain(wording.field.fieldWantsNumber({ text: text.value ?? "" }));
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (by) {
      const now = parsed(text.value ?? "") ?? value;
      const step = 10 ** Math.floor(Math.log10(Math.abs(now) || 1)) * (event.shiftKey ? 1 : 0.1);
      const next = Number((now + by * step).toPrecision(12));
      text.value = String(next);
      void send(next);
      event.preventDefault();
    } else if (event.key === "Enter") finish();
    else if (event.key === "Escape") settle(true);
  };
  return (
    <input
      ref={field}
      class="number"
      inputMode="decimal"
      aria-label={label}
      title={String(value)}
      value={shown}
      onFocus={(e) => {
        settle(true);
        hasFocus.value = true;
        e.currentTarget.select();
      }}
      onInput={(e) => {
        text.value = e.currentTarget.value;
        settle(false);
        complain("");
      }}
      onBlur={() => {
        finish();
        isTyped.current = hasFocus.value = false;
        text.value = null;
      }}
      onKeyDown={onKey}
    />
  );
}

/** Anything else, as JSON. */
function TextInput({
  label,
  value,
  give,
}: {
  label: string;
  value: string;
  give: (value: unknown) => Promise<void>;
}) {
  const wrong = useSignal("");
  const finish = (text: string): void => {
    if (text === value) return;
    try {
      wrong.value = "";
      void give(JSON.parse(text));
    } catch {
      wrong.value = wording.field.noJson;
    }
  };
  return (
    <>
      <textarea
        class="json"
        aria-label={label}
        rows={Math.min(4, 1 + Math.floor(value.length / 40))}
        value={value}
        onChange={(e) => finish(e.currentTarget.value)}
      />
      {wrong.value ? <p class="error">{wrong.value}</p> : null}
    </>
  );
}
