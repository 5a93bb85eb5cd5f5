// When everything has left the picture: a word, and two ways back.
import { goOn, scrubTo } from "../state/scrub";
import { isReplay, status } from "../state/store";
import { action } from "../tools/actions";
import { isAway } from "../view/current";
import { wording } from "../wording/spoken";

/** Go on from the first moment that is recorded, paused. */
export async function backToStart(): Promise<void> {
  await scrubTo(status.value?.start ?? 0);
  goOn();
}

export function Away() {
  if (!isAway.value) return null;
  return (
    <div class="away" role="status">
      <span>{wording.app.everythingHasLeftTheView}</span>
      <button class="primary" onClick={action("frame-all").run}>
        {wording.app.showIt}
      </button>
      {isReplay.value ? null : (
        <button onClick={() => void backToStart()}>{wording.common.backToTheStart}</button>
      )}
    </div>
  );
}
