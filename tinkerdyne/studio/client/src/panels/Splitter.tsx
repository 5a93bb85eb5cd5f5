// The edge of a panel: dragged it resizes the panel, with a double click it has its usual size, arrows move it.
import { useRef } from "preact/hooks";
import { type Edge, hidden, resize, sizes, usual } from "../state/layout";
import { wording } from "../wording/spoken";

const STEP = 16; // px
const TITLES: Readonly<Record<Edge, string>> = {
  left: wording.app.widthOfTheParts,
  right: wording.app.widthOfTheRightSide,
  bottom: wording.app.heightOfTimelineAndPlots,
};

export function Splitter({ edge }: { edge: Edge }) {
  const from = useRef<{ at: number; size: number } | null>(null);
  if (hidden.value.has(edge)) return null;
  const isFlat = edge === "bottom";
  const along = (e: PointerEvent): number => (isFlat ? e.clientY : e.clientX);
  const sign = edge === "left" ? 1 : -1;
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined || isFlat !== (event.key === "ArrowUp" || event.key === "ArrowDown")) return;
    resize(edge, sizes.value[edge] + sign * by * STEP);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={`splitter ${edge}`}
      role="separator"
      aria-orientation={isFlat ? "horizontal" : "vertical"}
      aria-label={TITLES[edge]}
      aria-valuenow={sizes.value[edge]}
      aria-valuemin={0}
      aria-valuemax={1000}
      tabIndex={0}
      onPointerDown={(e) => {
        from.current = { at: along(e), size: sizes.value[edge] };
        e.currentTarget.setPointerCapture(e.pointerId);
      }}
      onPointerMove={(e) => {
        if (from.current) resize(edge, from.current.size + sign * (along(e) - from.current.at));
      }}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onDblClick={() => usual(edge)}
      onKeyDown={onKey}
    />
  );
}
