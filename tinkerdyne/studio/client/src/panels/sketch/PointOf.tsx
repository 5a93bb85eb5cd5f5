// A point of a body: one that has a name, or a typed one; of a collision also the corner that comes lowest.
import { items } from "../../state/store";
import { wording } from "../../wording/spoken";
import { NumbersField } from "../NumberField";
import { Select } from "../Select";

const LOWEST = "lowest";
const TYPED = "typed";
const NEAR = [0, 0, 1e-3]; // m: a typed point begins there

interface Given {
  body: string;
  at: readonly number[]; // none: the lowest corner
  label: string;
  hasLowest: boolean;
  choose: (at: number[]) => void;
}

export function PointOf({ body, at, label, hasLowest, choose }: Given) {
  const places = Object.entries(items.value.get(body)?.places ?? {});
  const isAt = (one: readonly number[]): boolean => one.every((x, k) => Math.abs(x - (at[k] ?? 0)) < 1e-9);
  const named = at.length ? places.find(([, one]) => isAt(one))?.[0] : undefined;
  const now = at.length || !hasLowest ? (named ?? TYPED) : LOWEST;
  return (
    <>
      <div class="wish">
        <span>{wording.sketch.point}</span>
        <Select
          label={label}
          value={now}
          options={[
            ...(hasLowest ? ([[LOWEST, wording.sketch.lowest]] as const) : []),
            ...places.map(([name]) => [name, name] as const),
            [TYPED, wording.sketch.typed],
          ]}
          choose={(to) => {
            const found = places.find(([name]) => name === to)?.[1];
            choose(to === LOWEST ? [] : [...(found ?? (at.length ? at : NEAR))]);
          }}
        />
      </div>
      {now === TYPED ? <NumbersField name="at" unit="m" value={at} give={choose} /> : null}
    </>
  );
}
