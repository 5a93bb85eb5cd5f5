// The state of an object in the inspector, now.
import { Matrix4, Quaternion } from "three";
import { isCurve } from "../media/curves";
import { history, ownerOf } from "../state/history";
import { short } from "../state/numbers";
import { watched } from "../state/plots";
import { spokenOf } from "../state/quantities";
import { applyEdit } from "../state/session";
import * as store from "../state/store";
import { angleOf, placeOf, poseOf } from "../view/places";
import type { ItemInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Field } from "./Field";
import { Numbers } from "./media/Numbers";
import { unitOf } from "./units";

const DIGITS = 6; // frames have 7
const TURNED = 5; // of a quaternion that is read from the matrix of a frame
const NOISE = 1e-6; // of a unit quaternion from a frame
const FAINT = 1e-9; // beside the largest of some coordinates

/** The state now; a number that is typed moves the object there. */
export function State({ item }: { item: ItemInfo }) {
  void store.tick.value;
  const type = store.typeOf(item);
  if (item.family !== "object") return null;
  if (isCurve(item.name)) return <Numbers item={item} />;
  const found = placeOf(item.name);
  const place = found ? clean(found.toArray().slice(0, item.dimension), FAINT) : null;
  const move =
    (name: string) =>
    (value: unknown): Promise<string> =>
      applyEdit({ edit: "Move", name: item.name, state: [[name, value]], key: 0 });
  const position = type?.state.find((p) => p.name === "position");
  const orientation = type?.state.find((p) => p.name === "angle" || p.name === "orientation");
  return (
    <>
      <h3>{wording.inspector.now}</h3>
      {place && position ? (
        <Field parameter={position} value={place} digits={DIGITS} commit={move("position")} />
      ) : null}
      {orientation ? (
        <Field
          parameter={orientation}
          value={turnOf(item, orientation.name)}
          digits={orientation.name === "angle" ? DIGITS : TURNED}
          commit={move(orientation.name)}
        />
      ) : null}
      {position && poseOf(item.name) ? null : <p class="muted">{wording.inspector.noPlaceOfItsOwn}</p>}
      <Plotted item={item} />
    </>
  );
}

/** The angle of a planar body [rad], or the quaternion (w, x, y, z) of a body in space. */
function turnOf(item: ItemInfo, name: string): number | number[] {
  if (name === "angle") return angleOf(item.name);
  const turn = new Quaternion().setFromRotationMatrix(poseOf(item.name) ?? new Matrix4());
  return clean([turn.w, turn.x, turn.y, turn.z], NOISE);
}

/** Numbers without those that are next to nothing beside the largest. */
function clean(numbers: number[], share: number): number[] {
  const largest = Math.max(...numbers.map(Math.abs));
  return numbers.map((x) => (Math.abs(x) < share * largest ? 0 : x));
}

/** What is plotted of it, in numbers. */
function Plotted({ item }: { item: ItemInfo }) {
  void store.recalled.value;
  return (
    <>
      {watched.value
        .filter((name) => ownerOf(name, store.items.value) === item.name)
        .map((name) => (
          <p key={name} class="reading">
            <span>{spokenOf(name.slice(item.name.length + 1))}</span>{" "}
            <b>
              {short(history.series.get(name)?.at(store.shownPast() ?? Infinity))} {unitOf(name)}
            </b>
          </p>
        ))}
    </>
  );
}
