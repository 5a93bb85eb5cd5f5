// The sketch of a motion: what it asks for, what came of it in words and numbers, and what can be done with it.
import { short } from "../../state/numbers";
import { act } from "../../state/session";
import { isPreviewing, motion, previewed, problem, secondsOf, sketch } from "../../state/sketch";
import * as store from "../../state/store";
import { beginSketch, forgetSketch, playMotion } from "../../tools/sketchActions";
import type { MotionTold } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Wrong } from "../Wrong";
import { Acting } from "./Acting";
import { Chosen } from "./Chosen";
import { Flights } from "./Flights";
import { Others } from "./Others";
import { Surroundings } from "./Surroundings";

export function SketchPanel() {
  const told = sketch.value;
  return (
    <section class="panel sketch" aria-label={wording.sketch.sketch} data-panel>
      <h2>{wording.sketch.sketch}</h2>
      <Wrong says={problem.value} />
      {told ? (
        <>
          <Verdict />
          <Preview />
          <div class="buttons">
            <button class="primary" disabled={!motion.value} onClick={() => void playMotion()}>
              {wording.sketch.playOn}
            </button>
            <button onClick={forgetSketch}>{wording.sketch.forget}</button>
          </div>
          <Chosen />
          <Flights />
          <Acting bodies={told.bodies} />
          <Others />
          <Surroundings told={told} />
        </>
      ) : (
        <Begin />
      )}
    </section>
  );
}

function Begin() {
  const bodies = store.selected.value.filter((name) => store.isBody(store.items.value.get(name)));
  return (
    <div class="empty">
      <p>{wording.sketch.whatItIs}</p>
      <p>
        {bodies.length ? wording.sketch.ofBodies({ names: bodies.join(", ") }) : wording.sketch.selectFirst}
      </p>
      <div class="buttons">
        <button class="primary" disabled={!bodies.length} onClick={() => void beginSketch()}>
          {wording.actions.sketchAMotion}
        </button>
      </div>
    </div>
  );
}

/** What the motion comes to, in words, and what is wrong with it in numbers. */
function Verdict() {
  const found = motion.value;
  if (!found)
    return (
      <p class="verdict none" role="status">
        {problem.value ? wording.sketch.verdicts.unmet : wording.sketch.verdicts.none}
      </p>
    );
  const [place = 0, turn = 0] = found.misfit;
  return (
    <>
      <p class={`verdict ${found.verdict}`} role="status" data-number={found.number}>
        <strong>{wording.sketch.verdicts[found.verdict]}</strong>
        {found.is_astray ? ` ${wording.sketch.astray}` : ""}
        {found.is_searching ? ` ${wording.sketch.searching}` : ""}
      </p>
      <p class="muted figures">
        {wording.sketch.figures({
          place: short(1000 * place),
          turn: short((180 * turn) / Math.PI),
          seconds: short(secondsOf(found)),
          took: Math.round(1000 * found.seconds),
        })}
      </p>
      {found.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <Faults found={found} />
    </>
  );
}

function Faults({ found }: { found: MotionTold }) {
  const jumps = found.blows.filter((blow) => blow.is_wild || Math.max(blow.speed_gap, blow.spin_gap) > 1e-6);
  if (!found.faults.length && !jumps.length) return null;
  return (
    <ul class="faults" aria-label={wording.sketch.violations}>
      {jumps.map((blow) => (
        <li key={`blow ${blow.flight}`} class={blow.is_wild ? "wild" : ""}>
          {wording.sketch.jump({
            blow: blow.flight + 1,
            speed: short(blow.speed_gap),
            spin: short(blow.spin_gap),
          })}
        </li>
      ))}
      {found.faults.map((fault) => (
        <li key={fault.says}>
          {fault.says}: <b>{short(fault.size)}</b> {fault.unit}
        </li>
      ))}
    </ul>
  );
}

/** The motion as a ghost shows it, at a time or as it goes. */
function Preview() {
  const found = motion.value;
  const whole = secondsOf(found);
  if (!found) return null;
  const time = Math.min(previewed.value ?? 0, whole);
  return (
    <div class="preview">
      <button
        class="tool"
        aria-pressed={isPreviewing.value}
        title={wording.sketch.previewHint}
        onClick={() => {
          isPreviewing.value = !isPreviewing.value;
          if (!isPreviewing.value) previewed.value = null;
          else void (store.status.value?.is_playing && act({ do: "play", is_playing: false }));
        }}
      >
        {isPreviewing.value ? "⏸" : "▶"} {wording.sketch.preview}
      </button>
      <input
        type="range"
        aria-label={wording.sketch.moment}
        min={0}
        max={whole}
        step="any"
        value={time}
        onInput={(e) => {
          isPreviewing.value = false;
          previewed.value = Number(e.currentTarget.value);
        }}
      />
      <output>{time.toFixed(2)} s</output>
    </div>
  );
}
