// The axis of a joint in the inspector.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "../state/session";
import * as store from "../state/store";
import { numbersIn } from "../state/values";
import { axisNow, CHOICES, choices, directionOf, kindOf, numbersOf, preview } from "../view/axis";
import { bodiesOf } from "../view/places";
import type { ItemInfo, Parameter } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Field } from "./Field";
import { Wrong } from "./Wrong";

/** The axis of a joint, in the world now; another one is tried by resting on it, and taken by a click. */
export function JointAxis({ item }: { item: ItemInfo }) {
  void store.tick.value;
  const error = useSignal("");
  const now = axisNow(item.name);
  const body = bodiesOf(item).find((n) => !store.items.value.get(n)?.is_fixed) ?? "";
  useEffect(() => () => preview(null), []);
  const aim = async (axis: readonly number[]): Promise<string> => {
    const wrong = await ask({ do: "aim", joint: item.name, axis: [...axis] }).then(
      () => "",
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    );
    preview(null);
    error.value = wrong;
    return wrong;
  };
  const shown = (c: store.AxisChoice) => ({
    onPointerEnter: () => preview(now?.place ?? null, directionOf(c, kindOf(item.of), body)),
    onFocus: () => preview(now?.place ?? null, directionOf(c, kindOf(item.of), body)),
    onPointerLeave: () => preview(null),
    onBlur: () => preview(null),
  });
  const short = (x: number): number => Number(x.toFixed(4)) + 0;
  return (
    <>
      <h3>{wording.inspector.axis}</h3>
      <p role="group" aria-label={wording.inspector.axis}>
        {choices()
          .filter((c) => c !== "auto" && c !== "typed")
          .map((c) => (
            <button
              key={c}
              class="chip"
              title={wording.inspector.turnAxis({ choice: CHOICES[c] })}
              onClick={() => void aim(numbersOf(directionOf(c, kindOf(item.of), body)))}
              {...shown(c)}
            >
              {CHOICES[c]}
            </button>
          ))}
      </p>
      {now ? (
        <Field
          parameter={AXIS}
          value={now.along.toArray().slice(0, store.dimension.value).map(short)}
          commit={(along) => aim(numbersIn(along))}
        />
      ) : null}
      <Wrong says={error.value} />
    </>
  );
}

const AXIS: Parameter = { name: "along", sort: "unit", default: [0, 0, 1], unit: "", choices: [] };
