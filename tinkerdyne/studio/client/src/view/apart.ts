// Joints and nails that are not met: a dashed line between the places that belong together.
import * as three from "three";
import { isFast, shownItems, tracks } from "../state/store";
import type { Palette } from "./colours";
import { endsOf } from "./places";

const SEEN = 0.15; // of a joint's radius: what is less is not seen to be apart
const DASH = 6; // px

export class Apart extends three.LineSegments<three.BufferGeometry, three.LineDashedMaterial> {
  private room = 0; // numbers

  constructor() {
    super(new three.BufferGeometry(), new three.LineDashedMaterial({ depthTest: false }));
    this.frustumCulled = false;
    this.renderOrder = 15;
    this.raycast = () => undefined;
  }

  /** Show what is apart now. */
  update(palette: Palette, unit: number, pixel: number): void {
    const acting = tracks.value?.acting;
    const numbers = shownItems.value.flatMap((item) => {
      if (item.family !== "constraint" || !item.is_on || !isFast(item) || !acting?.has(item.name)) return [];
      const ends = endsOf(item);
      return ends && ends[0].distanceTo(ends[1]) > SEEN * unit ? ends.flatMap((end) => end.toArray()) : [];
    });
    this.visible = numbers.length > 0;
    if (!this.visible) return;
    if (numbers.length > this.room) {
      this.room = 2 * numbers.length;
      this.geometry.dispose();
      this.geometry = new three.BufferGeometry();
      this.geometry.setAttribute("position", new three.BufferAttribute(new Float32Array(this.room), 3));
    }
    const points = this.geometry.getAttribute("position");
    if (points instanceof three.BufferAttribute) points.set(numbers);
    points.needsUpdate = true;
    this.geometry.setDrawRange(0, numbers.length / 3);
    this.computeLineDistances();
    this.material.color.set(palette.conflict);
    this.material.dashSize = this.material.gapSize = DASH * pixel;
  }
}
