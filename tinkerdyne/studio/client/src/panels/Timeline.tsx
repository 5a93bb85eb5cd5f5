// The timeline: the recorded past that can be scrubbed, and events, ramps and keys of paths that can be made, dragged and deleted.
import { useSignal } from "@preact/signals";
import type { TargetedPointerEvent } from "preact";
import { useRef } from "preact/hooks";
import { roundBelow, short } from "../state/numbers";
import {
  addKey,
  type Entry,
  entries,
  erase,
  headingOf,
  type Part,
  shift,
  shifted,
  timesOf,
  wordOf,
} from "../state/plan";
import { scrubTo } from "../state/scrub";
import { draft, latest, say, select, status, tick } from "../state/store";
import { action } from "../tools/actions";
import { EventForm } from "./EventForm";

const LEAST = 5; // s shown at least
const CLICK = 3; // px: less is no drag
const STEP = 0.1; // s, of the arrow keys
const WIDE = 600; // px of the lanes before they are measured
const LETTER = 5.8; // px of a letter of a word beside an event, rounded up
const MARGIN = 40; // px at the right of the lanes
const ASIDE = 22; // px from an event to its word, and from a word to the next event

interface Drag {
  id: string;
  part: Part;
  from: number; // s, where the pointer was pressed
  x: number; // px
  by: number; // s
  isMoved: boolean;
}

export function Timeline() {
  void tick.value;
  const lanes = useRef<HTMLDivElement>(null);
  const drag = useSignal<Drag | null>(null);
  const all = entries();
  const now = latest.frame?.time ?? status.value?.time ?? 0;
  const start = Math.min(status.value?.start ?? 0, now, ...all.map((e) => e.info.start));
  const last = Math.max(now, status.value?.end ?? 0, ...all.map((e) => e.info.end));
  const end = Math.max(start + LEAST, last + 0.06 * (last - start));
  const share = (t: number): string => `${((100 * (t - start)) / (end - start)).toFixed(3)}%`;
  const timeAt = (event: MouseEvent): number => {
    const box = lanes.current?.getBoundingClientRect();
    return box ? start + ((event.clientX - box.left) / box.width) * (end - start) : now;
  };
  /** Times as they are while something is dragged. */
  const timesNow = (e: Entry): number[] =>
    drag.value?.id === e.id ? shifted(timesOf(e.info), drag.value.part, drag.value.by) : timesOf(e.info);

  const grip = (e: Entry, part: Part, open: () => void) => ({
    onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.value = { id: e.id, part, from: timeAt(event), x: event.clientX, by: 0, isMoved: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const d = drag.value;
      if (!d || (!d.isMoved && Math.abs(event.clientX - d.x) < CLICK)) return;
      const pixel = (end - start) / (lanes.current?.clientWidth || 1);
      const fine = roundBelow(Math.max(pixel, 1e-3)); // times come out tidy
      const old = timesOf(e.info)[Math.max(part, 0)] ?? 0;
      const by = Math.round((old + timeAt(event) - d.from) / fine) * fine - old;
      drag.value = { ...d, by, isMoved: true };
    },
    onPointerUp: () => {
      const d = drag.value;
      if (d?.isMoved) void shift(e.id, part, d.by).then(() => (drag.value = null));
      else drag.value = null;
    },
    onPointerCancel: () => (drag.value = null),
    onClick: () => {
      if (!drag.value?.isMoved) open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (way) void shift(e.id, part, way * STEP * (event.shiftKey ? 10 : 1));
      else if (event.key === "Delete" || event.key === "Backspace") void erase(e.id, part);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  });

  /** Events of a lane whose word has room before the next mark. */
  const worded = (own: readonly Entry[]): ReadonlySet<string> => {
    const scale = (lanes.current?.clientWidth ?? WIDE) / (end - start);
    const starts = own.flatMap((e) => timesNow(e));
    const has = (e: Entry): boolean => {
      const t = timesNow(e)[0] ?? 0;
      const room = Math.min(...starts.filter((s) => s > t), end + MARGIN / scale) - t;
      const isFirst = own.find((other) => other.info.kind === "event" && timesNow(other)[0] === t) === e; // of those at one time
      return isFirst && room * scale > LETTER * wordOf(e.info).length + ASIDE;
    };
    return new Set(own.filter((e) => e.info.kind === "event" && has(e)).map((e) => e.id));
  };

  const marks = (e: Entry, words: ReadonlySet<string>) => {
    const times = timesNow(e);
    const { info } = e;
    const edit = (part: Part) => (): void => {
      draft.value = { id: e.id, part };
    };
    if (info.kind === "event")
      return (
        <button
          key={e.id}
          class={`mark event ${info.start < now ? "passed" : ""}`}
          style={{ left: share(times[0] ?? 0) }}
          aria-label={`${info.title} at ${short(times[0] ?? 0)} s`}
          title={`${info.title}: ${short(times[0] ?? 0)} s`}
          {...grip(e, 0, edit(0))}
        >
          {words.has(e.id) ? <span class="word">{wordOf(info)}</span> : null}
        </button>
      );
    const [first = 0, final = 0] = [times[0], times.at(-1)];
    const says = `${info.kind} ${info.title}, ${short(first)} to ${short(final)} s`;
    return (
      <div key={e.id} class={info.kind}>
        <button
          class={`span ${info.end < now ? "passed" : ""}`}
          style={{ left: share(first), right: `calc(100% - ${share(final)})` }}
          aria-label={says}
          title={info.kind === "path" ? `${says} · double-click puts a key here` : says}
          {...grip(e, -1, info.kind === "path" ? () => select(info.item) : edit(-1))}
          onDblClick={(event) =>
            info.kind === "path" &&
            void addKey(info, timeAt(event)).then((wrong) => wrong && say(wrong, "error"))
          }
        >
          <span class="word">{wordOf(info)}</span>
        </button>
        {info.kind === "path" && final < now ? (
          <span class="ended" style={{ left: share(final) }}>
            ended at {short(final)} s; stays
          </span>
        ) : null}
        {times.map((t, k) => (
          <button
            key={k}
            class="mark key"
            style={{ left: share(t) }}
            aria-label={`${info.kind === "path" ? `key ${k + 1}` : k ? "end" : "start"} of ${info.title} at ${short(t)} s`}
            title={`${short(t)} s`}
            {...grip(e, k, edit(k))}
          />
        ))}
      </div>
    );
  };

  const ruler = (event: PointerEvent): void => {
    if (event.buttons === 1) void scrubTo(Math.min(Math.max(timeAt(event), status.value?.start ?? 0), last));
  };
  const step = roundBelow((end - start) / 5);
  const ticks = Array.from({ length: 12 }, (_, i) => (Math.ceil(start / step) + i) * step).filter(
    (t) => t <= end,
  );
  return (
    <>
      <section class="panel timeline" aria-label="Timeline" data-panel>
        <div class="timeline-head">
          <h2>Timeline</h2>
          <button
            class="plain"
            title="Something that shall happen at a time (E)"
            onClick={() => (draft.value = { id: "", part: 0 })}
          >
            + Event
          </button>
        </div>
        <div class="lanes" ref={lanes}>
          <div
            class="ruler-line"
            role="slider"
            tabIndex={0}
            aria-label="Scrub through the recorded past"
            aria-valuemin={start}
            aria-valuemax={last}
            aria-valuenow={now}
            aria-valuetext={`${now.toFixed(2)} s`}
            onPointerDown={(e) => {
              e.currentTarget.setPointerCapture(e.pointerId);
              ruler(e);
            }}
            onPointerMove={ruler}
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
              style={{
                left: share(status.value?.start ?? 0),
                right: `calc(100% - ${share(Math.max(status.value?.end ?? 0, now))})`,
              }}
            />
            {ticks.map((t) => (
              <span key={t} class="tick" style={{ left: share(t) }}>
                {short(t)}
              </span>
            ))}
          </div>
          {[...new Set(all.map((e) => e.lane))].map((lane) => {
            const own = all.filter((e) => e.lane === lane);
            const item = own[0]?.info.item ?? "";
            const words = worded(own);
            return (
              <div key={lane} class="lane">
                <button class="lane-title plain" title={headingOf(lane)} onClick={() => item && select(item)}>
                  {headingOf(lane)}
                </button>
                {own.map((e) => marks(e, words))}
              </div>
            );
          })}
          <div class="playhead" style={{ left: share(now) }} />
        </div>
        {all.length ? null : (
          <p class="empty">
            Drag along the ruler to look at the past. <kbd>E</kbd> plans an event; <kbd>P</kbd> draws a path,
            whose keys appear here.
          </p>
        )}
      </section>
      {draft.value ? <EventForm key={`${draft.value.id} ${draft.value.part}`} {...draft.value} /> : null}
    </>
  );
}
