// The ground: a plane that takes shadows, and a grid whose lines tell sizes.
import * as three from "three";
import { roundBelow } from "../state/numbers";
import type { Palette } from "./colours";
import { isLowEffects } from "./effects";

const CELLS = 40;
const DISTANT = 0.2; // of a camera's distance: the radius of what it frames

export class Ground extends three.Group {
  private readonly floor = new three.Mesh(
    new three.CircleGeometry(1, 64),
    new three.ShadowMaterial({ opacity: 0.16 }),
  );
  private fine: three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> | null = null;
  private coarse: three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> | null = null;

  cell = 1; // m
  height = 0; // m
  private isPlanar = false;
  private isOnFloor = false; // over a floor that is drawn, whose surface it shows to go on for ever
  private readonly centre = new three.Vector3();
  private painted: Palette | null = null;
  private isShown = true;

  constructor() {
    super();
    this.floor.receiveShadow = !isLowEffects;
    this.floor.raycast = () => undefined;
    this.add(this.floor);
  }

  /** Lay the ground at a height, or behind the plane, with cells that suit the size of a world. */
  place(isPlanar: boolean, height: number, ball: three.Sphere, isOnFloor = this.isOnFloor): void {
    this.isOnFloor = isOnFloor;
    const cell = roundBelow(Math.max(ball.radius, 1e-4) / 2);
    this.cell = cell;
    this.isPlanar = isPlanar;
    this.centre.copy(ball.center);
    this.height = height;
    const reach = (CELLS / 2) * cell;
    const snapped = (c: number): number => Math.round(c / (5 * cell)) * 5 * cell;
    for (const old of [this.fine, this.coarse]) {
      old?.geometry.dispose();
      if (old) this.remove(old);
    }
    this.fine = lines(reach, cell, (i) => i % 5 !== 0);
    this.coarse = lines(reach, cell, (i) => i % 5 === 0);
    this.add(this.fine, this.coarse);
    this.painted = null;
    this.floor.scale.setScalar(reach);
    this.floor.visible = !isPlanar;
    this.position.set(
      snapped(ball.center.x),
      snapped(ball.center.y),
      isPlanar ? -100 : height + (isOnFloor ? 1e-4 : -1e-4) * reach,
    );
  }

  /** Have cells that suit a camera, about the place that it looks at. */
  follow(target: three.Vector3, distance: number): void {
    const radius = DISTANT * distance;
    const size = radius / 2 / this.cell;
    const gone = Math.hypot(target.x - this.centre.x, target.y - this.centre.y);
    if (size > 0.5 && size < 5 && gone < 0.3 * (CELLS / 2) * this.cell) return;
    this.place(this.isPlanar, this.height, new three.Sphere(target, radius));
  }

  paint(palette: Palette, isShown: boolean): void {
    if (palette === this.painted && isShown === this.isShown) return;
    this.painted = palette;
    this.isShown = isShown;
    this.floor.material.opacity = palette.shade;
    for (const [grid, colour] of [
      [this.fine, palette.line],
      [this.coarse, palette.strong],
    ] as const) {
      if (!grid) continue;
      grid.visible = isShown;
      const faded = grid.geometry.getAttribute("color");
      const alpha = grid.geometry.getAttribute("fade");
      const [line, sky] = [new three.Color(colour), new three.Color(palette.sky)];
      for (let i = 0; i < faded.count; i++) {
        const c = sky.clone().lerp(line, alpha.getX(i));
        faded.setXYZ(i, c.r, c.g, c.b);
      }
      faded.needsUpdate = true;
    }
  }
}

/** Lines both ways, cut in pieces so that they can fade towards the horizon. */
function lines(
  reach: number,
  cell: number,
  isWanted: (i: number) => boolean,
): three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> {
  const places: number[] = [];
  const fade: number[] = [];
  const put = (x: number, y: number): void => {
    places.push(x, y, 0);
    fade.push(Math.max(0, 1 - Math.hypot(x, y) / reach) ** 0.8);
  };
  for (let i = -CELLS / 2; i <= CELLS / 2; i++) {
    if (!isWanted(i)) continue;
    for (let k = -CELLS / 2; k < CELLS / 2; k += 2) {
      put(i * cell, k * cell);
      put(i * cell, (k + 2) * cell);
      put(k * cell, i * cell);
      put((k + 2) * cell, i * cell);
    }
  }
  const geometry = new three.BufferGeometry();
  geometry.setAttribute("position", new three.Float32BufferAttribute(places, 3));
  geometry.setAttribute("color", new three.Float32BufferAttribute(new Float32Array(places.length), 3));
  geometry.setAttribute("fade", new three.Float32BufferAttribute(fade, 1));
  const made = new three.LineSegments(geometry, new three.LineBasicMaterial({ vertexColors: true }));
  made.raycast = () => undefined;
  return made;
}
