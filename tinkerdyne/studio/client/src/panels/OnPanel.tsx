// Which parameters of an item are on the control panel: a chip puts one there, or takes it away.
import { controlFor, controls, setControls } from "../state/display";
import { say } from "../state/store";
import type { ItemInfo, Parameter } from "../wire/protocol";
import { wording } from "../wording/spoken";

export function OnPanel({ item, parameters }: { item: ItemInfo; parameters: readonly Parameter[] }) {
  const rows = [
    ...parameters.map((p) => ({ name: p.name, isSize: p.sort === "size" })),
    ...("is_on" in item.values ? [{ name: "is_on", isSize: false }] : []),
  ];
  const found = rows.flatMap(({ name, isSize }) => {
    const made = controlFor(item.name, name, item.values[name], isSize);
    return made ? [made] : [];
  });
  if (!found.length) return null;
  const isOn = (parameter: string): boolean =>
    controls.value.some((c) => c.name === item.name && c.parameter === parameter);
  const toggle = async (control: (typeof found)[number]): Promise<void> => {
    const { name, parameter } = control;
    const others = controls.value.filter((c) => c.name !== name || c.parameter !== parameter);
    const wrong = await setControls(isOn(parameter) ? others : [...others, control]);
    if (wrong) say(wrong, "error");
  };
  return (
    <>
      <h3>{wording.controls.onTheControlPanel}</h3>
      <p>
        {found.map((control) => (
          <button
            key={control.parameter}
            class="chip"
            aria-pressed={isOn(control.parameter)}
            onClick={() => void toggle(control)}
          >
            {control.parameter === "is_on" ? wording.controls.isOn : control.parameter.replaceAll("_", " ")}
          </button>
        ))}
      </p>
    </>
  );
}
