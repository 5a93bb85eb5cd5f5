// In a narrow window: which panel lies under the view.
import { isNarrow, type LowerPanel, sheet } from "../state/layout";
import { wording } from "../wording/spoken";

const TABS: readonly (readonly [LowerPanel, string])[] = [
  ["parts", wording.common.parts],
  ["side", wording.common.inspector],
  ["timeline", wording.common.timeline],
  ["plots", wording.common.plots],
];

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
