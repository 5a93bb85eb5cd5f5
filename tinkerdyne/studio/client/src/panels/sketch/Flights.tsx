// The flights of a sketch in their order, what is wanted of them, and the collisions between them.
import { short } from "../../state/numbers";
import { act } from "../../state/session";
import { chosen, isSame, motion, type Spot, sketch, trackOf } from "../../state/sketch";
import { numbersIn } from "../../state/values";
import { WANTED } from "../../tools/sketchActions";
import { choose } from "../../tools/sketchHand";
import type { Parameter, SketchFlight } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Field } from "../Field";
import { Select } from "../Select";
import { Blow } from "./Blow";
import { Inside, Wish } from "./Wishes";

const SECONDS: Parameter = { name: "lasts", sort: "size", default: 1, unit: "s", choices: [] };

export function Flights() {
  const told = sketch.value;
  if (!told) return null;
  return (
    <>
      <h3>{wording.sketch.flights}</h3>
      {told.flights.map((flight, f) => (
        <>
          <Flight
            key={`flight ${f}`}
            flight={flight}
            f={f}
            count={told.flights.length}
            bodies={told.bodies}
            isTree={told.is_tree}
          />
          {told.blows[f] ? <Blow key={`blow ${f}`} blow={told.blows[f]} f={f} told={told} /> : null}
        </>
      ))}
    </>
  );
}

interface Given {
  flight: SketchFlight;
  f: number;
  count: number;
  bodies: readonly string[];
  isTree: boolean;
}

function Flight({ flight, f, count, bodies, isTree }: Given) {
  const grid = motion.value?.grid ?? [];
  const lasts = (grid[f + 1] ?? 0) - (grid[f] ?? 0);
  const does = (what: "bounce" | "meet" | "split" | "remove", title: string, isPossible = true) => (
    <button
      class="chip"
      disabled={!isPossible}
      onClick={() => void act({ do: "edit-flight", what, flight: f })}
    >
      {title}
    </button>
  );
  const goes = (to: number, sign: string, title: string) => (
    <button
      class="tool"
      title={title}
      aria-label={title}
      disabled={to < 0 || to >= count}
      onClick={() => void act({ do: "edit-flight", what: "reorder", flight: f, to })}
    >
      {sign}
    </button>
  );
  return (
    <div class="card flight" role="group" aria-label={wording.sketch.flight({ number: f + 1 })}>
      <div class="number-head">
        <b>{wording.sketch.flight({ number: f + 1 })}</b>
        <span class="muted">{motion.value ? `${short(lasts)} s` : ""}</span>
        {isTree ? null : goes(f - 1, "▴", wording.sketch.earlier)}
        {isTree ? null : goes(f + 1, "▾", wording.sketch.later)}
      </div>
      {bodies.map((body) => (
        <Samples key={body} body={body} f={f} isNamed={bodies.length > 1} />
      ))}
      {isTree ? null : (
        <div class="buttons">
          {does("bounce", wording.sketch.bounce)}
          {bodies.length > 1 ? does("meet", wording.sketch.meet) : null}
          {does("split", wording.sketch.split)}
          {does("remove", wording.sketch.removeFlight, count > 1)}
        </div>
      )}
      <Lasts flight={flight} f={f} now={lasts} />
      <details>
        <summary>{wording.sketch.conditions({ count: flight.wishes.length + flight.others.length })}</summary>
        {bodies.map((body) =>
          (["start", "end"] as const).map((when) => (
            <div key={`${body} ${when}`} role="group" aria-label={wording.sketch[when]({ body })}>
              <h4>{wording.sketch[when]({ body })}</h4>
              {WANTED.filter((kind) => !isTree || kind !== "orientation").map((kind) => (
                <Wish key={kind} body={body} f={f} when={when} kind={kind} isTree={isTree} />
              ))}
              {isTree ? null : <Inside body={body} f={f} when={when} />}
            </div>
          )),
        )}
        {flight.others.map((says) => (
          <p key={says} class="muted">
            {says}
          </p>
        ))}
      </details>
    </div>
  );
}

/** The samples of a body, each a button that chooses it. */
function Samples({ body, f, isNamed }: { body: string; f: number; isNamed: boolean }) {
  const count = trackOf(body, f)?.places.length ?? 0;
  if (!count) return null;
  return (
    <p class="samples" role="group" aria-label={wording.sketch.samplesOf({ body })}>
      {isNamed ? <span class="muted">{body} </span> : null}
      {Array.from({ length: count }, (_, sample) => {
        const spot: Spot = { body, flight: f, what: "sample", sample };
        return (
          <button
            key={sample}
            class="chip"
            aria-pressed={isSame(chosen.value, spot)}
            onClick={() => choose(spot)}
          >
            {sample + 1}
          </button>
        );
      })}
    </p>
  );
}

/** How long a flight lasts: free, or a time that is held. */
function Lasts({ flight, f, now }: { flight: SketchFlight; f: number; now: number }) {
  const isHeld = flight.lasts.length > 0;
  const set = (lasts: readonly number[]): Promise<boolean> =>
    act({ do: "edit-flight", what: "lasts", flight: f, lasts: [...lasts] });
  return (
    <div class="wish">
      <span>{wording.sketch.lasts}</span>
      <Select
        label={wording.sketch.lasts}
        value={isHeld ? "hard" : "free"}
        options={[
          ["free", wording.sketch.free],
          ["hard", wording.sketch.hard],
        ]}
        choose={(to) => void set(to === "hard" ? [Number(now.toFixed(3)), Number(now.toFixed(3))] : [])}
      />
      {isHeld ? (
        <Field
          parameter={SECONDS}
          value={flight.lasts[0] === flight.lasts[1] ? (flight.lasts[0] ?? 0) : [...flight.lasts]}
          commit={async (value) => {
            const given = numbersIn(value);
            const [least, most] = typeof value === "number" ? [value, value] : [given[0] ?? 0, given[1] ?? 0];
            await set([least, most]);
            return "";
          }}
        />
      ) : null}
    </div>
  );
}
