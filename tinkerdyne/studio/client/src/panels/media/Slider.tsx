// A slider that pulls, on a scale that grows before its number reaches the end: it takes a number by the hand while it is moved, and lets it go afterwards; else it shows where the number is.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { stateOf } from "../../media/curves";
import { act, ask, report } from "../../state/session";
import { tick } from "../../state/store";
import { wording } from "../../wording/spoken";

const REST = 400; // ms after the last key before the hand lets go

class Hold {
  private handle: Promise<number> | null = null;
  private isSending = false;
  private wanted: number | null = null;
  timer = 0;

  constructor(private readonly name: string) {}

  pull(to: number): void {
    this.handle ??= ask({ do: "grab", item: this.name });
    this.wanted = to;
    void this.send();
  }

  private async send(): Promise<void> {
    if (this.isSending || !this.handle) return;
    this.isSending = true;
    try {
      const handle = await this.handle;
      while (this.wanted !== null) {
        const to = this.wanted;
        this.wanted = null;
        await ask({ do: "drag", handle, to: [to] });
      }
    } catch (reason) {
      report(reason);
      this.handle = null;
    }
    this.isSending = false;
  }

  release(): void {
    const held = this.handle;
    this.handle = null;
    clearTimeout(this.timer);
    void held?.then((handle) => act({ do: "release", handle })).catch(report);
  }
}

export function Slider({
  name,
  low,
  high,
  isHeld,
}: {
  name: string;
  low: number | null;
  high: number | null;
  isHeld?: boolean;
}) {
  void tick.value;
  const now = stateOf(name)?.[0] ?? 0;
  const wanted = useSignal<number | null>(null);
  const range = useRef<[number, number] | null>(null);
  const hold = useRef<Hold | null>(null);
  hold.current ??= new Hold(name);
  useEffect(() => () => hold.current?.release(), []);
  const reach = Math.max(1, 2 * Math.abs(now));
  range.current ??= [low ?? Math.min(0, now - reach), high ?? now + reach];
  const [first, last] = range.current;
  if (wanted.value === null && high === null && now > first + 0.8 * (last - first))
    range.current = [first, now + reach];
  if (wanted.value === null && low === null && now < first + 0.1 * (last - first) && now < 0)
    range.current = [now - reach, last];
  const [from, to] = range.current;
  const letGo = (): void => {
    wanted.value = null;
    hold.current?.release();
  };
  return (
    <input
      type="range"
      class={wanted.value === null ? "" : "pulling"}
      aria-label={wording.media.pull({ name })}
      min={from}
      max={to}
      step="any"
      disabled={isHeld ?? false}
      value={wanted.value ?? now}
      onInput={(e) => {
        wanted.value = Number(e.currentTarget.value);
        hold.current?.pull(wanted.value);
        clearTimeout(hold.current?.timer);
      }}
      onPointerUp={letGo}
      onKeyDown={(e) => {
        // Arrows step a hundredth of the scale: with step="any" browsers take steps of one.
        const by =
          { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[e.key] ?? 0;
        if (!by || !hold.current) return;
        e.preventDefault();
        e.stopPropagation();
        wanted.value = Math.min(to, Math.max(from, (wanted.value ?? now) + (by * (to - from)) / 100));
        hold.current.pull(wanted.value);
        clearTimeout(hold.current.timer);
        hold.current.timer = window.setTimeout(letGo, REST);
      }}
      onBlur={letGo}
    />
  );
}
