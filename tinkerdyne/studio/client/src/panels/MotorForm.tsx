// Motors: "make it a motor" at a pin, slider or nail; of a motor its speed or place, its limit and its direction.
import { useSignal } from "@preact/signals";
import { short } from "../state/numbers";
import { select } from "../state/store";
import { shownAs } from "../state/units";
import { type MotorInfo, motorise, motorOf, motorsAt } from "../tools/motors";
import type { ItemInfo } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Select } from "./Select";
import { Wrong } from "./Wrong";

export function Motor({ item }: { item: ItemInfo }) {
  const mine = motorOf(item);
  if (mine) return <Form key={item.name} motor={item.name} info={mine} />;
  const at = motorsAt(item);
  if (!at) return null;
  return (
    <>
      <h3>{wording.inspector.motor}</h3>
      {at.length ? (
        <p>
          {at.map((name) => (
            <button key={name} class="chip" onClick={() => select(name)}>
              {name}
            </button>
          ))}
        </p>
      ) : (
        <button onClick={() => void motorise(item)}>{wording.common.makeItAMotor}</button>
      )}
    </>
  );
}

function Form({ motor, info }: { motor: string; info: MotorInfo }) {
  const wrong = useSignal("");
  const speed = shownAs(info.isSliding ? "m/s" : "rad/s");
  const set = async (change: Partial<MotorInfo>): Promise<void> => {
    wrong.value = await motorise(null, { ...info, ...change }, motor);
  };
  const value = info.isSpeed ? short(speed.factor * Number(info.text)) : info.text;
  const given = (text: string): string => {
    const number = Number(text.replace(",", "."));
    return info.isSpeed && Number.isFinite(number) ? String(number / speed.factor) : text;
  };
  return (
    <>
      <h3>
        {wording.inspector.motorOf} {info.joint}
      </h3>
      <div class="motor-form">
        <label>
          {wording.inspector.drives}
          <Select
            value={info.isSpeed ? "speed" : "place"}
            options={[
              ["speed", wording.inspector.atASpeed],
              ["place", info.isSliding ? wording.inspector.toAPlaceFT : wording.inspector.toAnAngleFT],
            ]}
            choose={(how) =>
              void set(how === "speed" ? { isSpeed: true, text: "3" } : { isSpeed: false, text: "sin(t)" })
            }
          />
        </label>
        <label>
          {info.isSpeed
            ? wording.common.speed
            : info.isSliding
              ? wording.inspector.place
              : wording.inspector.angle}
          <input value={value} onChange={(e) => void set({ text: given(e.currentTarget.value.trim()) })} />
          <span class="unit">{info.isSpeed ? speed.unit : info.isSliding ? "m" : "rad"}</span>
        </label>
        <label>
          {info.isSliding ? wording.inspector.forceAtMost : wording.inspector.torqueAtMost}
          <input
            value={info.limit === null ? "" : String(info.limit)}
            placeholder={wording.inspector.noLimit}
            inputMode="decimal"
            onChange={(e) => {
              const text = e.currentTarget.value.trim().replace(",", ".");
              void set({ limit: text === "" ? null : Number(text) });
            }}
          />
          <span class="unit">{info.isSliding ? "N" : "N m"}</span>
        </label>
        {info.isSpeed ? (
          <button onClick={() => void set({ text: String(-Number(info.text)) })}>
            {wording.inspector.turnOtherWay}
          </button>
        ) : null}
        <Wrong says={wrong.value} />
      </div>
    </>
  );
}
