// Motors: which items are motors of which joints, and making them.
import { completed } from "../state/guide";
import { ask } from "../state/session";
import * as store from "../state/store";
import { axis } from "../state/store";
import { numbersIn, textsIn } from "../state/values";
import { directionOf, numbersOf } from "../view/axis";
import { bodiesOf } from "../view/places";
import type { ItemInfo } from "../wire/protocol";

const USUAL = "3"; // rad/s, m/s

/** What a motor does to a joint. */
export interface MotorInfo {
  joint: string;
  isSliding: boolean;
  isSpeed: boolean;
  text: string; // the speed, or the place as a function of t
  limit: number | null; // N m or N
}

/** The joint of which an item measures a coordinate. */
function jointOf(name: string): ItemInfo | undefined {
  const measure = store.items.value.get(name);
  if (measure?.family !== "connector" || store.typeOf(measure)?.supplies !== "scalar") return undefined;
  const frames = measure.inputs.slice(0, 2).join();
  return store.model.value?.items.find(
    (item) => store.typeOf(item)?.is_joint && item.inputs.slice(0, 2).join() === frames,
  );
}

/** What an item does as a motor; null of what is none. */
export function motorOf(item: ItemInfo): MotorInfo | null {
  if (item.family !== "constraint" && item.family !== "behavior") return null;
  const [measure = "", wish = ""] = item.inputs;
  const joint = jointOf(measure);
  if (!joint) return null;
  const { values } = item;
  const text = textsIn(values["text"])[0] ?? textsIn(store.items.value.get(wish)?.values["text"])[0];
  const [speed] = numbersIn(values["speed"] ?? (store.typeOf(item)?.glyph === "wheel" ? values["at"] : null));
  if (text === undefined && speed === undefined) return null;
  const [limit = null] = numbersIn(values["limit"]);
  return {
    joint: joint.name,
    isSliding: store.typeOf(joint)?.axis === "sliding",
    isSpeed: text === undefined,
    text: text ?? String(speed),
    limit,
  };
}

/** The unit of a parameter: what its type says, and of a motor's speed what its joint moves by. */
export function unitOfParameter(item: ItemInfo | undefined, name: string): string {
  const stated = store.typeOf(item)?.parameters.find((p) => p.name === name)?.unit ?? "";
  if (stated || !item || !["at", "speed"].includes(name)) return stated;
  const motor = motorOf(item);
  return motor?.isSpeed ? (motor.isSliding ? "m/s" : "rad/s") : "";
}

/** The motors of a joint or nail; null of what can have none. */
export function motorsAt(item: ItemInfo): string[] | null {
  const type = store.typeOf(item);
  const isTurned = type?.role === "nail" || type?.role === "connection";
  if (!isTurned && !(type?.is_joint && type.coordinates.length)) return null;
  if (isTurned && !bodiesOf(item).some((name) => store.items.value.get(name)?.shape?.kind !== "point"))
    return null;
  return (store.model.value?.items ?? [])
    .filter((one) => motorOf(one)?.joint === item.name)
    .map((one) => one.name);
}

/** Make a joint or nail a motor, or a motor another one; answers what is wrong with that. */
export async function motorise(item: ItemInfo | null, info?: MotorInfo, replaces = ""): Promise<string> {
  const joint = info?.joint ?? item?.name ?? "";
  const [body = ""] = item ? bodiesOf(item) : [];
  const along = store.dimension.value === 3 ? numbersOf(directionOf(axis.value, "turning", body)) : [];
  try {
    const [made = ""] = await ask({
      do: "motor",
      joint,
      text: info?.text ?? USUAL,
      is_speed: info?.isSpeed ?? true,
      limit: info?.limit ?? null,
      replaces,
      axis: along.map((x) => (store.dimension.value === 3 ? towards(x, along) : x)),
    });
    if (made) store.select(made);
    completed("motor");
    return "";
  } catch (reason) {
    const words = reason instanceof Error ? reason.message : String(reason);
    if (!info) store.say(words, "error");
    return words;
  }
}

/** An axis points to the viewer's side of its line, so that "to the left" is what is seen. */
function towards(x: number, along: readonly number[]): number {
  const ahead = directionOf("view", "turning", "").toArray();
  const isAway = ahead.reduce((sum, a, k) => sum + a * (along[k] ?? 0), 0) > 0;
  return isAway ? -x : x;
}

/** The joint or nail that is selected, or the one of the selected part that can be driven and is not yet. */
export function drivable(): ItemInfo | null {
  for (const name of store.selected.value) {
    const item = store.items.value.get(name);
    if (!item) continue;
    if (motorsAt(item)?.length === 0) return item;
    const [only, ...more] = (store.model.value?.items ?? []).filter(
      (one) => motorsAt(one)?.length === 0 && item.family === "object" && bodiesOf(one).includes(name),
    );
    if (only && !more.length) return only;
    if (only) return more.concat(only).find((one) => bodiesOf(one).length === 1) ?? only;
  }
  return null;
}
