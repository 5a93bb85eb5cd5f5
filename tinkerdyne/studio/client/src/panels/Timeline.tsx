// The timeline: the recorded past that can be scrubbed, and events, ramps and keys of paths that can be dragged.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { EventInfo } from "../protocol";
import { scrubTo } from "../scrub";
import { latest, model, say, select, status, tick } from "../store";
import { applied, ask, change, report, text } from "../studio";
import { round } from "../view/arrows";
import { short } from "./numbers";

const LEAST = 5; // s shown at least

interface Drag {
  entry: EventInfo;
  key: number; // which key or end
  from: number; // s
  by: number; // s
}

export function Timeline() {
  void tick.value;
  const lanes = useRef<HTMLDivElement>(null);
  const drag = useSignal<Drag | null>(null);
  const entries = model.value?.timeline ?? [];
  const now = latest.frame?.time ?? status.value?.time ?? 0;
  const start = Math.min(status.value?.start ?? 0, now, ...entries.map((e) => e.start));
  const last = Math.max(now, status.value?.time ?? 0, ...entries.map((e) => e.end));
  const end = Math.max(start + LEAST, last + 0.06 * (last - start));
  const share = (t: number): string => `${((100 * (t - start)) / (end - start)).toFixed(3)}%`;
  const timeAt = (event: PointerEvent): number => {
    const box = lanes.current?.getBoundingClientRect();
    return box ? start + ((event.clientX - box.left) / box.width) * (end - start) : now;
  };
  const timeOf = (d: Drag, k: number, t: number): number => (d.key < 0 || d.key === k ? t + d.by : t);

  const grip = (entry: EventInfo, key: number) => ({
    onPointerDown: (event: PointerEvent) => {
      event.stopPropagation();
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      drag.value = { entry, key, from: timeAt(event), by: 0 };
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag.value) drag.value = { ...drag.value, by: timeAt(event) - drag.value.from };
    },
    onPointerUp: () => {
      if (drag.value && drag.value.by !== 0) void moved(drag.value);
      drag.value = null;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const by = event.key === "ArrowRight" ? 0.1 : event.key === "ArrowLeft" ? -0.1 : 0;
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      void moved({ entry, key, from: 0, by });
    },
  });

  const ruler = (event: PointerEvent): void => {
    if (event.buttons === 1) void scrubTo(Math.min(Math.max(timeAt(event), status.value?.start ?? 0), last));
  };
  const step = round((end - start) / 5);
  const ticks = Array.from({ length: 12 }, (_, i) => (Math.ceil(start / step) + i) * step).filter((t) => t <= end);
  return (
    <section class="panel timeline" aria-label="Timeline" data-panel>
      <h2>Timeline</h2>
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
            const by = e.key === "ArrowLeft" ? -0.1 : e.key === "ArrowRight" ? 0.1 : 0;
            if (!by) return;
            e.preventDefault();
            e.stopPropagation();
            void scrubTo(now + by);
          }}
        >
          <div
            class="recorded"
            style={{ left: share(status.value?.start ?? 0), right: `calc(100% - ${share(status.value?.time ?? now)})` }}
          />
          {ticks.map((t) => (
            <span key={t} class="tick" style={{ left: share(t) }}>
              {short(t)}
            </span>
          ))}
        </div>
        {entries.map((e) => {
          const d = drag.value?.entry.index === e.index ? drag.value : null;
          const at = (k: number, t: number): string => share(d ? timeOf(d, k, t) : t);
          return (
            <div key={`${e.kind} ${e.index}`} class={`lane ${e.kind}`}>
              <button class="lane-title plain" title={e.title} onClick={() => e.item && select(e.item)}>
                {e.title}
              </button>
              {e.kind === "event" ? (
                <button
                  class="mark event"
                  style={{ left: at(0, e.start) }}
                  aria-label={`${e.title} at ${short(e.start)} s`}
                  title={`${e.title}: ${short(e.start)} s`}
                  {...grip(e, 0)}
                />
              ) : (
                <>
                  <div
                    class="span"
                    style={{ left: at(0, e.start), right: `calc(100% - ${at(e.kind === "path" ? e.keys.length - 1 : 1, e.end)})` }}
                    title={e.title}
                    {...grip(e, -1)}
                  />
                  {(e.kind === "path" ? e.keys.map((k) => k[0] ?? 0) : [e.start, e.end]).map((t, k) => (
                    <button
                      key={k}
                      class="mark key"
                      style={{ left: at(k, t) }}
                      aria-label={`key ${k + 1} of ${e.title} at ${short(t)} s`}
                      title={`${short(t)} s`}
                      {...grip(e, k)}
                    />
                  ))}
                </>
              )}
            </div>
          );
        })}
        <div class="playhead" style={{ left: share(now) }} />
      </div>
      {entries.length ? null : (
        <p class="empty">
          Drag along the ruler to look at the past. Draw a path with <kbd>P</kbd>: its keys appear here.
        </p>
      )}
    </section>
  );
}

/** Carry out what was dragged: keys of a path are a parameter, events and ramps are the world's plan. */
async function moved({ entry, key, by }: Drag): Promise<void> {
  const wrong = entry.kind === "path" ? await moveKeys(entry, key, by) : await movePlan(entry, key, by);
  if (wrong) say(wrong, "error");
}

function moveKeys(entry: EventInfo, key: number, by: number): Promise<string> {
  const keys = entry.keys.map((row, k) =>
    key < 0 || key === k ? [Number(((row[0] ?? 0) + by).toFixed(4)), ...row.slice(1)] : [...row],
  );
  return change(entry.item, "keys", keys);
}

async function movePlan(entry: EventInfo, key: number, by: number): Promise<string> {
  try {
    const scene = JSON.parse(text(await ask({ do: "ask", what: "scene" }))) as { timeline?: Record<string, unknown>[] };
    const entries = (scene.timeline ?? []).map((one, i) => {
      if (i !== entry.index) return one;
      const later = (name: string, isMoved: boolean) =>
        isMoved && typeof one[name] === "number" ? { [name]: Number((one[name] + by).toFixed(4)) } : {};
      return { ...one, ...later("time", true), ...later("start", key <= 0), ...later("end", key !== 0) };
    });
    return await applied({ edit: "Plan", entries });
  } catch (reason) {
    report(reason);
    return "";
  }
}
