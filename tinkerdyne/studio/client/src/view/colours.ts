// Colours of both themes. Those that mean something can be told apart by eyes that see fewer hues (tests/colours.test.ts); the parts'
// mean nothing, and differ in lightness as well as in hue.
import type { Theme } from "../state/store";

export interface Palette {
  sky: number;
  ground: number;
  line: number;
  strong: number;
  edge: number;
  metal: number;
  dark: number;
  select: number;
  hover: number;
  conflict: number;
  constraint: number;
  behavior: number;
  field: number;
  torque: number;
  grab: number;
  halo: number;
  fixed: number;
  shade: number; // of shadows, 0 to 1
  parts: readonly number[];
}

/** The axes x, y and z, in both themes. */
export const AXIS_COLOURS = [0xdc5b17, 0x049d81, 0x4767aa] as const;

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: {
    sky: 0xeef1f4,
    ground: 0xe3e7eb,
    line: 0xcdd4da,
    strong: 0xb0bac3,
    edge: 0x27323b,
    metal: 0x8d99a4,
    dark: 0x46525d,
    select: 0xe07a00,
    hover: 0xf5b45c,
    conflict: 0xc8281e,
    constraint: 0x2381c4,
    behavior: 0x09705b,
    field: 0xa87b29,
    torque: 0x7a30a4,
    grab: 0xb02f00,
    halo: 0xe07a00,
    fixed: 0xa9b2ba,
    shade: 0.17,
    parts: [0x5b9bd5, 0xf2b263, 0x6fbf9a, 0xd98a94, 0xa99bd4, 0x9cc6e0, 0xd7c76a, 0x8fa3b3],
  },
  dark: {
    sky: 0x14181d,
    ground: 0x181d23,
    line: 0x262d35,
    strong: 0x39434e,
    edge: 0x0a0d10,
    metal: 0x9aa7b3,
    dark: 0x55626e,
    select: 0xfdb445,
    hover: 0xb6821d,
    conflict: 0xfe787e,
    constraint: 0x80adbc,
    behavior: 0x48deb3,
    field: 0xe8cc56,
    torque: 0xbd82fe,
    grab: 0xf68959,
    halo: 0xfdb445,
    fixed: 0x6b7680,
    shade: 0.5,
    parts: [0x4a8ac4, 0xd39a4f, 0x55a583, 0xc0747f, 0x8f82bd, 0x7fb0cc, 0xb8aa55, 0x7d909f],
  },
};
