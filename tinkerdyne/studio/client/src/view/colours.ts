// Colours of both themes; the parts' colours differ in lightness as well as in hue, for eyes that see fewer hues.
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
    constraint: 0x1d6fb8,
    behavior: 0x178a5b,
    field: 0x8a6a12,
    torque: 0x8a3fb0,
    grab: 0xc2410c,
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
    select: 0xffb347,
    hover: 0xc9893c,
    conflict: 0xff6b5e,
    constraint: 0x5fb0f0,
    behavior: 0x4fd09a,
    field: 0xe0c35a,
    torque: 0xcf8cf0,
    grab: 0xff9257,
    halo: 0xffb347,
    fixed: 0x6b7680,
    shade: 0.5,
    parts: [0x4a8ac4, 0xd39a4f, 0x55a583, 0xc0747f, 0x8f82bd, 0x7fb0cc, 0xb8aa55, 0x7d909f],
  },
};
