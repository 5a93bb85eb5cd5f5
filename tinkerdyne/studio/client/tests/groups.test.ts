import { beforeEach, describe, expect, test } from "vitest";
import { groups } from "../src/media/groups";
import { loadedRows } from "../src/state/store";
import { greet, item, show, type } from "./items";

beforeEach(() => {
  greet([type("datum", { role: "datum" }), type("link", { role: "snake link" })]);
  loadedRows.value = null;
});

const datum = (k: number, x: number, y: number) =>
  item({
    name: `fit-1 datum ${k}`,
    of: "datum",
    family: "behavior",
    inputs: ["a", "b"],
    values: { text: ["y - (a + b*x)"], constant_names: ["x", "y"], constants: [x, y], spread: 1, limit: 3 },
  });

describe("what many items make together", () => {
  test("rows of data that pull one model are a fit", () => {
    show([
      item({ name: "a", of: "variable" }),
      item({ name: "b", of: "variable" }),
      datum(0, 1, 2),
      datum(1, 3, 4),
    ]);
    const [fit] = groups.value.fits;
    expect(fit?.name).toBe("fit-1");
    expect(fit?.rows).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(fit?.parameters).toEqual(["a", "b"]);
    expect([...groups.value.members]).toEqual(["a", "b", "fit-1 datum 0", "fit-1 datum 1"]);
  });

  test("particles with links are a snake, closed where the first has a link too", () => {
    const shape = { kind: "point" as const, vertices: [], faces: [], radius: 0, is_closed: false, spans: [] };
    const point = (k: number) => item({ name: `snake-1 ${k}`, of: "particle", shape });
    const link = (k: number) =>
      item({
        name: `snake-1 ${k} link`,
        of: "link",
        family: "behavior",
        inputs: ["", "", "", "photo"],
        values: { tension: 1 },
      });
    show([point(0), point(1), point(2), link(1)]);
    expect(groups.value.snakes[0]?.isClosed).toBe(false);
    show([point(0), point(1), point(2), link(0), link(1), link(2)]);
    const [snake] = groups.value.snakes;
    expect(snake?.isClosed).toBe(true);
    expect(snake?.points).toEqual(["snake-1 0", "snake-1 1", "snake-1 2"]);
    expect(snake?.picture).toBe("photo");
  });

  test("rows that are not fitted yet are data without a model", () => {
    show([]);
    loadedRows.value = { columns: ["x", "y"], rows: [[1, 2]] };
    expect(groups.value.fits[0]?.parameters).toEqual([]);
    expect(groups.value.members.size).toBe(0);
  });

  test("other items make nothing", () => {
    show([item({ name: "rod 1", of: "rod" })]);
    expect(groups.value.snakes).toEqual([]);
    expect(groups.value.fits).toEqual([]);
  });
});
