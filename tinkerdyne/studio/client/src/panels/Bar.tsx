// The bar: menus, running, and how the world is doing.

import { useEffect, useRef, useState } from "preact/hooks";
import { short } from "../state/numbers";
import { hello, model, status, theme } from "../state/store";
import { type Action, groupShown, keysShown, type Menu, withKeys } from "../tools/action";
import { action, actions } from "../tools/actions";
import { setSpeed } from "../tools/operations";
import { wording } from "../wording/spoken";
import { focusedOf } from "./focus";
import { Icon, type IconName } from "./Icon";

const MENUS: readonly Menu[] = ["File", "Edit", "Insert", "View", "Run", "Help"];

const COLUMNS: Readonly<Partial<Record<Menu, string>>> = { Insert: "double", Edit: "double" };

export function Bar() {
  return (
    <header class="bar" data-panel>
      <strong class="logo" title={wording.bar.studio({ build: hello.value?.build ?? "" })}>
        Tinkerdyne
      </strong>
      <Menus />
      <span class="title" title={model.value?.path || wording.bar.notSavedYet}>
        {model.value?.title || wording.common.untitled}
        {model.value?.is_dirty ? (
          <span class="dirty" role="img" title={wording.bar.notSaved} aria-label={wording.bar.notSaved}>
            ●
          </span>
        ) : null}
      </span>
      <Running />
      <Readings />
      <span class="spacer" />
      <ActionButton id="undo" icon="undo" />
      <ActionButton id="redo" icon="redo" />
      <ActionButton id="theme" icon={theme.value === "dark" ? "sun" : "moon"} />
      <button class="search" onClick={action("palette").run}>
        {wording.common.commands} <kbd>{keysShown("Ctrl+K", " ")}</kbd>
      </button>
    </header>
  );
}

export function ActionButton({ id, icon, isPressed }: { id: string; icon: IconName; isPressed?: boolean }) {
  const a = action(id);
  const label = withKeys(a);
  return (
    <button
      class="tool"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      disabled={!(a.isPossible?.() ?? true)}
      onClick={a.run}
    >
      <Icon name={icon} />
    </button>
  );
}

function Running() {
  const now = status.value;
  const speed = now?.speed ?? 1;
  return (
    <div class="running" role="group" aria-label={wording.bar.running}>
      <ActionButton id="start" icon="start" />
      <ActionButton id="play" icon={now?.is_playing ? "pause" : "play"} />
      <ActionButton id="step" icon="step" />
      <label class="speed">
        <span class="hidden">{wording.common.speed}</span>
        <select
          value={String(speed)}
          onChange={(e) => setSpeed(Number(e.currentTarget.value))}
          title={wording.bar.timesRealTime}
        >
          {[...new Set([0.05, 0.1, 0.25, 0.5, 1, 2, 4, speed])]
            .sort((a, b) => a - b)
            .map((s) => (
              <option key={s} value={String(s)}>
                ×{s}
              </option>
            ))}
        </select>
      </label>
    </div>
  );
}

function Readings() {
  const s = status.value;
  if (!s) return null;
  const isSlow = s.is_playing && s.real_speed > 0 && s.real_speed < 0.93 * s.speed;
  return (
    <>
      <dl class="readings">
        <Reading
          name={wording.bar.readings.time}
          value={`${s.time.toFixed(2)} s`}
          title={wording.bar.timeOfTheWorld}
        />
        <Reading
          name={wording.bar.readings.freedoms}
          value={s.freedoms >= 0 ? String(s.freedoms) : s.is_past ? "–" : "…"}
          title={s.freedoms < 0 && s.is_past ? wording.bar.nobodyCounted : wording.bar.freedomsLeft}
        />
        <Reading
          name={wording.bar.readings.gap}
          value={s.gap === 0 ? "0" : s.gap < 1e-2 ? s.gap.toExponential(0) : short(s.gap)}
          title={wording.bar.howFarConstraints}
        />
        {s.error >= 0 ? (
          <Reading
            name={wording.bar.readings.error}
            value={share(s.error)}
            title={wording.bar.howFarOff({ accuracy: s.accuracy })}
            isBad={s.is_inaccurate}
          />
        ) : null}
        <Reading
          name={wording.bar.readings.energy}
          value={`${short(s.kinetic + s.potential)} J`}
          title={wording.bar.energies({ kinetic: short(s.kinetic), potential: short(s.potential) })}
        />
        <Reading
          name={wording.bar.readings.step}
          value={`${s.step_ms.toFixed(1)} ms`}
          title={wording.bar.workOfTheServerForA}
        />
      </dl>
      {isSlow ? (
        <span class="slow rate" title={wording.bar.tooMuchWork}>
          <span>{wording.bar.runsAt} </span>×{s.real_speed.toFixed(2)}
        </span>
      ) : null}
      {s.note ? (
        <span class="slow" title={s.note}>
          {s.note}
        </span>
      ) : null}
    </>
  );
}

/** A share in percent: short, and never 0 unless it is. */
function share(x: number): string {
  const percent = 100 * x;
  if (percent === 0) return "0 %";
  if (percent >= 1000) return "> 999 %";
  if (percent >= 10) return `${percent.toFixed(0)} %`;
  return percent >= 0.01 ? `${percent.toPrecision(1)} %` : "< 0.01 %";
}

function Reading(given: { name: string; value: string; title: string; isBad?: boolean }) {
  const { name, value, title, isBad } = given;
  return (
    <div title={title} class={isBad ? "bad" : undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Menus() {
  const [open, setOpen] = useState<Menu | null>(null);
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: PointerEvent): void => {
      if (!(event.target instanceof Node && bar.current?.contains(event.target))) setOpen(null);
    };
    addEventListener("pointerdown", away);
    bar.current?.querySelector<HTMLElement>("[role=menuitem]:not([aria-disabled=true])")?.focus();
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  const beside = (by: number): void =>
    setOpen(MENUS[(MENUS.indexOf(open ?? "File") + by + MENUS.length) % MENUS.length] ?? null);
  const onKey = (event: KeyboardEvent): void => {
    if (!open) return;
    const entries = [
      ...(bar.current?.querySelectorAll<HTMLElement>("[role=menuitem], [role=menuitemcheckbox]") ?? []),
    ];
    const now = focusedOf(entries);
    if (event.key === "ArrowDown") entries[(now + 1) % entries.length]?.focus();
    else if (event.key === "ArrowUp") entries[(now - 1 + entries.length) % entries.length]?.focus();
    else if (event.key === "ArrowRight") beside(1);
    else if (event.key === "ArrowLeft") beside(-1);
    else if (event.key === "Escape") {
      setOpen(null);
      bar.current?.querySelector<HTMLElement>(`[data-menu=${open}]`)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <nav class="menus" ref={bar} aria-label={wording.bar.menus} onKeyDown={onKey}>
      {MENUS.map((menu) => (
        <div key={menu} class="menu">
          <button
            class="plain"
            data-menu={menu}
            aria-haspopup="menu"
            aria-expanded={open === menu}
            onClick={() => setOpen(open === menu ? null : menu)}
            onPointerEnter={() => open && open !== menu && setOpen(menu)}
          >
            {wording.menus[menu]}
          </button>
          {open === menu ? <MenuList menu={menu} close={() => setOpen(null)} /> : null}
        </div>
      ))}
    </nav>
  );
}

function MenuList({ menu, close }: { menu: Menu; close: () => void }) {
  const shown = actions().filter(
    (a) =>
      a.menu === menu && a.group !== "Keys" && !a.isListedElsewhere && a.id !== "escape" && a.id !== "done",
  );
  const groups = new Map<string, Action[]>();
  for (const a of shown) {
    const name = a.group ?? "";
    groups.set(name, [...(groups.get(name) ?? []), a]);
  }
  return (
    <div class={`menu-list ${COLUMNS[menu] ?? ""}`} role="menu" aria-label={wording.menus[menu]}>
      <div role="presentation">
        {[...groups].map(([name, entries]) => (
          <div
            key={name}
            role="group"
            aria-label={name ? groupShown(name) : wording.menus[menu]}
            class="menu-group"
          >
            {name ? (
              <div class="menu-heading" aria-hidden="true">
                {groupShown(name)}
              </div>
            ) : null}
            {entries.map((a) => (
              <MenuEntry key={a.id} entry={a} close={close} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function MenuEntry({ entry, close }: { entry: Action; close: () => void }) {
  const isPossible = entry.isPossible?.() ?? true;
  const run = (): void => {
    if (!isPossible) return;
    close();
    entry.run();
  };
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a checkbox of the menu is checked
    <button
      class="menu-entry"
      role={entry.isOn ? "menuitemcheckbox" : "menuitem"}
      aria-checked={entry.isOn ? entry.isOn() : undefined}
      aria-disabled={!isPossible}
      tabIndex={-1}
      title={entry.python}
      onClick={run}
    >
      <span class="check" aria-hidden="true">
        {entry.isOn?.() ? "✓" : ""}
      </span>
      <span>{entry.title}</span>
      {entry.keys ? <kbd>{keysShown(entry.keys, " ")}</kbd> : null}
    </button>
  );
}
