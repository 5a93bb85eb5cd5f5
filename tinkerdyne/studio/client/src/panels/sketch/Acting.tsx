// Acting a motion: a gesture of the hand or of a file instead of samples, how it is smoothed, and into how many flights it is cut.

import { useSignal } from "@preact/signals";
import { report } from "../../state/session";
import { type Gestured, gestured } from "../../state/sketch";
import { give, readGesture, startActing } from "../../tools/act";
import { startPuck } from "../../tools/puck";
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
          <button
            key={`puck ${body}`}
            title={wording.sketch.puckHint({ body })}
            onClick={() => void startPuck(body)}
          >
            {bodies.length > 1 ? `${wording.sketch.puck}: ${body}` : wording.sketch.puck}
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
              choose={(count) => void give({ ...now, flights: Number(count), cuts: [] })}
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
          <Cuts now={now} />
        </div>
      ) : null}
    </>
  );
}

const WIDE = 240;
const HIGH = 56; // of the strip, in units of its own

/** How high the gesture goes, with marks where it is cut. */
function Cuts({ now }: { now: Gestured }) {
  const held = useSignal<{ k: number; at: number } | null>(null);
  const { heights } = now;
  const count = heights.length;
  if (count < 3) return null;
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const x = (row: number): number => (row / (count - 1)) * WIDE;
  const y = (h: number): number => HIGH - 4 - ((h - low) / (high - low || 1)) * (HIGH - 8);
  const cuts = now.cuts.map((row, k) => (held.value?.k === k ? held.value.at : row));
  const within = (k: number, row: number): number =>
    Math.round(Math.min((cuts[k + 1] ?? count - 1) - 2, Math.max((cuts[k - 1] ?? 0) + 2, row)));
  const cutAt = (k: number, row: number): void =>
    void give({ ...now, cuts: cuts.map((old, j) => (j === k ? within(k, row) : old)) });
  return (
    <div class="cuts" role="group" aria-label={wording.sketch.cuts} title={wording.sketch.cuts}>
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={heights.map((h, row) => `${x(row)},${y(h)}`).join(" ")} />
      </svg>
      {cuts.map((row, k) => (
        <button
          key={k}
          style={{ left: `${(100 * row) / (count - 1)}%` }}
          aria-label={wording.sketch.cut({ number: k + 1 })}
          onPointerDown={(e) => {
            e.currentTarget.setPointerCapture(e.pointerId);
            held.value = { k, at: row };
          }}
          onPointerMove={(e) => {
            const strip = e.currentTarget.parentElement?.getBoundingClientRect();
            if (!held.value || !strip) return;
            held.value = { k, at: within(k, ((e.clientX - strip.left) / strip.width) * (count - 1)) };
          }}
          onPointerUp={() => {
            const put = held.value;
            held.value = null;
            if (put && put.at !== now.cuts[k]) cutAt(k, put.at);
          }}
          onPointerCancel={() => (held.value = null)}
          onKeyDown={(e) => {
            const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
            if (!by) return;
            e.preventDefault();
            cutAt(k, row + by);
          }}
        />
      ))}
    </div>
  );
}
