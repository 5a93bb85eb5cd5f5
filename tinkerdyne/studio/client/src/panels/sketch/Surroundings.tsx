// What a sketch knows of the world: gravity, and planes that are struck and stay clear.
import { act } from "../../state/session";
import type { SketchTold } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { NumbersField } from "../NumberField";

export function Surroundings({ told }: { told: SketchTold }) {
  const lay = (surface: string, origin: readonly number[], normal: readonly number[]) =>
    act({ do: "edit-sketch", surface, origin: [...origin], normal: [...normal] });
  const free = ["table", "wall", "plane"].find((name) => told.surfaces.every((one) => one.name !== name));
  return (
    <details>
      <summary>{wording.sketch.surroundings}</summary>
      <NumbersField
        name={wording.sketch.gravity}
        unit="m/s²"
        value={told.gravity}
        give={(gravity) => act({ do: "edit-sketch", gravity })}
      />
      {told.is_tree
        ? null
        : told.bodies.map((body) => {
            const isOn = told.standing.includes(body);
            const others = told.standing.filter((name) => name !== body);
            return (
              <label key={body} class="tick">
                <input
                  type="checkbox"
                  checked={isOn}
                  onChange={() =>
                    void act({ do: "edit-sketch", standing: isOn ? others : [...others, body] })
                  }
                />
                {wording.sketch.stands({ body })}
              </label>
            );
          })}
      {told.surfaces.map(({ name, origin, normal }) => (
        <div key={name} class="card" role="group" aria-label={wording.sketch.surface({ name })}>
          <b>{name}</b>
          <NumbersField
            name={wording.sketch.origin}
            unit="m"
            value={origin}
            give={(place) => lay(name, place, normal)}
          />
          <NumbersField
            name={wording.sketch.normal}
            value={normal}
            give={(along) => lay(name, origin, along)}
          />
        </div>
      ))}
      <button
        class="chip"
        hidden={told.is_tree}
        onClick={() => void lay(free ?? `plane ${told.surfaces.length + 1}`, [0, 0, 0], [0, 0, 1])}
      >
        {wording.sketch.addSurface}
      </button>
    </details>
  );
}
