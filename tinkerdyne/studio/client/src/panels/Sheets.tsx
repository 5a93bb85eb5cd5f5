// In a narrow window: which panel lies under the view.
import { computed, effect, untracked } from "@preact/signals";
import { isNarrow, type LowerPanel, reveal, sheet } from "../state/layout";
import { sketch } from "../state/sketch";
import { draft, newCheckpoint } from "../state/store";
import { wording } from "../wording/spoken";

const TABS: readonly (readonly [LowerPanel, string])[] = [
  ["parts", wording.common.parts],
  ["side", wording.common.inspector],
  ["timeline", wording.common.timeline],
  ["plots", wording.common.plots],
];

const isSketched = computed(() => sketch.value !== null);

// what is opened is seen, wherever panels are hidden
effect(() => {
  if (draft.value || newCheckpoint.value) untracked(() => reveal("timeline"));
});
effect(() => {
  if (isSketched.value) untracked(() => reveal("side"));
});

export function Sheets() {
  if (!isNarrow.value) return null;
  return (
    <nav class="sheets" aria-label={wording.app.panels} data-panel>
      {TABS.map(([name, title]) => (
        <button
          key={name}
          aria-expanded={sheet.value === name}
          onClick={() => (sheet.value = sheet.value === name ? "" : name)}
        >
          {title}
        </button>
      ))}
    </nav>
  );
}
