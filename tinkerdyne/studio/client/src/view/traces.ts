// Traces: the way of points as it was recorded, with what was drawn since the recording was last asked for.
import * as three from "three";
import { history, Series } from "../state/history";
import { dimension, latest, recalled, shownPast, tracedPlaces } from "../state/store";
import { placeNamed } from "./places";

const SHOWN = 20; // s of the world's time
const NOTHING = new Series();

/** The numbers of a way: x, y, z of both ends of each stretch; where the world did not run on there is none. */
export function stretches(axes: readonly Series[], from: number, to: number, isFlat: boolean): number[] {
  const [x = NOTHING, y = NOTHING, z = NOTHING] = axes;
  const found: number[] = [];
  let before: readonly [number, number, number] | null = null;
  for (let i = Math.max(0, x.before(from) - 1); i < x.before(to); i++) {
    const [a, b, c] = [x.values[i] ?? null, y.values[i] ?? null, z.values[i] ?? (isFlat ? 0 : null)];
    const now = a === null || b === null || c === null ? null : ([a, b, c] as const);
    if (before && now) found.push(...before, ...now);
    before = now;
  }
  return found;
}

class Trace extends three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> {
  private known = -1; // what is drawn of the recording
  private shown = Number.NaN;
  private told: number[] = [];
  private head: { time: number; at: three.Vector3 }[] = [];
  private room = 0; // numbers

  constructor(
    readonly point: string,
    colour: number,
  ) {
    super(new three.BufferGeometry(), new three.LineBasicMaterial({ color: colour }));
    this.frustumCulled = false;
    this.raycast = () => undefined;
  }

  follow(): void {
    const past = shownPast();
    const time = latest.frame?.time ?? 0;
    const end = past ?? Infinity;
    const axes = ["[0]", "[1]", "[2]"].map((k) => history.series.get(this.point + k) ?? NOTHING);
    const last = axes[0]?.times.at(-1) ?? -Infinity;
    if (this.known === recalled.value && this.shown === time) return;
    if (this.known !== recalled.value || past !== null) {
      this.told = stretches(axes, Math.min(end, Math.max(last, time)) - SHOWN, end, dimension.value === 2);
      this.known = recalled.value;
    }
    this.shown = time;
    this.followHead(time, last, past !== null);
    this.write([...this.told, ...this.joined(last)]);
  }

  /** What was drawn since: frames of the recording too, of which it was not told yet. */
  private followHead(time: number, last: number, isPast: boolean): void {
    const newest = this.head.at(-1)?.time ?? -Infinity;
    this.head = time < newest || isPast ? [] : this.head.filter((one) => one.time > last);
    const at = isPast || time <= last ? null : placeNamed(this.point);
    if (at) this.head.push({ time, at });
  }

  private joined(last: number): number[] {
    const ends = this.told.slice(-3);
    const first = this.head[0];
    let before = ends.length && first && first.time > last ? new three.Vector3(...ends) : null;
    return this.head.flatMap(({ at }) => {
      const found = before ? [...before.toArray(), ...at.toArray()] : [];
      before = at;
      return found;
    });
  }

  private write(numbers: readonly number[]): void {
    if (numbers.length > this.room) {
      this.room = 2 * numbers.length;
      this.geometry.dispose();
      this.geometry = new three.BufferGeometry();
      this.geometry.setAttribute("position", new three.BufferAttribute(new Float32Array(this.room), 3));
    }
    const points = this.geometry.getAttribute("position");
    if (!(points instanceof three.BufferAttribute)) return;
    points.set(numbers);
    points.needsUpdate = true;
    this.geometry.setDrawRange(0, numbers.length / 3);
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

export class Traces extends three.Group {
  /** Draw the way of these points and of no others. */
  follow(points: readonly string[], colours: readonly number[]): void {
    if (points.join() !== tracedPlaces.peek().join()) tracedPlaces.value = points;
    const old = this.children.filter((c) => c instanceof Trace);
    for (const trace of old)
      if (!points.includes(trace.point)) {
        this.remove(trace);
        trace.dispose();
      }
    points.forEach((point, i) => {
      let trace = old.find((t) => t.point === point);
      if (!trace) {
        trace = new Trace(point, colours[i % colours.length] ?? 0x888888);
        this.add(trace);
      }
      trace.follow();
    });
  }
}
