// A line with a head along the axis of a joint: that of the selected one, or one that is being chosen.
import * as three from "three";
import { selected, shownAxis } from "../state/store";
import { axisNow } from "./axis";
import type { Palette } from "./colours";

const REACH = 95; // px to each side
const DASHES = [-3, -2, -1, 0, 1, 2].map((k) => (k + 0.5) / 3); // where their middles lie, of the reach
const UP = new three.Vector3(0, 0, 1);

export class AxisLine extends three.Group {
  private readonly material = new three.MeshBasicMaterial({
    depthTest: false,
    transparent: true,
    opacity: 0.9,
  });
  private readonly dashes = DASHES.map(
    () => new three.Mesh(new three.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), this.material),
  );
  private readonly head = new three.Mesh(
    new three.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2),
    this.material,
  );

  constructor() {
    super();
    this.add(...this.dashes, this.head);
    for (const mesh of [...this.dashes, this.head]) {
      mesh.renderOrder = 12;
      mesh.frustumCulled = false;
      mesh.raycast = () => undefined;
    }
  }

  /** Lay it where it belongs now; `pixel` tells the size of one at a place. */
  update(palette: Palette, pixel: (place: three.Vector3) => number): void {
    const [only, ...more] = selected.value;
    const found = shownAxis.value ?? (only && !more.length ? axisNow(only) : null);
    this.visible = found !== null;
    if (!found) return;
    const size = pixel(found.place);
    this.material.color.set(shownAxis.value ? palette.halo : palette.dark);
    this.position.copy(found.place);
    this.quaternion.setFromUnitVectors(UP, found.along);
    this.dashes.forEach((dash, i) => {
      dash.position.z = REACH * size * (DASHES[i] ?? 0);
      dash.scale.set(1.1 * size, 1.1 * size, 0.22 * REACH * size);
    });
    this.head.position.z = REACH * size;
    this.head.scale.set(4.5 * size, 4.5 * size, 13 * size);
  }
}
