// Dialogs of files: open, save as, and recover what was left unsaved.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { act, ask, report } from "../state/session";
import * as store from "../state/store";
import { action } from "../tools/actions";
import { recover, save } from "../tools/operations";
import type { Unsaved } from "../wire/protocol";
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
    <Modal title="Open">
      <ul class="files">
        {files.value.map((path) => (
          <li key={path}>
            <button onClick={() => void act({ do: "open", path }).then((done) => done && close())}>
              {path}
            </button>
          </li>
        ))}
      </ul>
      {files.value.length ? null : <p class="muted">There are no scenes in the studio's folder yet.</p>}
      <label class="file">
        Or a scene from this computer:{" "}
        <input
          type="file"
          accept=".json,application/json"
          onChange={(e) => void fromDisk(e.currentTarget.files?.[0])}
        />
      </label>
      <div class="buttons">
        <button onClick={action("gallery").run}>Gallery…</button>
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
    <Modal title="Save as">
      <OneText title="File in the studio's folder" text={path} word="Save" submit={submit} />
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
    <Modal title="Recover" key={found.value ? "answered" : "asked"}>
      <p class="muted">
        {worlds.length
          ? "Worlds that were left unsaved, the newest first:"
          : found.value
            ? "There is no unsaved world to recover."
            : "…"}
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
              <small>{parts === 1 ? "1 part" : `${parts} parts`}</small>
              <small>{when.format(1000 * saved)}</small>
            </button>
            <button
              aria-label={`Forget ${title}`}
              title="Delete it for good"
              onClick={() => void forget(name)}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button autofocus={!worlds.length} onClick={close}>
          Not now
        </button>
      </div>
    </Modal>
  );
}
