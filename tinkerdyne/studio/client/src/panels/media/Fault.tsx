// What is wrong with typed formulas, shown at the character, while they are typed.
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "../../state/session";
import type { Check, Fault as FaultFound } from "../../wire/protocol";

const PAUSE = 120; // ms without a key before the server is asked

/** Faults of what is being typed, as the server has them. */
export function useFaults(asked: Omit<Check, "do"> | null): ReadonlySignal<readonly FaultFound[]> {
  const faults = useSignal<readonly FaultFound[]>([]);
  const key = JSON.stringify(asked);
  useEffect(() => {
    if (!asked || asked.texts.every((t) => !t.trim())) {
      faults.value = [];
      return;
    }
    let isOld = false;
    const timer = setTimeout(() => {
      ask({ do: "check", ...asked })
        .then(
          ({ faults }) => faults,
          (reason: unknown) => [{ field: -1, reason: String(reason), position: 0 }],
        )
        .then((found) => {
          if (!isOld) faults.value = found;
        });
    }, PAUSE);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [key]);
  return faults;
}

export function Fault({ fault, text }: { fault: FaultFound | undefined; text: string }) {
  if (!fault) return null;
  const from = Math.max(0, fault.position - 24);
  return (
    <div class="fault" role="alert">
      {text ? (
        <pre aria-hidden="true">
          {from ? "…" : ""}
          {text.slice(from, fault.position)}
          <mark>{text[fault.position] ?? " "}</mark>
          {text.slice(fault.position + 1, fault.position + 20)}
        </pre>
      ) : null}
      <span>{fault.reason}</span>
    </div>
  );
}
