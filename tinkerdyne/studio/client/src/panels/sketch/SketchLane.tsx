// The sketch on the timeline: when its flights end, as marks that can be dragged; the motion follows.
import { useSignal } from "@preact/signals";
import { short } from "../../state/numbers";
import { act } from "../../state/session";
import { beginsAt, motion, previewed, sendLasting } from "../../state/sketch";
import { wording } from "../../wording/spoken";
import type { Scale } from "../TimelineMarks";

const LEAST = 0.02; // s: no flight is made shorter by hand
const STEP = 0.02; // s, of the arrow keys

export function SketchLane({ scale }: { scale: Scale }) {
  const dragged = useSignal<{ flight: number; seconds: number; from: number } | null>(null);
  const grid = motion.value?.grid ?? [];
  if (grid.length < 2) return null;
  const begin = beginsAt();
  const lasting = (flight: number): number => (grid[flight + 1] ?? 0) - (grid[flight] ?? 0);
  const set = (flight: number, seconds: number, isFinal: boolean): void =>
    sendLasting(flight, Math.max(LEAST, Number(seconds.toFixed(4))), isFinal);
  return (
    <div class="lane sketch-lane">
      <span class="lane-title" title={wording.sketch.sketch}>
        {wording.sketch.motion}
      </span>
      {grid.slice(1).map((time, flight) => (
        <span
          key={`span ${flight}`}
          class="flown"
          style={{
            left: scale.share(begin + (grid[flight] ?? 0)),
            right: `calc(100% - ${scale.share(begin + time)})`,
          }}
        />
      ))}
      {previewed.value === null ? null : (
        <span class="previewed" style={{ left: scale.share(begin + previewed.value) }} />
      )}
      {grid.slice(1).map((time, flight) => {
        const says = wording.sketch.mark({ flight: flight + 1, time: short(time) });
        return (
          <button
            key={flight}
            class="mark key"
            style={{ left: scale.share(begin + time) }}
            aria-label={says}
            title={says}
            onPointerDown={(e) => {
              e.stopPropagation();
              e.currentTarget.setPointerCapture(e.pointerId);
              dragged.value = { flight, seconds: lasting(flight), from: scale.timeAt(e) };
            }}
            onPointerMove={(e) => {
              const d = dragged.value;
              if (d) set(flight, d.seconds + scale.timeAt(e) - d.from, false);
            }}
            onPointerUp={(e) => {
              const d = dragged.value;
              dragged.value = null;
              const by = d ? scale.timeAt(e) - d.from : 0;
              if (d && by) set(flight, d.seconds + by, true);
            }}
            onPointerCancel={() => (dragged.value = null)}
            onKeyDown={(e) => {
              const by = e.key === "ArrowRight" ? STEP : e.key === "ArrowLeft" ? -STEP : 0;
              if (by) set(flight, lasting(flight) + by, true);
              else if (e.key === "Delete" || e.key === "Backspace")
                void act({ do: "edit-flight", what: "lasts", flight, lasts: [] });
              else return;
              e.preventDefault();
              e.stopPropagation();
            }}
          />
        );
      })}
    </div>
  );
}
