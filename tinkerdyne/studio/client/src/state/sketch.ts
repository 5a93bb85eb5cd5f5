// The sketch of a motion that the world has, the motion that was found for it, and what of it is in hand.
import { computed, signal } from "@preact/signals";
import type {
  EditFlight,
  MotionPath,
  MotionTold,
  OthersTold,
  PoseSample,
  PoseWish,
  SketchTold,
  SketchTrack,
  SketchWish,
} from "../wire/protocol";
import { ask, report } from "./session";
import { latest, side, status } from "./store";

/** A pose of a sketch: a sample, a new one before sample `sample`, or what is wanted when a flight begins or ends. */
export interface Spot {
  body: string;
  flight: number;
  what: "sample" | "new" | "start" | "end";
  sample: number; // of "sample" and "new"
}

/** Where a body is: metres, and a quaternion w x y z; none where only its place is known. */
export interface Pose {
  place: readonly number[];
  orientation: readonly number[];
}

export const sketch = signal<SketchTold | null>(null); // null: the world has none
export const motion = signal<MotionTold | null>(null); // null: none was found
export const others = signal<OthersTold | null>(null);
export const chosen = signal<Spot | null>(null);
export const held = signal<(Pose & { spot: Spot }) | null>(null); // what the hand moves
export const previewed = signal<number | null>(null); // s of the motion at which the bodies are shown
export const isPreviewing = signal(false);

/** A gesture that was given instead of samples: its rows as they were recorded, or the text of a file. */
export interface Gestured {
  body: string;
  places: readonly (readonly number[])[];
  orientations: readonly (readonly number[])[];
  text: string;
  flights: number; // into which it is cut; 0: as many as it shows
  smooth: number; // samples
  cuts: readonly number[]; // rows at which it is cut, where a person chose them
  heights: readonly number[]; // m, of its rows
}

export const gestured = signal<Gestured | null>(null);
export const leading = signal<{ body: string; places: readonly (readonly number[])[]; pose: Pose } | null>(
  null,
); // what the hand acts now

/** Whether the sketch is in the view. */
export const isSketching = computed(() => side.value === "sketch" && sketch.value !== null);

/** Take what the server tells of a sketch. */
export function takeSketch(message: SketchTold): void {
  sketch.value = message.bodies.length ? message : null;
  if (message.number >= awaited) held.value = null;
  if (!message.bodies.length || (chosen.value && !poseOf(chosen.value))) chosen.value = null;
  if (!message.bodies.length) previewed.value = null;
  problem.value = message.problem;
}

/** Why the sketch cannot be read or solved. */
export const problem = signal("");

export function takeMotion(message: MotionTold): void {
  motion.value = message.paths.length ? message : null;
  const sent = sentAt.get(message.number);
  if (sent !== undefined) shown.value = { number: message.number, sent };
}

export function takeOthers(message: OthersTold): void {
  others.value = message.of ? message : null;
}

// --- what is shown where ---------------------------------------------------------------------------
export function trackOf(body: string, flight: number): SketchTrack | undefined {
  return sketch.value?.flights[flight]?.tracks.find((track) => track.body === body);
}

/** What is wanted of a body when a flight begins or ends. */
export function wishOf(body: string, flight: number, when: "start" | "end", kind: string) {
  const wishes = sketch.value?.flights[flight]?.wishes ?? [];
  return wishes.find((wish) => wish.body === body && wish.when === when && wish.kind === kind);
}

/** The place that is wanted of a body, or else of one of its points. */
export function placeWish(body: string, flight: number, when: "start" | "end"): SketchWish | undefined {
  return wishOf(body, flight, when, "position") ?? wishOf(body, flight, when, "point");
}

/** The value that is wanted, or the middle of those between which it may lie. */
export function middleOf(wish: SketchWish): number[] {
  return wish.value.map((x, k) => (x + (wish.high[k] ?? x)) / 2);
}

/** The pose that a sketch shows or wants; null where it has none such. */
export function poseOf(spot: Spot): Pose | null {
  if (held.value && isSame(held.value.spot, spot)) return held.value;
  if (spot.what === "sample") {
    const track = trackOf(spot.body, spot.flight);
    const place = track?.places[spot.sample];
    const isTurned = !track?.keys.length || track.keys.includes(spot.sample);
    return place ? { place, orientation: (isTurned && track.orientations[spot.sample]) || [] } : null;
  }
  if (spot.what === "new") return null;
  const place = placeWish(spot.body, spot.flight, spot.what);
  const turn =
    place?.kind === "position" ? wishOf(spot.body, spot.flight, spot.what, "orientation") : undefined;
  return place ? { place: middleOf(place), orientation: turn?.value ?? [] } : null;
}

export function isSame(a: Spot | null, b: Spot | null): boolean {
  return a?.body === b?.body && a?.flight === b?.flight && a?.what === b?.what && a?.sample === b?.sample;
}

/** All poses of the sketch, in their order. */
export function spots(): Spot[] {
  const told = sketch.value;
  if (!told) return [];
  return told.flights.flatMap((_, f) =>
    told.bodies.flatMap((body) => {
      const wished = (what: "start" | "end"): Spot[] =>
        placeWish(body, f, what) ? [{ body, flight: f, what, sample: 0 }] : [];
      const count = trackOf(body, f)?.places.length ?? 0;
      const samples = Array.from(
        { length: count },
        (_, sample): Spot => ({ body, flight: f, what: "sample", sample }),
      );
      return [...wished("start"), ...samples, ...wished("end")];
    }),
  );
}

/** How long the motion takes [s]. */
export function secondsOf(found: { grid: readonly number[] } | null): number {
  return found?.grid.at(-1) ?? 0;
}

/** The pose of a body at a time of a motion, between two rows of its path. */
export function poseAt(found: Pick<MotionTold, "grid" | "paths">, body: string, time: number): Pose | null {
  const path = found.paths.find((one) => one.body === body);
  if (!path) return null;
  const last = found.grid.length - 2;
  let flight = 0;
  while (flight < last && time > (found.grid[flight + 1] ?? 0)) flight++;
  const [from, to] = [found.grid[flight] ?? 0, found.grid[flight + 1] ?? 0];
  const share = to > from ? (time - from) / (to - from) : 0;
  return poseIn(path, flight, Math.min(1, Math.max(0, share)));
}

/** The pose of a body at a share of a flight. */
export function poseIn(path: MotionPath, flight: number, share: number): Pose | null {
  const rows = path.flights[flight];
  if (!rows?.length) return null;
  const at = share * (rows.length / 7 - 1);
  const k = Math.min(Math.floor(at), rows.length / 7 - 2);
  const s = at - k;
  const [a, b] = [rows.slice(7 * k, 7 * k + 7), rows.slice(7 * k + 7, 7 * k + 14)];
  const cosine = a.slice(3).reduce((sum, x, i) => sum + x * (b[3 + i] ?? 0), 0);
  const mixed = a.map((x, i) => (1 - s) * x + s * (i > 2 && cosine < 0 ? -1 : 1) * (b[i] ?? x));
  const size = Math.hypot(...mixed.slice(3)) || 1;
  return { place: mixed.slice(0, 3), orientation: mixed.slice(3).map((x) => x / size) };
}

/** When the motion begins in the world's time: where it was put, else now. */
export function beginsAt(): number {
  const played = motion.value?.played ?? -1;
  return played >= 0 ? played : (latest.frame?.time ?? status.value?.time ?? 0);
}

// --- edits -----------------------------------------------------------------------------------------
let awaited = 0; // the edit whose sketch ends what is held
let sending = false;
let newest: PoseSample | PoseWish | EditFlight | null = null;
const sentAt = new Map<number, number>();

/** The newest motion that answers a move of the hand, and when that move was [ms]. */
export const shown = signal<{ number: number; sent: number } | null>(null);

/** The number of the next edit. */
let number = 0;
function next(): number {
  number = Math.max(number, sketch.value?.number ?? 0) + 1;
  return number;
}

/** Put a pose somewhere else. While the hand moves only the newest counts, one is on its way at a time. */
export function put(spot: Spot, pose: Pose, isFinal: boolean): void {
  held.value = { spot, ...pose };
  const own = {
    number: next(),
    body: spot.body,
    flight: spot.flight,
    place: [...pose.place],
    orientation: [...pose.orientation],
    is_final: isFinal,
  };
  sentAt.set(own.number, performance.now());
  for (const old of [...sentAt.keys()].slice(0, -50)) sentAt.delete(old);
  newest =
    spot.what === "start" || spot.what === "end"
      ? { do: "pose-wish", when: spot.what, ...own }
      : { do: "pose-sample", sample: spot.sample, is_new: spot.what === "new", ...own };
  if (isFinal) awaited = own.number;
  void send();
}

/** Let a flight last some time [s]. */
export function sendLasting(flight: number, seconds: number, isFinal: boolean): void {
  newest = {
    do: "edit-flight",
    what: "lasts",
    flight,
    lasts: [seconds, seconds],
    number: next(),
    is_final: isFinal,
  };
  sentAt.set(newest.number ?? 0, performance.now());
  void send();
}

async function send(): Promise<void> {
  if (sending) return;
  sending = true;
  try {
    while (newest) {
      const command = newest;
      newest = null;
      await ask(command);
      if (command.is_final) held.value = null;
    }
  } catch (reason) {
    held.value = null;
    newest = null;
    report(reason);
  }
  sending = false;
}

/** Let go of what the hand moved, and have the motion as it was. */
export function takeBack(): void {
  held.value = null;
  const [first] = spots();
  const pose = first && poseOf(first);
  if (!first || !pose) return;
  put(first, pose, false);
  held.value = null;
}
