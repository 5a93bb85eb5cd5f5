// The inspector: what is selected, its parameters with units, its state now, its forces, and what to do with it.

import { useSignal } from "@preact/signals";
import { short } from "../state/numbers";
import { watched } from "../state/plots";
import { OF_WORLD, pin, quantities, spokenOf } from "../state/quantities";
import { act, applyEdit, change } from "../state/session";
import type { Spot } from "../state/spot";
import * as store from "../state/store";
import { keysShown } from "../tools/action";
import { action } from "../tools/actions";
import { unitOfParameter } from "../tools/motors";
import { nail } from "../tools/nail";
import { isPicking, take } from "../tools/pick";
import { axisNow } from "../view/axis";
import { spotsOf } from "../view/places";
import type { ItemInfo, Parameter, Track } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Field } from "./Field";
import { Icon } from "./Icon";
import { State } from "./ItemState";
import { JointAxis } from "./JointAxis";
import { Motor } from "./MotorForm";
import { OnPanel } from "./OnPanel";
import { Said } from "./Said";
import { Wrong } from "./Wrong";

const NOISE = 1e-6; // m: of the torque of a force that has none
const HIDDEN = new Set(["is_fixed", "is_on"]);

export function Inspector() {
  const chosen = store.selected.value.map((n) => store.items.value.get(n)).filter((i) => i !== undefined);
  const [item] = chosen;
  return (
    <section class="panel inspector" aria-label={wording.common.inspector} data-panel>
      <h2>{wording.common.inspector}</h2>
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
      <p>{wording.inspector.clickAPart}</p>
      <p>
        <Said text={wording.inspector.dragHint} Shift={<kbd>{keysShown("Shift")}</kbd>} />
      </p>
      <h3>{wording.inspector.plotOfWorld}</h3>
      <p>
        {OF_WORLD.map((q) => (
          <button key={q} class="chip" aria-pressed={watched.value.includes(q)} onClick={() => pin(q)}>
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
      <p class="lead">{wording.inspector.countSelected({ count: chosen.length })}</p>
      <ul class="names">
        {chosen.map((i) => (
          <li key={i.name}>
            <button class="chip" onClick={() => store.select(i.name)}>
              {i.name}
            </button>
          </li>
        ))}
      </ul>
      <Buttons of={["copy", wording.common.copy]} />
    </>
  );
}

/** What can be done with what is selected; `of` is one more action, with its word. */
function Buttons({ of: [id, word] }: { of: readonly [string, string] }) {
  return (
    <div class="buttons">
      <button onClick={action("duplicate").run}>{wording.common.duplicate}</button>
      <button onClick={action(id).run}>{word}</button>
      <button class="danger" onClick={action("delete").run}>
        {wording.common.delete}
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
        {item.is_on ? "" : wording.inspector.switchedOff}
      </p>
      <Conflict item={item} />
      {type?.doc ? <p class="doc">{type.doc}</p> : null}
      {parameters.length || extra ? <h3>{wording.inspector.parameters}</h3> : null}
      {parameters.map((p) => (
        <Field
          key={p.name}
          parameter={{ ...p, unit: unitOfParameter(item, p.name) }}
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
      <Motor item={item} />
      <OnPanel item={item} parameters={parameters} />
      {item.family === "constraint" && axisNow(item.name) ? <JointAxis item={item} /> : null}
      <State item={item} />
      <Forces item={item} />
      <Inputs item={item} />
      <Places item={item} />
      <Quantities item={item} />
      <div class="switches">
        {"is_fixed" in item.values ? (
          <Switch item={item} name="is_fixed" title={wording.inspector.isFixed} isOn={item.is_fixed} />
        ) : null}
        {"is_on" in item.values ? (
          <Switch item={item} name="is_on" title={wording.common.on} isOn={item.is_on} />
        ) : null}
        {item.family === "object" || type?.supplies === "point" ? <TraceSwitch name={item.name} /> : null}
      </div>
      <Buttons of={["frame", wording.inspector.showIt]} />
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
        aria-label={wording.common.name}
        value={item.name}
        onChange={(e) => void rename(e.currentTarget.value.trim())}
        onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()}
      />
      <Wrong says={error.value} />
    </>
  );
}

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
      {wording.inspector.trace}
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
            ? wording.inspector.cannotBeMetTogetherWith
            : c.kind === "redundant"
              ? wording.inspector.repeatsInPart
              : wording.inspector.isNotMetYet;
        return (
          <div key={c.names.join()} class={`conflict ${c.kind}`} role="note">
            <strong>{c.kind === "redundant" ? wording.inspector.harmless : "⚠ "}</strong>
            {wording.inspector.thisOne} {words}{" "}
            {others.map((n) => (
              <button key={n} class="chip" onClick={() => store.select(n)}>
                {n}
              </button>
            ))}
            <div>
              <button onClick={() => void act({ do: "delete", names: [item.name] })}>
                {wording.inspector.removeThisOne}
              </button>
            </div>
          </div>
        );
      })}
    </>
  );
}

/** Forces of this item, or of all that acts on this object. */
function Forces({ item }: { item: ItemInfo }) {
  void store.tick.value;
  const frame = store.latest.frame;
  const found = (store.tracks.value?.forces ?? []).filter((t) => t.name === item.name || t.of === item.name);
  if (!frame || !found.length) return null;
  // bodies have room for contacts that they do not have now
  const isFelt = (t: Track): boolean =>
    store.roleOf(store.items.value.get(t.name)) !== "contact" ||
    frame.numbers.subarray(t.offset + 3, t.offset + 6).some((x) => x !== 0);
  return (
    <>
      <h3>{wording.inspector.forceNow}</h3>
      <table class="forces">
        <tbody>
          {found
            .filter(isFelt)
            .slice(0, 12)
            .map((t) => {
              const [x = 0, y = 0, z = 0, a = 0, b = 0, c = 0] = frame.numbers.subarray(
                t.offset + 3,
                t.offset + 9,
              );
              const torque = Math.hypot(a, b, c);
              return (
                <tr key={`${t.name} ${t.of} ${t.offset}`}>
                  <th scope="row">
                    {t.name === item.name
                      ? wording.inspector.on({ name: t.of || wording.common.theWorld })
                      : wording.inspector.of({
                          name: t.name.startsWith("grip:") ? wording.inspector.theHand : t.name,
                        })}
                  </th>
                  <td>{short(Math.hypot(x, y, z))} N</td>
                  <td>{torque > NOISE * Math.hypot(x, y, z) ? `${short(torque)} N m` : ""}</td>
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
      <h3>{item.inputs.length ? wording.inspector.connects : wording.inspector.connectedBy}</h3>
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
      <h3>{wording.inspector.places}</h3>
      <p>
        {spots.map((s) => (
          <button
            key={s.input}
            class="chip"
            title={wording.inspector.nailOrPick({ place: s.input })}
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
      <h3>{wording.common.plot}</h3>
      <p>
        {all.map((q) => (
          <button
            key={q}
            class="chip"
            aria-pressed={watched.value.includes(q)}
            title={wording.inspector.plotQuantity({ quantity: q })}
            onClick={() => pin(q)}
          >
            <Icon name="pin" /> {spokenOf(q.slice(item.name.length + 1))}
          </button>
        ))}
      </p>
    </>
  );
}
