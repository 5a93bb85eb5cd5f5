// What the View menu has: the camera, and what is drawn.

import * as store from "../state/store";
import { isLowEffects, isSpared, switchEffects } from "../view/effects";
import { wording } from "../wording/spoken";
import { type Action, onStage } from "./action";
import * as operations from "./operations";

const toggles = (kind: store.ForceKind) => (): void => {
  store.showForces(kind, !store.shownForces.value[kind]);
};
const look = (azimuth: number, elevation: number): (() => void) =>
  onStage((stage) => {
    stage.camera.look(azimuth, elevation);
    stage.refresh();
  });
const zoom = (factor: number): (() => void) =>
  onStage((stage) => {
    stage.camera.zoom(factor);
    stage.refresh();
  });

export const VIEW: readonly Action[] = [
  {
    id: "frame",
    title: wording.actions.showEverythingOrWhatIsSelected,
    menu: "View",
    keys: "F",
    run: onStage((stage) => stage.frameAll(store.selected.value)),
  },
  {
    id: "front",
    title: wording.actions.fromTheFront,
    menu: "View",
    keys: "Shift+1",
    run: look(-Math.PI / 2, 0),
  },
  { id: "side", title: wording.actions.fromTheSide, menu: "View", keys: "Shift+2", run: look(0, 0) },
  {
    id: "top",
    title: wording.actions.fromAbove,
    menu: "View",
    keys: "Shift+3",
    run: look(-Math.PI / 2, 1.53),
  },
  {
    id: "zoom-in",
    title: wording.actions.nearer,
    menu: "View",
    keys: "+",
    run: zoom(0.8),
  },
  {
    id: "zoom-out",
    title: wording.actions.farther,
    menu: "View",
    keys: "-",
    run: zoom(1.25),
  },
  {
    id: "forces",
    title: wording.actions.forcesOfConstraints,
    menu: "View",
    keys: "Shift+F",
    run: toggles("constraint"),
    isOn: () => store.shownForces.value.constraint,
  },
  {
    id: "behaviors",
    title: wording.actions.forcesOfBehaviors,
    menu: "View",
    keys: "Shift+B",
    run: toggles("behavior"),
    isOn: () => store.shownForces.value.behavior,
  },
  {
    id: "fields",
    title: wording.actions.forcesOfFieldsWeightDragOf,
    menu: "View",
    keys: "Shift+W",
    run: toggles("field"),
    isOn: () => store.shownForces.value.field,
  },
  {
    id: "hands",
    title: wording.actions.forcesOfHands,
    menu: "View",
    keys: "Shift+H",
    run: toggles("hand"),
    isOn: () => store.shownForces.value.hand,
  },
  {
    id: "torques",
    title: wording.actions.torques,
    menu: "View",
    keys: "Shift+T",
    run: toggles("torque"),
    isOn: () => store.shownForces.value.torque,
  },
  {
    id: "traces",
    title: wording.actions.traces,
    menu: "View",
    keys: "T",
    run: () => (store.areTracesShown.value = !store.areTracesShown.value),
    isOn: () => store.areTracesShown.value,
  },
  {
    id: "names",
    title: wording.actions.names,
    menu: "View",
    keys: "L",
    run: () => (store.areNamesShown.value = !store.areNamesShown.value),
    isOn: () => store.areNamesShown.value,
  },
  {
    id: "grid",
    title: wording.actions.grid,
    menu: "View",
    run: () => (store.isGridShown.value = !store.isGridShown.value),
    isOn: () => store.isGridShown.value,
  },
  {
    id: "effects",
    title: isSpared ? wording.actions.fewEffectsHere : wording.actions.fewEffects,
    menu: "View",
    run: switchEffects,
    isOn: () => isLowEffects,
  },
  {
    id: "theme",
    title: wording.actions.darkTheme,
    menu: "View",
    keys: "Shift+D",
    run: operations.changeTheme,
    isOn: () => store.theme.value === "dark",
  },
];
