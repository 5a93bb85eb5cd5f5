// Dragging a key of a path to another place; its time has a handle of its own.
import * as three from "three";
import { change } from "../state/session";
import { items, readout, say, select, typeOf } from "../state/store";
import { lengthSaid } from "../state/units";
import { rowsIn } from "../state/values";
import { coordinates, vectorOf } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import type { Gesture, Pointer } from "./tool";

const NEAR = 12; // px

/** The key of a path under the pointer; −1 for none. */
export function pathKeyAt(stage: Stage, path: string, pointer: Pointer): number {
  const item = items.value.get(path);
  if (typeOf(item)?.glyph !== "path") return -1;
  let [best, least] = [-1, NEAR];
  keysOf(path).forEach((row, k) => {
    const p = stage.project(vectorOf(row.slice(1)));
    const d = Math.hypot(p.x - pointer.x, p.y - pointer.y);
    if (d < least) [best, least] = [k, d];
  });
  return best;
}

function keysOf(path: string): number[][] {
  return rowsIn(items.value.get(path)?.values["keys"]);
}

export class PathKeyDrag implements Gesture {
  private readonly line: three.Line;
  private place: three.Vector3;

  constructor(
    private readonly stage: Stage,
    private readonly path: string,
    private readonly key: number,
  ) {
    select(path);
    this.place = vectorOf(keysOf(path)[key]?.slice(1));
    const material = new three.LineBasicMaterial({ color: stage.palette.halo, depthTest: false });
    this.line = new three.Line(new three.BufferGeometry(), material);
    this.line.renderOrder = 20;
    this.line.frustumCulled = false;
    stage.overlay.add(this.line);
  }

  move(pointer: Pointer): void {
    this.place = this.stage.across(pointer.x, pointer.y, this.place);
    if (items.value.get(this.path)?.dimension === 2) this.place.z = 0;
    const places = keysOf(this.path).map((row, k) => (k === this.key ? this.place : vectorOf(row.slice(1))));
    this.line.geometry.setFromPoints(places);
    const numbers = coordinates(this.place, 3).map((x) => lengthSaid(x, 3));
    readout.value = {
      x: pointer.x,
      y: pointer.y,
      text: wording.tools.keyOf({ key: this.key + 1, path: this.path }),
      detail: numbers.join(", "),
    };
    this.stage.refresh();
  }

  end(): void {
    const keys = keysOf(this.path).map((row, k) =>
      k === this.key ? [row[0] ?? 0, ...coordinates(this.place, row.length - 1)] : row,
    );
    void change(this.path, "keys", keys).then((wrong) => {
      if (wrong) say(wrong, "error");
      this.cancel();
    });
  }

  cancel(): void {
    this.stage.overlay.remove(this.line);
    readout.value = null;
    this.stage.refresh();
  }
}
