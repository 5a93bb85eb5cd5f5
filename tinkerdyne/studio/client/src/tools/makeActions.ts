// What there is for making things: the form of formulas, and what is done with several parts at once.
import type { Form } from "../state/formula";
import { isSnapping } from "../state/making";
import { say } from "../state/store";
import { type Action, opens } from "./action";
import { openFormula } from "./formula";

const FORMULAS: readonly (readonly [Form, string, string])[] = [
  ["constraint", "Formula by hand…", 'world.add(equation("norm(a - b) - 2*r", a=a, b=b, r=1))'],
  ["condition", "Condition by a formula…", 'world.add(at_least(formula("norm(a - b) - 1", a=a, b=b)))'],
  ["energy", "Energy by a formula…", 'world.add(formula_energy("k*norm(a - b)^2/2", a=a, b=b, k=10))'],
  ["force", "Force by a formula…", 'world.add(formula_force(a, "-c*a_dot.x", "0", "0", a=a, c=2))'],
  ["measure", "Measure by a formula…", 'world.add(formula("norm(a - b)", a=a, b=b))'],
  ["path", "Path by a formula…", 'world.add(follow(part.end2, "cos(t)", "sin(t)", "0"))'],
];

const INSERT: readonly Action[] = [
  {
    id: "insert-panel",
    title: "Insert anything…",
    menu: "Insert",
    group: "",
    keys: "I",
    run: opens("insert"),
  },
  {
    id: "grid-snap",
    title: "Snap to grid and whole angles",
    menu: "Edit",
    keys: "#",
    run: () => {
      isSnapping.value = !isSnapping.value;
      say(isSnapping.value ? "places snap to the grid, turns to 15°" : "nothing snaps to the grid");
    },
    isOn: () => isSnapping.value,
  },
];

const BY_HAND = FORMULAS.map(
  ([form, title, python], k): Action => ({
    id: `formula-${form}`,
    title,
    menu: "Insert",
    group: "By hand",
    ...(k ? {} : { keys: "Q" }),
    python,
    run: () => openFormula(form),
  }),
);

export const MAKING: readonly Action[] = [...INSERT, ...BY_HAND];
