// Dialogs of files: open, save as, and recover what was left unsaved.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { act, ask, report } from "../state/session";
import * as store from "../state/store";
import { action } from "../tools/actions";
import { recover, save } from "../tools/operations";
import type { Unsaved } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { close, Modal, OneText } from "./Modal";

/** The files in the studio's folder. */
function useFiles() {
  const files = useSignal<readonly string[]>([]);
  useEffect(() => {
    ask({ do: "ask", what: "files" })
      .then((found) => (files.value = found.map((file) => file.path)))
      .catch(report);
  }, []);
  return files;
}

export function OpenFile() {
  const files = useFiles();
  const fromDisk = async (file: File | undefined): Promise<void> => {
    if (file && (await act({ do: "open", text: await file.text() }))) close();
  };
  return (
    <Modal title={wording.dialogs.open}>
      <ul class="files">
        {files.value.map((path) => (
          <li key={path}>
            <button onClick={() => void act({ do: "open", path }).then((done) => done && close())}>
              {path}
            </button>
          </li>
        ))}
      </ul>
      {files.value.length ? null : <p class="muted">{wording.dialogs.noScenesYet}</p>}
      <label class="file">
        {wording.dialogs.orASceneFromThisComputer}{" "}
        <input
          type="file"
          accept=".json,application/json"
          onChange={(e) => void fromDisk(e.currentTarget.files?.[0])}
        />
      </label>
      <div class="buttons">
        <button onClick={action("gallery").run}>{wording.common.galleryOf}</button>
      </div>
    </Modal>
  );
}

export function SaveAs() {
  const title = store.model.value?.title ?? "";
  const path = useSignal(
    store.model.value?.path || `${title.replace(/\.json$/, "").replace(/[^\w-]+/g, "_") || "world"}.json`,
  );
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await save(path.value.trim())) close();
  };
  return (
    <Modal title={wording.dialogs.saveAs}>
      <OneText
        title={wording.dialogs.fileInTheStudiosFolder}
        text={path}
        word={wording.common.save}
        submit={submit}
      />
    </Modal>
  );
}

export function Recover() {
  const found = useSignal<readonly Unsaved[] | null>(null);
  useEffect(() => {
    ask({ do: "ask", what: "unsaved" })
      .then((worlds) => (found.value = worlds))
      .catch(report);
  }, []);
  const worlds = found.value ?? [];
  const forget = (name: string) =>
    ask({ do: "forget", unsaved: name })
      .then(() => (found.value = worlds.filter((world) => world.name !== name)))
      .catch(report);
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  return (
    <Modal title={wording.dialogs.recover} key={found.value ? "answered" : "asked"}>
      <p class="muted">
        {worlds.length ? wording.dialogs.leftUnsaved : found.value ? wording.dialogs.nothingToRecover : "…"}
      </p>
      <ul class="files">
        {worlds.map(({ name, title, path, saved, parts }, i) => (
          <li key={name}>
            <button
              class="unsaved"
              autofocus={i === 0}
              onClick={() => void recover(name).then((done) => done && close())}
            >
              <span title={path}>{title}</span>
              <small>{wording.common.partsCounted({ count: parts })}</small>
              <small>{when.format(1000 * saved)}</small>
            </button>
            <button
              aria-label={wording.dialogs.forgetIt({ title })}
              title={wording.dialogs.deleteItForGood}
              onClick={() => void forget(name)}
            >
              {wording.dialogs.forget}
            </button>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button autofocus={!worlds.length} onClick={close}>
          {wording.common.notNow}
        </button>
      </div>
    </Modal>
  );
}
