// Dialogs: each takes the focus while it is open, and gives it back.
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { act, applyEdit, ask, report } from "../state/session";
import * as store from "../state/store";
import { action, actions } from "../tools/actions";
import { recover, save } from "../tools/operations";
import { view } from "../view/current";
import type { Unsaved } from "../wire/protocol";
import { Gallery } from "./Gallery";
import { NewCurve } from "./media/NewCurve";
import { Palette } from "./Palette";

export function close(): void {
  store.dialog.value = "";
}

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
    case "curve":
      return <NewCurve />;
    default:
      return null;
  }
}

export function Modal({
  title,
  children,
  isWide,
}: {
  title: string;
  children: ComponentChildren;
  isWide?: boolean;
}) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before !== document.body) before.focus();
      else view.stage?.canvas.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={isWide ? "wide" : ""}
      aria-label={title}
      onCancel={close}
      onClose={close}
      onPointerDown={(e) => e.target === box.current && close()}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <button class="plain" aria-label="Close" onClick={close}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

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

function OpenFile() {
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

/** A form that asks for one text. */
function OneText(given: {
  title: string;
  text: Signal<string>;
  word: string;
  submit: (e: Event) => Promise<void>;
  error?: string;
}) {
  const { title, text, word, submit, error } = given;
  return (
    <form onSubmit={(e) => void submit(e)}>
      <label class="stacked">
        {title}{" "}
        <input
          value={text.value}
          onInput={(e) => (text.value = e.currentTarget.value)}
          onFocus={(e) => e.currentTarget.select()}
          autofocus
        />
      </label>
      <FormEnd word={word} error={error} />
    </form>
  );
}

/** What is wrong, and the buttons that end a dialog's form. */
export function FormEnd({
  word,
  error,
  isDisabled = false,
}: {
  word: string;
  error?: string | undefined;
  isDisabled?: boolean;
}) {
  return (
    <>
      {error ? (
        <p class="error" role="alert">
          {error}
        </p>
      ) : null}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isDisabled}>
          {word}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </>
  );
}

function SaveAs() {
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

function Python() {
  const code = useSignal("…");
  useEffect(() => {
    ask({ do: "ask", what: "python" })
      .then((found) => (code.value = found.text))
      .catch(report);
  }, []);
  return (
    <Modal title="This world as Python" isWide>
      <pre class="code" tabIndex={0}>
        {code.value}
      </pre>
      <div class="buttons">
        <button class="primary" autofocus onClick={() => copyText(code.value)}>
          Copy
        </button>
        <button onClick={close}>Close</button>
      </div>
    </Modal>
  );
}

export function copyText(content: string): void {
  navigator.clipboard.writeText(content).then(
    () => store.say("copied"),
    () => store.say("the browser does not allow copying; select the text instead", "warning"),
  );
}

const MOUSE: readonly (readonly [string, string])[] = [
  ["Drag a part", "Pull it, by a spring that shows its force"],
  ["Shift and drag a part", "Hold it hard, by a nail that moves"],
  [
    "Alt and drag a part",
    "Hold it by place and orientation: R, Shift R or the wheel turn it, Ctrl and arrows tilt it",
  ],
  ["Bring an end near another", "A halo shows what would be joined; letting go joins it"],
  ["Drag the background", "Turn the view (in the plane: move it)"],
  ["Right button, or Shift on the background", "Move the view"],
  ["Wheel", "Nearer and farther"],
  ["Click, Shift and click", "Select one, select several"],
  ["Ctrl and drag", "Select what is in a rectangle"],
];

function Keys() {
  return (
    <Modal title="Keyboard and mouse" isWide>
      <div class="columns" tabIndex={0} role="region" aria-label="Keys and gestures">
        <Table caption="Mouse" rows={MOUSE} />
        <Table
          caption="Keyboard"
          rows={actions()
            .filter((a) => a.keys)
            .map((a) => [a.keys ?? "", a.title] as const)}
        />
      </div>
    </Modal>
  );
}

function Table({ caption, rows }: { caption: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <table class="keys">
      <caption>{caption}</caption>
      <tbody>
        {rows.map(([key, what]) => (
          <tr key={key + what}>
            <th scope="row">
              <kbd>{key}</kbd>
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Recover() {
  const found = useSignal<readonly Unsaved[] | null>(null);
  useEffect(() => {
    ask({ do: "ask", what: "unsaved" })
      .then((worlds) => (found.value = worlds))
      .catch(report);
  }, []);
  const worlds = found.value ?? [];
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
    <Modal title={`Rename ${old}`}>
      <OneText title="Name" text={name} word="Rename" submit={submit} error={error.value} />
    </Modal>
  );
}

function Settings() {
  const error = useSignal("");
  const set = async (setting: string, given: string, old: unknown): Promise<void> => {
    const value: unknown =
      typeof old === "number" ? Number(given) : typeof old === "boolean" ? given === "true" : given;
    error.value = await applyEdit({ edit: "Configure", setting, value });
  };
  return (
    <Modal title="Settings of the world">
      {Object.entries(store.model.value?.settings ?? {}).map(([name, value]) => (
        <label key={name} class="setting">
          <span>{name.replaceAll("_", " ")}</span>
          <input value={String(value)} onChange={(e) => void set(name, e.currentTarget.value, value)} />
        </label>
      ))}
      {error.value ? (
        <p class="error" role="alert">
          {error.value}
        </p>
      ) : null}
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
    <Modal title="Are you sure?">
      <p>{asked?.text}</p>
      <div class="buttons">
        <button class="danger" onClick={go}>
          {asked?.yes}
        </button>
        <button onClick={close} autofocus>
          Cancel
        </button>
      </div>
    </Modal>
  );
}

function Steps() {
  return (
    <Modal title="First steps">
      <ol class="steps">
        <li>
          <b>Pull.</b> Drag the swinging rod. The arrow is the force of its hinge.
        </li>
        <li>
          <b>Join.</b> Drag the second rod until its end is near the end of the first one; a halo appears. Let
          go.
        </li>
        <li>
          <b>Cut.</b> Press <kbd>X</kbd> and click the joint. It falls. <kbd>Ctrl Z</kbd>: the swing is back.
        </li>
        <li>
          <b>Read.</b> File, Open as Python shows the lines that make this world.
        </li>
      </ol>
      <div class="buttons">
        <button class="primary" onClick={close}>
          Begin
        </button>
      </div>
    </Modal>
  );
}
