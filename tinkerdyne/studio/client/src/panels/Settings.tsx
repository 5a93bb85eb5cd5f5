// The settings of a world: those of every day, and the rest in a part that opens.
import { applyEdit } from "../state/session";
import { model } from "../state/store";
import { type Parameter, SETTING_CHOICES } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { Field } from "./Field";
import { Modal } from "./Modal";

const USUAL: readonly string[] = ["method", "max_step", "order", "tolerance"];
const UNITS: Readonly<Record<string, string>> = { max_step: "s", error: "m" };

export function Settings() {
  const settings = model.value?.settings ?? {};
  const others = Object.keys(settings).filter((name) => !USUAL.includes(name));
  return (
    <Modal title={wording.dialogs.settingsOfTheWorld}>
      <div class="settings">
        {USUAL.filter((name) => name in settings).map((name) => (
          <Setting key={name} name={name} value={settings[name]} />
        ))}
        <details>
          <summary>{wording.settings.more}</summary>
          {others.map((name) => (
            <Setting key={name} name={name} value={settings[name]} />
          ))}
        </details>
      </div>
    </Modal>
  );
}

function Setting({ name, value }: { name: string; value: unknown }) {
  const choices: readonly string[] = Object.entries(SETTING_CHOICES).find(([of]) => of === name)?.[1] ?? [];
  const parameter: Parameter = {
    name,
    sort: choices.length ? "choice" : "number",
    default: value,
    unit: UNITS[name] ?? "",
    choices: [...choices],
  };
  const isNumber = typeof value === "number";
  const says = Object.entries(wording.settings.says).find(([of]) => of === name)?.[1];
  return (
    <div class="setting">
      <Field
        parameter={parameter}
        value={isNumber && choices.length ? String(value) : value}
        commit={(given) =>
          applyEdit({ edit: "Configure", setting: name, value: isNumber ? Number(given) : given })
        }
      />
      {says ? <p class="muted">{says}</p> : null}
    </div>
  );
}
