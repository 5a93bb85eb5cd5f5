// Footprints: soft shadows where parts come near the ground, so that a mechanism stands on it and does not float.
import * as three from "three";
import { isGround } from "../state/store";
import type { Figure } from "./figure";
import { Batch } from "./instances";

const REACH = 0.9; // of a part's size: higher up it leaves none
const WIDER = 1.35; // than the part
const FINE = 64; // px of the blot
const UP = new three.Vector3(0, 0, 1);

export class Footprints extends three.Group {
  private readonly material = new three.MeshBasicMaterial({
    map: blot(),
    transparent: true,
    depthWrite: false,
    blending: three.CustomBlending, // ground · (1 − spot)
    blendSrc: three.ZeroFactor,
    blendDst: three.OneMinusSrcColorFactor,
    blendSrcAlpha: three.ZeroFactor,
    blendDstAlpha: three.OneFactor,
  });
  private readonly batch = new Batch(
    this,
    new three.PlaneGeometry(1, 1),
    this.material,
    null,
    null,
    (mesh) => {
      mesh.renderOrder = -2;
    },
  );
  private readonly box = new three.Box3();
  private readonly seat = new three.Matrix4();
  private readonly shade = new three.Color();

  /** Lay them on the ground at a height; `depth` tells how dark they are, 0 to 1. */
  follow(figures: Iterable<Figure>, height: number, depth: number): void {
    const [at, size, flat] = [new three.Vector3(), new three.Vector3(), new three.Quaternion()];
    for (const figure of figures) {
      if (!figure.visible || figure.isCurve || figure.extent === 0 || isGround(figure.item)) continue;
      const surface = figure.target.geometry.boundingBox;
      if (!surface) continue;
      this.box.copy(surface).applyMatrix4(figure.target.matrixWorld);
      const above = (this.box.min.z - height) / (REACH * figure.extent);
      if (above > 1 || above < -0.2) continue;
      this.box.getCenter(at).setZ(height + 2e-4 * figure.extent);
      this.box.getSize(size);
      const [w, l] = axesOf(figure, flat, size);
      const soft = 0.35 * Math.max(0, above) * figure.extent;
      this.seat.compose(at, flat, new three.Vector3(WIDER * w + soft, WIDER * l + soft, 1));
      const strength = depth * (1 - Math.max(0, above)) ** 2;
      this.batch.put(this.seat, this.shade.setScalar(strength));
    }
    this.batch.commit();
  }
}

/** How long and wide a footprint is, turned as its part is turned about the upward line. */
function axesOf(figure: Figure, turn: three.Quaternion, size: three.Vector3): [number, number] {
  const axes = [0, 1, 2].map((k) =>
    new three.Vector3()
      .setFromMatrixColumn(figure.matrix, k)
      .multiplyScalar(figure.size.getComponent(k))
      .setZ(0),
  );
  const long = axes.reduce((a, b) => (b.lengthSq() > a.lengthSq() ? b : a));
  const length = long.length();
  if (!(length > 1e-9)) {
    turn.identity();
    return [size.x, size.y];
  }
  turn.setFromAxisAngle(UP, Math.atan2(long.y, long.x));
  const side = new three.Vector3(-long.y, long.x, 0).divideScalar(length);
  const width = axes.reduce((sum, axis) => Math.max(sum, Math.abs(axis.dot(side))), 0);
  return [length, Math.max(width, 0.04 * length)];
}

/** A soft round spot. */
function blot(): three.DataTexture {
  const data = new Uint8Array(4 * FINE * FINE);
  for (let i = 0; i < FINE * FINE; i++) {
    const [x, y] = [(2 * ((i % FINE) + 0.5)) / FINE - 1, (2 * (Math.floor(i / FINE) + 0.5)) / FINE - 1];
    const r = Math.min(1, Math.hypot(x, y));
    const depth = (1 - r * r) ** 2;
    const level = Math.round(255 * depth);
    data.set([level, level, level, 255], 4 * i);
  }
  const texture = new three.DataTexture(data, FINE, FINE);
  texture.magFilter = texture.minFilter = three.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
