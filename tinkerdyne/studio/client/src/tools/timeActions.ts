// Time by hand: back to the start, a step back, the recorded past in a loop, checkpoints.

import { act, ask, report } from "../state/session";
import * as store from "../state/store";
import { wording } from "../wording/spoken";
import type { Action } from "./action";

/** Keep the present moment; it is named in the timeline. */
export async function keep(): Promise<void> {
  try {
    store.newCheckpoint.value = await ask({ do: "keep" });
  } catch (reason) {
    report(reason);
  }
}

export const TIME: readonly Action[] = [
  {
    id: "start",
    title: wording.common.backToTheStart,
    menu: "Run",
    keys: "Home",
    run: () => void act({ do: "go", number: 0 }),
  },
  {
    id: "step-back",
    title: wording.actions.oneStepBackAlongTheRecorded,
    menu: "Run",
    keys: ",",
    run: () => void act({ do: "play", is_playing: false, steps: -1 }),
  },
  {
    id: "loop",
    title: wording.actions.loopShowTheRecordedPastOver,
    menu: "Run",
    keys: "Shift+L",
    run: () => void act({ do: "loop", is_on: !store.status.value?.loop.length }),
    isOn: () => (store.status.value?.loop.length ?? 0) > 0,
  },
  {
    id: "checkpoint",
    title: wording.actions.keepThisMomentAsACheckpoint,
    menu: "Run",
    keys: "K",
    run: () => void keep(),
  },
];
