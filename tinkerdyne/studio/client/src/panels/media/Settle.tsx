// Have a model, snake or fit slide to rest at once, instead of in the world's time.
import { useSignal } from "@preact/signals";
import { ask, report } from "../../state/session";
import { say } from "../../state/store";
import { wording } from "../../wording/spoken";

export function Settle({ name = "" }: { name?: string }) {
  const isBusy = useSignal(false);
  const settle = async (): Promise<void> => {
    isBusy.value = true;
    try {
      say(await ask({ do: "settle", name }));
    } catch (reason) {
      report(reason);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <button
      aria-label={name ? wording.media.settleIt({ name }) : wording.media.settle}
      title={wording.media.settleHint}
      disabled={isBusy.value}
      onClick={() => void settle()}
    >
      {wording.media.settle}
    </button>
  );
}
