// The timeline: the recorded past that can be scrubbed, and lanes of what shall happen.
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { roundBelow, short } from "../state/numbers";
import { type Entry, entries, headingOf } from "../state/plan";
import { scrubTo } from "../state/scrub";
import { beginsAt, motion, secondsOf } from "../state/sketch";
import { draft, latest, select, status, tick } from "../state/store";
import { action } from "../tools/actions";
import { wording } from "../wording/spoken";
import { ActionButton } from "./Bar";
import { Flags, LoopSpan } from "./Checkpoints";
import { EventForm } from "./EventForm";
import { Said } from "./Said";
import { SketchLane } from "./sketch/SketchLane";
import { type Drag, Marks, type Scale, worded } from "./TimelineMarks";

const LEAST = 5; // s shown at least
const STEP = 0.1; // s, of the arrow keys
const WIDE = 600; // px of the lanes before they are measured

/** Which times are shown: the recorded past, the present, and all that is planned. */
function scaleOf(all: readonly Entry[], lanes: HTMLElement | null): Scale & { last: number } {
  const now = latest.frame?.time ?? status.value?.time ?? 0;
  const start = Math.min(status.value?.start ?? 0, now, ...all.map((e) => e.info.start));
  const last = Math.max(
    now,
    status.value?.end ?? 0,
    ...all.map((e) => e.info.end),
    beginsAt() + secondsOf(motion.value),
  );
  const end = Math.max(start + LEAST, last + 0.06 * (last - start));
  return {
    start,
    end,
    now,
    last,
    width: lanes?.clientWidth || WIDE,
    share: (time) => `${((100 * (time - start)) / (end - start)).toFixed(3)}%`,
    timeAt: (event) => {
      const box = lanes?.getBoundingClientRect();
      return box ? start + ((event.clientX - box.left) / box.width) * (end - start) : now;
    },
  };
}

export function Timeline() {
  void tick.value;
  const lanes = useRef<HTMLDivElement>(null);
  const all = entries();
  return (
    <>
      <section class="panel timeline" aria-label={wording.common.timeline} data-panel>
        <div class="timeline-head">
          <h2>{wording.common.timeline}</h2>
          <div class="transport" role="group" aria-label={wording.timeline.alongThePast}>
            <ActionButton id="step-back" icon="step-back" />
            <ActionButton id="loop" icon="loop" isPressed={(status.value?.loop.length ?? 0) > 0} />
            <ActionButton id="checkpoint" icon="flag" />
          </div>
          <button
            class="plain"
            title={wording.timeline.eventHint}
            onClick={() => (draft.value = { id: "", part: 0 })}
          >
            {wording.timeline.plusEvent}
          </button>
        </div>
        <Lanes all={all} lanes={lanes} />
        {all.length || motion.value ? null : (
          <p class="empty">
            <Said text={wording.timeline.emptyHint} E={<kbd>E</kbd>} P={<kbd>P</kbd>} />
          </p>
        )}
      </section>
      {draft.value ? <EventForm key={`${draft.value.id} ${draft.value.part}`} {...draft.value} /> : null}
    </>
  );
}

function Lanes({ all, lanes }: { all: readonly Entry[]; lanes: RefObject<HTMLDivElement> }) {
  const drag = useSignal<Drag | null>(null);
  const scale = scaleOf(all, lanes.current);
  return (
    <div class="lanes" ref={lanes}>
      <Ruler scale={scale} last={scale.last} />
      {[...new Set(all.map((e) => e.lane))].map((lane) => {
        const own = all.filter((e) => e.lane === lane);
        const item = own[0]?.info.item ?? "";
        const words = worded(own, { scale, drag });
        return (
          <div key={lane} class="lane">
            <button class="lane-title plain" title={headingOf(lane)} onClick={() => item && select(item)}>
              {headingOf(lane)}
            </button>
            {own.map((e) => (
              <Marks key={e.id} entry={e} hasWord={words.has(e.id)} scale={scale} drag={drag} />
            ))}
          </div>
        );
      })}
      <SketchLane scale={scale} />
      <Flags share={scale.share} />
      <div class="playhead" style={{ left: scale.share(scale.now) }} />
    </div>
  );
}

/** The ruler with the recorded past, along which one looks at it. */
function Ruler({ scale, last }: { scale: Scale; last: number }) {
  const { start, end, now, share } = scale;
  const [from, to] = [status.value?.start ?? 0, status.value?.end ?? 0];
  const look = (event: PointerEvent): void => {
    if (event.buttons === 1) void scrubTo(Math.min(Math.max(scale.timeAt(event), from), last));
  };
  const step = roundBelow((end - start) / 5);
  const ticks = Array.from({ length: 12 }, (_, i) => (Math.ceil(start / step) + i) * step);
  return (
    <div
      class="ruler-line"
      role="slider"
      tabIndex={0}
      aria-label={wording.timeline.scrubThroughTheRecordedPast}
      aria-valuemin={start}
      aria-valuemax={last}
      aria-valuenow={now}
      aria-valuetext={`${now.toFixed(2)} s`}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        look(e);
      }}
      onPointerMove={look}
      onKeyDown={(e) => {
        if (e.key === "End") action("now").run();
        const by = e.key === "ArrowLeft" ? -STEP : e.key === "ArrowRight" ? STEP : 0;
        if (!by) return;
        e.preventDefault();
        e.stopPropagation();
        void scrubTo(now + by);
      }}
    >
      <div
        class="recorded"
        style={{ left: share(from), right: `calc(100% - ${share(Math.max(to, now))})` }}
      />
      <LoopSpan share={share} timeAt={scale.timeAt} />
      {ticks
        .filter((time) => time <= end)
        .map((time) => (
          <span key={time} class="tick" style={{ left: share(time) }}>
            {short(time)}
          </span>
        ))}
    </div>
  );
}
