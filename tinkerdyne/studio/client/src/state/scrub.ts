// Time travel: showing the recorded past, and going on from there.

import { act, ask } from "./session";
import { latest, status } from "./store";

let wanted: number | null = null;
let isSending = false;

/** Show the past at a time; one request at a time, always the newest. */
export async function scrubTo(time: number): Promise<void> {
  wanted = time;
  if (isSending) return;
  isSending = true;
  while (wanted !== null) {
    const now: number = wanted;
    wanted = null;
    await ask({ do: "scrub", time: now }).catch(() => undefined); // a moment that is no longer recorded: the next one counts
  }
  isSending = false;
}

export function goOn(): void {
  void act({ do: "scrub", time: latest.frame?.time ?? status.value?.time ?? 0, is_final: true });
}
