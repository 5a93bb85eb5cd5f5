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
import { wording } from "../../wording/spoken";
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
  ["variable", wording.media.variable],
  ["output", wording.media.output],
  ["constraint", wording.common.constraint],
  ["minimise", wording.media.minimise],
  ["maximise", wording.media.maximise],
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
    <section class="panel media" aria-label={wording.common.model} data-panel>
      <h2>{wording.common.model}</h2>
      <Order />
      {variables.length || outputs.length ? null : <p class="muted">{wording.media.modelHint}</p>}
      {variables.length ? (
        <div class="buttons">
          <Settle />
        </div>
      ) : null}
      <List title={wording.media.variables} items={variables} draft={draft} />
      <List title={wording.media.outputs} items={outputs} draft={draft} />
      {constraints.length ? <h3>{wording.media.constraints}</h3> : null}
      {constraints.map((i) => (
        <Line
          key={i.name}
          item={i}
          edit={() => (draft.value = { ...EMPTY, part: "constraint", text: i.name, replaces: i.name })}
        />
      ))}
      {objectives.length ? <h3>{wording.media.objective}</h3> : null}
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
          title={
            held ? wording.media.letGo({ name: item.name }) : wording.media.holdWhere({ name: item.name })
          }
          aria-label={wording.media.hold({ name: item.name })}
          onClick={() =>
            void act(held ? { do: "delete", names: [held] } : { do: "define", part: "hold", name: item.name })
          }
        >
          <LockIcon isLocked={held !== ""} />
        </button>
        {role === "variable" || role === "output" ? (
          <button
            class="tool"
            aria-label={wording.media.changeIt({ name: item.name })}
            title={wording.media.changeWord}
            onClick={edit}
          >
            ✎
          </button>
        ) : null}
        <button
          class="tool"
          aria-label={wording.media.deleteIt({ name: item.name })}
          title={wording.media.deleteWithAll}
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
      <code title={isBad ? wording.media.cannotBeMetTogetherWithThe : ""}>{item.name}</code>
      <button
        class="tool"
        aria-label={wording.media.changeIt({ name: item.name })}
        title={wording.media.changeWord}
        onClick={edit}
      >
        ✎
      </button>
      <button
        class="tool"
        aria-label={wording.media.deleteIt({ name: item.name })}
        title={wording.media.deleteWord}
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
      [name]:
        name === "value"
          ? wording.media.noNumber({ text: typed.trim() })
          : wording.media.noNumberNorNothing({ text: typed.trim() }),
    };
  return name === "value" ? { value: wording.media.variableBegins } : {};
}

function wrongNumbers(d: Draft): Wrong {
  const found: Wrong = {};
  for (const name of FIELDS[d.part]) Object.assign(found, wrongNumber(name, d[name]));
  const [low, high] = [parsed(d.low), parsed(d.high)];
  if (d.part === "variable" && low !== null && high !== null && low >= high)
    found.high = wording.media.mustBeAbove({ low });
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
    <form class="model-editor" aria-label={wording.media.addToTheModel} onSubmit={(e) => void submit(e)}>
      <h3>{d.replaces ? wording.media.changeIt({ name: d.replaces }) : wording.common.add}</h3>
      <Select
        label={wording.media.whatToAdd}
        value={d.part}
        options={PARTS}
        isDisabled={d.replaces !== ""}
        choose={(part) => set({ ...EMPTY, name: d.name, text: d.text, part })}
      />
      {d.part === "variable" || d.part === "output" ? field("name", wording.media.nameWord, "a") : null}
      {d.part === "variable" ? field("value", wording.media.valueWord, "1") : null}
      {d.part === "variable" ? field("low", wording.media.atLeast, wording.media.noBound) : null}
      {d.part === "variable" ? field("high", wording.media.atMost, wording.media.noBound) : null}
      {isFormula
        ? field("text", wording.media.formulaWord, d.part === "constraint" ? "a*b = 8" : "2*(a + b)")
        : null}
      <Fault fault={fault} text={d.text} />
      {wrong.value && !fault ? (
        <p class="error" role="alert">
          {wrong.value}
        </p>
      ) : null}
      <div class="buttons">
        <button type="submit" class="primary" disabled={fault !== undefined}>
          {d.replaces ? wording.common.change : wording.common.add}
        </button>
        {d.replaces ? (
          <button type="button" onClick={() => (draft.value = EMPTY)}>
            {wording.common.cancel}
          </button>
        ) : null}
      </div>
    </form>
  );
}
