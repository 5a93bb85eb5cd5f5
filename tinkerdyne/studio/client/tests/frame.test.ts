import { describe, expect, test } from "vitest";
import { decode, Tracks } from "../src/wire/frame";
import { MAGIC, type Track } from "../src/wire/protocol";
import { layout } from "./items";

function sent(magic: number, revision: number, time: number, numbers: readonly number[]): ArrayBuffer {
  const data = new ArrayBuffer(16 + 4 * numbers.length);
  const view = new DataView(data);
  view.setUint32(0, magic, true);
  view.setUint32(4, revision, true);
  view.setFloat64(8, time, true);
  numbers.forEach((x, i) => {
    view.setFloat32(16 + 4 * i, x, true);
  });
  return data;
}

const track = (name: string, kind: Track["kind"], offset: number, count: number, of = ""): Track => ({
  name,
  kind,
  offset,
  count,
  of,
});

describe("a frame", () => {
  test("has the revision, the time to the last digit, and the numbers that were sent", () => {
    const frame = decode(sent(MAGIC, 7, 0.1 + 0.2, [1.5, -2, 0.25]));
    expect(frame?.revision).toBe(7);
    expect(frame?.time).toBe(0.1 + 0.2);
    expect([...(frame?.numbers ?? [])]).toEqual([1.5, -2, 0.25]);
  });

  test("may hold nothing that moves", () => {
    expect(decode(sent(MAGIC, 1, 0, []))?.numbers).toHaveLength(0);
  });

  test("is none with another magic number", () => {
    expect(decode(sent(MAGIC + 1, 7, 1, [1]))).toBeNull();
  });

  test("is none when it is shorter than its head", () => {
    expect(decode(sent(MAGIC, 7, 1, []).slice(0, 12))).toBeNull();
  });
});

describe("tracks", () => {
  const all = new Tracks(
    layout([
      track("rod", "pose", 0, 7),
      track("wire", "curve", 7, 6),
      track("hook", "force", 13, 9, "rod"),
      track("hook", "force", 22, 9, "bob"),
      track("a", "state", 31, 2),
    ]),
  );
  const frame = { revision: 1, time: 0, numbers: Float32Array.from({ length: 33 }, (_, i) => i) };

  test("give what moves its own numbers of a frame", () => {
    expect([...(all.of("wire", frame) ?? [])]).toEqual([7, 8, 9, 10, 11, 12]);
  });

  test("give nothing that does not move", () => {
    expect(all.of("hook", frame)).toBeNull();
    expect(all.of("a", frame)).toBeNull();
  });

  test("keep every force of an item that acts on two bodies", () => {
    expect(all.forces.map((force) => force.of)).toEqual(["rod", "bob"]);
    expect([...all.acting]).toEqual(["hook"]);
  });

  test("keep states apart", () => {
    expect([...all.states.keys()]).toEqual(["a"]);
  });
});
