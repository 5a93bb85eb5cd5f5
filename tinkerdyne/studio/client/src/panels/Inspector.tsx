// The inspector: what is selected, its parameters with units, its state now, its forces, and what to do with it.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Matrix4, Quaternion } from "three";
import { isCurve } from "../media/curves";
import { short } from "../state/numbers";
import { act, applyEdit, ask, change } from "../state/session";
import type { Spot } from "../state/spot";
import * as store from "../state/store";
import { numbersIn } from "../state/values";
import { action } from "../tools/actions";
import { nail } from "../tools/nail";
import { isPicking, take } from "../tools/pick";
import { axisNow, CHOICES, choices, directionOf, numbersOf, preview } from "../view/axis";
import { bodiesOf, coordinates, placeOf, poseOf, spotsOf } from "../view/places";
import type { ItemInfo, Parameter } from "../wire/protocol";
import { Field } from "./Field";
import { Icon } from "./Icon";
import { Numbers } from "./media/Numbers";
import { OF_WORLD, pin, quantities } from "./quantities";

const HIDDEN = new Set(["is_fixed", "is_on"]);

export function Inspector() {
  const chosen = store.selected.value.map((n) => store.items.value.get(n)).filter((i) => i !== undefined);
  const [item] = chosen;
  return (
    <section class="panel inspector" aria-label="Inspector" data-panel>
      <h2>Inspector</h2>
      {!item ? (
        <Nothing />
      ) : chosen.length > 1 ? (
        <Many chosen={chosen} />
      ) : (
        <One key={item.name} item={item} />
      )}
    </section>
  );
}

function Nothing() {
  return (
    <div class="empty">
      <p>Click a part to see and change it.</p>
      <p>
        Drag a part to pull it, <kbd>Shift</kbd> holds it hard. Drag the background to look around.
      </p>
      <h3>Plot of the whole world</h3>
      <p>
        {OF_WORLD.map((q) => (
          <button key={q} class="chip" aria-pressed={store.watched.value.includes(q)} onClick={() => pin(q)}>
            <Icon name="pin" /> {q.replace("_", " ")}
          </button>
        ))}
      </p>
    </div>
  );
}

function Many({ chosen }: { chosen: readonly ItemInfo[] }) {
  return (
    <>
      <p class="lead">{chosen.length} selected</p>
      <ul class="names">
        {chosen.map((i) => (
          <li key={i.name}>
            <button class="chip" onClick={() => store.select(i.name)}>
              {i.name}
            </button>
          </li>
        ))}
      </ul>
      <Buttons of={["copy", "Copy"]} />
    </>
  );
}

/** What can be done with what is selected; `of` is one more action, with its word. */
function Buttons({ of: [id, word] }: { of: readonly [string, string] }) {
  return (
    <div class="buttons">
      <button onClick={action("duplicate").run}>Duplicate</button>
      <button onClick={action(id).run}>{word}</button>
      <button class="danger" onClick={action("delete").run}>
        Delete
      </button>
    </div>
  );
}

function One({ item }: { item: ItemInfo }) {
  const type = store.typeOf(item);
  const parameters = (type?.parameters ?? []).filter((p) => !HIDDEN.has(p.name) && p.name in item.values);
  const extra =
    item.family === "constraint" && "tau" in item.values && !parameters.some((p) => p.name === "tau");
  return (
    <>
      <Name item={item} />
      <p class="kind-line">
        {type?.title ?? item.of}
        {item.is_on ? "" : " · switched off"}
      </p>
      <Conflict item={item} />
      {type?.doc ? <p class="doc">{type.doc}</p> : null}
      {parameters.length || extra ? <h3>Parameters</h3> : null}
      {parameters.map((p) => (
        <Field
          key={p.name}
          parameter={p}
          value={item.values[p.name]}
          commit={(value) => change(item.name, p.name, value)}
        />
      ))}
      {extra ? (
        <Field
          parameter={TAU}
          value={item.values["tau"]}
          commit={(value) => change(item.name, "tau", value)}
        />
      ) : null}
      {item.family === "constraint" && axisNow(item.name) ? <JointAxis item={item} /> : null}
      <State item={item} />
      <Forces item={item} />
      <Inputs item={item} />
      <Places item={item} />
      <Quantities item={item} />
      <div class="switches">
        {"is_fixed" in item.values ? (
          <Switch item={item} name="is_fixed" title="Fixed" isOn={item.is_fixed} />
        ) : null}
        {"is_on" in item.values ? <Switch item={item} name="is_on" title="On" isOn={item.is_on} /> : null}
        {item.family === "object" || type?.supplies === "point" ? <TraceSwitch name={item.name} /> : null}
      </div>
      <Buttons of={["frame", "Show"]} />
    </>
  );
}

const TAU: Parameter = { name: "tau", sort: "size", default: 0.2, unit: "s", choices: [] };

function Name({ item }: { item: ItemInfo }) {
  const error = useSignal("");
  const rename = async (to: string): Promise<void> => {
    if (!to || to === item.name) return;
    error.value = await applyEdit({ edit: "Rename", name: item.name, to });
    if (!error.value) store.select(to);
  };
  return (
    <>
      <input
        class="item-name"
        aria-label="Name"
        value={item.name}
        onChange={(e) => void rename(e.currentTarget.value.trim())}
        onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()}
      />
      {error.value ? (
        <p class="error" role="alert">
          {error.value}
        </p>
      ) : null}
    </>
  );
}

/** The axis of a joint, in the world now; another one is tried by resting on it, and taken by a click. */
function JointAxis({ item }: { item: ItemInfo }) {
  void store.tick.value;
  const error = useSignal("");
  const now = axisNow(item.name);
  const body = bodiesOf(item).find((n) => !store.items.value.get(n)?.is_fixed) ?? "";
  useEffect(() => () => preview(null), []);
  const aim = async (axis: readonly number[]): Promise<string> => {
    const wrong = await ask({ do: "aim", joint: item.name, axis: [...axis] }).then(
      () => "",
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    );
    preview(null);
    error.value = wrong;
    return wrong;
  };
  const shown = (c: store.AxisChoice) => ({
    onPointerEnter: () => preview(now?.place ?? null, directionOf(c, item.of, body)),
    onFocus: () => preview(now?.place ?? null, directionOf(c, item.of, body)),
    onPointerLeave: () => preview(null),
    onBlur: () => preview(null),
  });
  const short = (x: number): number => Number(x.toFixed(4)) + 0;
  return (
    <>
      <h3>Axis</h3>
      <p role="group" aria-label="Axis">
        {choices()
          .filter((c) => c !== "auto" && c !== "typed")
          .map((c) => (
            <button
              key={c}
              class="chip"
              title={`turn the axis: ${CHOICES[c]}`}
              onClick={() => void aim(numbersOf(directionOf(c, item.of, body)))}
              {...shown(c)}
            >
              {CHOICES[c]}
            </button>
          ))}
      </p>
      {now ? (
        <Field
          parameter={AXIS}
          value={now.along.toArray().slice(0, store.dimension.value).map(short)}
          commit={(along) => aim(numbersIn(along))}
        />
      ) : null}
      {error.value ? (
        <p class="error" role="alert">
          {error.value}
        </p>
      ) : null}
    </>
  );
}

const AXIS: Parameter = { name: "along", sort: "unit", default: [0, 0, 1], unit: "", choices: [] };

function Switch({ item, name, title, isOn }: { item: ItemInfo; name: string; title: string; isOn: boolean }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(e) =>
          void change(item.name, name, e.currentTarget.checked).then(
            (wrong) => wrong && store.say(wrong, "error"),
          )
        }
      />
      {title}
    </label>
  );
}

function TraceSwitch({ name }: { name: string }) {
  const isOn = store.traced.value.includes(name);
  const toggle = (): void => {
    store.traced.value = isOn ? store.traced.value.filter((n) => n !== name) : [...store.traced.value, name];
  };
  return (
    <label class="switch">
      <input type="checkbox" checked={isOn} onChange={toggle} />
      Trace
    </label>
  );
}

/** Groups that this item repeats or contradicts. */
function Conflict({ item }: { item: ItemInfo }) {
  const found = (store.status.value?.conflicts ?? []).filter((c) => c.names.includes(item.name));
  return (
    <>
      {found.map((c) => {
        const others = c.names.filter((n) => n !== item.name);
        const words =
          c.kind === "contradictory"
            ? "cannot be met together with"
            : c.kind === "redundant"
              ? "repeats, in part, what is said by"
              : "is not met yet";
        return (
          <div key={c.names.join()} class={`conflict ${c.kind}`} role="note">
            <strong>{c.kind === "redundant" ? "Harmless: " : "⚠ "}</strong>this {words}{" "}
            {others.map((n) => (
              <button key={n} class="chip" onClick={() => store.select(n)}>
                {n}
              </button>
            ))}
            <div>
              <button onClick={() => void act({ do: "delete", names: [item.name] })}>Remove this one</button>
            </div>
          </div>
        );
      })}
    </>
  );
}

/** The state now; a number that is typed moves the object there. */
function State({ item }: { item: ItemInfo }) {
  void store.tick.value;
  const type = store.typeOf(item);
  if (item.family !== "object") return null;
  if (isCurve(item.name)) return <Numbers item={item} />;
  const found = placeOf(item.name);
  const exact = found ? coordinates(found, item.dimension) : null;
  const place = exact?.map(rounded);
  const move =
    (name: string) =>
    (value: unknown): Promise<string> =>
      applyEdit({ edit: "Move", name: item.name, state: [[name, value]], key: 0 });
  const put = (value: unknown): Promise<string> => move("position")(kept(value, place, exact));
  const position = type?.state.find((p) => p.name === "position");
  const orientation = type?.state.find((p) => p.name === "angle" || p.name === "orientation");
  const turned = turnOf(item, orientation?.name ?? "");
  const turn = Array.isArray(turned) ? turned.map(rounded) : rounded(turned);
  return (
    <>
      <h3>Now</h3>
      {place && position ? <Field parameter={position} value={place} commit={put} /> : null}
      {orientation ? (
        <Field
          parameter={orientation}
          value={turn}
          commit={(value) => move(orientation.name)(kept(value, turn, turned))}
        />
      ) : null}
      {position && poseOf(item.name) ? null : <p class="muted">It has no place of its own.</p>}
      <Watched item={item} />
    </>
  );
}

/** The angle of a planar body [rad], or the quaternion (w, x, y, z) of a body in space. */
function turnOf(item: ItemInfo, name: string): number | number[] {
  const turn = new Quaternion().setFromRotationMatrix(poseOf(item.name) ?? new Matrix4());
  return name === "angle" ? 2 * Math.atan2(turn.z, turn.w) : [turn.w, turn.x, turn.y, turn.z];
}

const rounded = (x: number): number => Number(x.toFixed(3));

/** What was typed into one of several fields, and the others as they are, not as they are shown. */
function kept(value: unknown, shown: unknown, exact: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(shown) || !Array.isArray(exact)) return value;
  const others: readonly unknown[] = exact;
  return value.map((x: unknown, k) => (x === shown[k] ? others[k] : x));
}

function Watched({ item }: { item: ItemInfo }) {
  const frame = store.latest.frame;
  const rows = [...(store.tracks.value?.values ?? [])].filter(([name]) => name.startsWith(`${item.name}.`));
  return (
    <>
      {rows.map(([name, track]) => (
        <p key={name} class="reading">
          <span>{name.slice(item.name.length + 1)}</span> <b>{short(frame?.numbers[track.offset] ?? 0)}</b>
        </p>
      ))}
    </>
  );
}

/** Forces of this item, or of all that acts on this object. */
function Forces({ item }: { item: ItemInfo }) {
  void store.tick.value;
  const frame = store.latest.frame;
  const found = (store.tracks.value?.forces ?? []).filter((t) => t.name === item.name || t.of === item.name);
  if (!frame || !found.length) return null;
  return (
    <>
      <h3>Force now</h3>
      <table class="forces">
        <tbody>
          {found.slice(0, 12).map((t) => {
            const [x = 0, y = 0, z = 0, a = 0, b = 0, c = 0] = frame.numbers.subarray(
              t.offset + 3,
              t.offset + 9,
            );
            const torque = Math.hypot(a, b, c);
            return (
              <tr key={`${t.name} ${t.of} ${t.offset}`}>
                <th scope="row">
                  {t.name === item.name
                    ? `on ${t.of || "the world"}`
                    : `of ${t.name.startsWith("grip:") ? "the hand" : t.name}`}
                </th>
                <td>{short(Math.hypot(x, y, z))} N</td>
                <td>{torque > 1e-6 ? `${short(torque)} N m` : ""}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function Inputs({ item }: { item: ItemInfo }) {
  const used = (store.model.value?.items ?? []).filter(
    (i) => i.family !== "connector" && reaches(i, item.name),
  );
  if (!item.inputs.length && !used.length) return null;
  return (
    <>
      <h3>{item.inputs.length ? "Connects" : "Connected by"}</h3>
      <p>
        {(item.inputs.length ? [...item.inputs] : used.map((i) => i.name)).map((n) => (
          <button key={n} class="chip" onClick={() => store.select(n)}>
            {n}
          </button>
        ))}
      </p>
    </>
  );
}

/** The places by which a part is fastened: picked while something is inserted, else nailed where they are. */
function Places({ item }: { item: ItemInfo }) {
  const spots = item.family === "object" ? spotsOf(item.name) : [];
  if (!spots.length) return null;
  const use = (spot: Spot): void => {
    const now = spotsOf(item.name).find((s) => s.input === spot.input) ?? spot;
    if (isPicking()) take(spot.input);
    else void nail(now.input, now.place, item.name);
  };
  return (
    <>
      <h3>Places</h3>
      <p>
        {spots.map((s) => (
          <button
            key={s.input}
            class="chip"
            title={`nail ${s.input} where it is, or pick it for what is being inserted`}
            onClick={() => use(s)}
          >
            {s.input.slice(item.name.length + 1) || s.input}
          </button>
        ))}
      </p>
    </>
  );
}

function reaches(item: ItemInfo, name: string, depth = 0): boolean {
  if (depth > 6) return false;
  return item.inputs.some((n) => {
    const input = store.items.value.get(n);
    return n === name || (input !== undefined && reaches(input, name, depth + 1));
  });
}

function Quantities({ item }: { item: ItemInfo }) {
  const all = quantities(item);
  if (!all.length) return null;
  return (
    <>
      <h3>Plot</h3>
      <p>
        {all.map((q) => (
          <button
            key={q}
            class="chip"
            aria-pressed={store.watched.value.includes(q)}
            title={`plot ${q}`}
            onClick={() => pin(q)}
          >
            <Icon name="pin" /> {q.slice(item.name.length + 1)}
          </button>
        ))}
      </p>
    </>
  );
}
