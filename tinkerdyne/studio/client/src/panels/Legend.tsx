// What an arrow's length means, and which arrows are shown.
import * as store from "../state/store";
import { wording } from "../wording/spoken";

/** `titled`: what more is said of a switch, by its action's name, where it has one. */
export function Legend({ titled }: { titled?: (id: string) => string }) {
  const scale = store.forceScale.value;
  const shown = store.shownForces.value;
  const kinds = [
    ["constraint", wording.view.kinds.constraint, "forces"],
    ["behavior", wording.view.kinds.behavior, "behaviors"],
    ["field", wording.view.kinds.field, "fields"],
    ["hand", wording.view.kinds.hand, "hands"],
    ["torque", wording.view.kinds.torque, "torques"],
  ] as const;
  return (
    <div class="legend">
      {scale && (shown.constraint || shown.behavior || shown.field || shown.hand) ? (
        <div class="scale">
          <span class="ruler" style={{ width: `${scale.pixels}px` }} /> {scale.newtons} N
        </div>
      ) : null}
      <div
        class="kinds"
        role="group"
        aria-label={
          store.isCrowded.value ? wording.view.forcesShownThereAreManyHere : wording.view.forcesShown
        }
      >
        {kinds.map(([kind, title, id]) => (
          <button
            key={kind}
            class={`kind of-${kind}`}
            aria-pressed={shown[kind]}
            title={titled?.(id)}
            onClick={() => store.showForces(kind, !shown[kind])}
          >
            {title}
          </button>
        ))}
      </div>
    </div>
  );
}
