// When everything has left the picture: a word, and two ways back.
import { goOn, scrubTo } from "../state/scrub";
import { isReplay, status } from "../state/store";
import { action } from "../tools/actions";
import { isAway } from "../view/current";

/** Go on from the first moment that is recorded, paused. */
export async function backToStart(): Promise<void> {
  await scrubTo(status.value?.start ?? 0);
  goOn();
}

export function Away() {
  if (!isAway.value) return null;
  return (
    <div class="away" role="status">
      <span>Everything has left the view.</span>
      <button class="primary" onClick={action("frame-all").run}>
        Show it
      </button>
      {isReplay.value ? null : <button onClick={() => void backToStart()}>Back to the start</button>}
    </div>
  );
}
