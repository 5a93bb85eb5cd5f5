// Marks of the timeline: events, ramps and keys of paths, each of which can be dragged in time.
import type { Signal } from "@preact/signals";
import type { TargetedPointerEvent } from "preact";
import { roundBelow, short } from "../state/numbers";
import { addKey, type Entry, erase, type Part, shift, shifted, timesOf, wordOf } from "../state/plan";
import { draft, say, select } from "../state/store";
import type { EventInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";

const CLICK = 3; // px: less is no drag
const STEP = 0.1; // s, of the arrow keys
const LETTER = 5.8; // px of a letter of a word beside an event, rounded up
const MARGIN = 40; // px at the right of the lanes
const ASIDE = 22; // px from an event to its word, and from a word to the next event

/** Something that is being dragged. */
export interface Drag {
  id: string;
  part: Part;
  from: number; // s, where the pointer was pressed
  x: number; // px
  by: number; // s
  isMoved: boolean;
}

/** Which times are shown, and where. */
export interface Scale {
  start: number; // s
  end: number; // s
  now: number; // s
  width: number; // px
  share(time: number): string; // of the width, for styles
  timeAt(event: MouseEvent): number;
}

interface Shown {
  scale: Scale;
  drag: Signal<Drag | null>;
}

/** Times of an entry as they are while something is dragged. */
function timesNow(e: Entry, drag: Drag | null): number[] {
  return drag?.id === e.id ? shifted(timesOf(e.info), drag.part, drag.by) : timesOf(e.info);
}

/** Events of a lane whose word has room before the next mark. */
export function worded(own: readonly Entry[], { scale, drag }: Shown): ReadonlySet<string> {
  const pixels = scale.width / (scale.end - scale.start);
  const timesIn = (e: Entry): number[] => timesNow(e, drag.value);
  const starts = own.flatMap(timesIn);
  const has = (e: Entry): boolean => {
    const t = timesIn(e)[0] ?? 0;
    const room = Math.min(...starts.filter((s) => s > t), scale.end + MARGIN / pixels) - t;
    const isFirst = own.find((other) => other.info.kind === "event" && timesIn(other)[0] === t) === e; // of those at one time
    return isFirst && room * pixels > LETTER * wordOf(e.info).length + ASIDE;
  };
  return new Set(own.filter((e) => e.info.kind === "event" && has(e)).map((e) => e.id));
}

/** What makes a mark one that can be dragged, moved by keys, and opened by a click. */
function grip(e: Entry, part: Part, open: () => void, { scale, drag }: Shown) {
  return {
    onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.value = { id: e.id, part, from: scale.timeAt(event), x: event.clientX, by: 0, isMoved: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const d = drag.value;
      if (!d || (!d.isMoved && Math.abs(event.clientX - d.x) < CLICK)) return;
      const fine = roundBelow(Math.max((scale.end - scale.start) / scale.width, 1e-3)); // times come out tidy
      const old = timesOf(e.info)[Math.max(part, 0)] ?? 0;
      const by = Math.round((old + scale.timeAt(event) - d.from) / fine) * fine - old;
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
  };
}

export function Marks({ entry, hasWord, ...shown }: Shown & { entry: Entry; hasWord: boolean }) {
  const { info } = entry;
  const times = timesNow(entry, shown.drag.value);
  const edit = (part: Part) => (): void => {
    draft.value = { id: entry.id, part };
  };
  if (info.kind !== "event") return <Span entry={entry} times={times} edit={edit} {...shown} />;
  const [time = 0] = times;
  return (
    <button
      class={`mark event ${info.start < shown.scale.now ? "passed" : ""}`}
      style={{ left: shown.scale.share(time) }}
      aria-label={wording.timeline.eventAt({ what: info.title, time: short(time) })}
      title={wording.timeline.eventSays({ what: info.title, time: short(time) })}
      {...grip(entry, 0, edit(0), shown)}
    >
      {hasWord ? <span class="word">{wordOf(info)}</span> : null}
    </button>
  );
}

interface SpanProps extends Shown {
  entry: Entry;
  times: readonly number[];
  edit: (part: Part) => () => void;
}

/** A ramp or a path, from its first time to its last. */
function Span({ entry, times, edit, ...shown }: SpanProps) {
  const { info } = entry;
  const { scale } = shown;
  const isPath = info.kind === "path";
  const [first = 0, final = 0] = [times[0], times.at(-1)];
  const says = wording.timeline.spanOf({
    kind: wording.timeline.kinds[info.kind],
    what: info.title,
    first: short(first),
    last: short(final),
  });
  const put = (event: MouseEvent): void =>
    void addKey(info, scale.timeAt(event)).then((wrong) => wrong && say(wrong, "error"));
  return (
    <div class={info.kind}>
      <button
        class={`span ${info.end < scale.now ? "passed" : ""}`}
        style={{ left: scale.share(first), right: `calc(100% - ${scale.share(final)})` }}
        aria-label={says}
        title={isPath ? wording.timeline.keyHere({ span: says }) : says}
        {...grip(entry, -1, isPath ? () => select(info.item) : edit(-1), shown)}
        onDblClick={(event) => isPath && put(event)}
      >
        <span class="word">{wordOf(info)}</span>
      </button>
      {isPath && final < scale.now ? (
        <span class="ended" style={{ left: scale.share(final) }}>
          {wording.timeline.endedAt({ time: short(final) })}
        </span>
      ) : null}
      {times.map((time, k) => (
        <button
          key={k}
          class="mark key"
          style={{ left: scale.share(time) }}
          aria-label={wording.timeline.keyAt({ key: keyName(info, k), path: info.title, time: short(time) })}
          title={`${short(time)} s`}
          {...grip(entry, k, edit(k), shown)}
        />
      ))}
    </div>
  );
}

function keyName(info: EventInfo, k: number): string {
  if (info.kind === "path") return wording.timeline.keyNumber({ number: k + 1 });
  return k ? wording.timeline.end : wording.timeline.start;
}
