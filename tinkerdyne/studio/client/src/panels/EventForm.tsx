// A form for one entry of the timeline: what shall happen, to what, when. It stands over the timeline and moves nothing.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { short } from "../state/numbers";
import { addKey, entries, erase, PASSED, type Part, replan, timesOf } from "../state/plan";
import { ask, change } from "../state/session";
import { draft, items, latest, model, say, selected, status, typeOf } from "../state/store";
import { keysOf, numbersIn, type Plain, plainOf, textsIn } from "../state/values";
import { coordinates, placeOf } from "../view/places";
import type { EventInfo, ItemInfo, Parameter } from "../wire/protocol";
import { Field } from "./Field";
import { Select } from "./Select";

const AHEAD = 1; // s: new events come this much after now
const LASTS = 1; // s, of a new ramp
const SEVERAL = " selected"; // no item has a name with a space before it

const KINDS = {
  off: "switch off",
  on: "switch on",
  set: "set",
  ramp: "ramp",
  remove: "remove",
  add: "add (take it out until then)",
} as const;
type Kind = keyof typeof KINDS;

/** What is in the form. */
interface Draft {
  kind: Kind;
  item: string;
  parameter: string;
  value: unknown; // of a ramp, at its end
  low: unknown;
  start: number;
  end: number;
  isAhead: boolean; // no time was typed yet: it stays ahead of the clock
  isSmooth: boolean;
}

const second = (name: string, value: number): Parameter => ({
  name,
  sort: "number",
  default: value,
  unit: "s",
  choices: [],
});

export function EventForm({ id, part }: { id: string; part: Part }) {
  const found = id ? entries().find((e) => e.id === id)?.info : undefined;
  useEffect(() => {
    if (id && !found) close(); // it was deleted meanwhile
  });
  if (!found) return id ? null : <PlanForm id={id} info={null} first={fresh()} />;
  if (found.kind === "path") return <KeyForm id={id} info={found} part={Math.max(part, 0)} />;
  const known = draftOf(found);
  return known ? <PlanForm id={id} info={found} first={known} /> : <TimeForm id={id} info={found} />;
}

function close(): void {
  draft.value = null;
}

/** The frame of all forms: takes the focus, gives it back, and keeps its keys to itself. */
function Sheet(props: {
  title: string;
  submit: string;
  id: string;
  part: Part;
  save: () => Promise<string>;
  children: ComponentChildren;
}) {
  const form = useRef<HTMLFormElement>(null);
  const wrong = useSignal("");
  useLayoutEffect(() => {
    const before = document.activeElement;
    form.current?.querySelector<HTMLElement>("select, input")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    wrong.value = await props.save();
    if (!wrong.value) close();
  };
  return (
    <form
      ref={form}
      class="event-form"
      aria-label={props.title}
      onSubmit={(e) => void submit(e)}
      onKeyDown={(e) => {
        if (e.key === "Escape") close();
        if (!e.ctrlKey) e.stopPropagation();
      }}
    >
      <header>
        <h2>{props.title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={close}>
          ✕
        </button>
      </header>
      {props.children}
      {wrong.value ? (
        <p class="error" role="alert">
          {wrong.value}
        </p>
      ) : null}
      <div class="buttons">
        <button type="submit" class="primary">
          {props.submit}
        </button>
        {props.id ? (
          <button type="button" class="danger" onClick={() => void erase(props.id, props.part).then(close)}>
            Delete
          </button>
        ) : null}
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function PlanForm({ id, info, first }: { id: string; info: EventInfo | null; first: Draft }) {
  const now = useSignal(first);
  const d = ahead(now.value);
  const set = (part: Partial<Draft>): Promise<string> => {
    now.value = { ...now.value, ...part };
    return Promise.resolve("");
  };
  const choose = (kind: Kind): void => {
    const item = candidates(kind).some((i) => i.name === d.item) ? d.item : (candidates(kind)[0]?.name ?? "");
    void set({ kind, item, ...begun(kind, item, d.item === item ? d.parameter : "") });
  };
  const parameters = parametersOf(d.kind, items.value.get(d.item));
  const parameter = parameters.find((p) => p.name === d.parameter);
  const isValued = d.kind === "set" || d.kind === "ramp";
  const save = async (): Promise<string> => {
    const d = ahead(now.value);
    if (!d.item) return "there is nothing in this world that this can be done to";
    if (d.kind !== "add") {
      const wrong = await replan(info, entryOf(d));
      if (!wrong && isPast(d)) say(PASSED);
      return wrong;
    }
    return ask({ do: "postpone", names: namesOf(d.item), time: d.start }).then(
      () => "",
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    );
  };
  return (
    <Sheet
      title={info ? "Edit the event" : "New event"}
      submit={info ? "Change" : "Plan it"}
      id={id}
      part={-1}
      save={save}
    >
      <div class="field">
        <span class="field-name">do</span>
        <Select
          label="do"
          value={d.kind}
          options={keysOf(KINDS)
            .filter((kind) => !info || kind !== "add")
            .map((kind) => [kind, KINDS[kind]])}
          choose={choose}
        />
      </div>
      <div class="field">
        <span class="field-name">what</span>
        <select
          aria-label="what"
          value={d.item}
          onChange={(e) =>
            void set({ item: e.currentTarget.value, ...begun(d.kind, e.currentTarget.value, d.parameter) })
          }
        >
          {selected.value.length > 1 && (d.kind === "remove" || d.kind === "add") ? (
            <option value={SEVERAL}>the {selected.value.length} selected</option>
          ) : null}
          {candidates(d.kind).map((i) => (
            <option key={i.name} value={i.name}>
              {i.name}
            </option>
          ))}
        </select>
      </div>
      {isValued ? (
        <div class="field">
          <span class="field-name">parameter</span>
          <select
            aria-label="parameter"
            value={d.parameter}
            onChange={(e) => void set(begun(d.kind, d.item, e.currentTarget.value))}
          >
            {parameters.map((p) => (
              <option key={p.name} value={p.name}>
                {p.name.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </div>
      ) : null}
      {d.kind === "ramp" && parameter ? (
        <Field parameter={{ ...parameter, name: "from" }} value={d.low} commit={(low) => set({ low })} />
      ) : null}
      {isValued && parameter ? (
        <Field parameter={{ ...parameter, name: "to" }} value={d.value} commit={(value) => set({ value })} />
      ) : null}
      <Field
        parameter={second(d.kind === "ramp" ? "start" : "at", d.start)}
        value={d.start}
        commit={(start) =>
          set({ start: Number(start), end: Math.max(d.end, Number(start) + 0.01), isAhead: false })
        }
      />
      {d.kind === "ramp" ? (
        <>
          <Field
            parameter={second("end", d.end)}
            value={d.end}
            commit={(end) => set({ start: d.start, end: Number(end), isAhead: false })}
          />
          <label class="switch">
            <input
              type="checkbox"
              checked={d.isSmooth}
              onChange={(e) => void set({ isSmooth: e.currentTarget.checked })}
            />
            begin and end gently
          </label>
        </>
      ) : null}
      {isPast(d) ? <p class="muted">{PASSED}</p> : null}
    </Sheet>
  );
}

/** For what the form cannot say, such as several edits at once: only the time can be changed. */
function TimeForm({ id, info }: { id: string; info: EventInfo }) {
  const time = useSignal(info.start);
  const commit = (t: unknown): Promise<string> => {
    time.value = Number(t);
    return Promise.resolve("");
  };
  return (
    <Sheet
      title={info.title}
      submit="Change"
      id={id}
      part={-1}
      save={() => replan(info, { ...info.entry, time: time.value })}
    >
      <Field parameter={second("at", info.start)} value={time.value} commit={commit} />
    </Sheet>
  );
}

/** A key of a path: its time and its numbers. */
function KeyForm({ id, info, part }: { id: string; info: EventInfo; part: Part }) {
  const row = useSignal<readonly number[]>(info.keys[part] ?? []);
  const [time = 0, ...place] = row.value;
  const times = timesOf(info);
  const commit = (next: readonly unknown[]): Promise<string> => {
    row.value = next.map(Number);
    return Promise.resolve("");
  };
  const save = (): Promise<string> =>
    change(
      info.item,
      "keys",
      info.keys.map((old, k) => (k === part ? row.value : old)),
    );
  const add = async (): Promise<void> => {
    const [here = 0, next] = [times[part], times[part + 1]];
    if (!(await addKey(info, next === undefined ? here + 1 : (here + next) / 2)))
      draft.value = { id, part: part + 1 };
  };
  return (
    <Sheet title={`Key ${part + 1} of ${info.title}`} submit="Change" id={id} part={part} save={save}>
      <Field parameter={second("at", time)} value={time} commit={(t) => commit([t, ...place])} />
      <Field
        parameter={{ name: "place", sort: "vector", default: place, unit: "", choices: [] }}
        value={place}
        commit={(p) => commit([time, ...numbersIn(p)])}
      />
      <p>
        <button type="button" class="chip" onClick={() => void add()}>
          Another key after {short(time)} s
        </button>
      </p>
    </Sheet>
  );
}

// --- drafts --------------------------------------------------------------------------------------

function namesOf(item: string): string[] {
  return item === SEVERAL ? [...selected.value] : [item];
}

/** Parameters that can be set or ramped, and, to be set, parts of an object's state. */
function parametersOf(kind: Kind, item: ItemInfo | undefined): Parameter[] {
  const type = item && typeOf(item);
  if (!item || !type) return [];
  const own = type.parameters.filter((p) => p.name in item.values && p.name !== "is_on" && p.sort !== "keys");
  const isNumbers = (value: unknown): boolean =>
    typeof value === "number" ||
    (Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === "number"));
  return kind === "ramp"
    ? own.filter((p) => isNumbers(item.values[p.name]) && p.sort !== "axes")
    : [...own, ...type.state.filter((p) => isNumbers(p.default))];
}

/** What something can be done to, what is selected first. */
function candidates(kind: Kind): ItemInfo[] {
  const fits = (i: ItemInfo): boolean => {
    if (i.part_of) return false;
    if (kind === "on" || kind === "off") return "is_on" in i.values;
    if (kind === "remove" || kind === "add") return i.family !== "connector";
    return parametersOf(kind, i).length > 0;
  };
  return (model.value?.items ?? []).filter(fits);
}

/** The parameter of an item that a form begins with, and its present value. */
function begun(kind: Kind, name: string, parameter: string): Pick<Draft, "parameter" | "value" | "low"> {
  const item = items.value.get(name);
  const known = parametersOf(kind, item);
  const chosen = known.find((p) => p.name === parameter) ?? known[0];
  const place = chosen?.name === "position" ? placeOf(name) : null;
  const value =
    chosen &&
    (item?.values[chosen.name] ?? (place && item ? coordinates(place, item.dimension) : chosen.default));
  return { parameter: chosen?.name ?? "", value, low: value };
}

/** A draft of which no time was typed yet, as far ahead of the clock as a new one. */
function ahead(d: Draft): Draft {
  if (!d.isAhead) return d;
  const start = Number(
    ((latest.frame?.time ?? status.value?.time ?? 0) + AHEAD * Math.max(1, status.value?.speed ?? 1)).toFixed(
      1,
    ),
  );
  return { ...d, start, end: start + LASTS };
}

function isPast(d: Draft): boolean {
  return (d.kind === "ramp" ? d.end : d.start) < (status.value?.time ?? 0);
}

function fresh(): Draft {
  const [name = ""] = selected.value;
  const kind =
    (["off", "ramp", "remove"] as const).find((k) => candidates(k).some((i) => i.name === name)) ?? "off";
  const item = candidates(kind).some((i) => i.name === name) ? name : (candidates(kind)[0]?.name ?? "");
  return ahead({
    kind,
    item,
    ...begun(kind, item, ""),
    start: 0,
    end: LASTS,
    isAhead: true,
    isSmooth: false,
  });
}

/** The form of an entry, or null where it has none. */
function draftOf({ entry, kind, start, end }: EventInfo): Draft | null {
  const what = kind === "ramp" ? entry : plainOf(entry["what"]);
  const [item, parameter] = [String(what["name"] ?? ""), String(what["parameter"] ?? "")];
  const common = {
    start,
    end: kind === "ramp" ? end : start + LASTS,
    isAhead: false,
    isSmooth: what["is_smooth"] === true,
  };
  if (kind === "ramp")
    return { ...common, kind: "ramp", item, parameter, low: what["low"], value: what["high"] };
  if (what["edit"] === "Change" && parameter === "is_on")
    return { ...common, kind: what["value"] ? "on" : "off", item, parameter, low: null, value: null };
  if (what["edit"] === "Change")
    return { ...common, kind: "set", item, parameter, low: what["value"], value: what["value"] };
  const [only, ...more] = textsIn(what["names"]);
  if (what["edit"] === "Remove" && only && !more.length)
    return { ...common, kind: "remove", item: only, parameter: "", low: null, value: null };
  return null;
}

function entryOf(d: Draft): Plain {
  if (d.kind === "ramp")
    return {
      edit: "Ramp",
      name: d.item,
      parameter: d.parameter,
      start: d.start,
      end: d.end,
      low: d.low,
      high: d.value,
      is_smooth: d.isSmooth,
    };
  const isState = d.kind === "set" && !(d.parameter in (items.value.get(d.item)?.values ?? {}));
  const what =
    d.kind === "remove"
      ? { edit: "Remove", names: namesOf(d.item) }
      : isState
        ? { edit: "Move", name: d.item, state: [[d.parameter, d.value]], key: 0 }
        : {
            edit: "Change",
            name: d.item,
            parameter: d.kind === "set" ? d.parameter : "is_on",
            value: d.kind === "set" ? d.value : d.kind === "on",
            key: 0,
          };
  return { edit: "Event", time: d.start, what };
}
