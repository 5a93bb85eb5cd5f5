// A new curve: typed equations with a live picture and live faults, or one of the library.
import { useSignal } from "@preact/signals";
import { compiled, unknownNames } from "../../media/formula";
import { parsed } from "../../state/numbers";
import { act, ask, report } from "../../state/session";
import * as store from "../../state/store";
import { rowsIn } from "../../state/values";
import { showNew } from "../../tools/loading";
import { view } from "../../view/current";
import type { Fault as FaultFound } from "../../wire/protocol";
import { close, FormEnd, Modal } from "../Dialogs";
import { Fault, useFaults } from "./Fault";

interface Form {
  title: string;
  texts: readonly string[];
  values: Readonly<Record<string, string>>;
  spans: readonly string[];
}

const form = (
  title: string,
  texts: readonly string[],
  values: Readonly<Record<string, string>>,
  spans: readonly string[] = ["0", "2*pi"],
): Form => ({ title, texts, values, spans });

const ELLIPSE = form("Ellipse", ["cx + a*cos(u)", "cy + b*sin(u)", ""], {
  cx: "0",
  cy: "0",
  a: "1",
  b: "0.6",
});
const TYPED: Readonly<Record<string, Form>> = {
  ellipse: ELLIPSE,
  superellipse: form(
    "Superellipse",
    ["cx + a*sign(cos(u))*(abs(cos(u)) + 1e-9)^p", "cy + b*sign(sin(u))*(abs(sin(u)) + 1e-9)^p", ""],
    { cx: "0", cy: "0", a: "1.2", b: "0.8", p: "0.6" },
  ),
  wave: form("Wave", ["u + x0", "y0 + h*sin(k*u)", ""], { x0: "-1.5", y0: "0", h: "0.4", k: "4" }, [
    "0",
    "3",
  ]),
  rose: form("Rose", ["cx + r*(1 + d*cos(5*u))*cos(u)", "cy + r*(1 + d*cos(5*u))*sin(u)", ""], {
    cx: "0",
    cy: "0",
    r: "1",
    d: "0.3",
  }),
  helix: form("Helix (space)", ["r*cos(u)", "r*sin(u)", "z0 + h*u"], { r: "0.6", z0: "0.2", h: "0.1" }, [
    "0",
    "6*pi",
  ]),
};
const SURFACE = form(
  "Surface",
  ["r*cos(u)*cos(v)", "r*sin(u)*cos(v)", "z0 + h*sin(v)"],
  { r: "0.8", h: "0.8", z0: "1" },
  ["0", "2*pi", "-1.5", "1.5"],
);
const LIBRARY: readonly (readonly [string, string])[] = [
  ["line", "Line"],
  ["circle", "Circle"],
  ["arc", "Arc"],
  ["ellipse", "Ellipse"],
  ["bezier", "Bézier"],
  ["bspline", "B-spline"],
  ["superellipse", "Superquadric"],
  ["spiral", "Spiral"],
  ["rectangle", "Rectangle"],
];

const ROOM = 1.3; // m: from what is there to the middle of a new curve, whose radius is 1 m

export function NewCurve() {
  const isSurface = useSignal(false);
  const texts = useSignal(ELLIPSE.texts);
  const values = useSignal(ELLIPSE.values);
  const spans = useSignal(ELLIPSE.spans);
  const wrong = useSignal("");
  const letters = isSurface.value ? ["u", "v"] : ["u"];
  const used = texts.value.filter((t) => t.trim());
  const wanted = [...new Set(used.flatMap((t) => unknownNames(t, letters)))];
  const isReadable = used.every((t) => compiled(t) !== null);
  const shownNames = isReadable ? wanted : Object.keys(values.value); // while a formula is half typed, its numbers stay
  const numbers = Object.fromEntries(shownNames.map((n) => [n, parsed(values.value[n] ?? "1") ?? 1]));
  const faults = useFaults({
    what: isSurface.value ? "surface" : "curve",
    texts: used,
    numbers,
    spans: [...spans.value],
  });
  const faultOf = (field: number): FaultFound | undefined => faults.value.find((f) => f.field === field);
  const fill = (form: Form, surface: boolean): void => {
    isSurface.value = surface;
    texts.value = form.texts;
    values.value = form.values;
    spans.value = form.spans;
  };
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    wrong.value = "";
    const common = { text: used, names: shownNames, numbers: shownNames.map((n) => numbers[n] ?? 1) };
    const span = (i: number): string[] => spans.value.slice(i, i + 2);
    try {
      const [made] = await ask(
        isSurface.value
          ? { do: "insert", of: "typed_surface", values: { ...common, u_span: span(0), v_span: span(2) } }
          : { do: "insert", of: "typed_curve", values: { ...common, span: span(0) } },
      );
      close();
      if (made) store.select(made);
      store.say(`${made ?? "the curve"} is there: pull it anywhere`);
      if (made) await showNew(made);
    } catch (reason) {
      wrong.value = reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason);
    }
  };
  return (
    <Modal title="New curve" isWide>
      <Order />
      <div class="curve-library" role="group" aria-label="Curves of the library">
        {LIBRARY.map(([of, title]) => (
          <button key={of} onClick={() => void insertLibrary(of).catch(report)}>
            {title}
          </button>
        ))}
      </div>
      <form class="curve-form" onSubmit={(e) => void add(e)}>
        <div class="curve-fields">
          <label class="setting">
            <span>Begin with</span>
            <select
              aria-label="Begin with"
              onChange={(e) => {
                const key = e.currentTarget.value;
                if (key === "surface") fill(SURFACE, true);
                else fill(TYPED[key] ?? ELLIPSE, false);
              }}
            >
              {Object.entries(TYPED).map(([key, form]) => (
                <option key={key} value={key}>
                  {form.title}
                </option>
              ))}
              <option value="surface">Surface (space)</option>
            </select>
          </label>
          {["x", "y", "z"].map((name, i) => (
            <div key={name}>
              <label class="formula">
                <span>
                  {name}({letters.join(", ")}) =
                </span>
                <input
                  aria-label={`${name} of the curve`}
                  spellcheck={false}
                  autocomplete="off"
                  placeholder={i === 2 ? "nothing: the curve lies in the plane" : ""}
                  autofocus={i === 0}
                  value={texts.value[i] ?? ""}
                  onInput={(e) =>
                    (texts.value = texts.value.map((t, k) => (k === i ? e.currentTarget.value : t)))
                  }
                />
              </label>
              <Fault
                fault={texts.value[i]?.trim() ? faultOf(indexOf(texts.value, i)) : undefined}
                text={texts.value[i] ?? ""}
              />
            </div>
          ))}
          {letters.map((letter, k) => (
            <div key={letter}>
              <div class="formula">
                <span>{letter} from</span>
                <input
                  aria-label={`${letter} from`}
                  value={spans.value[2 * k] ?? ""}
                  onInput={(e) =>
                    (spans.value = spans.value.map((t, j) => (j === 2 * k ? e.currentTarget.value : t)))
                  }
                />
                <span class="to">to</span>
                <input
                  aria-label={`${letter} to`}
                  value={spans.value[2 * k + 1] ?? ""}
                  onInput={(e) =>
                    (spans.value = spans.value.map((t, j) => (j === 2 * k + 1 ? e.currentTarget.value : t)))
                  }
                />
              </div>
              <Fault
                fault={faultOf(-2 - 2 * k) ?? faultOf(-3 - 2 * k)}
                text={spans.value[faultOf(-2 - 2 * k) ? 2 * k : 2 * k + 1] ?? ""}
              />
            </div>
          ))}
          <Fault fault={faultOf(-1)} text="" />
        </div>
        <div class="curve-side">
          <Preview texts={used} numbers={numbers} spans={spans.value} isSurface={isSurface.value} />
          <h3>Numbers that may change</h3>
          <div class="curve-numbers">
            {shownNames.map((name) => (
              <label key={name}>
                <span>{name}</span>
                <input
                  class="number"
                  inputMode="decimal"
                  aria-label={`start of ${name}`}
                  value={values.value[name] ?? "1"}
                  onInput={(e) => (values.value = { ...values.value, [name]: e.currentTarget.value })}
                />
              </label>
            ))}
            {shownNames.length ? null : (
              <p class="muted">Every name in the formulas, such as a, becomes one.</p>
            )}
          </div>
        </div>
        <FormEnd word="Make it" error={wrong.value} isDisabled={faults.value.length > 0 || used.length < 2} />
      </form>
    </Modal>
  );
}

/** The place of a text among those that are not empty, which are sent. */
function indexOf(texts: readonly string[], i: number): number {
  return texts.slice(0, i).filter((t) => t.trim()).length;
}

/** Curves are at home in first-order worlds. */
export function Order() {
  if (store.model.value?.settings["order"] === 1) return null;
  return (
    <p class="note">
      In this world things have mass and swing. Curves, models and fits are at home where motion ends with the
      force.{" "}
      <button onClick={() => void act({ do: "new", dimension: 2, order: 1 })}>
        New world of curves and models
      </button>
    </p>
  );
}

/** Put a curve of the library into the middle of the view, or beside what is there. */
export async function insertLibrary(of: string): Promise<void> {
  const type = store.types.value.get(of);
  const [cx, cy] = view.stage?.camera.target.toArray() ?? [0, 0];
  const taken = [...(view.stage?.figures.values() ?? [])].map((f) => f.box()).filter((b) => !b.isEmpty());
  // Beside those that are there, so that each can be grabbed.
  const right = Math.max(...taken.map((b) => b.max.x)) + ROOM;
  const [x, y] = [taken.length && Number.isFinite(right) ? right : (cx ?? 0), cy ?? 0].map((v) =>
    Number(v.toPrecision(4)),
  );
  const start: Record<string, unknown> = {};
  if (type?.state.some((p) => p.name === "position")) start["position"] = [x, y];
  const points = type?.state.find((p) => p.name === "points")?.default;
  if (points) start["points"] = rowsIn(points).map(([a = 0, b = 0]) => [a + (x ?? 0) - 0.5, b + (y ?? 0)]);
  const [made] = await ask({ do: "insert", of, values: start });
  if (made) await showNew(made); // first, so that the next one knows where this one lies
  close();
  if (made) store.select(made);
}

/** The curve as it would be. */
function Preview({
  texts,
  numbers,
  spans,
  isSurface,
}: {
  texts: readonly string[];
  numbers: Readonly<Record<string, number>>;
  spans: readonly string[];
  isSurface: boolean;
}) {
  const places = previewed(texts, numbers, spans, isSurface);
  const flat = places.flat();
  if (!flat.length) return <div class="curve-preview muted">no picture yet</div>;
  const [left, right] = [Math.min(...flat.map((p) => p[0])), Math.max(...flat.map((p) => p[0]))];
  const [low, high] = [Math.min(...flat.map((p) => p[1])), Math.max(...flat.map((p) => p[1]))];
  const size = Math.max(right - left, high - low, 1e-9);
  const [cx, cy] = [(left + right) / 2, (low + high) / 2];
  const d = places
    .map((line) =>
      line
        .map(([x, y], i) => `${i ? "L" : "M"}${(100 * (x - cx)) / size} ${(-100 * (y - cy)) / size}`)
        .join(""),
    )
    .join("");
  const [begin, end] = [flat[0], flat.at(-1)];
  const isClosed =
    !isSurface && begin && end && Math.hypot(begin[0] - end[0], begin[1] - end[1]) < 1e-6 * size;
  return (
    <figure class="curve-preview">
      <svg viewBox="-60 -60 120 120" role="img" aria-label="The curve as it would be">
        <path d={d} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
      </svg>
      <figcaption>{isSurface ? "a surface" : isClosed ? "closed: its ends meet" : "open"}</figcaption>
    </figure>
  );
}

function previewed(
  texts: readonly string[],
  numbers: Readonly<Record<string, number>>,
  spans: readonly string[],
  isSurface: boolean,
): [number, number][][] {
  const [fx, fy, fz] = texts.map(compiled);
  const ends = spans.map((s) => compiled(s)?.({}) ?? NaN);
  if (!fx || !fy || texts.length < 2 || !ends.every(Number.isFinite)) return [];
  const [low = 0, high = 1, from = 0, to = 1] = ends;
  const at = (u: number, v: number): [number, number] => {
    const n = { ...numbers, u, v };
    const [x, y, z] = [fx(n), fy(n), fz?.(n) ?? 0];
    return fz ? [x - 0.5 * y, z + 0.3 * x + 0.4 * y] : [x, y]; // from the front, a little above
  };
  const steps = (n: number): number[] => Array.from({ length: n + 1 }, (_, i) => i / n);
  const lines = isSurface
    ? [
        ...steps(8).map((t) => steps(32).map((s) => at(low + s * (high - low), from + t * (to - from)))),
        ...steps(8).map((s) => steps(32).map((t) => at(low + s * (high - low), from + t * (to - from)))),
      ]
    : [steps(160).map((s) => at(low + s * (high - low), 0))];
  return lines.every((line) => line.every((p) => p.every(Number.isFinite))) ? lines : [];
}
