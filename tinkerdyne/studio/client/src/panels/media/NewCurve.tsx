// A new curve: typed equations with a live picture and live faults, or one of the library.
import { useSignal } from "@preact/signals";
import { compiled, unknownNames } from "../../media/formula";
import { parsed } from "../../state/numbers";
import { act, ask, report } from "../../state/session";
import * as store from "../../state/store";
import { rowsIn } from "../../state/values";
import { showNew } from "../../tools/loading";
import { view } from "../../view/current";
import type { Fault as FaultFound, TypeInfo } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { close, FormEnd, Modal } from "../Modal";
import { BeginWith, Equations, Spans, StartNumbers } from "./CurveFields";
import { CurvePreview } from "./CurvePreview";
import { type CurveForm, ELLIPSE, placed } from "./curveForms";
import { Fault, useFaults } from "./Fault";

const ROOM = 1.3; // m: from what is there to the middle of a new curve, whose radius is 1 m

export function NewCurve() {
  const isSurface = useSignal(false);
  const texts = useSignal(ELLIPSE.texts);
  const values = useSignal(ELLIPSE.values);
  const spans = useSignal(ELLIPSE.spans);
  const wrong = useSignal("");
  const letters = isSurface.value ? ["u", "v"] : ["u"];
  const typed = texts.value.filter((t) => t.trim());
  const wanted = [...new Set(typed.flatMap((t) => unknownNames(t, letters)))];
  const isReadable = typed.every((t) => compiled(t) !== null);
  const shownNames = isReadable ? wanted : Object.keys(values.value); // while a formula is half typed, its numbers stay
  const isStill = isReadable && typed.length > 1 && !wanted.length; // nothing may change: a wire, a rail
  const used = isStill ? placed(typed).texts : typed;
  const numbers = isStill
    ? Object.fromEntries(placed(typed).names.map((n) => [n, 0]))
    : Object.fromEntries(shownNames.map((n) => [n, parsed(values.value[n] ?? "1") ?? 1]));
  const faults = useFaults({
    what: isSurface.value ? "surface" : "curve",
    texts: used,
    numbers,
    spans: [...spans.value],
  });
  const faultOf = (field: number): FaultFound | undefined => faults.value.find((f) => f.field === field);
  const fill = (form: CurveForm, surface: boolean): void => {
    isSurface.value = surface;
    texts.value = form.texts;
    values.value = form.values;
    spans.value = form.spans;
  };
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    wrong.value = "";
    const names = Object.keys(numbers);
    const common = { text: used, names, numbers: names.map((n) => numbers[n] ?? 1), is_fixed: isStill };
    const span = (i: number): string[] => spans.value.slice(i, i + 2);
    try {
      const [made] = await ask(
        isSurface.value
          ? {
              do: "insert",
              of: store.typeFor("typed surface"),
              values: { ...common, u_span: span(0), v_span: span(2) },
            }
          : { do: "insert", of: store.typeFor("typed curve"), values: { ...common, span: span(0) } },
      );
      close();
      if (made) store.select(made);
      store.say(wording.media.pullAnywhere({ name: made ?? wording.media.theCurve }));
      if (made) await showNew(made);
    } catch (reason) {
      wrong.value = reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason);
    }
  };
  return (
    <Modal title={wording.media.newCurve} isWide>
      <Order />
      <div class="curve-library" role="group" aria-label={wording.media.curvesOfTheLibrary}>
        {store.firstOf("object").map((type) => (
          <button key={type.name} onClick={() => void insertLibrary(type).catch(report)}>
            {type.word || type.title}
          </button>
        ))}
      </div>
      <form class="curve-form" onSubmit={(e) => void add(e)}>
        <div class="curve-fields">
          <BeginWith fill={fill} />
          <Equations letters={letters} texts={texts} faultOf={faultOf} />
          <Spans letters={letters} spans={spans} faultOf={faultOf} />
          <Fault fault={faultOf(-1)} text="" />
        </div>
        <div class="curve-side">
          <CurvePreview texts={used} numbers={numbers} spans={spans.value} isSurface={isSurface.value} />
          <h3>{wording.media.numbersThatMayChange}</h3>
          <StartNumbers names={shownNames} values={values} />
        </div>
        <FormEnd
          word={wording.common.makeIt}
          error={wrong.value}
          isDisabled={faults.value.length > 0 || used.length < 2}
        />
      </form>
    </Modal>
  );
}

/** Curves are at home in first-order worlds. */
export function Order() {
  if (store.model.value?.settings["order"] === 1) return null;
  return (
    <p class="note">
      {wording.media.curvesAtHome}{" "}
      <button onClick={() => void act({ do: "new", dimension: 2, order: 1 })}>
        {wording.common.newWorldOfCurvesAndModels}
      </button>
    </p>
  );
}

/** Put a curve of the library into the middle of the view, or beside what is there. */
export async function insertLibrary(type: TypeInfo): Promise<void> {
  await view.stage?.caughtUp();
  const [cx, cy] = view.stage?.camera.target.toArray() ?? [0, 0];
  const taken = [...(view.stage?.figures.values() ?? [])].map((f) => f.box()).filter((b) => !b.isEmpty());
  // Beside those that are there, so that each can be grabbed.
  const right = Math.max(...taken.map((b) => b.max.x)) + ROOM;
  const [x, y] = [taken.length && Number.isFinite(right) ? right : (cx ?? 0), cy ?? 0].map((v) =>
    Number(v.toPrecision(4)),
  );
  const start: Record<string, unknown> = {};
  if (type.state.some((p) => p.name === "position")) start["position"] = [x, y];
  const points = type.state.find((p) => p.name === "points")?.default;
  if (points) start["points"] = rowsIn(points).map(([a = 0, b = 0]) => [a + (x ?? 0) - 0.5, b + (y ?? 0)]);
  const [made] = await ask({ do: "insert", of: type.name, values: start });
  if (made) await showNew(made); // first, so that the next one knows where this one lies
  close();
  if (made) store.select(made);
}
