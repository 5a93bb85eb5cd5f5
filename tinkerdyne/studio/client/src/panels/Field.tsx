// A field for one parameter: by its sort, with its unit, and the server's word when it is refused.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Parameter } from "../protocol";
import { exact, parsed } from "./numbers";

interface Props {
  parameter: Parameter;
  value: unknown;
  commit: (value: unknown) => Promise<string>; // answers what is wrong with it
}

export function Field({ parameter, value, commit }: Props) {
  const error = useSignal("");
  const give = async (next: unknown): Promise<void> => {
    error.value = await commit(next);
  };
  const title = parameter.name.replaceAll("_", " ");
  return (
    <div class={`field ${isRows(value) || (isNumbers(value) && value.length > 2) ? "long" : ""}`} role="group" aria-label={title}>
      <span class="field-name">{title}</span>
      <div class="field-value">
        <Editor parameter={parameter} value={value} give={give} />
        {parameter.unit ? <span class="unit">{parameter.unit}</span> : null}
      </div>
      {error.value ? (
        <p class="error" role="alert">
          {error.value}
        </p>
      ) : null}
    </div>
  );
}

function Editor({ parameter, value, give }: { parameter: Parameter; value: unknown; give: (value: unknown) => Promise<void> }) {
  if (typeof value === "boolean")
    return (
      <input type="checkbox" aria-label={parameter.name} checked={value} onChange={(e) => void give(e.currentTarget.checked)} />
    );
  if (typeof value === "number") return <NumberInput label={parameter.name} value={value} give={give} />;
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
            label={`${parameter.name} ${"xyzw"[i] ?? i}`}
            value={x}
            give={(next) => give(value.map((old, k) => (k === i ? next : old)))}
          />
        ))}
      </>
    );
  if (isRows(value) && value.length <= MOST_ROWS) return <Rows parameter={parameter} rows={value} give={give} />;
  return <TextInput label={parameter.name} value={JSON.stringify(value)} give={give} />;
}

const MOST_ROWS = 40;

function isRows(value: unknown): value is number[][] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => isNumbers(row) && row.length <= 4);
}

/** Rows of numbers, such as the keys of a path; another one is put behind the last. */
function Rows({ parameter, rows, give }: { parameter: Parameter; rows: number[][]; give: (value: unknown) => Promise<void> }) {
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
              give={(next) => give(rows.map((old, j) => (j === i ? old.map((y, m) => (m === k ? next : y)) : old)))}
            />
          ))}
          <button class="plain" aria-label={`Remove row ${i + 1}`} onClick={() => void give(rows.filter((_, j) => j !== i))}>
            ✕
          </button>
        </div>
      ))}
      <button class="chip" onClick={() => void give([...rows, another])}>
        + row
      </button>
    </div>
  );
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === "number");
}

/** A number; arrow keys step it by a tenth of itself, with Shift by itself. What is being typed is not overwritten. */
function NumberInput({ label, value, give }: { label: string; value: number; give: (value: number) => Promise<void> }) {
  const typed = useSignal<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const finish = (): void => {
    const next = typed.value === null ? null : parsed(typed.value);
    typed.value = null;
    if (next !== null && next !== value) void give(next);
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (by) {
      const step = 10 ** Math.floor(Math.log10(Math.abs(value) || 1)) * (event.shiftKey ? 1 : 0.1);
      void give(Number((value + by * step).toPrecision(12)));
      event.preventDefault();
    } else if (event.key === "Enter") finish();
    else if (event.key === "Escape") typed.value = null;
  };
  return (
    <input
      ref={field}
      class="number"
      inputMode="decimal"
      aria-label={label}
      value={typed.value ?? exact(value)}
      onFocus={(e) => {
        typed.value = exact(value);
        e.currentTarget.select();
      }}
      onInput={(e) => (typed.value = e.currentTarget.value)}
      onBlur={finish}
      onKeyDown={onKey}
    />
  );
}

/** Anything else, as JSON. */
function TextInput({ label, value, give }: { label: string; value: string; give: (value: unknown) => Promise<void> }) {
  const wrong = useSignal("");
  const finish = (text: string): void => {
    if (text === value) return;
    try {
      wrong.value = "";
      void give(JSON.parse(text));
    } catch {
      wrong.value = "this is not a list or number in JSON";
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
