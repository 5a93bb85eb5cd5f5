// Fields for numbers that no type describes: one number, and several in a row.
import { numbersIn } from "../state/values";
import type { Parameter } from "../wire/protocol";
import { Field } from "./Field";

interface Given<Shown, Typed> {
  name: string;
  unit?: string;
  value: Shown;
  give: (value: Typed) => unknown; // what is wrong with it is said elsewhere
}

const parameter = (name: string, sort: Parameter["sort"], unit = ""): Parameter => ({
  name,
  sort,
  default: [],
  unit,
  choices: [],
});

export function NumberField({ name, unit, value, give }: Given<number, number>) {
  const commit = async (typed: unknown): Promise<string> => {
    await give(Number(typed));
    return "";
  };
  return <Field parameter={parameter(name, "number", unit)} value={value} commit={commit} />;
}

export function NumbersField({ name, unit, value, give }: Given<readonly number[], number[]>) {
  const commit = async (typed: unknown): Promise<string> => {
    await give(numbersIn(typed));
    return "";
  };
  return <Field parameter={parameter(name, "vector", unit)} value={[...value]} commit={commit} />;
}
