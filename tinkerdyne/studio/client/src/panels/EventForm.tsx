// A form for one entry of the timeline: what shall happen, to what, when. It stands over the timeline and moves nothing.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { short } from "../state/numbers";
import { addKey, entries, erase, PASSED, type Part, replan, timesOf } from "../state/plan";
import { ask, change } from "../state/session";
import { draft, items, say, selected } from "../state/store";
import { keysOf, numbersIn } from "../state/values";
import type { EventInfo, Parameter } from "../wire/protocol";
import { wording } from "../wording/spoken";
import {
  ahead,
  begun,
  candidates,
  type Draft,
  draftOf,
  entryOf,
  fresh,
  isPast,
  KINDS,
  type Kind,
  namesOf,
  parametersOf,
  SEVERAL,
} from "./eventDraft";
import { Field } from "./Field";
import { Select } from "./Select";
import { Wrong } from "./Wrong";

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
        <button type="button" class="plain" aria-label={wording.common.close} onClick={close}>
          ✕
        </button>
      </header>
      {props.children}
      <Wrong says={wrong.value} />
      <div class="buttons">
        <button type="submit" class="primary">
          {props.submit}
        </button>
        {props.id ? (
          <button type="button" class="danger" onClick={() => void erase(props.id, props.part).then(close)}>
            {wording.common.delete}
          </button>
        ) : null}
        <button type="button" onClick={close}>
          {wording.common.cancel}
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
    if (!d.item) return wording.timeline.nothingToDoItTo;
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
      title={info ? wording.timeline.editTheEvent : wording.timeline.newEvent}
      submit={info ? wording.common.change : wording.timeline.planIt}
      id={id}
      part={-1}
      save={save}
    >
      <div class="field">
        <span class="field-name">{wording.timeline.doWhat}</span>
        <Select
          label={wording.timeline.doWhat}
          value={d.kind}
          options={keysOf(KINDS)
            .filter((kind) => !info || kind !== "add")
            .map((kind) => [kind, KINDS[kind]])}
          choose={choose}
        />
      </div>
      <div class="field">
        <span class="field-name">{wording.timeline.toWhat}</span>
        <select
          aria-label={wording.timeline.toWhat}
          value={d.item}
          onChange={(e) =>
            void set({ item: e.currentTarget.value, ...begun(d.kind, e.currentTarget.value, d.parameter) })
          }
        >
          {selected.value.length > 1 && (d.kind === "remove" || d.kind === "add") ? (
            <option value={SEVERAL}>{wording.timeline.theSelected({ count: selected.value.length })}</option>
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
          <span class="field-name">{wording.timeline.parameter}</span>
          <select
            aria-label={wording.timeline.parameter}
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
        <Field
          parameter={{ ...parameter, name: wording.timeline.from }}
          value={d.low}
          commit={(low) => set({ low })}
        />
      ) : null}
      {isValued && parameter ? (
        <Field
          parameter={{ ...parameter, name: wording.timeline.to }}
          value={d.value}
          commit={(value) => set({ value })}
        />
      ) : null}
      <Field
        parameter={second(d.kind === "ramp" ? wording.timeline.start : wording.timeline.at, d.start)}
        value={d.start}
        commit={(start) =>
          set({ start: Number(start), end: Math.max(d.end, Number(start) + 0.01), isAhead: false })
        }
      />
      {d.kind === "ramp" ? (
        <>
          <Field
            parameter={second(wording.timeline.end, d.end)}
            value={d.end}
            commit={(end) => set({ start: d.start, end: Number(end), isAhead: false })}
          />
          <label class="switch">
            <input
              type="checkbox"
              checked={d.isSmooth}
              onChange={(e) => void set({ isSmooth: e.currentTarget.checked })}
            />
            {wording.timeline.beginAndEndGently}
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
      submit={wording.common.change}
      id={id}
      part={-1}
      save={() => replan(info, { ...info.entry, time: time.value })}
    >
      <Field parameter={second(wording.timeline.at, info.start)} value={time.value} commit={commit} />
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
    <Sheet
      title={wording.timeline.keyOf({ key: part + 1, path: info.title })}
      submit={wording.common.change}
      id={id}
      part={part}
      save={save}
    >
      <Field
        parameter={second(wording.timeline.at, time)}
        value={time}
        commit={(t) => commit([t, ...place])}
      />
      <Field
        parameter={{ name: wording.timeline.place, sort: "vector", default: place, unit: "", choices: [] }}
        value={place}
        commit={(p) => commit([time, ...numbersIn(p)])}
      />
      <p>
        <button type="button" class="chip" onClick={() => void add()}>
          {wording.timeline.anotherKey({ time: short(time) })}
        </button>
      </p>
    </Sheet>
  );
}
