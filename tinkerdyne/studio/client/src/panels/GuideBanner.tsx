// A hint that is about no place of the picture stands at its upper edge.
import { dismissGuide, hint } from "../state/guide";
import { wording } from "../wording/spoken";
import { Keyed } from "./Help";

export function GuideBanner() {
  const next = hint.value;
  if (!next || next.at) return null;
  return (
    <div class="guide-banner" role="status">
      <span>
        <Keyed text={next.text} />
      </span>
      <button class="plain" aria-label={wording.common.hideTheHints} onClick={dismissGuide}>
        ✕
      </button>
    </div>
  );
}
