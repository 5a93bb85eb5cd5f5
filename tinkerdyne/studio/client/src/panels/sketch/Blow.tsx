// What ends a flight: a collision with its point, its surface and its laws, or a split.
import { short } from "../../state/numbers";
import { act } from "../../state/session";
import { motion } from "../../state/sketch";
import { numbersIn } from "../../state/values";
import type { Parameter, SketchBlow, SketchTold } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Field } from "../Field";
import { Select } from "../Select";
import { PointOf } from "./PointOf";

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
    const next = { ...blow, ...changed };
    const { body, at, on, of, origin, normal, reach, restitution, friction, tilt } = next;
    const face = of ? { of, origin, normal, reach } : {};
    await act({ do: "edit-blow", flight: f, body, at, on, ...face, restitution, friction, tilt });
    return "";
  };
  const become = (body: string): void => {
    const on = told.surfaces[0]?.name ?? "";
    if (isSplit) void give({ body, on, of: "", restitution: [0.5, 0.5], friction: [0.3, 0.3] });
    else void give(body === blow.of ? { body, at: [], of: blow.body, normal: [] } : { body, at: [] });
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
          <PointOf
            body={blow.body}
            at={blow.at}
            label={wording.sketch.point}
            hasLowest
            choose={(at) => void give({ at })}
          />
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

/** What is struck: a surface, or a face of another body. */
function On({ blow, told, give }: Giving & { told: SketchTold }) {
  const bodies = told.bodies.filter((name) => name !== blow.body);
  return (
    <>
      <div class="wish">
        <span>{wording.sketch.on}</span>
        <Select
          label={wording.sketch.on}
          value={blow.of ? `of ${blow.of}` : `on ${blow.on}`}
          options={[
            ...told.surfaces.map(({ name }) => [`on ${name}`, name] as const),
            ...bodies.map((name) => [`of ${name}`, wording.sketch.faceOf({ name })] as const),
          ]}
          choose={(to) => {
            const name = to.slice(3);
            void give(to.startsWith("on ") ? { on: name, of: "" } : { on: "", of: name, normal: [] });
          }}
        />
      </div>
      {blow.of && !blow.is_round ? <Face blow={blow} give={give} /> : null}
    </>
  );
}

/** The face of another body that is struck, in its own axes. */
function Face({ blow, give }: Giving) {
  return (
    <>
      <Field
        parameter={{ ...number(wording.sketch.origin, "m"), sort: "vector" }}
        value={[...blow.origin]}
        commit={(value) => give({ origin: numbersIn(value) })}
      />
      <Field
        parameter={{ ...number(wording.sketch.normal), sort: "vector" }}
        value={[...blow.normal]}
        commit={(value) => give({ normal: numbersIn(value) })}
      />
      <Field
        parameter={number(wording.sketch.reach, "m")}
        value={blow.reach}
        commit={(value) => give({ reach: Number(value) })}
      />
    </>
  );
}
