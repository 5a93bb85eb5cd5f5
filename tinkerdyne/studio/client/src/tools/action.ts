// An action of the studio: what menus, palette, keys and the table in Help know of it.

import * as store from "../state/store";
import { view } from "../view/current";
import type { Stage } from "../view/stage";

export type Menu = "File" | "Edit" | "Insert" | "View" | "Run" | "Help";

export interface Action {
  id: string;
  title: string;
  menu: Menu;
  keys?: string; // "Ctrl+Z", "Space", "F"
  python?: string; // the line that does the same
  group?: string;
  isListedElsewhere?: boolean; // in a panel of its own, and not in its menu
  run(): void;
  isOn?(): boolean; // of a switch
  isPossible?(): boolean; // shown greyed where not; what the page knows may be a moment old, so keys run it all the same
}

/** Something that is done to the stage, where there is one. */
export const onStage = (run: (stage: Stage) => void) => (): void => {
  if (view.stage) run(view.stage);
};
/** Something that opens a dialog. */
export const opens = (dialog: store.Dialog) => (): void => {
  store.dialog.value = dialog;
};
