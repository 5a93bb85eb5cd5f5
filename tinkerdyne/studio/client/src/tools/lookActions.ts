// Actions of how things are seen and driven: motors, plots and traces of what is selected, panels, units, the scene's own view.

import { completed } from "../state/guide";
import { hidden, toggle, toggleAll } from "../state/layout";
import { watched } from "../state/plots";
import { pin, quantities } from "../state/quantities";
import { applyEdit, change } from "../state/session";
import * as store from "../state/store";
import { choose, units } from "../state/units";
import { view } from "../view/current";
import type { ItemInfo } from "../wire/protocol";
import { language, languages, speak, wording } from "../wording/spoken";
import { type Action, onStage } from "./action";
import { drivable, motorise } from "./motors";
import { has } from "./operations";

const DIGITS = 4;

function chosen(): ItemInfo | undefined {
  return store.items.value.get(store.selected.value[0] ?? "");
}

/** Plot what tells most of the selected item: of a part its height, of others their force or value. */
function plotSelected(): void {
  const item = chosen();
  const all = item ? quantities(item) : [];
  const height = `position[${store.dimension.value - 1}]`;
  const first = all.find((q) => q.endsWith(height)) ?? all[0];
  if (first) pin(first);
}

function traceSelected(): void {
  const item = chosen();
  if (!item) return;
  const ends = Object.keys(item.places);
  const what = ends.length ? `${item.name}.${ends[Math.min(1, ends.length - 1)]}` : item.name;
  const now = store.traced.value;
  if (!now.includes(what)) completed("trace");
  store.traced.value = now.includes(what) ? now.filter((n) => n !== what) : [...now, what];
}

/** Let the scene open as it is seen now. */
async function keepView(): Promise<void> {
  const camera = view.stage?.camera;
  if (!camera) return;
  const place = [...camera.target.toArray(), camera.distance, camera.azimuth, camera.elevation];
  const parts: Readonly<Record<string, unknown>> = {
    camera: place.map((x) => Number(x.toFixed(DIGITS))),
    traces: [...store.traced.value],
    plots: [...watched.value],
    is_running: store.status.value?.is_playing ?? false,
  };
  const edits = Object.entries(parts).map(([part, value]) => ({ edit: "Display", part, value }));
  const wrong = await applyEdit({ edit: "Several", edits });
  store.say(wrong || wording.actions.thisViewIsKeptWithThe, wrong ? "error" : "info");
}

async function reverse(): Promise<void> {
  const item = chosen();
  const name = item && ["speed", "at"].find((n) => n in item.values);
  const value = item?.values[name ?? ""];
  if (!item || !name) return;
  const turned = Array.isArray(value) ? value.map((x) => -Number(x)) : -Number(value);
  const wrong = await change(item.name, name, turned);
  if (wrong) store.say(wrong, "error");
}

export const LOOK: readonly Action[] = [
  {
    id: "motor",
    title: wording.common.makeItAMotor,
    menu: "Edit",
    keys: "M",
    python: "world.add(speed(axle.turn, at=(3,)))",
    run: () => {
      const joint = drivable();
      if (joint) void motorise(joint);
      else store.say(wording.actions.selectAPinASliderOr);
    },
    isPossible: () => drivable() !== null,
  },
  {
    id: "reverse",
    title: wording.actions.turnTheMotorTheOtherWay,
    menu: "Edit",
    run: () => void reverse(),
    isPossible: () => {
      const item = chosen();
      return item !== undefined && store.typeOf(item)?.glyph === "wheel";
    },
  },
  {
    id: "plot-selected",
    title: wording.actions.plotIt,
    menu: "View",
    keys: "Shift+P",
    run: plotSelected,
    isPossible: has,
  },
  {
    id: "trace-selected",
    title: wording.actions.traceIt,
    menu: "View",
    keys: "Shift+Y",
    run: traceSelected,
    isPossible: has,
  },
  {
    id: "frame-all",
    title: wording.actions.showEverything,
    menu: "View",
    run: onStage((stage) => stage.frameAll()),
  },
  {
    id: "keep-view",
    title: wording.actions.keepThisViewWithTheScene,
    menu: "View",
    python: 'world.show(camera=(0, 0, 1, 6, -1.2, 0.24), traces=["rod.end2"])',
    run: () => void keepView(),
  },
  ...(
    [
      ["left", wording.actions.panelOfParts],
      ["right", wording.common.panelsOfTheRightSide],
      ["bottom", wording.actions.timelineAndPlots],
    ] as const
  ).map(
    ([edge, title]): Action => ({
      id: `panel-${edge}`,
      title,
      menu: "View",
      group: "Panels",
      run: () => toggle(edge),
      isOn: () => !hidden.value.has(edge),
    }),
  ),
  {
    id: "bare",
    title: wording.actions.onlyTheView,
    menu: "View",
    keys: "\\",
    group: "Panels",
    run: toggleAll,
  },
  ...languages.map(
    ({ id, name }): Action => ({
      id: `language-${id}`,
      title: name,
      menu: "View",
      group: "Language",
      run: () => speak(id),
      isOn: () => language === id,
    }),
  ),
  ...(["m", "cm", "mm"] as const).map(
    (length): Action => ({
      id: `unit-${length}`,
      title: wording.actions.lengthsIn({ unit: length }),
      menu: "View",
      group: "Units",
      run: () => choose({ length }),
      isOn: () => units.value.length === length,
    }),
  ),
  {
    id: "unit-degrees",
    title: wording.actions.anglesInDegrees,
    menu: "View",
    group: "Units",
    run: () => choose({ angle: units.value.angle === "°" ? "rad" : "°" }),
    isOn: () => units.value.angle === "°",
  },
];
