// The palette: every command by name, each with its Python line to copy.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../state/store";
import { type Action, keysShown } from "../tools/action";
import { actions } from "../tools/actions";
import { copyText } from "../tools/operations";
import { listedTitle, ranked } from "../tools/search";
import { wording } from "../wording/spoken";
import { close, Modal } from "./Modal";

const MOST = 60;

export function Palette() {
  const search = useSignal("");
  const at = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const shown = ranked(actions(), search.value).slice(0, MOST);
  const index = Math.min(at.value, shown.length - 1);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index, search.value]);
  const run = (entry: Action | undefined): void => {
    if (!entry || !(entry.isPossible?.() ?? true)) return;
    close();
    setTimeout(entry.run); // after the focus has gone back
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") at.value = Math.min(index + 1, shown.length - 1);
    else if (event.key === "ArrowUp") at.value = Math.max(index - 1, 0);
    else if (event.key === "Enter" && event.ctrlKey) copyLine(shown[index]);
    else if (event.key === "Enter") run(shown[index]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal title={wording.common.commands} isWide>
      <input
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={`command-${index}`}
        aria-label={wording.palette.searchCommands}
        placeholder={wording.palette.paletteHint}
        value={search.value}
        autofocus
        onKeyDown={onKey}
        onInput={(e) => {
          search.value = e.currentTarget.value;
          at.value = 0;
        }}
      />
      <ul class="commands" id="commands" role="listbox" aria-label={wording.common.commands} ref={list}>
        {shown.map((a, i) => (
          <li
            key={a.id}
            id={`command-${i}`}
            role="option"
            aria-selected={i === index}
            aria-disabled={!(a.isPossible?.() ?? true)}
            onPointerMove={() => (at.value = i)}
            onClick={() => run(a)}
          >
            <span class="command-title">{listedTitle(a)}</span>
            {a.python ? (
              <code>
                {a.python}
                <span
                  class="copy"
                  title={wording.palette.copyThisLineCtrlEnter}
                  onClick={(e) => {
                    e.stopPropagation();
                    copyLine(a);
                  }}
                >
                  {wording.palette.copyLine}
                </span>
              </code>
            ) : (
              <span />
            )}
            {a.keys ? <kbd>{keysShown(a.keys, " ")}</kbd> : <span />}
          </li>
        ))}
      </ul>
      <p class="muted">{shown.length ? wording.palette.paletteKeys : wording.palette.noCommand}</p>
    </Modal>
  );
}

function copyLine(a: Action | undefined): void {
  if (a?.python) copyText(a.python);
  else say(wording.palette.noPython);
}
