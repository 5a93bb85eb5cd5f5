// The frame of dialogs: it takes the focus while it is open, and gives it back.
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { dialog } from "../state/store";
import { view } from "../view/current";
import { wording } from "../wording/spoken";
import { Wrong } from "./Wrong";

export function close(): void {
  dialog.value = "";
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
          <button class="plain" aria-label={wording.common.close} onClick={close}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** A form that asks for one text. */
export function OneText(given: {
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
      <Wrong says={error} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={isDisabled}>
          {word}
        </button>
        <button type="button" onClick={close}>
          {wording.common.cancel}
        </button>
      </div>
    </>
  );
}
