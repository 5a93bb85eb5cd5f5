// Checkpoints in the timeline: the start and moments that were kept, by name; and the part of the past that is shown in a loop.
import { useSignal } from "@preact/signals";
import { act } from "../state/session";
import { newCheckpoint, status } from "../state/store";
import type { Checkpoint } from "../wire/protocol";
import { wording } from "../wording/spoken";

type Share = (time: number) => string;

export function Flags({ share }: { share: Share }) {
  return (
    <>
      {(status.value?.checkpoints ?? []).map((one) => (
        <Flag key={one.number} one={one} share={share} />
      ))}
    </>
  );
}

/** A click goes there; a double click, F2 or a new one gives it a name; Delete forgets it. */
function Flag({ one, share }: { one: Checkpoint; share: Share }) {
  const isNaming = useSignal(false);
  const isNew = newCheckpoint.value === one.number && one.number > 0;
  const said = `${one.name}, ${one.time.toFixed(2)} s`;
  const rename = (name: string): void => {
    if (name && name !== one.name) void act({ do: "keep", number: one.number, name });
    isNaming.value = false;
    newCheckpoint.value = 0;
  };
  if (isNaming.value || isNew)
    return (
      <input
        class="flag-name"
        aria-label={wording.timeline.nameOfTheCheckpoint}
        style={{ left: share(one.time) }}
        defaultValue={one.name}
        ref={(input) => {
          if (input && document.activeElement !== input) input.select();
        }}
        onBlur={(e) => rename(e.currentTarget.value.trim())}
        onKeyDown={(e) => {
          e.stopPropagation();
          if (e.key === "Enter") e.currentTarget.blur();
          else if (e.key === "Escape") rename("");
        }}
      />
    );
  return (
    <button
      class={`flag ${one.number ? "" : "start"}`}
      style={{ left: share(one.time) }}
      aria-label={wording.timeline.goBackTo({ moment: said })}
      title={one.number ? wording.timeline.flagHint({ moment: said }) : said}
      onClick={(e) => e.detail < 2 && void act({ do: "go", number: one.number })}
      onDblClick={() => (isNaming.value = one.number > 0)}
      onKeyDown={(e) => {
        if (e.key === "F2") isNaming.value = one.number > 0;
        else if (e.key === "Delete" && one.number) void act({ do: "keep", number: one.number });
        else return;
        e.preventDefault();
        e.stopPropagation();
      }}
    >
      <span class="word">{one.number ? one.name : ""}</span>
    </button>
  );
}

/** The part of the past that is shown over and over, with an end at each side to be dragged. */
export function LoopSpan({ share, timeAt }: { share: Share; timeAt(event: MouseEvent): number }) {
  const [start, end] = status.value?.loop ?? [];
  const moved = useSignal<readonly [number, number] | null>(null);
  if (start === undefined || end === undefined) return null;
  const [from, to] = moved.value ?? [start, end];
  const handle = (side: "start" | "end") => (
    <span
      class={`loop-end ${side}`}
      role="slider"
      tabIndex={0}
      aria-label={side === "start" ? wording.timeline.startOfLoop : wording.timeline.endOfLoop}
      aria-valuenow={side === "start" ? from : to}
      onPointerDown={(e) => {
        e.stopPropagation();
        e.currentTarget.setPointerCapture(e.pointerId);
      }}
      onPointerMove={(e) => {
        e.stopPropagation();
        if (e.buttons !== 1) return;
        const time = timeAt(e);
        moved.value = side === "start" ? [Math.min(time, to), to] : [from, Math.max(time, from)];
      }}
      onPointerUp={() => {
        if (!moved.value) return;
        const [start, end] = moved.value;
        void act({ do: "loop", start, end }).then(() => (moved.value = null));
      }}
      onKeyDown={(e) => {
        const by = e.key === "ArrowLeft" ? -0.1 : e.key === "ArrowRight" ? 0.1 : 0;
        if (!by) return;
        e.preventDefault();
        e.stopPropagation();
        void act(
          side === "start"
            ? { do: "loop", start: from + by, end: to }
            : { do: "loop", start: from, end: to + by },
        );
      }}
    />
  );
  return (
    <div class="loop-span" style={{ left: share(from), right: `calc(100% - ${share(to)})` }}>
      {handle("start")}
      {handle("end")}
    </div>
  );
}
