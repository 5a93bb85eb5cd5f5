// The parts: everything in the world by family, with search.
import { useSignal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { groups } from "../media/groups";
import { hovered, model, select, selected, status, typeOf } from "../state/store";
import { isPicking, pickNamed } from "../tools/pick";
import { view } from "../view/current";
import type { ItemInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { focusedOf } from "./focus";
import { Groups } from "./media/Groups";

const FAMILIES: readonly (readonly [string, readonly string[]])[] = [
  [wording.common.bodies, ["object"]],
  [wording.parts.joints, ["constraint"]],
  [wording.parts.forces, ["behavior", "field"]],
  [wording.parts.points, ["connector"]],
];

export function Parts() {
  const search = useSignal("");
  const closed = useSignal<readonly string[]>([wording.parts.points]);
  const wanted = search.value.trim().toLowerCase();
  const all = (model.value?.items ?? [])
    .filter((i) => !groups.value.members.has(i.name))
    .filter((i) => !wanted || `${i.name} ${typeOf(i)?.title ?? i.of}`.toLowerCase().includes(wanted));
  const onKey = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const now = focusedOf(rows);
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by) return;
    rows[Math.min(rows.length - 1, Math.max(0, now + by))]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section class="panel parts" aria-label={wording.common.parts} data-panel>
      <h2>{wording.common.parts}</h2>
      <input
        type="search"
        placeholder={wording.parts.searchParts}
        aria-label={wording.parts.searchParts}
        value={search.value}
        onInput={(e) => (search.value = e.currentTarget.value)}
      />
      <div
        class="tree"
        role="tree"
        aria-label={wording.parts.partsOfTheWorld}
        aria-multiselectable="true"
        onKeyDown={onKey}
      >
        <Groups />
        {FAMILIES.map(([title, families]) => {
          const rows = all.filter((i) => families.includes(i.family));
          if (!rows.length) return null;
          const isOpen = wanted !== "" || !closed.value.includes(title);
          const toggle = (): void => {
            closed.value = isOpen ? [...closed.value, title] : closed.value.filter((t) => t !== title);
          };
          return (
            <div
              key={title}
              role="treeitem"
              aria-expanded={isOpen}
              aria-selected={false}
              tabIndex={0}
              class="family"
              onKeyDown={(e) =>
                e.target === e.currentTarget &&
                (e.key === "Enter" || e.key === "ArrowRight" || e.key === "ArrowLeft") &&
                toggle()
              }
            >
              <div class="family-title" onClick={toggle}>
                <span class="arrow" aria-hidden="true">
                  {isOpen ? "▾" : "▸"}
                </span>{" "}
                {title} <span class="count">{rows.length}</span>
              </div>
              {isOpen ? (
                <div role="group">
                  {rows.map((item) => (
                    <Row key={item.name} item={item} />
                  ))}
                </div>
              ) : null}
            </div>
          );
        })}
        {all.length || groups.value.members.size ? null : (
          <p class="empty">{wanted ? wording.parts.nothingOfThatName : wording.parts.empty}</p>
        )}
      </div>
    </section>
  );
}

function Row({ item }: { item: ItemInfo }) {
  const isChosen = selected.value.includes(item.name);
  const isBad =
    status.value?.conflicts.some((c) => c.kind !== "redundant" && c.names.includes(item.name)) ?? false;
  const choose = (isAdding: boolean): void => {
    if (isPicking()) pickNamed(item.name);
    else select(item.name, isAdding);
  };
  return (
    <div
      class={`row ${isChosen ? "chosen" : ""} ${isBad ? "bad" : ""} ${item.is_on ? "" : "off"} ${hovered.value === item.name ? "hovered" : ""}`}
      role="treeitem"
      tabIndex={-1}
      aria-selected={isChosen}
      title={`${item.name}: ${typeOf(item)?.title ?? item.of}`}
      onClick={(e) => choose(e.shiftKey || e.ctrlKey || e.metaKey)}
      onDblClick={() => view.stage?.frameAll([item.name])}
      onPointerEnter={() => (hovered.value = item.name)}
      onPointerLeave={() => (hovered.value = "")}
      onKeyDown={(e) => {
        if (e.key !== "Enter" && e.key !== " ") return;
        choose(e.shiftKey || e.ctrlKey);
        e.preventDefault();
        e.stopPropagation();
      }}
    >
      <span class="name">{item.name}</span>
      <span class="of">{typeOf(item)?.word || (typeOf(item)?.title ?? item.of)}</span>
    </div>
  );
}
