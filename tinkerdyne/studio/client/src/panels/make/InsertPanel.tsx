// Everything that can be inserted, in one panel: searched, in groups, with a picture and a sentence each.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { selected } from "../../state/store";
import { groupShown } from "../../tools/action";
import { insertNow } from "../../tools/insert";
import { grouped, lacking, offered, suits } from "../../tools/offers";
import type { TypeInfo } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Modal } from "../Modal";
import { Picture } from "./Picture";
import { sentence } from "./Toolbox";

export function InsertPanel() {
  const search = useSignal("");
  const at = useSignal(0);
  const isAll = useSignal(false);
  const isOfSelection = useSignal(selected.value.length > 0);
  const list = useRef<HTMLDivElement>(null);
  const fitting = offered(search.value, isAll.value).filter((type) => !isOfSelection.value || suits(type));
  const groups = grouped(fitting, search.value !== "");
  const shown = groups.flatMap(([, types]) => types);
  const index = Math.min(at.value, shown.length - 1);
  const chosen = shown[index];
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index, search.value]);
  const step = (by: number): void => {
    at.value = Math.max(0, Math.min(shown.length - 1, index + by));
  };
  const onKey = (event: KeyboardEvent): void => {
    const columns = columnsOf(list.current);
    if (event.key === "ArrowDown") step(columns);
    else if (event.key === "ArrowUp") step(-columns);
    else if (event.key === "Enter" && chosen) insertNow(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Modal title={wording.menus.Insert} isWide>
      <div class="insert-head">
        <input
          type="search"
          role="combobox"
          aria-expanded="true"
          aria-controls="insertable"
          aria-activedescendant={chosen ? `insert-${chosen.name}` : undefined}
          aria-label={wording.making.searchWhatCanBeInserted}
          placeholder={wording.making.insertExamples}
          autofocus
          value={search.value}
          onKeyDown={onKey}
          onInput={(e) => {
            search.value = e.currentTarget.value;
            at.value = 0;
          }}
        />
        {selected.value.length ? (
          <label class="switch">
            <input
              type="checkbox"
              checked={isOfSelection.value}
              onChange={(e) => (isOfSelection.value = e.currentTarget.checked)}
            />
            {wording.making.forWhatIsSelected}
          </label>
        ) : null}
        <label class="switch">
          <input
            type="checkbox"
            checked={isAll.value}
            onChange={(e) => (isAll.value = e.currentTarget.checked)}
          />
          {wording.making.alsoWhatDoesNotFitHere}
        </label>
      </div>
      <div
        class="insertable"
        id="insertable"
        role="listbox"
        aria-label={wording.making.whatCanBeInserted}
        ref={list}
      >
        {groups.map(([title, types]) => (
          <div key={title} role="group" aria-label={groupShown(title)}>
            <h3>{groupShown(title)}</h3>
            <div class="insert-group">
              {types.map((type) => (
                <Entry
                  key={type.name}
                  type={type}
                  isChosen={type === chosen}
                  hover={() => (at.value = shown.indexOf(type))}
                />
              ))}
            </div>
          </div>
        ))}
        {shown.length ? null : <p class="muted">{wording.making.nothingFits}</p>}
      </div>
      <p class="muted insert-foot">
        <code>{chosen?.python}</code>
      </p>
    </Modal>
  );
}

/** How many stand beside each other. */
function columnsOf(list: HTMLElement | null): number {
  const group = list?.querySelector(".insert-group");
  return group ? getComputedStyle(group).gridTemplateColumns.split(" ").length : 1;
}

function Entry({ type, isChosen, hover }: { type: TypeInfo; isChosen: boolean; hover: () => void }) {
  const lack = lacking(type);
  return (
    <div
      class="insert-entry"
      id={`insert-${type.name}`}
      role="option"
      aria-selected={isChosen}
      aria-disabled={lack !== ""}
      onPointerMove={hover}
      onClick={() => insertNow(type)}
    >
      <Picture icon={type.icon} size={30} />
      <span>
        <strong>{type.title}</strong>
        <small>{lack || sentence(type.doc)}</small>
      </span>
    </div>
  );
}
