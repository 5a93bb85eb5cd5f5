// Arranging what is selected: copies along a line or a circle, a mirror image, aligned sides, moved and turned by numbers.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Vector3 } from "three";
import { arranging, type Way } from "../../state/arranging";
import { parsed } from "../../state/numbers";
import { ask } from "../../state/session";
import { dimension, items, say, selected } from "../../state/store";
import { inUnit, meant, shownAs } from "../../state/units";
import { keysOf } from "../../state/values";
import { type Alignment, align } from "../../tools/align";
import { moveBy } from "../../tools/gizmo";
import { view } from "../../view/current";
import { wording } from "../../wording/spoken";
import { Select } from "../Select";
import { Wrong } from "../Wrong";

const WAYS: Readonly<Record<Way, string>> = {
  line: wording.arrange.line,
  circle: wording.arrange.circle,
  mirror: wording.arrange.mirror,
  align: wording.arrange.align,
  move: wording.arrange.moveTurn,
};
const AXES = [
  ["0", "x"],
  ["1", "y"],
  ["2", "z"],
] as const;
const SIDES: readonly (readonly [Alignment, string])[] = [
  ["low", wording.arrange.lowerSides],
  ["middle", wording.arrange.middles],
  ["high", wording.arrange.upperSides],
  ["spread", wording.arrange.evenSpaces],
];

export function ArrangeForm() {
  const way = arranging.value;
  return way ? <Sheet key={way} way={way} /> : null;
}

function close(): void {
  arranging.value = null;
}

/** The numbers of the form, as they are typed. */
function initial(way: Way): Record<string, string> {
  const box = view.stage?.bounds(selected.value);
  const size = box && !box.isEmpty() ? box.getSize(new Vector3()) : new Vector3(1, 1, 1);
  const wide = Number(inUnit(1.2 * size.x || 1, "m").toPrecision(2));
  return {
    count: way === "circle" ? "6" : "3",
    x: way === "line" ? String(wide) : "0",
    y: "0",
    z: "0",
    angle: way === "circle" ? String(inUnit(2 * Math.PI, "rad")) : "0",
  };
}

function Sheet({ way }: { way: Way }) {
  const form = useRef<HTMLFormElement>(null);
  const texts = useSignal(initial(way));
  const axis = useSignal<"0" | "1" | "2">(way === "mirror" || way === "align" ? "0" : "2");
  const side = useSignal<Alignment>("low");
  const wrong = useSignal("");
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>("input:not([type=radio]), select")?.focus();
    return () => view.stage?.canvas.focus();
  }, []);
  const isPlanar = dimension.value === 2;
  const axes = isPlanar ? AXES.slice(0, 2) : AXES;
  const parts = selected.value.filter((name) => items.value.get(name)?.family === "object");
  const read = (name: string): number => {
    const value = parsed(texts.value[name] ?? "");
    if (value === null)
      throw new Error(wording.arrange.mustBeNumberNot({ name, text: texts.value[name] ?? "" }));
    return value;
  };
  const place = (): number[] =>
    ["x", "y", "z"].slice(0, isPlanar ? 2 : 3).map((name) => meant(read(name), "m"));
  const along = (): number[] =>
    [0, 1, 2].slice(0, isPlanar ? 2 : 3).map((k) => Number(k === Number(axis.value)));
  const run = async (): Promise<void> => {
    const names = [...selected.value];
    const k = Number(axis.value) as 0 | 1 | 2;
    const radians = meant(read("angle"), "rad");
    if (way === "align") wrong.value = await align(k, side.value);
    else if (way === "move") {
      const [x = 0, y = 0, z = 0] = place();
      wrong.value = await moveBy(new Vector3(x, y, z), isPlanar ? 2 : k, radians);
    } else {
      const made =
        way === "line"
          ? await ask({ do: "arrange", how: way, names, count: read("count"), by: place() })
          : way === "circle"
            ? await ask({
                do: "arrange",
                how: way,
                names,
                count: read("count"),
                centre: place(),
                axis: isPlanar ? [] : along(),
                angle: radians,
              })
            : await ask({ do: "arrange", how: way, names, centre: place(), axis: along() });
      say(wording.arrange.moreMade({ count: made.filter((name) => !name.includes(".")).length }));
    }
    if (!wrong.value) close();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    wrong.value = "";
    run().catch((reason: unknown) => {
      wrong.value = reason instanceof Error ? reason.message : String(reason);
    });
  };
  const onKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") close();
  };
  const number = (name: string, word: string, unit: string) => (
    <label key={name}>
      <span>{word}</span>
      <input
        class="number"
        inputMode="decimal"
        aria-label={word}
        value={texts.value[name]}
        onFocus={(e) => e.currentTarget.select()}
        onInput={(e) => (texts.value = { ...texts.value, [name]: e.currentTarget.value })}
      />
      {unit ? <span class="unit">{unit}</span> : null}
    </label>
  );
  const places = (words: string) => (
    <fieldset>
      <legend>{words}</legend>
      {["x", "y", "z"].slice(0, isPlanar ? 2 : 3).map((name) => number(name, name, shownAs("m").unit))}
    </fieldset>
  );
  const chosenAxis = (words: string) => (
    <label>
      <span>{words}</span>
      <Select label={words} value={axis.value} options={axes} choose={(value) => (axis.value = value)} />
    </label>
  );
  return (
    <form
      ref={form}
      class="formula-form arrange-form"
      aria-label={wording.common.arrange}
      onSubmit={submit}
      onKeyDown={onKey}
    >
      <header>
        <h2>
          {wording.common.arrange}{" "}
          {parts.length === 1 ? parts[0] : wording.common.partsCounted({ count: parts.length })}
        </h2>
        <button type="button" class="plain" aria-label={wording.common.close} onClick={close}>
          ✕
        </button>
      </header>
      <div class="segments" role="radiogroup" aria-label={wording.arrange.how}>
        {keysOf(WAYS).map((one) => (
          <label key={one} class="segment">
            <input type="radio" name="way" checked={one === way} onChange={() => (arranging.value = one)} />
            <span>{WAYS[one]}</span>
          </label>
        ))}
      </div>
      <div class="arrange-fields">
        {way === "line" || way === "circle" ? number("count", wording.arrange.howManyWithTheFirst, "") : null}
        {way === "line" ? places(wording.arrange.eachFurtherBy) : null}
        {way === "circle" ? places(wording.arrange.roundThePlace) : null}
        {way === "circle" && !isPlanar ? chosenAxis(wording.arrange.aboutTheAxis) : null}
        {way === "circle" ? number("angle", wording.arrange.overAngle, shownAs("rad").unit) : null}
        {way === "mirror" ? chosenAxis(wording.arrange.acrossTheAxis) : null}
        {way === "mirror" ? places(wording.arrange.mirrorThrough) : null}
        {way === "align" ? chosenAxis(wording.arrange.alongTheAxis) : null}
        {way === "align" ? (
          <label>
            <span>{wording.arrange.lineUp}</span>
            <Select
              label={wording.arrange.lineUp}
              value={side.value}
              options={SIDES}
              choose={(value) => (side.value = value)}
            />
          </label>
        ) : null}
        {way === "move" ? places(wording.arrange.moveBy) : null}
        {way === "move" && !isPlanar ? chosenAxis(wording.arrange.turnAbout) : null}
        {way === "move" ? number("angle", wording.arrange.turnBy, shownAs("rad").unit) : null}
      </div>
      <Wrong says={wrong.value} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={!parts.length}>
          {way === "align" || way === "move" ? wording.arrange.doIt : wording.arrange.makeThem}
        </button>
        <button type="button" onClick={close}>
          {wording.common.cancel}
        </button>
      </div>
    </form>
  );
}
