// In a narrow window: which panel lies under the view.
import { isNarrow, type LowerPanel, sheet } from "../state/layout";

const TABS: readonly (readonly [LowerPanel, string])[] = [
  ["parts", "Parts"],
  ["side", "Inspector"],
  ["timeline", "Timeline"],
  ["plots", "Plots"],
];

export function Sheets() {
  if (!isNarrow.value) return null;
  return (
    <nav class="sheets" aria-label="Panels" data-panel>
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
