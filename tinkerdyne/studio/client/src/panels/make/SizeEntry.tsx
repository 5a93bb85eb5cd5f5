// The sizes of what was drawn last, typed in place: a number key opens them.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { sizing } from "../../state/making";
import { parsed } from "../../state/numbers";
import { dialog, items, selected } from "../../state/store";
import { inUnit, meant, shownAs } from "../../state/units";
import { numbersIn } from "../../state/values";
import { resize } from "../../tools/resize";
import { takeKeys } from "../../tools/typing";
import { view } from "../../view/current";
import { wording } from "../../wording/spoken";
import { Wrong } from "../Wrong";

export function SizeEntry() {
  const now = sizing.value;
  const item = now && items.value.get(now.item);
  useLayoutEffect(() => {
    if (!now) return undefined;
    return takeKeys((key) => {
      if (dialog.value || !/^[0-9.]$/.test(key) || sizing.value?.first) return false;
      sizing.value = { ...now, first: key };
      return true;
    });
  }, [now]);
  useEffect(() => {
    if (now && item && selected.value.join() !== now.item) sizing.value = null; // something else came
  }, [selected.value, now]);
  if (!now?.first || !item) return null;
  return <Fields key={now.item} />;
}

function Fields() {
  const form = useRef<HTMLFormElement>(null);
  const wrong = useSignal("");
  const now = sizing.value;
  const item = now && items.value.get(now.item);
  const texts = useSignal<readonly string[]>(
    now?.sizes.map(({ name, part }, k) => {
      const value = numbersIn(item?.values[name])[Math.max(part, 0)];
      return k === 0 ? now.first : String(value === undefined ? "" : inUnit(value, "m"));
    }) ?? [],
  );
  useLayoutEffect(() => {
    const field = form.current?.querySelector("input");
    field?.focus();
    field?.setSelectionRange(99, 99);
    return () => view.stage?.canvas.focus();
  }, []);
  if (!now || !item) return null;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const values = texts.value.map((text) => parsed(text));
    if (values.some((value) => value === null)) {
      wrong.value = wording.making.sizeIsNumber;
      return;
    }
    wrong.value = await resize(
      now,
      values.map((x) => meant(x ?? 0, "m")),
    );
    if (!wrong.value) sizing.value = { ...now, first: "" };
  };
  const onKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") sizing.value = { ...now, first: "" };
  };
  return (
    <form
      ref={form}
      class="size-entry"
      aria-label={wording.making.sizeOf({ name: now.item })}
      onSubmit={(e) => void submit(e)}
      onKeyDown={onKey}
    >
      {now.sizes.map(({ word }, k) => (
        <label key={word}>
          <span>{word}</span>
          <input
            class="number"
            inputMode="decimal"
            value={texts.value[k]}
            onFocus={(e) => k > 0 && e.currentTarget.select()}
            onInput={(e) =>
              (texts.value = texts.value.map((old, i) => (i === k ? e.currentTarget.value : old)))
            }
          />
        </label>
      ))}
      <span class="unit">{shownAs("m").unit}</span>
      <button type="submit" class="primary">
        {wording.making.set}
      </button>
      <Wrong says={wrong.value} />
    </form>
  );
}
