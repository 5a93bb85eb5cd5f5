// What ends a flight: a collision with its point, its surface and its laws, or a split.
import { short } from "../../state/numbers";
import { act } from "../../state/session";
import { motion } from "../../state/sketch";
import type { SketchBlow, SketchTold } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { NumberField, NumbersField } from "../NumberField";
import { Select } from "../Select";
import { PointOf } from "./PointOf";

export function Blow({ blow, f, told }: { blow: SketchBlow; f: number; told: SketchTold }) {
  const found = motion.value?.blows.find((one) => one.flight === f);
  const isSplit = blow.body === "";
  const give = async (changed: Partial<SketchBlow>): Promise<unknown> => {
    const next = { ...blow, ...changed };
    const { body, at, on, of, origin, normal, reach, restitution, friction, tilt } = next;
    const face = of ? { of, origin, normal, reach } : {};
    return act({ do: "edit-blow", flight: f, body, at, on, ...face, restitution, friction, tilt });
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
          <NumbersField
            name={wording.sketch.restitution}
            value={blow.restitution}
            give={(restitution) => give({ restitution })}
          />
          <NumbersField
            name={wording.sketch.friction}
            value={blow.friction}
            give={(friction) => give({ friction })}
          />
          <NumberField
            name={wording.sketch.tilt}
            unit="rad"
            value={blow.tilt}
            give={(tilt) => give({ tilt })}
          />
        </>
      )}
    </div>
  );
}

interface Giving {
  blow: SketchBlow;
  give: (changed: Partial<SketchBlow>) => Promise<unknown>;
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
      <NumbersField
        name={wording.sketch.origin}
        unit="m"
        value={blow.origin}
        give={(origin) => give({ origin })}
      />
      <NumbersField name={wording.sketch.normal} value={blow.normal} give={(normal) => give({ normal })} />
      <NumberField
        name={wording.sketch.reach}
        unit="m"
        value={blow.reach}
        give={(reach) => give({ reach })}
      />
    </>
  );
}
