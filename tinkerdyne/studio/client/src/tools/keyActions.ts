// Keys that end what a hand does, and arrows, which move what is held or the view.

import { wording } from "../wording/spoken";
import { type Action, onStage } from "./action";
import { inHand } from "./hand";
import * as operations from "./operations";

const pan = (dx: number, dy: number): (() => void) =>
  onStage((stage) => {
    stage.camera.pan(dx, dy);
    stage.refresh();
  });

export const HAND: readonly Action[] = [
  {
    id: "done",
    title: wording.actions.doneLetGoEndAPath,
    menu: "Edit",
    keys: "Enter",
    run: operations.confirm,
  },
  {
    id: "escape",
    title: wording.actions.releaseStopOrDeselect,
    menu: "Edit",
    keys: "Escape",
    run: operations.stepBack,
  },
  {
    id: "axis",
    title: wording.actions.nextAxisOfJoints,
    menu: "Edit",
    keys: "A",
    python: "world.add(join(pin, a, b, at=(0, 0, 1), axis=(0, 1, 0)))",
    group: "Joint",
    run: operations.nextAxis,
  },
];

export const ARROWS: readonly Action[] = [
  ...(
    [
      ["ArrowLeft", -12, 0],
      ["ArrowRight", 12, 0],
      ["ArrowUp", 0, -12],
      ["ArrowDown", 0, 12],
    ] as const
  ).map(
    ([keys, dx, dy]): Action => ({
      id: `nudge-${keys}`,
      title: wording.actions.moveHeld({ direction: wording.actions.directions[keys] }),
      menu: "Edit",
      keys,
      group: "Keys",
      run: () => operations.nudge(dx, dy),
    }),
  ),
  ...(
    [
      ["ArrowLeft", 40, 0],
      ["ArrowRight", -40, 0],
      ["ArrowUp", 0, 40],
      ["ArrowDown", 0, -40],
    ] as const
  ).map(
    ([key, dx, dy]): Action => ({
      id: `pan-${key}`,
      title: wording.actions.moveView({ direction: wording.actions.directions[key] }),
      menu: "View",
      keys: `Shift+${key}`,
      group: "Keys",
      run: pan(dx, dy),
    }),
  ),
  ...(
    [
      ["ArrowLeft", -1, 0],
      ["ArrowRight", 1, 0],
      ["ArrowUp", 0, -1],
      ["ArrowDown", 0, 1],
    ] as const
  ).map(
    ([key, dx, dy]): Action => ({
      id: `tilt-${key}`,
      title: wording.actions.tiltHeld({ direction: wording.actions.directions[key] }),
      menu: "Edit",
      keys: `Ctrl+${key}`,
      group: "Keys",
      run: () => inHand()?.tilt?.(dx, dy),
    }),
  ),
];
