// Inserting what was chosen in the panel of all types.
import { dialog, say } from "../state/store";
import { view } from "../view/current";
import type { TypeInfo } from "../wire/protocol";
import { openFormula } from "./formula";
import { takeType } from "./make";
import { attachBy } from "./mediaActions";
import { lacking } from "./offers";
import { insert } from "./pick";

/** Make it, or begin to ask for its places. */
export function insertNow(type: TypeInfo): void {
  const lack = lacking(type);
  if (lack) {
    say(`${type.title}: ${lack}`);
    return;
  }
  dialog.value = "";
  setTimeout(() => {
    if (type.form)
      openFormula(type.form); // after the focus has gone back
    else if (type.slides) attachBy(type.slides);
    else if (type.drawn === "corners") takeType(type);
    else insert(type, view.stage);
  });
}
