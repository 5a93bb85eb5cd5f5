// The time of a key of a path, beside it in the picture: dragged to the right it comes later, by a click it is typed.
import { useSignal } from "@preact/signals";
import { short } from "../state/numbers";
import { entries, shift, shifted, timesOf } from "../state/plan";
import { draft } from "../state/store";
import { wording } from "../wording/spoken";

const PER_PIXEL = 0.01; // s
const CLICK = 3; // px
const STEP = 0.1; // s, of the arrow keys

export function TimeHandle({
  path,
  part,
  style,
}: {
  path: string;
  part: number;
  style: Record<string, string>;
}) {
  const drag = useSignal<{ x: number; by: number } | null>(null);
  const entry = entries().find((e) => e.info.kind === "path" && e.info.item === path);
  if (!entry) return null;
  const time = shifted(timesOf(entry.info), part, drag.value?.by ?? 0)[part] ?? 0;
  const move = (event: PointerEvent): void => {
    const d = drag.value;
    if (d && (d.by || Math.abs(event.clientX - d.x) >= CLICK))
      drag.value = { x: d.x, by: PER_PIXEL * Math.round(event.clientX - d.x) };
  };
  const lift = (): void => {
    const by = drag.value?.by ?? 0;
    if (by) void shift(entry.id, part, by).then(() => (drag.value = null));
    else drag.value = null;
  };
  return (
    <button
      class="label time"
      style={style}
      title={wording.timeline.dragItInTimeClickTo}
      aria-label={wording.timeline.timeHandle({ number: part + 1, path, time: short(time) })}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        drag.value = { x: e.clientX, by: 0 };
      }}
      onPointerMove={move}
      onPointerUp={lift}
      onPointerCancel={() => (drag.value = null)}
      onClick={() => {
        if (!drag.value?.by) draft.value = { id: entry.id, part };
      }}
      onKeyDown={(e) => {
        const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
        if (!way) return;
        e.preventDefault();
        e.stopPropagation();
        void shift(entry.id, part, way * STEP * (e.shiftKey ? 10 : 1));
      }}
    >
      {short(time)} s
    </button>
  );
}
