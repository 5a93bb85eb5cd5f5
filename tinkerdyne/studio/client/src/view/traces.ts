// Traces: the last way of points, as lines that fade.
import * as three from "three";
import { latest } from "../state/store";
import { placeNamed } from "./places";

const LENGTH = 600; // points

class Trace extends three.Line {
  private places: number[] = [];
  private lastTime = -Infinity;
  private readonly points = new three.BufferAttribute(new Float32Array(3 * LENGTH), 3);

  constructor(
    readonly point: string,
    colour: number,
  ) {
    super(new three.BufferGeometry(), new three.LineBasicMaterial({ color: colour }));
    this.geometry.setAttribute("position", this.points);
    this.frustumCulled = false;
    this.raycast = () => undefined;
  }

  follow(): void {
    const time = latest.frame?.time ?? 0;
    if (time === this.lastTime) return;
    const place = placeNamed(this.point);
    if (!place) return;
    if (time < this.lastTime) this.places = [];
    this.lastTime = time;
    this.places.push(place.x, place.y, place.z);
    if (this.places.length > 3 * LENGTH) this.places.splice(0, 3);
    this.points.set(this.places);
    this.points.needsUpdate = true;
    this.geometry.setDrawRange(0, this.places.length / 3);
  }
}

export class Traces extends three.Group {
  /** Keep a trace of these points and of no others. */
  follow(points: readonly string[], colours: readonly number[]): void {
    const old = this.children.filter((c) => c instanceof Trace);
    for (const trace of old) if (!points.includes(trace.point)) this.remove(trace);
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
