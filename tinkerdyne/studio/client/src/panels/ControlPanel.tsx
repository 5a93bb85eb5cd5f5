// The control panel over the picture: sliders, switches and buttons, moved by pointer or by their keys.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Control, controls, flip, numberOf, setControls, steer } from "../state/display";
import { parsed, short } from "../state/numbers";
import * as store from "../state/store";
import { shownAs } from "../state/units";
import { unitOfParameter } from "../tools/motors";
import { wording } from "../wording/spoken";
import { Select } from "./Select";
import { Wrong } from "./Wrong";

const STEPS = 200; // of a slider
const BY_KEY = 20; // presses of a key from end to end

/** `isFixed`: the controls are as they are, in a page that cannot change the scene. */
export function ControlPanel({ isFixed = false }: { isFixed?: boolean }) {
  useEffect(listenToControlKeys, []);
  const isFolded = useSignal(false);
  const edited = useSignal(-1);
  const all = controls.value;
  if (!all.length) return null;
  return (
    <section class="control-panel" aria-label={wording.controls.controls} data-panel>
      <header>
        <button
          class="plain"
          aria-expanded={!isFolded.value}
          onClick={() => (isFolded.value = !isFolded.value)}
        >
          {isFolded.value ? "▸" : "▾"} {wording.controls.controls}
        </button>
      </header>
      {isFolded.value
        ? null
        : all.map((control, i) => (
            <div key={`${control.name} ${control.parameter} ${control.index} ${i}`} class="control">
              <Knob control={control} />
              {isFixed ? null : (
                <button
                  class="plain"
                  aria-label={wording.controls.editControl({ title: titleOf(control) })}
                  aria-expanded={edited.value === i}
                  onClick={() => (edited.value = edited.value === i ? -1 : i)}
                >
                  ✎
                </button>
              )}
              {edited.value === i ? (
                <Form control={control} at={i} close={() => (edited.value = -1)} />
              ) : null}
            </div>
          ))}
    </section>
  );
}

function titleOf({ title, name, parameter }: Control): string {
  return title || `${name} ${parameter.replaceAll("_", " ")}`;
}

function unitOf({ name, parameter }: Control): string {
  return unitOfParameter(store.items.value.get(name), parameter);
}

function Knob({ control }: { control: Control }) {
  const now = numberOf(control);
  const held = useSignal<number | null>(null); // what is shown while the hand is on it
  const title = titleOf(control);
  const { factor, unit } = shownAs(unitOf(control));
  const isGone = Number.isNaN(now);
  const keys = control.keys ? <kbd>{control.keys}</kbd> : null;
  if (control.kind === "switch")
    return (
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={now > (control.low + control.high) / 2}
          disabled={isGone}
          checked={now > (control.low + control.high) / 2}
          onChange={() => flip(control)}
        />
        {title} {keys}
      </label>
    );
  if (control.kind === "button") {
    const press = (isDown: boolean): void => steer(control, isDown ? control.high : control.low, !isDown);
    return (
      <button
        disabled={isGone}
        class={now === control.high ? "held" : ""}
        onPointerDown={(e) => {
          e.currentTarget.setPointerCapture(e.pointerId);
          press(true);
        }}
        onPointerUp={() => press(false)}
        onPointerCancel={() => press(false)}
        onKeyDown={(e) => (e.key === " " || e.key === "Enter") && !e.repeat && press(true)}
        onKeyUp={(e) => (e.key === " " || e.key === "Enter") && press(false)}
      >
        {title} {keys}
      </button>
    );
  }
  const move = (text: string, isFinal: boolean): void => {
    held.value = isFinal ? null : Number(text);
    steer(control, Number(text), isFinal);
  };
  return (
    <label class="knob">
      <span>
        {title} {keys}
      </span>
      <output>{isGone ? wording.controls.gone : `${short(factor * (held.value ?? now))} ${unit}`}</output>
      <input
        type="range"
        disabled={isGone}
        min={Math.min(control.low, control.high)}
        max={Math.max(control.low, control.high)}
        step={Math.abs(control.high - control.low) / STEPS}
        value={String(held.value ?? now)}
        onInput={(e) => move(e.currentTarget.value, false)}
        onChange={(e) => move(e.currentTarget.value, true)}
      />
    </label>
  );
}

function Form({ control, at, close }: { control: Control; at: number; close: () => void }) {
  const wrong = useSignal("");
  const set = async (change: Partial<Control>): Promise<void> => {
    wrong.value = await setControls(controls.value.map((one, i) => (i === at ? { ...one, ...change } : one)));
  };
  const number = (part: "low" | "high", text: string): void => {
    const found = parsed(text);
    if (found !== null) void set({ [part]: found });
    else wrong.value = wording.controls.mustBeNumber({ part });
  };
  return (
    <div class="control-form">
      <label>
        {wording.controls.title}
        <input value={control.title} onChange={(e) => void set({ title: e.currentTarget.value })} />
      </label>
      <label>
        {wording.controls.kind}
        <Select
          value={control.kind}
          options={[
            ["slider", wording.controls.slider],
            ["switch", wording.controls.switch],
            ["button", wording.controls.buttonWhilePressed],
          ]}
          choose={(kind) => void set({ kind })}
        />
      </label>
      <label>
        {control.kind === "slider" ? wording.controls.from : wording.controls.off}
        <input
          inputMode="decimal"
          value={String(control.low)}
          onChange={(e) => number("low", e.currentTarget.value)}
        />
      </label>
      <label>
        {control.kind === "slider" ? wording.controls.to : wording.common.on}
        <input
          inputMode="decimal"
          value={String(control.high)}
          onChange={(e) => number("high", e.currentTarget.value)}
        />
      </label>
      <label>
        {wording.controls.keysThatMove}
        <input
          value={control.keys}
          placeholder={control.kind === "slider" ? "J K" : "J"}
          onChange={(e) => void set({ keys: e.currentTarget.value.toUpperCase().trim() })}
        />
      </label>
      <Wrong says={wrong.value} />
      <div class="buttons">
        <button onClick={close}>{wording.controls.done}</button>
        <button
          class="danger"
          onClick={() => {
            close();
            void setControls(controls.value.filter((_, i) => i !== at));
          }}
        >
          {wording.controls.remove}
        </button>
      </div>
    </div>
  );
}

/** Keys of controls come before those of the studio. */
function listenToControlKeys(): () => void {
  const find = (event: KeyboardEvent): [Control, number] | null => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    const isRange = event.target instanceof HTMLInputElement && event.target.type === "range";
    if ((isTyping && !isRange) || store.dialog.value || event.ctrlKey || event.metaKey || event.altKey)
      return null;
    const key = event.key.toUpperCase();
    for (const control of controls.value) {
      const at = control.keys.split(" ").indexOf(key);
      if (at >= 0 && !Number.isNaN(numberOf(control))) return [control, at];
    }
    return null;
  };
  const down = (event: KeyboardEvent): void => {
    const found = find(event);
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    const [control, at] = found;
    if (control.kind === "slider") {
      const step = ((control.high - control.low) / BY_KEY) * (at === 0 ? -1 : 1);
      const [low, high] = [Math.min(control.low, control.high), Math.max(control.low, control.high)];
      steer(control, Math.min(high, Math.max(low, numberOf(control) + step)), true);
    } else if (!event.repeat) {
      if (control.kind === "switch") flip(control);
      else steer(control, control.high, false);
    }
  };
  const up = (event: KeyboardEvent): void => {
    const [control] = find(event) ?? [];
    if (control?.kind === "button") steer(control, control.low, true);
  };
  addEventListener("keydown", down, true);
  addEventListener("keyup", up, true);
  return () => {
    removeEventListener("keydown", down, true);
    removeEventListener("keyup", up, true);
  };
}
