// What the View menu has: the camera, and what is drawn.

import * as store from "../state/store";
import { isLowEffects, isSpared, switchEffects } from "../view/effects";
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
    title: "Show everything, or what is selected",
    menu: "View",
    keys: "F",
    run: onStage((stage) => stage.frameAll(store.selected.value)),
  },
  { id: "front", title: "From the front", menu: "View", keys: "Shift+1", run: look(-Math.PI / 2, 0) },
  { id: "side", title: "From the side", menu: "View", keys: "Shift+2", run: look(0, 0) },
  { id: "top", title: "From above", menu: "View", keys: "Shift+3", run: look(-Math.PI / 2, 1.53) },
  {
    id: "zoom-in",
    title: "Nearer",
    menu: "View",
    keys: "+",
    run: zoom(0.8),
  },
  {
    id: "zoom-out",
    title: "Farther",
    menu: "View",
    keys: "-",
    run: zoom(1.25),
  },
  {
    id: "forces",
    title: "Forces of constraints",
    menu: "View",
    keys: "Shift+F",
    run: toggles("constraint"),
    isOn: () => store.shownForces.value.constraint,
  },
  {
    id: "behaviors",
    title: "Forces of behaviors",
    menu: "View",
    keys: "Shift+B",
    run: toggles("behavior"),
    isOn: () => store.shownForces.value.behavior,
  },
  {
    id: "fields",
    title: "Forces of fields: weight, drag of the medium",
    menu: "View",
    keys: "Shift+W",
    run: toggles("field"),
    isOn: () => store.shownForces.value.field,
  },
  {
    id: "hands",
    title: "Forces of hands",
    menu: "View",
    keys: "Shift+H",
    run: toggles("hand"),
    isOn: () => store.shownForces.value.hand,
  },
  {
    id: "torques",
    title: "Torques",
    menu: "View",
    keys: "Shift+T",
    run: toggles("torque"),
    isOn: () => store.shownForces.value.torque,
  },
  {
    id: "traces",
    title: "Traces",
    menu: "View",
    keys: "T",
    run: () => (store.areTracesShown.value = !store.areTracesShown.value),
    isOn: () => store.areTracesShown.value,
  },
  {
    id: "names",
    title: "Names",
    menu: "View",
    keys: "L",
    run: () => (store.areNamesShown.value = !store.areNamesShown.value),
    isOn: () => store.areNamesShown.value,
  },
  {
    id: "grid",
    title: "Grid",
    menu: "View",
    run: () => (store.isGridShown.value = !store.isGridShown.value),
    isOn: () => store.isGridShown.value,
  },
  {
    id: "effects",
    title: isSpared
      ? "Few effects, as this browser draws in software"
      : "Few effects: no shadows, for slow graphics",
    menu: "View",
    run: switchEffects,
    isOn: () => isLowEffects,
  },
  {
    id: "theme",
    title: "Dark theme",
    menu: "View",
    keys: "Shift+D",
    run: operations.changeTheme,
    isOn: () => store.theme.value === "dark",
  },
];
