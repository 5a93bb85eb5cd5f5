// An action of the studio: what menus, palette, keys and the table in Help know of it.

import * as store from "../state/store";
import { view } from "../view/current";
import type { Stage } from "../view/stage";
import { inWords, wording } from "../wording/spoken";

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

/** The keys of an action in the words of the language: "Ctrl+Z" is "Strg+Z" in German. */
export function keysShown(keys: string, between = "+"): string {
  const known: Readonly<Record<string, string>> = wording.keys;
  return keys.replace(/(\w)\+/g, `$1${between}`).replace(/[A-Za-z]{2,}/g, (key) => known[key] ?? key);
}

/** The title of an action, with its keys. */
export function withKeys({ title, keys }: Action): string {
  return keys ? `${title} (${keysShown(keys)})` : title;
}

/** The heading of a group: the page's own by its language, those of types as the server calls them. */
export function groupShown(group: string): string {
  const known: Readonly<Record<string, string>> = wording.groups;
  return known[group] ?? inWords(group);
}

/** Something that is done to the stage, where there is one. */
export const onStage = (run: (stage: Stage) => void) => (): void => {
  if (view.stage) run(view.stage);
};
/** Something that opens a dialog. */
export const opens = (dialog: store.Dialog) => (): void => {
  store.dialog.value = dialog;
};
