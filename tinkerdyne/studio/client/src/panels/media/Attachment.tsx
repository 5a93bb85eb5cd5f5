// How curves are attached when they snap together; shown where there are curves.
import { ATTACHMENTS, type Attachment, attachment, isCurve } from "../../media/curves";
import { model } from "../../state/store";

export function AttachmentChoice() {
  if (!(model.value?.items ?? []).some((i) => i.family === "object" && isCurve(i.name))) return null;
  return (
    <label class="joint" title="How curves are attached when they snap together">
      <span>curves</span>
      <select
        aria-label="Attach curves"
        value={attachment.value}
        onChange={(e) => (attachment.value = e.currentTarget.value as Attachment)}
      >
        {Object.entries(ATTACHMENTS).map(([key, title]) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
