// How curves are attached when they snap together; shown where there are curves.
import { ATTACHMENTS, attachment, isCurve } from "../../media/curves";
import { model } from "../../state/store";
import { keysOf } from "../../state/values";
import { wording } from "../../wording/spoken";
import { Select } from "../Select";

export function AttachmentChoice() {
  if (!(model.value?.items ?? []).some((i) => i.family === "object" && isCurve(i.name))) return null;
  return (
    <label class="joint" title={wording.media.howAttached}>
      <span>{wording.media.curves}</span>
      <Select
        label={wording.media.attachCurves}
        value={attachment.value}
        options={keysOf(ATTACHMENTS).map((key) => [key, ATTACHMENTS[key]])}
        choose={(chosen) => (attachment.value = chosen)}
      />
    </label>
  );
}
