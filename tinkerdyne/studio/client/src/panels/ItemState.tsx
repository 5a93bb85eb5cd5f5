// The state of an object in the inspector, now.
import { Matrix4, Quaternion } from "three";
import { isCurve } from "../media/curves";
import { history, ownerOf } from "../state/history";
import { short } from "../state/numbers";
import { watched } from "../state/plots";
import { spokenOf } from "../state/quantities";
import { applyEdit } from "../state/session";
import * as store from "../state/store";
import { coordinates, placeOf, poseOf } from "../view/places";
import type { ItemInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Field } from "./Field";
import { Numbers } from "./media/Numbers";

/** The state now; a number that is typed moves the object there. */
export function State({ item }: { item: ItemInfo }) {
  void store.tick.value;
  const type = store.typeOf(item);
  if (item.family !== "object") return null;
  if (isCurve(item.name)) return <Numbers item={item} />;
  const found = placeOf(item.name);
  const exact = found ? coordinates(found, item.dimension) : null;
  const place = exact?.map(rounded);
  const move =
    (name: string) =>
    (value: unknown): Promise<string> =>
      applyEdit({ edit: "Move", name: item.name, state: [[name, value]], key: 0 });
  const put = (value: unknown): Promise<string> => move("position")(kept(value, place, exact));
  const position = type?.state.find((p) => p.name === "position");
  const orientation = type?.state.find((p) => p.name === "angle" || p.name === "orientation");
  const turned = turnOf(item, orientation?.name ?? "");
  const turn = Array.isArray(turned) ? turned.map(rounded) : rounded(turned);
  return (
    <>
      <h3>{wording.inspector.now}</h3>
      {place && position ? <Field parameter={position} value={place} commit={put} /> : null}
      {orientation ? (
        <Field
          parameter={orientation}
          value={turn}
          commit={(value) => move(orientation.name)(kept(value, turn, turned))}
        />
      ) : null}
      {position && poseOf(item.name) ? null : <p class="muted">{wording.inspector.noPlaceOfItsOwn}</p>}
      <Plotted item={item} />
    </>
  );
}

/** The angle of a planar body [rad], or the quaternion (w, x, y, z) of a body in space. */
function turnOf(item: ItemInfo, name: string): number | number[] {
  const turn = new Quaternion().setFromRotationMatrix(poseOf(item.name) ?? new Matrix4());
  return name === "angle" ? 2 * Math.atan2(turn.z, turn.w) : [turn.w, turn.x, turn.y, turn.z];
}

const rounded = (x: number): number => Number(x.toFixed(3));

/** What was typed into one of several fields, and the others as they are, not as they are shown. */
function kept(value: unknown, shown: unknown, exact: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(shown) || !Array.isArray(exact)) return value;
  const others: readonly unknown[] = exact;
  return value.map((x: unknown, k) => (x === shown[k] ? others[k] : x));
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
            <b>{short(history.series.get(name)?.at(store.shownPast() ?? Infinity))}</b>
          </p>
        ))}
    </>
  );
}
