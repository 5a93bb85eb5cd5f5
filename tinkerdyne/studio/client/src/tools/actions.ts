// Every action of the studio, once: menus, palette, keys and the table in Help all come from here.

import { restartGuide } from "../state/guide";
import { act, report } from "../state/session";
import * as store from "../state/store";
import { view } from "../view/current";
import { isLowEffects, isSpared, switchEffects } from "../view/effects";
import type { Stage } from "../view/stage";
import type { TypeInfo } from "../wire/protocol";
import { startCut } from "./cut";
import { inHand } from "./hand";
import { MEDIA } from "./mediaActions";
import * as operations from "./operations";
import { has } from "./operations";
import { startPath } from "./path";
import { insert } from "./pick";

export type Menu = "File" | "Edit" | "Insert" | "View" | "Run" | "Help";

export interface Action {
  id: string;
  title: string;
  menu: Menu;
  keys?: string; // "Ctrl+Z", "Space", "F"
  python?: string; // the line that does the same
  group?: string;
  run(): void;
  isOn?(): boolean; // of a switch
  isPossible?(): boolean; // shown greyed where not; what the page knows may be a moment old, so keys run it all the same
}

const onStage = (run: (stage: Stage) => void) => (): void => {
  if (view.stage) run(view.stage);
};
const opens = (dialog: store.Dialog) => (): void => {
  store.dialog.value = dialog;
};
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
const pan = (dx: number, dy: number): (() => void) =>
  onStage((stage) => {
    stage.camera.pan(dx, dy);
    stage.refresh();
  });

function showFirstSteps(): void {
  restartGuide();
  store.dialog.value = "steps";
}

export function joinWith(of: string): void {
  store.chosenJoint.value = of;
  store.say(`parts are now joined with: ${of}`);
}

const FIXED: readonly Action[] = [
  {
    id: "new",
    title: "New world in space",
    menu: "File",
    python: "world = World()",
    run: () => void act({ do: "new", dimension: 3 }),
  },
  {
    id: "new-plane",
    title: "New world in the plane",
    menu: "File",
    python: "world = World()",
    run: () => void act({ do: "new", dimension: 2 }),
  },
  { id: "gallery", title: "Gallery…", menu: "File", keys: "Ctrl+Shift+O", run: opens("gallery") },
  {
    id: "open",
    title: "Open…",
    menu: "File",
    keys: "Ctrl+O",
    python: 'world = World.load("scene.json")',
    run: opens("open"),
  },
  {
    id: "save",
    title: "Save",
    menu: "File",
    keys: "Ctrl+S",
    python: 'world.save("scene.json")',
    run: () => (store.model.value?.path ? void operations.save() : opens("save")()),
  },
  { id: "save-as", title: "Save as…", menu: "File", keys: "Ctrl+Shift+S", run: opens("save") },
  { id: "recover", title: "Recover an unsaved world…", menu: "File", run: opens("recover") },
  { id: "python", title: "Open as Python…", menu: "File", keys: "Ctrl+E", run: opens("python") },
  {
    id: "share",
    title: "Share: a replay in one HTML file",
    menu: "File",
    run: () => operations.exportAs("share", ".html", "text/html"),
  },
  {
    id: "csv",
    title: "Recorded past as CSV",
    menu: "File",
    python: 'world.record(5).save("run.csv")',
    run: () => operations.exportAs("csv", ".csv", "text/csv"),
  },
  {
    id: "download",
    title: "Download the scene",
    menu: "File",
    run: () => operations.exportAs("scene", ".json", "application/json"),
  },

  {
    id: "undo",
    title: "Undo",
    menu: "Edit",
    keys: "Ctrl+Z",
    python: "world.undo()",
    run: operations.undo,
    isPossible: () => store.model.value?.can_undo ?? false,
  },
  {
    id: "redo",
    title: "Redo",
    menu: "Edit",
    keys: "Ctrl+Y",
    python: "world.redo()",
    run: operations.redo,
    isPossible: () => store.model.value?.can_redo ?? false,
  },
  {
    id: "copy",
    title: "Copy",
    menu: "Edit",
    keys: "Ctrl+C",
    run: () => void operations.copy().catch(report),
    isPossible: has,
  },
  {
    id: "paste",
    title: "Paste",
    menu: "Edit",
    keys: "Ctrl+V",
    run: () => void operations.pasteFromMenu().catch(report),
  },
  {
    id: "duplicate",
    title: "Duplicate",
    menu: "Edit",
    keys: "Ctrl+D",
    run: () => void operations.duplicate().catch(report),
    isPossible: has,
  },
  {
    id: "delete",
    title: "Delete",
    menu: "Edit",
    keys: "Delete",
    python: "world.remove(part)",
    run: operations.deleteSelected,
    isPossible: has,
  },
  {
    id: "rename",
    title: "Rename…",
    menu: "Edit",
    keys: "F2",
    python: 'world.apply(Rename("rod", "arm"))',
    run: () => has() && opens("rename")(),
    isPossible: has,
  },
  {
    id: "all",
    title: "Select all",
    menu: "Edit",
    keys: "Ctrl+A",
    run: () => (store.selected.value = [...(view.stage?.figures.keys() ?? [])]),
  },
  { id: "next", title: "Next part", menu: "Edit", keys: "Tab", run: () => operations.cycle(1) },
  {
    id: "previous",
    title: "Previous part",
    menu: "Edit",
    keys: "Shift+Tab",
    run: () => operations.cycle(-1),
  },
  {
    id: "grab",
    title: "Grab the selected part (soft)",
    menu: "Edit",
    keys: "G",
    python: "grip = world.grab(part.end2)",
    run: () => operations.grabByKey(false),
    isPossible: has,
  },
  {
    id: "grab-hard",
    title: "Grab the selected part (hard)",
    menu: "Edit",
    keys: "Shift+G",
    python: "grip = world.grab(part.end2, hard=True)",
    run: () => operations.grabByKey(true),
    isPossible: has,
  },
  {
    id: "hold",
    title: "Hold the selected part by place and orientation",
    menu: "Edit",
    keys: "H",
    python: "grip = world.grab(part, hard=True, orientation=True)",
    run: () => operations.grabByKey(true, true),
    isPossible: has,
  },
  {
    id: "turn",
    title: "Turn what is held or carried",
    menu: "Edit",
    keys: "R",
    group: "Keys",
    run: () => inHand()?.rotate?.(1),
  },
  {
    id: "turn-back",
    title: "Turn it the other way",
    menu: "Edit",
    keys: "Shift+R",
    group: "Keys",
    run: () => inHand()?.rotate?.(-1),
  },
  {
    id: "cut",
    title: "Cut a joint",
    menu: "Edit",
    keys: "X",
    python: "world.remove(joint)",
    run: onStage(startCut),
  },
  {
    id: "nail",
    title: "Nail the point under the pointer",
    menu: "Edit",
    keys: "N",
    python: "world.add(nail(part.end1, at=(0, 0, 1)))",
    run: operations.nailSelected,
  },
  {
    id: "path",
    title: "Draw a path",
    menu: "Edit",
    keys: "P",
    python: "world.add(path(keys=((0, 0, 0, 0), (1, 0, 0, 1))))",
    run: startPath,
  },
  {
    id: "event",
    title: "New event on the timeline…",
    menu: "Edit",
    keys: "E",
    python: 'world.at(2.0, Change("hook", "is_on", False))',
    run: () => (store.draft.value = { id: "", part: 0 }),
  },
  { id: "settings", title: "Settings of the world…", menu: "Edit", run: opens("settings") },

  {
    id: "play",
    title: "Play or pause",
    menu: "Run",
    keys: "Space",
    python: "world.run(seconds=5)",
    run: () => operations.play(!store.status.value?.is_playing),
  },
  {
    id: "step",
    title: "One step",
    menu: "Run",
    keys: ".",
    python: "world.step(1 / 60)",
    run: () => void act({ do: "play", is_playing: false, steps: 1 }),
  },
  { id: "slower", title: "Slower", menu: "Run", keys: "[", run: () => operations.faster(-1) },
  { id: "faster", title: "Faster", menu: "Run", keys: "]", run: () => operations.faster(1) },
  {
    id: "now",
    title: "Back to now",
    menu: "Run",
    keys: "End",
    run: () => void (store.status.value?.is_past && act({ do: "scrub", time: null })),
    isPossible: () => store.status.value?.is_past ?? false,
  },

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

  { id: "palette", title: "All commands", menu: "Help", keys: "Ctrl+K", run: opens("palette") },
  { id: "keys", title: "Keyboard and mouse", menu: "Help", keys: "?", run: opens("keys") },
  { id: "steps", title: "First steps", menu: "Help", run: showFirstSteps },
  { id: "panels", title: "Go to the next panel", menu: "Help", keys: "F6", run: operations.nextPanel },
  {
    id: "done",
    title: "Done: let go, end a path or a choice",
    menu: "Edit",
    keys: "Enter",
    run: operations.confirm,
  },
  {
    id: "escape",
    title: "Release, stop or deselect",
    menu: "Edit",
    keys: "Escape",
    run: operations.stepBack,
  },
  {
    id: "axis",
    title: "Next axis of joints",
    menu: "Edit",
    keys: "A",
    python: "world.add(join(pin, a, b, at=(0, 0, 1), axis=(0, 1, 0)))",
    group: "Joint",
    run: operations.nextAxis,
  },
];

/** Joining with a type, as an action; the first ones have digits for keys. */
function joining({ name: of }: TypeInfo, i: number): Action {
  return {
    id: `joint-${of}`,
    title: `Join with: ${of}`,
    menu: "Edit",
    keys: String(i + 1),
    python: `world.add(${of}(a, b))`,
    group: "Joint",
    run: () => joinWith(of),
    isOn: () => store.joint.value === of,
  };
}

const ARROWS: readonly Action[] = [
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
      title: `Move what is held, else turn the view (${keys.slice(5).toLowerCase()})`,
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
      title: `Move the view (${key.slice(5).toLowerCase()})`,
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
      title: `Tilt what is held or carried (${key.slice(5).toLowerCase()})`,
      menu: "Edit",
      keys: `Ctrl+${key}`,
      group: "Keys",
      run: () => inHand()?.tilt?.(dx, dy),
    }),
  ),
];

/** Inserting a type, as an action. */
function inserting(type: TypeInfo): Action {
  return {
    id: `insert-${type.name}`,
    title: type.title,
    menu: "Insert",
    group: type.group,
    python: type.python,
    run: () => insert(type, view.stage),
  };
}

export function actions(): Action[] {
  const types = store.hello.value?.types ?? [];
  const isPlane = store.dimension.value === 2; // where bodies of space have no place
  const isSpatialBody = (t: TypeInfo): boolean =>
    t.supplies === "frame" && !t.is_planar && t.places.length > 0;
  const inserted = types.filter((t) => !isPlane || !isSpatialBody(t));
  return [...FIXED, ...store.joints.value.map(joining), ...ARROWS, ...MEDIA, ...inserted.map(inserting)];
}

export function action(id: string): Action {
  const found = [...FIXED, ...ARROWS, ...MEDIA].find((a) => a.id === id);
  if (!found) throw new Error(`there is no action ${id}`);
  return found;
}
