// Nailing: the point under the pointer is held where it is.
import type { Vector3 } from "three";
import { ask, report } from "../state/session";
import { dimension, hovered, items, prompt, readout, say, select, tool, typeFor } from "../state/store";
import { coordinates } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { spotAt } from "./pick";
import type { Pointer, ToolUse } from "./tool";

/** N: nail what is under the pointer, or take the hammer in hand. */
export function startNail(stage: Stage, pointer: Pointer | null): void {
  const spot = pointer && spotAt(pointer, stage, false);
  if (spot?.body) return void nail(spot.input, spot.place, spot.body);
  tool.value = "nail";
  prompt.value = wording.tools.nailHint;
}

export async function nail(input: string, place: Vector3, body: string): Promise<void> {
  tool.value = "select";
  const size = items.value.get(body)?.dimension ?? dimension.value;
  try {
    const made = await ask({
      do: "insert",
      of: typeFor("nail"),
      inputs: [input],
      values: { at: coordinates(place, size) },
    });
    say(wording.tools.nailed({ place: input.replace(/@.*/, "") }));
    const [first] = made;
    if (first) select(first);
  } catch (reason) {
    report(reason);
  }
}

export const nailTool: ToolUse = {
  click(pointer, stage) {
    const spot = spotAt(pointer, stage, false);
    if (spot?.body) void nail(spot.input, spot.place, spot.body);
    else say(wording.tools.thereIsNoPartHereTo);
  },
  hover(pointer, stage) {
    const spot = spotAt(pointer, stage, false);
    hovered.value = spot?.body ?? "";
    readout.value = spot?.body
      ? {
          x: pointer.x,
          y: pointer.y,
          text: wording.tools.nailPlace({ place: spot.input.replace(/@.*/, wording.tools.here) }),
          detail: "",
        }
      : null;
  },
  leave() {
    readout.value = null;
  },
};
