import { Matrix4, Vector3 } from "three";
import { beforeEach, describe, expect, test } from "vitest";
import { contactOf, curveInput, curveSpots, isOnCurve, parameterAt, placeAt } from "../src/media/curves";
import {
  axisOf,
  bodiesOf,
  bodyInput,
  carried,
  coordinates,
  placeOf,
  poseOf,
  spotsOf,
  worldSpots,
} from "../src/view/places";
import { greet, item, show, type } from "./items";

const HALF = Math.SQRT1_2;
const rod = item({ name: "rod", of: "rod", places: { end1: [-0.5, 0, 0], end2: [0.5, 0, 0] } });
const tip = item({
  name: "tip",
  of: "point",
  family: "connector",
  inputs: ["rod"],
  values: { at: [0, 0, 1] },
});
const peg = item({ name: "peg", of: "place", family: "connector", values: { at: [4, 5, 6] } });
const quarter = [1, 2, 3, HALF, 0, 0, HALF]; // at (1, 2, 3), turned by 90° about z

beforeEach(() => {
  greet([
    type("point", { seat: "at", supplies: "point" }),
    type("frame", { seat: "at", supplies: "frame" }),
    type("place", { seat: "at", supplies: "point" }),
    type("between", { seat: "between", supplies: "point" }),
    type("arrow", { supplies: "direction" }),
    type("track", { seat: "keys", supplies: "point" }),
    type("bead", { seat: "curve", supplies: "point" }),
    type("touching", { family: "constraint", seat: "contact" }),
  ]);
  carried.clear();
  show([rod, tip, peg], [[{ name: "rod", kind: "pose" }, quarter]]);
});

describe("where things are", () => {
  test("a body's pose turns its own axes and puts them at its place", () => {
    const place = new Vector3(1, 0, 0).applyMatrix4(poseOf("rod") ?? new Matrix4());
    expect(place.toArray().map((x) => Number(x.toFixed(5)))).toEqual([1, 3, 3]);
  });

  test("a point on a body moves with it", () => {
    expect(placeOf("tip")?.toArray()).toEqual([1, 2, 4]);
  });

  test("a place of the world stays", () => {
    expect(placeOf("peg")?.toArray()).toEqual([4, 5, 6]);
  });

  test("what is between two points is there", () => {
    const between = item({
      name: "m",
      of: "between",
      family: "connector",
      inputs: ["tip", "peg"],
      values: { share: 0.25 },
    });
    show([rod, tip, peg, between], [[{ name: "rod", kind: "pose" }, quarter]]);
    expect(placeOf("m")?.toArray()).toEqual([1.75, 2.75, 4.5]);
  });

  test("what measures something is where its first connector is", () => {
    const measure = item({ name: "d", of: "distance_between", family: "connector", inputs: ["peg", "tip"] });
    show([rod, tip, peg, measure], [[{ name: "rod", kind: "pose" }, quarter]]);
    expect(placeOf("d")?.toArray()).toEqual([4, 5, 6]);
  });

  test("what is not there has no place", () => {
    expect(placeOf("nobody")).toBeNull();
    expect(poseOf("peg")).toBeNull();
  });

  test("what is carried is where the hand has it, with its points", () => {
    show(
      [rod, tip, peg],
      [
        [{ name: "rod", kind: "pose" }, quarter],
        [{ name: "tip", kind: "point" }, [1, 2, 4]],
      ],
    );
    carried.set("rod", new Matrix4().makeTranslation(10, 0, 0));
    expect(placeOf("rod")?.x).toBe(11);
    expect(placeOf("tip")?.x).toBe(11);
  });

  test("the axis of a frame turns with its body", () => {
    const axes = [
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ];
    const frame = item({
      name: "f",
      of: "frame",
      family: "connector",
      inputs: ["rod"],
      values: { at: [0, 0, 0], axes },
    });
    show([rod, frame], [[{ name: "rod", kind: "pose" }, quarter]]);
    expect(
      axisOf("f")
        .toArray()
        .map((x) => Number(x.toFixed(5)) + 0),
    ).toEqual([0, 1, 0]);
  });

  test("a direction points where it says, turned with its body", () => {
    const arrow = item({
      name: "d",
      of: "arrow",
      family: "connector",
      inputs: ["rod"],
      values: { along: [1, 0, 0] },
    });
    show([rod, arrow], [[{ name: "rod", kind: "pose" }, quarter]]);
    expect(axisOf("d").y).toBeCloseTo(1);
  });

  test("a path is where its first key has it, and can be joined with like a nail", () => {
    const keys = [
      [0, 7, 8, 9],
      [1, 0, 0, 0],
    ];
    const path = item({ name: "way", of: "track", family: "connector", values: { keys } });
    show([rod, peg, tip, path], [[{ name: "rod", kind: "pose" }, quarter]]);
    expect(placeOf("way")?.toArray()).toEqual([7, 8, 9]);
    expect(worldSpots().map((spot) => spot.input)).toEqual(["peg", "way"]);
  });

  test("an item acts on the objects that its connectors reach", () => {
    const hook = item({ name: "hook", of: "connect", family: "constraint", inputs: ["tip", "peg"] });
    expect(bodiesOf(hook)).toEqual(["rod"]);
  });
});

describe("places to be fastened", () => {
  test("of a body are its named ones and the points on it that were made by hand", () => {
    const spots = spotsOf("rod");
    expect(spots.map((spot) => spot.input)).toEqual(["rod.end1", "rod.end2", "tip"]);
    expect(spots[1]?.place.toArray().map((x) => Number(x.toFixed(5)))).toEqual([1, 2.5, 3]);
  });

  test("do not name a point twice that is one of the body's own", () => {
    const own = { ...tip, name: "rod.end2", part_of: "rod" };
    show([rod, own], [[{ name: "rod", kind: "pose" }, quarter]]);
    expect(spotsOf("rod").map((spot) => spot.input)).toEqual(["rod.end1", "rod.end2"]);
  });

  test("are told to the server in the body's own axes", () => {
    expect(bodyInput("rod", new Vector3(1, 2.25, 3))).toBe("rod@0.25,0,0");
  });

  test("have no noise of float32 in their numbers", () => {
    expect(coordinates(new Vector3(0.1 + 1e-9, 3e-9, -2), 3)).toEqual([0.1, 0, -2]);
    expect(coordinates(new Vector3(1, 2, 3), 2)).toEqual([1, 2]);
  });
});

describe("a curve", () => {
  const shape = {
    kind: "curve" as const,
    vertices: [],
    faces: [],
    radius: 0.01,
    is_closed: false,
    spans: [0, 2],
  };
  const wire = item({ name: "wire", of: "line", dimension: 2, shape });
  const bend = [0, 0, 0, 1, 0, 0, 1, 1, 0]; // u = 0, 1, 2

  test("has the parameter of its nearest point", () => {
    show([wire], [[{ name: "wire", kind: "curve" }, bend]]);
    expect(parameterAt("wire", new Vector3(0.25, -3, 0)).x).toBeCloseTo(0.25);
    expect(parameterAt("wire", new Vector3(9, 0.5, 0)).x).toBeCloseTo(1.5);
  });

  test("is at a parameter where that parameter was found", () => {
    show([wire], [[{ name: "wire", kind: "curve" }, bend]]);
    for (const u of [0, 0.3, 1, 1.7, 2]) {
      const place = placeAt("wire", new Vector3(u, 0, 0));
      expect(place && parameterAt("wire", place).x).toBeCloseTo(u);
    }
  });

  test("that is closed goes round", () => {
    const ring = { ...wire, shape: { ...shape, is_closed: true } };
    show([ring], [[{ name: "wire", kind: "curve" }, [0, 0, 0, 1, 0, 0, 0, 0, 0]]]);
    expect(placeAt("wire", new Vector3(2.5, 0, 0))?.x).toBeCloseTo(
      placeAt("wire", new Vector3(0.5, 0, 0))?.x ?? 9,
    );
  });

  test("that is open is fastened by its ends, one that is closed has none", () => {
    show([wire], [[{ name: "wire", kind: "curve" }, bend]]);
    expect(curveSpots("wire").map((spot) => spot.input)).toEqual(["wire@0", "wire@2"]);
    show([{ ...wire, shape: { ...shape, is_closed: true } }], [[{ name: "wire", kind: "curve" }, bend]]);
    expect(curveSpots("wire")).toEqual([]);
  });

  test("is fastened by points on it that are in the world", () => {
    const bead = item({ name: "b", of: "bead", family: "connector", inputs: ["wire"], values: { u: 1 } });
    show([wire, bead], [[{ name: "wire", kind: "curve" }, bend]]);
    expect(curveSpots("wire").at(-1)?.place.toArray()).toEqual([1, 0, 0]);
    expect(isOnCurve("b")).toBe(true);
    expect(isOnCurve("peg")).toBe(false);
  });

  test("is touched where the number of the contact says", () => {
    const contact = item({ name: "c", of: "touching", family: "constraint", inputs: ["wire", "u"] });
    show(
      [wire, contact],
      [
        [{ name: "wire", kind: "curve" }, bend],
        [{ name: "u", kind: "state" }, [1.5]],
      ],
    );
    expect(contactOf(contact)?.toArray()).toEqual([1, 0.5, 0]);
    expect(contactOf({ ...contact, of: "place" })).toBeNull();
  });

  test("of two parameters is a surface, and both are told", () => {
    const sheet = { ...wire, shape: { ...shape, spans: [0, 1, 0, 1] } };
    show([sheet], []);
    expect(curveInput("wire", new Vector3(0.5, 0.25, 0))).toBe("wire@0.5,0.25");
  });
});
