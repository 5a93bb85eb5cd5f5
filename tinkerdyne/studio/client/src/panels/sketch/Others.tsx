// Other motions that meet the sketch, as small moving pictures in the order of what is wished, and wishes for style.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { short } from "../../state/numbers";
import { act } from "../../state/session";
import { others, sketch } from "../../state/sketch";
import { wish } from "../../tools/act";
import { thumbnail } from "../../view/thumbnail";
import type { SketchOther } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Select } from "../Select";

const STARTS = 6;
const STYLES = ["calmer", "higher", "faster", "more_turns"] as const;
type Order = "fit" | (typeof STYLES)[number];
const SIZE = { width: 122, height: 84 }; // px

/** What comes first is smaller. */
const BY: Readonly<Record<Order, (one: SketchOther) => number>> = {
  fit: (one) => one.cost,
  calmer: (one) => one.speed,
  higher: (one) => -one.height,
  faster: (one) => one.seconds,
  more_turns: (one) => -one.turns,
};

export function Others() {
  const order = useSignal<Order>("fit");
  const told = others.value;
  const isSearching = told !== null && !told.is_over;
  const by = BY[order.value];
  const found = [...(told?.found ?? [])].sort((a, b) => by(a) - by(b));
  return (
    <>
      <h3>{wording.sketch.otherWays}</h3>
      <p class="styles" role="group" aria-label={wording.sketch.style}>
        {STYLES.map((name) => {
          const isOn = (sketch.value?.style[name] ?? 0) > 0;
          return (
            <button key={name} class="chip" aria-pressed={isOn} onClick={() => wish(name, !isOn)}>
              {wording.sketch.styles[name]}
            </button>
          );
        })}
      </p>
      <div class="buttons">
        {isSearching ? (
          <>
            <progress value={told.done} max={told.of} aria-label={wording.sketch.progress} />
            <button onClick={() => void act({ do: "find-others", is_on: false })}>
              {wording.common.cancel}
            </button>
          </>
        ) : (
          <button onClick={() => void act({ do: "find-others", starts: STARTS })}>
            {wording.sketch.findOthers}
          </button>
        )}
      </div>
      {found.length ? (
        <>
          <div class="wish">
            <span>{wording.sketch.first}</span>
            <Select
              label={wording.sketch.first}
              value={order.value}
              options={(["fit", ...STYLES] as const).map((name) => [name, wording.sketch.styles[name]])}
              choose={(name) => (order.value = name)}
            />
          </div>
          <div class="others">
            {found.map((one) => (
              <Other key={one.number} one={one} all={found} />
            ))}
          </div>
        </>
      ) : told?.is_over ? (
        <p class="muted">{wording.sketch.noOthers}</p>
      ) : null}
    </>
  );
}

function Other({ one, all }: { one: SketchOther; all: readonly SketchOther[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let next = 0;
    const loop = (): void => {
      if (canvas.current) thumbnail(canvas.current, one, all, performance.now() / 1000);
      next = requestAnimationFrame(loop);
    };
    loop();
    return () => cancelAnimationFrame(next);
  }, [one, all.length]);
  const says = wording.sketch.otherSays({
    speed: short(one.speed),
    height: short(one.height),
    seconds: short(one.seconds),
    turns: short(one.turns),
  });
  return (
    <button
      class="other"
      title={wording.sketch.takeIt}
      onClick={() => void act({ do: "take-other", number: one.number })}
    >
      <canvas ref={canvas} width={2 * SIZE.width} height={2 * SIZE.height} style={SIZE} />
      <span>{says}</span>
    </button>
  );
}
