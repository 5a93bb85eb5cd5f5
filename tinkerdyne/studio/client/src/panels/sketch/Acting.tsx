// Acting a motion: a gesture of the hand or of a file instead of samples, how it is smoothed, and into how many flights it is cut.
import { report } from "../../state/session";
import { gestured } from "../../state/sketch";
import { give, readGesture, startActing } from "../../tools/act";
import { wording } from "../../wording/spoken";
import { Select } from "../Select";

const MOST = 8; // flights
const SMOOTHEST = 8; // samples

export function Acting({ bodies }: { bodies: readonly string[] }) {
  const now = gestured.value;
  return (
    <>
      <h3>{wording.sketch.acting}</h3>
      <div class="buttons">
        {bodies.map((body) => (
          <button key={body} title={wording.sketch.actHint({ body })} onClick={() => startActing(body)}>
            {wording.sketch.act({ body })}
          </button>
        ))}
        {bodies.map((body) => (
          <button key={`file ${body}`} onClick={() => void readGesture(body).catch(report)}>
            {bodies.length > 1 ? wording.sketch.fromFileFor({ body }) : wording.sketch.fromFile}
          </button>
        ))}
      </div>
      {now && bodies.includes(now.body) ? (
        <div class="card" role="group" aria-label={wording.sketch.gesture}>
          <b>{wording.sketch.gestureOf({ body: now.body })}</b>
          <div class="wish">
            <span>{wording.sketch.flights}</span>
            <Select
              label={wording.sketch.cutInto}
              value={String(now.flights)}
              options={Array.from({ length: MOST }, (_, k) => [String(k + 1), String(k + 1)] as const)}
              choose={(count) => void give({ ...now, flights: Number(count) })}
            />
          </div>
          <label class="wish">
            <span>{wording.sketch.smoothing}</span>
            <input
              type="range"
              aria-label={wording.sketch.smoothing}
              min={0}
              max={SMOOTHEST}
              step={0.5}
              value={now.smooth}
              onChange={(e) => void give({ ...now, smooth: Number(e.currentTarget.value) })}
            />
          </label>
        </div>
      ) : null}
    </>
  );
}
