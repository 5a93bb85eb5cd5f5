// How curves are attached when they snap together; shown where there are curves.
import { isCurve, WAYS, type Way, way } from "../../media/curves";
import { model } from "../../state/store";

export function Ways() {
  if (!(model.value?.items ?? []).some((i) => i.family === "object" && isCurve(i.name))) return null;
  return (
    <label class="joint" title="How curves are attached when they snap together">
      <span>curves</span>
      <select
        aria-label="Attach curves"
        value={way.value}
        onChange={(e) => (way.value = e.currentTarget.value as Way)}
      >
        {Object.entries(WAYS).map(([key, title]) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
