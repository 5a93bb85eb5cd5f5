// What there is for making things: the form of formulas, and what is done with several parts at once.

import { arranging, type Way } from "../state/arranging";
import type { FormulaKind } from "../state/formula";
import { isSnapping } from "../state/making";
import { say } from "../state/store";
import { wording } from "../wording/spoken";
import { type Action, opens } from "./action";
import { openFormula } from "./formula";
import { group, ungroup } from "./grouping";
import { startLasso } from "./lasso";
import { startMeasuring } from "./measure";
import { has } from "./operations";

const FORMULAS: readonly (readonly [FormulaKind, string, string])[] = [
  ["constraint", wording.actions.formulaByHand, 'world.add(equation("norm(a - b) - 2*r", a=a, b=b, r=1))'],
  [
    "condition",
    wording.actions.conditionByAFormula,
    'world.add(at_least(formula("norm(a - b) - 1", a=a, b=b)))',
  ],
  [
    "energy",
    wording.actions.energyByAFormula,
    'world.add(formula_energy("k*norm(a - b)^2/2", a=a, b=b, k=10))',
  ],
  ["force", wording.actions.forceByAFormula, 'world.add(formula_force(a, "-c*a_dot.x", "0", "0", a=a, c=2))'],
  ["measure", wording.actions.measureByAFormula, 'world.add(formula("norm(a - b)", a=a, b=b))'],
  ["path", wording.actions.pathByAFormula, 'world.add(follow(part.end2, "cos(t)", "sin(t)", "0"))'],
];

const INSERT: readonly Action[] = [
  {
    id: "insert-panel",
    title: wording.actions.insertAnything,
    menu: "Insert",
    group: "",
    keys: "I",
    run: opens("insert"),
  },
  {
    id: "grid-snap",
    title: wording.actions.snapToGridAndWholeAngles,
    menu: "Edit",
    keys: "#",
    run: () => {
      isSnapping.value = !isSnapping.value;
      say(isSnapping.value ? wording.actions.snapsToGrid : wording.actions.nothingSnapsToTheGrid);
    },
    isOn: () => isSnapping.value,
  },
];

/** Something that is done with what is selected, in the form of arranging. */
const arrange = (way: Way, title: string, keys = ""): Action => ({
  id: `arrange-${way}`,
  title,
  menu: "Edit",
  group: "Arrange",
  ...(keys ? { keys } : {}),
  run: () => {
    if (has()) arranging.value = way;
    else say(wording.actions.selectWhatShallBeArrangedFirst);
  },
  isPossible: has,
});

const ARRANGE: readonly Action[] = [
  arrange("line", wording.actions.copiesAlongALine, "Shift+A"),
  arrange("circle", wording.actions.copiesRoundACircle),
  arrange("mirror", wording.actions.mirrorImage, "Shift+M"),
  arrange("align", wording.actions.alignEntry, "Shift+E"),
  arrange("move", wording.actions.moveAndTurnByNumbers, "Shift+V"),
  {
    id: "group",
    title: wording.actions.group,
    menu: "Edit",
    group: "Arrange",
    keys: "Ctrl+G",
    python: "world.add(middle(a.centre, b.centre))",
    run: () => void group(),
    isPossible: has,
  },
  {
    id: "ungroup",
    title: wording.actions.ungroup,
    menu: "Edit",
    group: "Arrange",
    keys: "Ctrl+Shift+G",
    run: () => void ungroup(),
    isPossible: has,
  },
  { id: "lasso", title: wording.actions.selectByARectangle, menu: "Edit", keys: "B", run: startLasso },
  {
    id: "measure",
    title: wording.actions.measureADistance,
    menu: "Insert",
    group: "By hand",
    keys: "D",
    python: "world.add(distance_between(a.end1, b.end2))",
    run: startMeasuring,
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

export const MAKING: readonly Action[] = [...INSERT, ...BY_HAND, ...ARRANGE];
