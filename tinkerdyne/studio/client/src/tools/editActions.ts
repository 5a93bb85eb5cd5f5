// What the Edit menu has: parts, and what is done with them by hand.

import { report } from "../state/session";
import * as store from "../state/store";
import { view } from "../view/current";
import { wording } from "../wording/spoken";
import { type Action, onStage, opens } from "./action";
import { startCut } from "./cut";
import { inHand } from "./hand";
import * as operations from "./operations";
import { has } from "./operations";
import { startPath } from "./path";

export const EDIT: readonly Action[] = [
  {
    id: "undo",
    title: wording.actions.undoAndLeaveTheRunAlone,
    menu: "Edit",
    keys: "Ctrl+Z",
    run: () => operations.undo(),
    isPossible: () => store.model.value?.can_undo ?? false,
  },
  {
    id: "undo-whole",
    title: wording.actions.undoAndGoBackInTime,
    menu: "Edit",
    python: "world.undo()",
    run: () => operations.undo(true),
    isPossible: () => store.model.value?.can_undo ?? false,
  },
  {
    id: "redo",
    title: wording.actions.redo,
    menu: "Edit",
    keys: "Ctrl+Y",
    python: "world.redo()",
    run: operations.redo,
    isPossible: () => store.model.value?.can_redo ?? false,
  },
  {
    id: "copy",
    title: wording.common.copy,
    menu: "Edit",
    keys: "Ctrl+C",
    run: () => void operations.copy().catch(report),
    isPossible: has,
  },
  {
    id: "paste",
    title: wording.actions.paste,
    menu: "Edit",
    keys: "Ctrl+V",
    run: () => void operations.pasteFromMenu().catch(report),
  },
  {
    id: "duplicate",
    title: wording.common.duplicate,
    menu: "Edit",
    keys: "Ctrl+D",
    run: () => void operations.duplicate().catch(report),
    isPossible: has,
  },
  {
    id: "delete",
    title: wording.common.delete,
    menu: "Edit",
    keys: "Delete",
    python: "world.remove(part)",
    run: operations.deleteSelected,
    isPossible: has,
  },
  {
    id: "rename",
    title: wording.actions.renameEntry,
    menu: "Edit",
    keys: "F2",
    python: 'world.apply(Rename("rod", "arm"))',
    run: () => has() && opens("rename")(),
    isPossible: has,
  },
  {
    id: "all",
    title: wording.actions.selectAll,
    menu: "Edit",
    keys: "Ctrl+A",
    run: () => (store.selected.value = [...(view.stage?.figures.keys() ?? [])]),
  },
  { id: "next", title: wording.actions.nextPart, menu: "Edit", keys: "Tab", run: () => operations.cycle(1) },
  {
    id: "previous",
    title: wording.actions.previousPart,
    menu: "Edit",
    keys: "Shift+Tab",
    run: () => operations.cycle(-1),
  },
  {
    id: "grab",
    title: wording.actions.grabTheSelectedPartSoft,
    menu: "Edit",
    keys: "G",
    python: "grip = world.grab(part.end2)",
    run: () => operations.grabByKey(false),
    isPossible: has,
  },
  {
    id: "grab-hard",
    title: wording.actions.grabTheSelectedPartHard,
    menu: "Edit",
    keys: "Shift+G",
    python: "grip = world.grab(part.end2, hard=True)",
    run: () => operations.grabByKey(true),
    isPossible: has,
  },
  {
    id: "hold",
    title: wording.actions.holdTheSelectedPartByPlace,
    menu: "Edit",
    keys: "H",
    python: "grip = world.grab(part, hard=True, orientation=True)",
    run: () => operations.grabByKey(true, true),
    isPossible: has,
  },
  {
    id: "turn",
    title: wording.actions.turnWhatIsHeldOrCarried,
    menu: "Edit",
    keys: "R",
    group: "Keys",
    run: () => inHand()?.rotate?.(1),
  },
  {
    id: "turn-back",
    title: wording.actions.turnItTheOtherWay,
    menu: "Edit",
    keys: "Shift+R",
    group: "Keys",
    run: () => inHand()?.rotate?.(-1),
  },
  {
    id: "cut",
    title: wording.actions.cutAJoint,
    menu: "Edit",
    keys: "X",
    python: "world.remove(joint)",
    run: onStage(startCut),
  },
  {
    id: "nail",
    title: wording.actions.nailThePointUnderThePointer,
    menu: "Edit",
    keys: "N",
    python: "world.add(nail(part.end1, at=(0, 0, 1)))",
    run: operations.nailSelected,
  },
  {
    id: "path",
    title: wording.actions.drawAPath,
    menu: "Edit",
    keys: "P",
    python: "world.add(path(keys=((0, 0, 0, 0), (1, 0, 0, 1))))",
    run: startPath,
  },
  {
    id: "event",
    title: wording.actions.newEventEntry,
    menu: "Edit",
    keys: "E",
    python: 'world.at(2.0, Change("hook", "is_on", False))',
    run: () => (store.draft.value = { id: "", part: 0 }),
  },
  { id: "settings", title: wording.actions.settingsEntry, menu: "Edit", run: opens("settings") },
];
