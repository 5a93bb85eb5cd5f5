// Light: a sun with shadows, the sky, a little from behind, and a soft room that smooth things mirror.
import * as three from "three";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import { isLowEffects } from "./effects";

export class Lights extends three.Group {
  private readonly sun = new three.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new three.HemisphereLight(0xffffff, 0xb0a89e, 1.5);

  constructor() {
    super();
    this.sun.castShadow = !isLowEffects;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 5;
    const fill = new three.DirectionalLight(0xdfe8ff, 0.5);
    fill.position.set(-3, 4, 2);
    this.add(this.sun, this.sun.target, this.sky, fill);
  }

  /** Let the sun shine on all of a ball, and its shadows reach that far. */
  aim(ball: three.Sphere): void {
    const r = 2.2 * ball.radius;
    this.sun.position.copy(ball.center).add(new three.Vector3(-0.4, -0.55, 1.35).multiplyScalar(3 * r));
    this.sun.target.position.copy(ball.center);
    const shadow = this.sun.shadow.camera;
    Object.assign(shadow, { left: -r, right: r, top: r, bottom: -r, near: 0.1 * r, far: 9 * r });
    shadow.updateProjectionMatrix();
  }

  paint(isDark: boolean): void {
    const room = isLowEffects ? 1 : ROOM_SHARE;
    this.sky.intensity = room * (isDark ? 1.5 : 2.1);
    this.sun.intensity = (isLowEffects ? 1 : 0.8) * (isDark ? 1.9 : 2.2);
  }
}

const ROOM_SHARE = 0.42; // of the sky's light that is left where a room gives the rest

/** What smooth things mirror; null where effects are few. */
export function roomOf(renderer: three.WebGLRenderer): three.Texture | null {
  if (isLowEffects) return null;
  const maker = new three.PMREMGenerator(renderer);
  const found = maker.fromScene(new RoomEnvironment(), 0.04).texture;
  maker.dispose();
  return found;
}
