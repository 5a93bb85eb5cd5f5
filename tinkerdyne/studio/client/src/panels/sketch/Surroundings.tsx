// What a sketch knows of the world: gravity, and planes that are struck and stay clear.
import { act } from "../../state/session";
import { numbersIn } from "../../state/values";
import type { Parameter, SketchTold } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Field } from "../Field";

const vector = (name: string, unit: string): Parameter => ({
  name,
  sort: "vector",
  default: [0, 0, 0],
  unit,
  choices: [],
});

export function Surroundings({ told }: { told: SketchTold }) {
  const lay = async (
    surface: string,
    origin: readonly number[],
    normal: readonly number[],
  ): Promise<string> => {
    await act({ do: "edit-sketch", surface, origin: [...origin], normal: [...normal] });
    return "";
  };
  const free = ["table", "wall", "plane"].find((name) => told.surfaces.every((one) => one.name !== name));
  return (
    <details>
      <summary>{wording.sketch.surroundings}</summary>
      <Field
        parameter={vector(wording.sketch.gravity, "m/s²")}
        value={[...told.gravity]}
        commit={async (gravity) => {
          await act({ do: "edit-sketch", gravity: numbersIn(gravity) });
          return "";
        }}
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
          <Field
            parameter={vector(wording.sketch.origin, "m")}
            value={[...origin]}
            commit={(value) => lay(name, numbersIn(value), normal)}
          />
          <Field
            parameter={vector(wording.sketch.normal, "")}
            value={[...normal]}
            commit={(value) => lay(name, origin, numbersIn(value))}
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
