// Small line drawings for buttons.
const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  step: "M6 5l9 7-9 7zM16.5 5H19v14h-2.5z",
  start: "M12.500 5l-7 7 7 7zM20 5l-7 7 7 7zM3 5h2v14H3z",
  "step-back": "M18 5l-9 7 9 7zM5 5h2.5v14H5z",
  loop: "M17 3l3 3-3 3M20 6H8a4 4 0 0 0-4 4v1M7 21l-3-3 3-3M4 18h12a4 4 0 0 0 4-4v-1",
  flag: "M6 21V4h11l-2.500 3.800L17 11.500H6",
  undo: "M9 6L4 11l5 5M4.5 11H14a5.5 5.5 0 0 1 0 11h-3",
  redo: "M15 6l5 5-5 5M19.5 11H10a5.5 5.5 0 0 0 0 11h3",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M19 14.5A8 8 0 0 1 9.5 5 8 8 0 1 0 19 14.5z",
  select: "M6 3l13 8-6 1.5L10 19z",
  cut: "M6 6l13 12M6 18L19 6M5 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM5 20.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  nail: "M7 4h10M12 4v12M12 16l-1.500 5M12 16l1.500 5M9.500 7.500h5",
  path: "M4 18c4 0 4-10 8-10s4 6 8 6M4 18h.01M20 14h.01",
  pin: "M9 3h6l-1 6 4 4H6l4-4zM12 13v8",
  close: "M6 6l12 12M6 18L18 6",
  frame: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
} as const;

const SOLID: readonly string[] = ["play", "pause", "step", "start", "step-back"];

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  const isSolid = SOLID.includes(name);
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill={isSolid ? "currentColor" : "none"}
      stroke={isSolid ? "none" : "currentColor"}
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
