import { Box3, Vector3 } from "three";
import { beforeEach, describe, expect, test } from "vitest";
import { Camera } from "../src/view/camera";

const [WIDTH, HEIGHT] = [800, 600];
let camera: Camera;

/** Where a place appears, −1 … 1 both ways. */
function seen(place: Vector3): Vector3 {
  return place.clone().project(camera.active);
}

beforeEach(() => {
  camera = new Camera();
  camera.resize(WIDTH, HEIGHT);
});

describe.each([
  ["in space", false],
  ["in the plane", true],
])("the camera %s", (_where, isPlanar) => {
  beforeEach(() => {
    camera.isPlanar = isPlanar;
    camera.place();
  });

  test("has its target in the middle of the picture", () => {
    camera.target.set(1, 2, 0);
    camera.place();
    expect(seen(camera.target).x).toBeCloseTo(0);
    expect(seen(camera.target).y).toBeCloseTo(0);
  });

  test("moves the world by as many pixels as it is panned", () => {
    const place = camera.target.clone();
    camera.pan(40, -30);
    expect((seen(place).x * WIDTH) / 2).toBeCloseTo(40, 3);
    expect((seen(place).y * HEIGHT) / 2).toBeCloseTo(30, 3);
  });

  test("knows how many metres a pixel shows at the target", () => {
    const right = new Vector3().setFromMatrixColumn(camera.active.matrixWorld, 0);
    const beside = camera.target.clone().addScaledVector(right, 10 * camera.metresPerPixel());
    expect((seen(beside).x * WIDTH) / 2).toBeCloseTo(10, 3);
  });

  test("comes nearer without moving what is under the pointer", () => {
    const [x, y] = [0.4, -0.6];
    const right = new Vector3().setFromMatrixColumn(camera.active.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(camera.active.matrixWorld, 1);
    const pixel = camera.metresPerPixel();
    const place = camera.target
      .clone()
      .addScaledVector(right, (pixel * x * WIDTH) / 2)
      .addScaledVector(up, (pixel * y * HEIGHT) / 2);
    camera.zoom(0.5, x, y);
    expect(seen(place).x).toBeCloseTo(x, 4);
    expect(seen(place).y).toBeCloseTo(y, 4);
    expect(camera.metresPerPixel()).toBeCloseTo(pixel / 2, 8);
  });

  test("frames a box so that all of it is seen, and touches an edge without a margin", () => {
    const box = new Box3(new Vector3(-1, 2, isPlanar ? 0 : 3), new Vector3(4, 5, isPlanar ? 0 : 9));
    camera.frame(box, 1);
    const corners = [box.min.x, box.max.x].flatMap((x) =>
      [box.min.y, box.max.y].flatMap((y) => [box.min.z, box.max.z].map((z) => seen(new Vector3(x, y, z)))),
    );
    const reach = Math.max(...corners.flatMap((c) => [Math.abs(c.x), Math.abs(c.y)]));
    expect(reach).toBeCloseTo(1, 3);
  });

  test("looks through a pixel along the ray on which a place is seen there", () => {
    const place = new Vector3(0.3, 0.4, 0);
    const { x, y } = seen(place);
    expect(camera.ray(x, y).distanceToPoint(place)).toBeLessThan(1e-6);
  });
});

describe("the camera in space", () => {
  test("turns about its target and keeps its distance", () => {
    camera.target.set(1, 1, 1);
    camera.place();
    const before = camera.active.position.distanceTo(camera.target);
    camera.orbit(120, 35);
    expect(camera.active.position.distanceTo(camera.target)).toBeCloseTo(before);
    expect(seen(camera.target).length()).toBeLessThan(2);
  });

  test("does not turn over the top", () => {
    camera.orbit(0, 1e5);
    expect(camera.elevation).toBeLessThan(Math.PI / 2);
    camera.orbit(0, -1e6);
    expect(camera.elevation).toBeGreaterThan(-Math.PI / 2);
  });

  test("keeps z upwards", () => {
    camera.orbit(77, 20);
    expect(seen(camera.target.clone().add(new Vector3(0, 0, 0.1))).y).toBeGreaterThan(0);
  });

  test("looks from the front along y", () => {
    camera.look(-Math.PI / 2, 0);
    const ahead = camera.direction();
    expect(ahead.x).toBeCloseTo(0);
    expect(ahead.y).toBeCloseTo(1);
    expect(ahead.z).toBeCloseTo(0);
  });
});

test("in the plane a drag of the background moves the view and does not turn it", () => {
  camera.isPlanar = true;
  camera.place();
  camera.orbit(50, 0);
  expect(camera.direction().z).toBeCloseTo(-1);
  expect(camera.target.x).toBeLessThan(0);
});
