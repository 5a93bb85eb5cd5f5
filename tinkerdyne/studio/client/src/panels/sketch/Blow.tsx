// What ends a flight: a collision with its point, its surface and its laws, or a split.
import { short } from "../../state/numbers";
import { act } from "../../state/session";
import { motion } from "../../state/sketch";
import { items } from "../../state/store";
import { numbersIn } from "../../state/values";
import type { Parameter, SketchBlow, SketchTold } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Field } from "../Field";
import { Select } from "../Select";

const LOWEST = "lowest";
const TYPED = "typed";
const number = (name: string, unit = ""): Parameter => ({
  name,
  sort: "number",
  default: 0,
  unit,
  choices: [],
});

export function Blow({ blow, f, told }: { blow: SketchBlow; f: number; told: SketchTold }) {
  const found = motion.value?.blows.find((one) => one.flight === f);
  const isSplit = blow.body === "";
  const give = async (changed: Partial<SketchBlow>): Promise<string> => {
    const { body, at, on, restitution, friction, tilt } = { ...blow, ...changed };
    await act({ do: "edit-blow", flight: f, body, at, on, restitution, friction, tilt });
    return "";
  };
  const become = (body: string): void => {
    const on = blow.on || blow.of ? blow.on : (told.surfaces[0]?.name ?? "");
    void give(isSplit ? { body, on, restitution: [0.5, 0.5], friction: [0.3, 0.3] } : { body, at: [] });
  };
  return (
    <div class="card blow" role="group" aria-label={wording.sketch.blow({ number: f + 1 })}>
      <div class="number-head">
        <b>{isSplit ? wording.sketch.splitHead : wording.sketch.blow({ number: f + 1 })}</b>
        <span class="muted">
          {found ? wording.sketch.blowFound({ time: short(found.time), impulse: short(found.impulse) }) : ""}
        </span>
      </div>
      <div class="wish">
        <span>{wording.sketch.strikes}</span>
        <Select
          label={wording.sketch.strikes}
          value={blow.body}
          options={[["", wording.sketch.nothing], ...told.bodies.map((name) => [name, name] as const)]}
          choose={become}
        />
      </div>
      {isSplit ? null : (
        <>
          <On blow={blow} told={told} give={give} />
          <Point blow={blow} give={give} />
          <Field
            parameter={{ ...number(wording.sketch.restitution), sort: "vector" }}
            value={[...blow.restitution]}
            commit={(value) => give({ restitution: numbersIn(value) })}
          />
          <Field
            parameter={{ ...number(wording.sketch.friction), sort: "vector" }}
            value={[...blow.friction]}
            commit={(value) => give({ friction: numbersIn(value) })}
          />
          <Field
            parameter={number(wording.sketch.tilt, "rad")}
            value={blow.tilt}
            commit={(value) => give({ tilt: Number(value) })}
          />
        </>
      )}
    </div>
  );
}

interface Giving {
  blow: SketchBlow;
  give: (changed: Partial<SketchBlow>) => Promise<string>;
}

/** The surface that is struck. */
function On({ blow, told, give }: Giving & { told: SketchTold }) {
  if (blow.of) return <p class="muted">{wording.sketch.strikesBody({ name: blow.of })}</p>;
  return (
    <div class="wish">
      <span>{wording.sketch.on}</span>
      <Select
        label={wording.sketch.on}
        value={blow.on}
        options={told.surfaces.map(({ name }) => [name, name] as const)}
        choose={(on) => void give({ on })}
      />
    </div>
  );
}

/** The point of the body that strikes: the corner that comes lowest, a named place, or a typed one. */
function Point({ blow, give }: Giving) {
  const places = Object.entries(items.value.get(blow.body)?.places ?? {});
  const isAt = (at: readonly number[]): boolean => at.every((x, k) => Math.abs(x - (blow.at[k] ?? 0)) < 1e-9);
  const named = blow.at.length ? places.find(([, at]) => isAt(at))?.[0] : undefined;
  const now = blow.at.length ? (named ?? TYPED) : LOWEST;
  return (
    <>
      <div class="wish">
        <span>{wording.sketch.point}</span>
        <Select
          label={wording.sketch.point}
          value={now}
          options={[
            [LOWEST, wording.sketch.lowest],
            ...places.map(([name]) => [name, name] as const),
            [TYPED, wording.sketch.typed],
          ]}
          choose={(to) => {
            const at = places.find(([name]) => name === to)?.[1];
            void give({ at: to === LOWEST ? [] : [...(at ?? (blow.at.length ? blow.at : [0, 0, 1e-3]))] });
          }}
        />
      </div>
      {now === TYPED ? (
        <Field
          parameter={{ ...number("at", "m"), sort: "vector" }}
          value={[...blow.at]}
          commit={(at) => give({ at: numbersIn(at) })}
        />
      ) : null}
    </>
  );
}
