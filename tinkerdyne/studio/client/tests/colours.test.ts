// Colours that mean something, as eyes of fewer hues see them: they stay apart from each other, and from what is behind them.
import { describe, expect, test } from "vitest";
import { AXIS_COLOURS, PALETTES } from "../src/view/colours";

const sources = import.meta.glob<string>("../src/style/*.css", {
  query: "?raw",
  import: "default",
  eager: true,
});
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];
type Triple = readonly [number, number, number];

/** Linear light seen without one kind of cones (Machado, Oliveira and Fernandes 2009, severity 1). */
const EYES: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function linear(colour: number): Triple {
  const of = (shift: number): number => {
    const c = ((colour >> shift) & 255) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return [of(16), of(8), of(0)];
}

/** Lightness and two hues (OKLab, Ottosson 2020) as an eye sees them, in hundredths. */
function seen(colour: number, eye: string): Triple {
  const [r, g, b] = EYES[eye] ?? [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  const light = linear(colour);
  const inside = (x: number): number => Math.min(1, Math.max(0, x));
  const rgb: Triple = [inside(dot(r, light)), inside(dot(g, light)), inside(dot(b, light))];
  const cones: Triple = [
    Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], rgb)),
    Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], rgb)),
    Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], rgb)),
  ];
  return [
    100 * dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    100 * dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    100 * dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

function apart(a: number, b: number, eye: string): number {
  const [one, other] = [seen(a, eye), seen(b, eye)];
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

function contrast(a: number, b: number): number {
  const brightness = (colour: number): number => dot([0.2126, 0.7152, 0.0722], linear(colour)) + 0.05;
  const [one, other] = [brightness(a), brightness(b)];
  return Math.max(one, other) / Math.min(one, other);
}

/** The colour that a file of styles gives a name, or the rule of a selector, in a theme. */
function styled(file: string, theme: Theme, name: string): number {
  const text = sources[`../src/style/${file}.css`] ?? "";
  const found = [
    ...text.matchAll(new RegExp(`${name.replace(".", "\\.")}(?::| \\{\\s*color:) #([0-9a-f]{6});`, "g")),
  ];
  return Number.parseInt(found[theme === "light" ? 0 : 1]?.[1] ?? "", 16);
}

const FORCES = ["constraint", "behavior", "field", "torque"] as const;

/** What must be told apart, in each theme: with nothing but its colour. */
const GROUPS: Readonly<Record<string, (theme: Theme) => number[]>> = {
  "kinds of force": (theme) => [...FORCES.map((kind) => PALETTES[theme][kind]), PALETTES[theme].grab],
  "lines of a plot": (theme) => [1, 2, 3, 4].map((k) => styled("tokens", theme, `--plot-${k}`)),
  "selected, under the pointer, in conflict": (theme) => [
    PALETTES[theme].select,
    PALETTES[theme].hover,
    PALETTES[theme].conflict,
  ],
  "what would snap, and the forces it would have": (theme) => [
    PALETTES[theme].halo,
    PALETTES[theme].constraint,
  ],
  axes: (theme) => ["x", "y", "z"].map((axis) => styled("overlay", theme, `.axis-${axis}`)),
  "axes of the gizmo": () => [...AXIS_COLOURS],
};
const NEAREST = 10; // hundredths of OKLab; about five times what can just be noticed
const LEAST_CONTRAST = 3; // WCAG, for graphics

describe.each(THEMES)("in the %s theme", (theme) => {
  test.each(Object.keys(GROUPS))("%s differ for all eyes", (group) => {
    const colours = GROUPS[group]?.(theme) ?? [];
    const near = Object.keys(EYES).flatMap((eye) =>
      colours.flatMap((a, i) =>
        colours
          .slice(0, i)
          .flatMap((b) =>
            apart(a, b, eye) >= NEAREST ? [] : [`${a.toString(16)} ${b.toString(16)} ${eye}`],
          ),
      ),
    );
    expect(colours.length).toBeGreaterThan(1);
    expect(near).toEqual([]);
  });

  test.each(["kinds of force", "lines of a plot", "axes", "axes of the gizmo"])(
    "%s are seen on what is behind",
    (group) => {
      const colours = GROUPS[group]?.(theme) ?? [];
      expect(
        colours.filter((colour) => contrast(colour, styled("tokens", theme, "--back")) < LEAST_CONTRAST),
      ).toEqual([]);
    },
  );

  test("arrows have the colours of their chips", () => {
    for (const kind of FORCES) expect(styled("tokens", theme, `--${kind}`)).toBe(PALETTES[theme][kind]);
    expect(styled("tokens", theme, "--hand")).toBe(PALETTES[theme].grab);
  });
});
