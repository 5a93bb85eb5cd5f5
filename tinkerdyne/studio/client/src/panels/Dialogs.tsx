// Dialogs, one at a time.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { applyEdit, ask, report } from "../state/session";
import * as store from "../state/store";
import { copyText } from "../tools/operations";
import { wording } from "../wording/spoken";
import { OpenFile, Recover, SaveAs } from "./FileDialogs";
import { Gallery } from "./Gallery";
import { Keys, Steps } from "./Help";
import { close, Modal, OneText } from "./Modal";
import { InsertPanel } from "./make/InsertPanel";
import { NewCurve } from "./media/NewCurve";
import { Palette } from "./Palette";
import { Settings } from "./Settings";

export function Dialogs() {
  switch (store.dialog.value) {
    case "palette":
      return <Palette />;
    case "gallery":
      return <Gallery />;
    case "open":
      return <OpenFile />;
    case "save":
      return <SaveAs />;
    case "python":
      return <Python />;
    case "keys":
      return <Keys />;
    case "recover":
      return <Recover />;
    case "rename":
      return <Rename />;
    case "settings":
      return <Settings />;
    case "steps":
      return <Steps />;
    case "question":
      return <Question />;
    case "insert":
      return <InsertPanel />;
    case "curve":
      return <NewCurve />;
    default:
      return null;
  }
}

function Python() {
  const code = useSignal("…");
  useEffect(() => {
    ask({ do: "ask", what: "python" })
      .then((found) => (code.value = found.text))
      .catch(report);
  }, []);
  return (
    <Modal title={wording.dialogs.thisWorldAsPython} isWide>
      <pre class="code" tabIndex={0}>
        {code.value}
      </pre>
      <div class="buttons">
        <button class="primary" autofocus onClick={() => copyText(code.value)}>
          {wording.common.copy}
        </button>
        <button onClick={close}>{wording.common.close}</button>
      </div>
    </Modal>
  );
}

function Rename() {
  const old = store.selected.value[0] ?? "";
  const name = useSignal(old);
  const error = useSignal("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    error.value = await applyEdit({ edit: "Rename", name: old, to: name.value.trim() });
    if (error.value) return;
    store.select(name.value.trim());
    close();
  };
  return (
    <Modal title={wording.dialogs.renameIt({ name: old })}>
      <OneText
        title={wording.common.name}
        text={name}
        word={wording.common.rename}
        submit={submit}
        error={error.value}
      />
    </Modal>
  );
}

function Question() {
  const asked = store.question.value;
  const go = (): void => {
    close();
    asked?.run();
  };
  return (
    <Modal title={wording.dialogs.areYouSure}>
      <p>{asked?.text}</p>
      <div class="buttons">
        <button class="danger" onClick={go}>
          {asked?.yes}
        </button>
        <button onClick={close} autofocus>
          {wording.common.cancel}
        </button>
      </div>
    </Modal>
  );
}
