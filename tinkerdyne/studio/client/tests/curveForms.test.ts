import { expect, it } from "vitest";
import { placed } from "../src/panels/media/curveForms";

it("gives a curve in which nothing may change a place of its own", () => {
  expect(placed(["u", "u^2/2"])).toEqual({ texts: ["u + x0", "u^2/2 + y0"], names: ["x0", "y0"] });
  expect(placed(["u", "1 if u > 0 else 2", "-u"])).toEqual({
    texts: ["u + x0", "(1 if u > 0 else 2) + y0", "-u + z0"],
    names: ["x0", "y0", "z0"],
  });
});
