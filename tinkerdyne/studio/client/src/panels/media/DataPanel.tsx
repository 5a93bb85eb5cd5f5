// Data and fits: rows of numbers, a model that they pull, its parameters with their uncertainties, and the residual.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { stateOf } from "../../media/curves";
import { unknownNames } from "../../media/formula";
import { type FitInfo, groups } from "../../media/groups";
import { parsed, short } from "../../state/numbers";
import { act, ask } from "../../state/session";
import * as store from "../../state/store";
import { loadData, readData } from "../../tools/loading";
import { view } from "../../view/current";
import type { FitReport, Rows } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Wrong } from "../Wrong";
import { Fault, useFaults } from "./Fault";
import { Order } from "./NewCurve";
import { Settle } from "./Settle";
import { Slider } from "./Slider";

const HUBER = "1.345"; // scatters: 95 % as sharp as least squares where there are no outliers
const EVERY = 400; // ms between two reports of a fit

export function DataPanel() {
  const typed = useSignal("");
  const wrong = useSignal("");
  const read = async (how: Promise<Rows | null>): Promise<void> => {
    wrong.value = "";
    try {
      const found = await how;
      if (found) view.stage?.frameAll();
    } catch (reason) {
      wrong.value = reason instanceof Error ? reason.message : String(reason);
    }
  };
  const loaded = store.loadedRows.value;
  return (
    <section class="panel media" aria-label={wording.media.data} data-panel>
      <h2>{wording.media.data}</h2>
      <Order />
      {groups.value.fits
        .filter((f) => f.parameters.length)
        .map((f) => (
          <Fit key={f.name} fit={f} />
        ))}
      <h3>{wording.media.newData}</h3>
      {groups.value.fits.length ? null : <p class="muted">{wording.media.rowsPull}</p>}
      <textarea
        class="rows"
        aria-label={wording.media.rowsOfNumbers}
        rows={4}
        placeholder={"x, y\n0.0, 1.2\n0.5, 1.9"}
        value={typed.value}
        onInput={(e) => (typed.value = e.currentTarget.value)}
      />
      <div class="buttons">
        <button disabled={!typed.value.trim()} onClick={() => void read(readData(typed.value))}>
          {wording.media.takeThese}
        </button>
        <button onClick={() => void read(loadData())}>{wording.media.loadCsvJson}</button>
      </div>
      <Wrong says={wrong.value} />
      {loaded ? <Choose key={loaded.columns.join()} rows={loaded} /> : null}
    </section>
  );
}

/** Which model to fit to the rows. */
function Choose({ rows }: { rows: Rows }) {
  const known = (store.hello.value?.fits ?? []).filter((model) => model.columns === rows.columns.length);
  const model = useSignal<string>(known[0]?.name ?? "typed");
  const text = useSignal(`${rows.columns[1] ?? "y"} = a + b*${rows.columns[0] ?? "x"}`);
  const start = useSignal<Readonly<Record<string, string>>>({});
  const wrong = useSignal("");
  const isTyped = model.value === "typed";
  const wanted = isTyped ? unknownNames(text.value, rows.columns) : [];
  const numbers = Object.fromEntries(wanted.map((n) => [n, parsed(start.value[n] ?? "1") ?? 1]));
  const faults = useFaults(
    isTyped ? { what: "fit", texts: [text.value], numbers, names: [...rows.columns] } : null,
  );
  const [fault] = faults.value;
  const begin = async (): Promise<void> => {
    const bad = wanted.find((n) => parsed(start.value[n] ?? "1") === null);
    wrong.value =
      bad === undefined ? "" : wording.media.startIsNoNumber({ name: bad, text: start.value[bad] ?? "" });
    if (wrong.value) return;
    try {
      const columns = isTyped ? [...rows.columns] : ["x", "y", "z"].slice(0, rows.columns.length);
      await ask({
        do: "fit",
        model: isTyped ? text.value : model.value,
        rows: rows.rows.map((r) => [...r]),
        columns,
        start: numbers,
      });
      store.loadedRows.value = null;
      if (store.status.value && !store.status.value.is_playing) await ask({ do: "play", is_playing: true });
    } catch (reason) {
      wrong.value = reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason);
    }
  };
  return (
    <div class="card" role="group" aria-label={wording.media.chooseAModel}>
      <p>{wording.media.rowsOf({ count: rows.rows.length, columns: rows.columns.join(", ") })}</p>
      <label class="formula">
        <span>{wording.media.modelWord}</span>
        <select
          aria-label={wording.common.model}
          value={model.value}
          onChange={(e) => (model.value = e.currentTarget.value)}
        >
          {known.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
          <option value="typed">{wording.media.typedEquation}</option>
        </select>
      </label>
      {isTyped ? (
        <>
          <input
            class="wide-input"
            aria-label={wording.media.equation}
            spellcheck={false}
            value={text.value}
            onInput={(e) => (text.value = e.currentTarget.value)}
          />
          <Fault fault={fault} text={text.value} />
          <div class="curve-numbers">
            {wanted.map((name) => (
              <label key={name}>
                <span>{name}</span>
                <input
                  class="number"
                  aria-label={wording.media.startOf({ name })}
                  value={start.value[name] ?? "1"}
                  onInput={(e) => (start.value = { ...start.value, [name]: e.currentTarget.value })}
                />
              </label>
            ))}
          </div>
        </>
      ) : null}
      <Wrong says={wrong.value} />
      <div class="buttons">
        <button class="primary" disabled={fault !== undefined} onClick={() => void begin()}>
          {wording.media.fit}
        </button>
        <button onClick={() => (store.loadedRows.value = null)}>{wording.media.dropTheData}</button>
      </div>
    </div>
  );
}

/** "(left) - (right)" as it was typed. */
function equationOf(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === "(" ? 1 : text[i] === ")" ? -1 : 0;
    if (depth === 0) {
      const rest = text.slice(i + 1).match(/^ - \((.*)\)$/)?.[1];
      return rest && text.startsWith("(") ? `${text.slice(1, i)} = ${rest}` : `${text} = 0`;
    }
  }
  return text;
}

function Fit({ fit }: { fit: FitInfo }) {
  void store.tick.value;
  const found = useSignal<FitReport | null>(null);
  const limit = useSignal(HUBER);
  const wrong = useSignal("");
  useEffect(() => {
    let isOver = false;
    const look = (): void => {
      ask({ do: "report", what: "fit", name: fit.name })
        .then((r) => {
          if (isOver) return;
          found.value = r;
          setTimeout(look, EVERY);
        })
        .catch(() => !isOver && setTimeout(look, 4 * EVERY));
    };
    look();
    return () => {
      isOver = true;
    };
  }, [fit.name]);
  const r = found.value;
  const isRobust = fit.limit < 1e29;
  const robust = (on: boolean): void => {
    const scatters = parsed(limit.value);
    wrong.value =
      on && !(scatters && scatters > 0)
        ? wording.media.noNumberAboveZero({ text: limit.value, example: HUBER })
        : "";
    if (!wrong.value)
      void act({ do: "tune", name: fit.name, values: { scatters: on ? (scatters ?? 0) : 0 } });
  };
  return (
    <div class="card" role="group" aria-label={fit.name}>
      <div class="number-head">
        <b>{fit.name}</b>
        <span class="muted">{wording.media.rowsCounted({ count: fit.rows.length })}</span>
        <button
          class="tool"
          aria-label={wording.media.deleteIt({ name: fit.name })}
          onClick={() => void act({ do: "delete", names: fit.items.filter((n) => store.items.value.has(n)) })}
        >
          ✕
        </button>
      </div>
      <code class="muted">{equationOf(fit.text)}</code>
      {fit.parameters.map((name) => (
        <div key={name} class="number-row" role="group" aria-label={name}>
          <div class="number-head">
            <b>{name}</b>
            <output class="reading-now">{short(stateOf(name)?.[0] ?? 0)}</output>
            <span class="muted">
              {r?.uncertainties[name] === undefined ? "± ?" : `± ${short(r.uncertainties[name])}`}
            </span>
          </div>
          <Slider name={name} low={null} high={null} />
        </div>
      ))}
      <p class="reading">
        <span>{wording.media.residualRms}</span> <b class="rms">{r?.rms == null ? "…" : short(r.rms)}</b>
      </p>
      <p class="reading">
        <span>{wording.media.largest}</span> <b>{r?.largest == null ? "…" : short(r.largest)}</b>
      </p>
      <div class="buttons">
        <Settle name={fit.name} />
      </div>
      {r?.why ? <p class="muted">{r.why}</p> : null}
      <label class="switch" title={wording.media.huber}>
        <input
          type="checkbox"
          aria-label={wording.media.robust}
          checked={isRobust}
          onChange={(e) => robust(e.currentTarget.checked)}
        />
        {wording.media.robustBeyond}
        <input
          class="number"
          style={{ width: "4.2em" }}
          aria-label={wording.media.huberLimitInScatters}
          value={limit.value}
          aria-invalid={wrong.value !== ""}
          onInput={(e) => (limit.value = e.currentTarget.value)}
          onChange={() => isRobust && robust(true)}
        />
        {wording.media.scatters}
      </label>
      <Wrong says={wrong.value} />
      {isRobust && r ? <p class="muted">{wording.media.rowsBeyond({ count: r.outliers })}</p> : null}
      <p class="muted">
        {fit.columns.length === 3 ? wording.media.dragTheSurface : wording.media.dragTheLine}
      </p>
    </div>
  );
}
