// The camera: turns about a point in space (z up), or looks straight at the plane; it always works, whatever tool is in hand.
import * as three from "three";

const FIELD = 35; // degrees
const STEEPEST = 0.49 * Math.PI;

export class Camera {
  readonly target = new three.Vector3();
  distance = 6; // m
  azimuth = -1.2; // rad, from x about z
  elevation = 0.24; // rad above the horizon
  isPlanar = false;
  private readonly perspective = new three.PerspectiveCamera(FIELD, 1, 0.01, 1000);
  private readonly plane = new three.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  private size = new three.Vector2(1, 1);

  get active(): three.PerspectiveCamera | three.OrthographicCamera {
    return this.isPlanar ? this.plane : this.perspective;
  }

  resize(width: number, height: number): void {
    this.size.set(Math.max(1, width), Math.max(1, height));
    this.place();
  }

  /** Metres of the world that one pixel shows at a place. */
  metresPerPixel(place = this.target): number {
    if (this.isPlanar) return this.halfHeight() / (this.size.y / 2);
    const depth = place.clone().applyMatrix4(this.perspective.matrixWorldInverse).z;
    return (Math.max(this.perspective.near, -depth) * Math.tan((FIELD * Math.PI) / 360)) / (this.size.y / 2);
  }

  orbit(dx: number, dy: number): void {
    if (this.isPlanar) {
      this.pan(dx, dy);
      return;
    }
    this.azimuth -= 0.006 * dx;
    this.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, this.elevation + 0.006 * dy));
    this.place();
  }

  pan(dx: number, dy: number): void {
    const step = this.metresPerPixel();
    const across = this.axis(0);
    const up = this.axis(1);
    this.target.addScaledVector(across, -dx * step).addScaledVector(up, dy * step);
    this.place();
  }

  /** Come nearer (factor < 1) or go away, with the place under the pointer kept where it is. */
  zoom(factor: number, x = 0, y = 0): void {
    const next = Math.min(1e5, Math.max(1e-3, this.distance * factor));
    const share = 1 - next / this.distance;
    const half = this.halfHeight();
    const across = this.axis(0);
    const up = this.axis(1);
    this.target
      .addScaledVector(across, x * half * (this.size.x / this.size.y) * share)
      .addScaledVector(up, y * half * share);
    this.distance = next;
    this.place();
  }

  /** Show a box of the world in full: every corner r needs  d ≥ |r·up| / tan(field / 2) − r·ahead, and the same across. */
  frame(box: three.Box3, margin: number): void {
    const centre = box.getCenter(new three.Vector3());
    const [across, up, back] = [this.axis(0), this.axis(1), this.axis(2)];
    const steep = Math.tan((FIELD * Math.PI) / 360) / margin;
    let distance = 1e-3;
    for (const x of [box.min.x, box.max.x])
      for (const y of [box.min.y, box.max.y])
        for (const z of [box.min.z, box.max.z]) {
          const r = new three.Vector3(x, y, z).sub(centre);
          const nearer = this.isPlanar ? 0 : r.dot(back);
          distance = Math.max(
            distance,
            Math.abs(r.dot(up)) / steep + nearer,
            Math.abs(r.dot(across)) / (steep * (this.size.x / this.size.y)) + nearer,
          );
        }
    this.target.copy(centre);
    this.distance = distance;
    this.place();
  }

  /** Stand where a scene has it: the place looked at, the distance, azimuth and elevation. */
  stand([x = 0, y = 0, z = 0, distance = 6, azimuth = 0, elevation = 0]: readonly number[]): void {
    this.target.set(x, y, z);
    this.distance = distance;
    this.look(azimuth, elevation);
  }

  /** Look along an axis, with z (in the plane y) up. */
  look(azimuth: number, elevation: number): void {
    this.azimuth = azimuth;
    this.elevation = elevation;
    this.place();
  }

  /** The ray through a point of the picture (−1 … 1). */
  ray(x: number, y: number): three.Ray {
    const caster = new three.Raycaster();
    caster.setFromCamera(new three.Vector2(x, y), this.active);
    return caster.ray;
  }

  /** The direction in which it looks. */
  direction(): three.Vector3 {
    return this.active.getWorldDirection(new three.Vector3());
  }

  /** Its own axis in the world: to the right, up, or back. */
  private axis(column: 0 | 1 | 2): three.Vector3 {
    return new three.Vector3().setFromMatrixColumn(this.active.matrixWorld, column);
  }

  private halfHeight(): number {
    return this.distance * Math.tan((FIELD * Math.PI) / 360);
  }

  place(): void {
    const aspect = this.size.x / this.size.y;
    if (this.isPlanar) {
      const half = this.halfHeight();
      Object.assign(this.plane, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
      this.plane.up.set(0, 1, 0);
      this.plane.position.copy(this.target).setZ(500);
      this.plane.lookAt(this.target.x, this.target.y, 0);
    } else {
      const flat = Math.cos(this.elevation);
      const from = new three.Vector3(
        flat * Math.cos(this.azimuth),
        flat * Math.sin(this.azimuth),
        Math.sin(this.elevation),
      );
      this.perspective.aspect = aspect;
      this.perspective.near = 0.01 * this.distance;
      this.perspective.far = 60 * this.distance;
      this.perspective.up.set(0, 0, 1);
      this.perspective.position.copy(this.target).addScaledVector(from, this.distance);
      this.perspective.lookAt(this.target);
    }
    this.active.updateProjectionMatrix();
    this.active.updateMatrixWorld();
  }
}
