// Every action of the studio, once: menus, palette, keys and the table in Help all come from here.

import { act } from "../state/session";
import * as store from "../state/store";
import { view } from "../view/current";
import type { TypeInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { type Action, opens } from "./action";
import { EDIT } from "./editActions";
import { FILE } from "./fileActions";
import { openFormula } from "./formula";
import { ARROWS, HAND } from "./keyActions";
import { LOOK } from "./lookActions";
import { MAKING } from "./makeActions";
import { MEDIA } from "./mediaActions";
import * as operations from "./operations";
import { insert } from "./pick";
import { SKETCHING } from "./sketchActions";
import { TIME } from "./timeActions";
import { VIEW } from "./viewActions";

export function joinWith(of: string): void {
  store.chosenJoint.value = of;
  store.say(wording.actions.nowJoinedWith({ joint: of }));
}

const RUN: readonly Action[] = [
  {
    id: "play",
    title: wording.actions.playOrPause,
    menu: "Run",
    keys: "Space",
    python: "world.run(seconds=5)",
    run: () => operations.play(!store.status.value?.is_playing),
  },
  {
    id: "step",
    title: wording.actions.oneStep,
    menu: "Run",
    keys: ".",
    python: "world.step(1 / 60)",
    run: () => void act({ do: "play", is_playing: false, steps: 1 }),
  },
  { id: "slower", title: wording.actions.slower, menu: "Run", keys: "[", run: () => operations.faster(-1) },
  { id: "faster", title: wording.actions.faster, menu: "Run", keys: "]", run: () => operations.faster(1) },
  {
    id: "now",
    title: wording.common.backToNow,
    menu: "Run",
    keys: "End",
    run: () => void (store.status.value?.is_past && act({ do: "scrub", time: null })),
    isPossible: () => store.status.value?.is_past ?? false,
  },
];

const HELP: readonly Action[] = [
  { id: "palette", title: wording.actions.allCommands, menu: "Help", keys: "Ctrl+K", run: opens("palette") },
  { id: "keys", title: wording.common.keyboardAndMouse, menu: "Help", keys: "?", run: opens("keys") },
  { id: "steps", title: wording.actions.firstStepsAndGuides, menu: "Help", run: opens("steps") },
  {
    id: "panels",
    title: wording.actions.goToTheNextPanel,
    menu: "Help",
    keys: "F6",
    run: operations.nextPanel,
  },
];

const FIXED: readonly Action[] = [...FILE, ...EDIT, ...RUN, ...TIME, ...VIEW, ...LOOK, ...HELP, ...HAND];

/** Joining with a type, as an action; the first ones have digits for keys. */
function joining({ name: of }: TypeInfo, i: number): Action {
  return {
    id: `joint-${of}`,
    title: wording.actions.joinWith({ joint: of }),
    menu: "Edit",
    keys: String(i + 1),
    python: `world.add(${of}(a, b))`,
    group: "Joint",
    run: () => joinWith(of),
    isOn: () => store.joint.value === of,
  };
}

/** Inserting a type, as an action. */
function inserting(type: TypeInfo): Action {
  const { form } = type;
  return {
    id: `insert-${type.name}`,
    title: type.title,
    menu: "Insert",
    group: type.group,
    python: type.python,
    isListedElsewhere: true,
    run: () => (form ? openFormula(form) : insert(type, view.stage)),
  };
}

export function actions(): Action[] {
  const types = store.hello.value?.types ?? [];
  const isPlane = store.dimension.value === 2; // where bodies of space have no place
  const isSpatialBody = (t: TypeInfo): boolean =>
    t.supplies === "frame" && !t.is_planar && t.places.length > 0;
  const inserted = types.filter((t) => !isPlane || !isSpatialBody(t));
  return [
    ...FIXED,
    ...store.joints.value.map(joining),
    ...ARROWS,
    ...MAKING,
    ...SKETCHING,
    ...MEDIA,
    ...inserted.map(inserting),
  ];
}

export function action(id: string): Action {
  const found = [...FIXED, ...ARROWS, ...MAKING, ...SKETCHING, ...MEDIA].find((a) => a.id === id);
  if (!found) throw new Error(`there is no action ${id}`);
  return found;
}
