// What is wanted of a body when a flight begins or ends: values, hard, soft or between two, and rooms inside other bodies.
import { act } from "../../state/session";
import { middleOf, sketch, wishOf } from "../../state/sketch";
import { items } from "../../state/store";
import { momentValue, type Wanted } from "../../tools/sketchActions";
import { wording } from "../../wording/spoken";
import { NumbersField } from "../NumberField";
import { Select } from "../Select";
import { PointOf } from "./PointOf";

const UNITS: Readonly<Record<Wanted, string>> = {
  position: "m",
  orientation: "",
  velocity: "m/s",
  spin: "rad/s",
  point: "m",
};
const WIDE = 0.05; // m, m/s or rad/s to both sides, of a value that may lie between two

interface Given {
  body: string;
  f: number;
  when: "start" | "end";
}

type Held = "free" | "soft" | "hard" | "between";

/** A value at the start or end of a flight: free, soft, hard, or between two. */
export function Wish({ body, f, when, kind, isTree }: Given & { kind: Wanted; isTree: boolean }) {
  const wish = wishOf(body, f, when, kind);
  const title = wording.sketch.wanted[kind];
  const named = Object.values(items.value.get(body)?.places ?? {})[0];
  const at = kind === "point" ? [...(wish?.at.length ? wish.at : (named ?? [0, 0, 0]))] : [];
  const ask = (value: readonly number[], isHard: boolean, high: readonly number[] = [], of = at) =>
    act({
      do: "ask-wish",
      body,
      flight: f,
      kind,
      when,
      value: [...value],
      is_hard: isHard,
      high: [...high],
      at: [...of],
    });
  const now: Held = !wish ? "free" : wish.high.length ? "between" : wish.is_hard ? "hard" : "soft";
  const choose = (to: Held): void => {
    const value = wish ? middleOf(wish) : momentValue(body, f, when, kind, at);
    if (to === "free") void ask([], true);
    else if (to === "between")
      void ask(
        value.map((x) => x - WIDE),
        true,
        value.map((x) => x + WIDE),
      );
    else void ask(value, to === "hard");
  };
  const options: [Held, string][] = [
    ["free", wording.sketch.free],
    ["soft", wording.sketch.soft],
    ["hard", wording.sketch.hard],
    ["between", wording.sketch.between],
  ];
  const unit = UNITS[kind];
  return (
    <div class="wish">
      <span>{title}</span>
      <Select
        label={`${wording.sketch[when]({ body })}: ${title}`}
        value={now}
        options={options.filter(
          ([one]) => (one !== "soft" || !isTree) && (one !== "between" || kind !== "orientation"),
        )}
        choose={choose}
      />
      {wish && kind === "point" ? (
        <PointOf
          body={body}
          at={at}
          label={`${wording.sketch[when]({ body })}: ${wording.sketch.point}`}
          hasLowest={false}
          choose={(of) => void ask(momentValue(body, f, when, kind, of), wish.is_hard, [], of)}
        />
      ) : null}
      {wish ? (
        <NumbersField
          name={wish.high.length ? wording.sketch.atLeast : kind}
          unit={unit}
          value={wish.value}
          give={(value) => ask(value, wish.is_hard, wish.high)}
        />
      ) : null}
      {wish?.high.length ? (
        <NumbersField
          name={wording.sketch.atMost}
          unit={unit}
          value={wish.high}
          give={(high) => ask(wish.value, wish.is_hard, high)}
        />
      ) : null}
    </div>
  );
}

/** A body in another at the start or end of a flight. */
export function Inside({ body, f, when }: Given) {
  const wish = wishOf(body, f, when, "inside");
  const told = sketch.value;
  const others = [...(told?.bodies ?? []), ...(told?.still ?? [])].filter((name) => name !== body);
  if (!others.length) return null;
  const ask = (of: string, value: readonly number[] = [], high: readonly number[] = []) =>
    act({ do: "ask-wish", body, flight: f, kind: "inside", when, of, value: [...value], high: [...high] });
  const title = wording.sketch.wanted.inside;
  return (
    <div class="wish">
      <span>{title}</span>
      <Select
        label={`${wording.sketch[when]({ body })}: ${title}`}
        value={wish?.of ?? ""}
        options={[["", wording.sketch.nowhere], ...others.map((name) => [name, name] as const)]}
        choose={(of) => void ask(of)}
      />
      {wish ? (
        <>
          <NumbersField
            name={wording.sketch.atLeast}
            unit="m"
            value={wish.value}
            give={(value) => ask(wish.of, value, wish.high)}
          />
          <NumbersField
            name={wording.sketch.atMost}
            unit="m"
            value={wish.high}
            give={(high) => ask(wish.of, wish.value, high)}
          />
        </>
      ) : null}
    </div>
  );
}
