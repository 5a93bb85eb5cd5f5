// The pose of a sketch that is chosen, in numbers, with what can be done to it.

import { act } from "../../state/session";
import { chosen, isSame, type Pose, poseOf, put, type Spot, sketch, spots } from "../../state/sketch";
import { numbersIn } from "../../state/values";
import { momentTurn } from "../../tools/sketchActions";
import { choose, nameOf } from "../../tools/sketchHand";
import type { Parameter } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Field } from "../Field";

const PLACE: Parameter = { name: "place", sort: "vector", default: [0, 0, 0], unit: "m", choices: [] };
const TURN: Parameter = { name: "orientation", sort: "quaternion", default: [], unit: "", choices: [] };

export function Chosen() {
  const spot = chosen.value;
  const pose = spot && poseOf(spot);
  if (!spot || !pose) return <p class="muted">{wording.sketch.dragHint}</p>;
  const give = async (next: Pose): Promise<string> => {
    put(spot, next, true);
    return "";
  };
  return (
    <div class="card" role="group" aria-label={wording.sketch.chosenPose}>
      <div class="number-head">
        <b>{nameOf(spot)}</b>
        <button class="tool" title={wording.sketch.previousPose} onClick={() => beside(spot, -1)}>
          ◂
        </button>
        <button class="tool" title={wording.sketch.nextPose} onClick={() => beside(spot, 1)}>
          ▸
        </button>
        {spot.what === "sample" ? (
          <button
            class="tool"
            aria-label={wording.sketch.removeSample}
            title={wording.sketch.removeSample}
            onClick={() => {
              const { body, flight, sample } = spot;
              chosen.value = null;
              void act({ do: "drop-sample", body, flight, sample });
            }}
          >
            ✕
          </button>
        ) : null}
      </div>
      <Field
        parameter={PLACE}
        value={pose.place.map(tidy)}
        commit={(place) => give({ ...pose, place: numbersIn(place) })}
      />
      {pose.orientation.length ? (
        <Field
          parameter={TURN}
          value={pose.orientation.map(tidy)}
          commit={(orientation) => give({ ...pose, orientation: numbersIn(orientation) })}
        />
      ) : null}
      {spot.what === "sample" && !sketch.value?.is_tree ? (
        <div class="buttons">
          <button
            class="chip"
            disabled={spot.sample === 0}
            title={wording.sketch.splitHint}
            onClick={() =>
              void act({ do: "edit-flight", what: "split", flight: spot.flight, to: spot.sample })
            }
          >
            {wording.sketch.splitHere}
          </button>
          {pose.orientation.length ? null : (
            <button
              class="chip"
              title={wording.sketch.turnItHint}
              onClick={() => put(spot, { ...pose, orientation: momentTurn(spot) }, true)}
            >
              {wording.sketch.turnIt}
            </button>
          )}
        </div>
      ) : null}
    </div>
  );
}

/** Without the noise of quaternions that were computed. */
function tidy(x: number): number {
  return Number(x.toFixed(6)) + 0;
}

/** The pose before or after one. */
function beside(spot: Spot, by: number): void {
  const all = spots().filter((one) => one.body === spot.body);
  const at = all.findIndex((one) => isSame(one, spot));
  const next = all[(at + by + all.length) % all.length];
  if (next) choose(next);
}
