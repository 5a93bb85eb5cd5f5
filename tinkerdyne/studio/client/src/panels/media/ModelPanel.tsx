// A model: variables, outputs, constraints and objectives, typed in; sliders pull on numbers, and the others follow.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { stateOf } from "../../media/curves";
import { groups } from "../../media/groups";
import { parsed, short } from "../../state/numbers";
import { act, ask } from "../../state/session";
import * as store from "../../state/store";
import { textsIn } from "../../state/values";
import type { Define, ItemInfo } from "../../wire/protocol";
import { Select } from "../Select";
import { Fault, useFaults } from "./Fault";
import { LockIcon } from "./LockIcon";
import { Order } from "./NewCurve";
import { Settle } from "./Settle";
import { Slider } from "./Slider";

type Part = Exclude<Define["part"], "hold">;
interface Draft {
  part: Part;
  name: string;
  text: string;
  value: string;
  low: string;
  high: string;
  replaces: string;
}
const EMPTY: Draft = { part: "variable", name: "", text: "", value: "1", low: "", high: "", replaces: "" };
const PARTS: readonly (readonly [Part, string])[] = [
  ["variable", "Variable"],
  ["output", "Output"],
  ["constraint", "Constraint"],
  ["minimise", "Minimise"],
  ["maximise", "Maximise"],
];
/** What a part is made of; the rest of a draft is not sent. */
const FIELDS: Readonly<Record<Part, readonly (keyof Draft)[]>> = {
  variable: ["name", "value", "low", "high"],
  output: ["name", "text"],
  constraint: ["text"],
  minimise: ["text"],
  maximise: ["text"],
};
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** What stands for numbers in formulas. */
function scalars(): { variables: ItemInfo[]; outputs: ItemInfo[] } {
  const fitted = groups.value.members;
  const all = (store.model.value?.items ?? []).filter((i) => IDENTIFIER.test(i.name) && !fitted.has(i.name));
  return {
    variables: all.filter((i) => store.roleOf(i) === "variable"),
    outputs: all.filter((i) => i.family === "connector" && store.typeOf(i)?.supplies === "scalar"),
  };
}

type Bound = "low bound" | "high bound";
const isBound = (item: ItemInfo): boolean => ["low bound", "high bound"].includes(store.roleOf(item));

function boundOf(name: string, role: Bound): number | null {
  const stop = (store.model.value?.items ?? []).find((i) => store.roleOf(i) === role && i.inputs[0] === name);
  return stop ? Number(stop.values[role === "low bound" ? "low" : "high"]) : null;
}

function holdOf(name: string): string {
  const all = store.model.value?.items ?? [];
  return all.find((i) => store.roleOf(i) === "hold" && i.inputs[0] === name)?.name ?? "";
}

export function ModelPanel() {
  const draft = useSignal<Draft>(EMPTY);
  const { variables, outputs } = scalars();
  const numbers = new Set([...variables, ...outputs].map((i) => i.name));
  const all = store.model.value?.items ?? [];
  const isOfVariable = (i: ItemInfo): boolean =>
    variables.some((v) => i.name.startsWith(`${v.name} `) && i.inputs[0] === v.name);
  const constraints = all.filter(
    (i) => store.roleOf(i) === "equation" || (isBound(i) && !isOfVariable(i) && reaches(i, numbers)),
  );
  const objectives = all.filter((i) => store.roleOf(i) === "objective");
  return (
    <section class="panel media" aria-label="Model" data-panel>
      <h2>Model</h2>
      <Order />
      {variables.length || outputs.length ? null : (
        <p class="muted">
          Variables slide to where the objective is least, under the constraints. Pull one, and the others
          follow.
        </p>
      )}
      {variables.length ? (
        <div class="buttons">
          <Settle />
        </div>
      ) : null}
      <List title="Variables" items={variables} draft={draft} />
      <List title="Outputs" items={outputs} draft={draft} />
      {constraints.length ? <h3>Constraints</h3> : null}
      {constraints.map((i) => (
        <Line
          key={i.name}
          item={i}
          edit={() => (draft.value = { ...EMPTY, part: "constraint", text: i.name, replaces: i.name })}
        />
      ))}
      {objectives.length ? <h3>Objective</h3> : null}
      {objectives.map((i) => (
        <Line key={i.name} item={i} edit={() => (draft.value = objectiveOf(i))} />
      ))}
      <Editor draft={draft} />
    </section>
  );
}

function objectiveOf(item: ItemInfo): Draft {
  const part: Part = item.name.startsWith("maximise") ? "maximise" : "minimise";
  return { ...EMPTY, part, text: item.name.replace(/^(minimise|maximise) /, ""), replaces: item.name };
}

function reaches(item: ItemInfo, names: ReadonlySet<string>, depth = 0): boolean {
  return item.inputs.some((n) => {
    const input = store.items.value.get(n);
    return names.has(n) || (input !== undefined && depth < 4 && reaches(input, names, depth + 1));
  });
}

function List({
  title,
  items,
  draft,
}: {
  title: string;
  items: readonly ItemInfo[];
  draft: { value: Draft };
}) {
  if (!items.length) return null;
  return (
    <>
      <h3>{title}</h3>
      {items.map((i) => (
        <NumberRow key={i.name} item={i} edit={() => (draft.value = draftOf(i))} />
      ))}
    </>
  );
}

function draftOf(item: ItemInfo): Draft {
  if (store.roleOf(item) !== "variable")
    return {
      ...EMPTY,
      part: "output",
      name: item.name,
      text: textsIn(item.values["text"])[0] ?? "",
      replaces: item.name,
    };
  const [low, high] = [boundOf(item.name, "low bound"), boundOf(item.name, "high bound")];
  const value = short(stateOf(item.name)?.[0] ?? 0);
  return {
    ...EMPTY,
    name: item.name,
    value,
    low: low === null ? "" : String(low),
    high: high === null ? "" : String(high),
    replaces: item.name,
  };
}

function NumberRow({ item, edit }: { item: ItemInfo; edit: () => void }) {
  void store.tick.value;
  const value = stateOf(item.name)?.[0];
  const held = holdOf(item.name);
  const role = store.roleOf(item);
  const text = role === "variable" ? "" : (textsIn(item.values["text"])[0] ?? "");
  return (
    <div class="number-row" role="group" aria-label={item.name}>
      <div class="number-head">
        <b title={text}>{item.name}</b>
        <output class="reading-now">{value === undefined ? "…" : short(value)}</output>
        <button
          class="tool"
          aria-pressed={held !== ""}
          title={held ? `let ${item.name} go` : `hold ${item.name} where it is`}
          aria-label={`Hold ${item.name}`}
          onClick={() =>
            void act(held ? { do: "delete", names: [held] } : { do: "define", part: "hold", name: item.name })
          }
        >
          <LockIcon isLocked={held !== ""} />
        </button>
        {role === "variable" || role === "output" ? (
          <button class="tool" aria-label={`Change ${item.name}`} title="change" onClick={edit}>
            ✎
          </button>
        ) : null}
        <button
          class="tool"
          aria-label={`Delete ${item.name}`}
          title="delete, with what is built on it"
          onClick={() => void act({ do: "delete", names: [item.name] })}
        >
          ✕
        </button>
      </div>
      <Slider
        name={item.name}
        low={boundOf(item.name, "low bound")}
        high={boundOf(item.name, "high bound")}
        isHeld={held !== ""}
      />
      {text ? <code class="muted">{text}</code> : null}
    </div>
  );
}

function Line({ item, edit }: { item: ItemInfo; edit: () => void }) {
  const isBad =
    store.status.value?.conflicts.some((c) => c.kind !== "redundant" && c.names.includes(item.name)) ?? false;
  return (
    <div class={`model-line ${isBad ? "bad" : ""}`}>
      <code title={isBad ? "cannot be met together with the others" : ""}>{item.name}</code>
      <button class="tool" aria-label={`Change ${item.name}`} title="change" onClick={edit}>
        ✎
      </button>
      <button
        class="tool"
        aria-label={`Delete ${item.name}`}
        title="delete"
        onClick={() => void act({ do: "delete", names: [item.name] })}
      >
        ✕
      </button>
    </div>
  );
}

type Wrong = Partial<Record<keyof Draft, string>>;

/** What is wrong with a number that was typed, in words. */
function wrongNumber(name: keyof Draft, typed: string): Wrong {
  if (!["value", "low", "high"].includes(name) || parsed(typed) !== null) return {};
  if (typed.trim())
    return {
      [name]: `“${typed.trim()}” is no number; type one, such as 2.5${name === "value" ? "" : ", or nothing"}`,
    };
  return name === "value" ? { value: "a variable begins with a number, such as 1" } : {};
}

function wrongNumbers(d: Draft): Wrong {
  const found: Wrong = {};
  for (const name of FIELDS[d.part]) Object.assign(found, wrongNumber(name, d[name]));
  const [low, high] = [parsed(d.low), parsed(d.high)];
  if (d.part === "variable" && low !== null && high !== null && low >= high)
    found.high = `it must be above ${low}, the least`;
  return found;
}

function Editor({ draft }: { draft: { value: Draft } }) {
  const d = draft.value;
  const wrong = useSignal("");
  const wrongs = useSignal<Wrong>({});
  useEffect(() => {
    wrong.value = "";
    wrongs.value = {};
  }, [d.part, d.replaces]);
  const set = (part: Partial<Draft>): void => {
    wrong.value = "";
    wrongs.value = Object.fromEntries(Object.entries(wrongs.value).filter(([name]) => !(name in part)));
    draft.value = { ...draft.value, ...part };
  };
  const isFormula = d.part !== "variable";
  const faults = useFaults(
    isFormula && d.text.trim()
      ? { what: d.part === "constraint" ? "relation" : "value", texts: [d.text] }
      : null,
  );
  const [fault] = faults.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    wrongs.value = wrongNumbers(d);
    if (Object.keys(wrongs.value).length) return;
    const has = (name: keyof Draft): boolean => FIELDS[d.part].includes(name);
    try {
      await ask({
        do: "define",
        part: d.part,
        replaces: d.replaces,
        ...(has("name") ? { name: d.name.trim() } : {}),
        ...(has("text") ? { text: d.text } : {}),
        ...(has("value") ? { value: parsed(d.value) ?? 0, low: parsed(d.low), high: parsed(d.high) } : {}),
      });
      if (draft.value === d) draft.value = { ...EMPTY, part: d.part }; // else the next part is being typed already
      wrong.value = "";
    } catch (reason) {
      wrong.value = reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason);
    }
  };
  const field = (name: keyof Draft, label: string, placeholder = "") => (
    <>
      <label class="formula">
        <span>{label}</span>
        <input
          aria-label={label}
          aria-invalid={wrongs.value[name] !== undefined}
          spellcheck={false}
          autocomplete="off"
          placeholder={placeholder}
          value={d[name]}
          onInput={(e) => set({ [name]: e.currentTarget.value })}
          onChange={(e) => (wrongs.value = { ...wrongs.value, ...wrongNumber(name, e.currentTarget.value) })}
        />
      </label>
      {wrongs.value[name] ? (
        <p class="error" role="alert">
          {label}: {wrongs.value[name]}
        </p>
      ) : null}
    </>
  );
  return (
    <form class="model-editor" aria-label="Add to the model" onSubmit={(e) => void submit(e)}>
      <h3>{d.replaces ? `Change ${d.replaces}` : "Add"}</h3>
      <Select
        label="What to add"
        value={d.part}
        options={PARTS}
        isDisabled={d.replaces !== ""}
        choose={(part) => set({ ...EMPTY, name: d.name, text: d.text, part })}
      />
      {d.part === "variable" || d.part === "output" ? field("name", "name", "a") : null}
      {d.part === "variable" ? field("value", "value", "1") : null}
      {d.part === "variable" ? field("low", "at least", "no bound") : null}
      {d.part === "variable" ? field("high", "at most", "no bound") : null}
      {isFormula ? field("text", "formula", d.part === "constraint" ? "a*b = 8" : "2*(a + b)") : null}
      <Fault fault={fault} text={d.text} />
      {wrong.value && !fault ? (
        <p class="error" role="alert">
          {wrong.value}
        </p>
      ) : null}
      <div class="buttons">
        <button type="submit" class="primary" disabled={fault !== undefined}>
          {d.replaces ? "Change" : "Add"}
        </button>
        {d.replaces ? (
          <button type="button" onClick={() => (draft.value = EMPTY)}>
            Cancel
          </button>
        ) : null}
      </div>
    </form>
  );
}
