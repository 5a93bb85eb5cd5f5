// The live page: a world that runs in the page by itself, to be looked at, pulled, paused and begun again.

import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { FORMAT, type LiveFile } from "./live/file";
import { Local } from "./live/local";
import { Icon } from "./panels/Icon";
import { Plot } from "./panels/Plot";
import { Legend, stageIn } from "./panels/Viewport";
import { plotEach, plots } from "./state/plots";
import { expectTracks, receive, serveBy, showFrame } from "./state/session";
import * as store from "./state/store";
import { Tracks } from "./wire/frame";
import { unpacked } from "./wire/unpack";
import "./style/index.css";
import { wording } from "./wording/spoken";

/** What scripts beside the page can do. */
interface LiveWorld {
  ready: Promise<void>;
  done(): void; // it is ready
  failed(problem: unknown): void;
  play(isPlaying?: boolean): void;
  reset(): void;
  step(seconds: number): void;
  get(quantity: string): number;
  set(item: string, parameter: string, value: number | readonly number[]): void;
  on(what: "frame", listener: (time: number) => void): void;
  readonly time: number;
  state(): number[];
}

declare global {
  interface Window {
    world: LiveWorld;
  }
}

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

function Page({ local }: { local: Local }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const stop = stageIn(canvas.current);
    local.show();
    let last = performance.now();
    let next = 0;
    const loop = (time: number): void => {
      next = requestAnimationFrame(loop);
      local.pass(Math.max(0, time - last) / 1000);
      last = time;
    };
    next = requestAnimationFrame(loop);
    return () => {
      cancelAnimationFrame(next);
      stop();
    };
  }, []);
  const now = store.status.value;
  return (
    <div class="replay">
      <main class="viewport">
        <canvas ref={canvas} tabIndex={0} role="img" aria-label={wording.live.worldInMotion} />
        <div class="caption">{local.file.model.title}</div>
        <Legend />
        {now?.note ? (
          <div class="caption" role="alert">
            {now.note}
          </div>
        ) : null}
      </main>
      <footer>
        <div class="player">
          <button
            type="button"
            class="tool"
            aria-label={now?.is_playing ? wording.live.pause : wording.live.play}
            onClick={() => void local.ask({ do: "play", is_playing: !local.isPlaying })}
          >
            <Icon name={now?.is_playing ? "pause" : "play"} />
          </button>
          <button
            type="button"
            class="tool"
            aria-label={wording.common.backToTheStart}
            onClick={() => local.reset()}
          >
            <Icon name="undo" />
          </button>
          <label>
            {wording.common.speed}{" "}
            <select
              aria-label={wording.common.speed}
              value={local.speed}
              onChange={(e) => void local.ask({ do: "play", speed: Number(e.currentTarget.value) })}
            >
              {SPEEDS.map((speed) => (
                <option key={speed} value={speed}>
                  ×{speed}
                </option>
              ))}
            </select>
          </label>
          <span>{(now?.time ?? 0).toFixed(2)} s</span>
        </div>
        {plots.value.length ? (
          <div class="plot-row">
            {plots.value.slice(0, 4).map((spec, i) => (
              <Plot key={`${spec.id} ${store.theme.value}`} spec={spec} place={i} isFixed />
            ))}
          </div>
        ) : null}
      </footer>
    </div>
  );
}

async function start(): Promise<void> {
  const root = document.getElementById("studio");
  if (!root) return;
  const content = await unpacked("world");
  const file = content && (JSON.parse(new TextDecoder().decode(content)) as LiveFile);
  if (!file || file.format !== FORMAT) {
    const said = file
      ? wording.live.otherFormat({ format: file.format, known: FORMAT })
      : "This page holds no world.";
    render(<p class="empty">{said}</p>, root);
    return;
  }
  document.title = `${file.model.title || wording.live.world} · Tinkerdyne`;
  store.hello.value = {
    type: "Hello",
    version: 1,
    build: "",
    types: file.types,
    examples: [],
    guides: [],
    fits: [],
    can_render: false,
    session: "",
    is_bare: false,
  };
  store.model.value = file.model;
  expectTracks(new Tracks(file.layout));
  const listeners: ((time: number) => void)[] = [];
  const local = await Local.start(
    file,
    (frame) => {
      showFrame(frame);
      for (const listener of listeners) listener(frame.time);
    },
    (status) => receive(status),
  );
  serveBy(local);
  plots.value = plotEach(Object.keys(file.watched));
  render(<Page local={local} />, root);
  Object.assign(window.world, {
    play: (isPlaying = true) => void local.ask({ do: "play", is_playing: isPlaying }),
    reset: () => local.reset(),
    step: (seconds: number) => {
      local.engine.step(seconds);
      local.show();
    },
    get: (quantity: string) => local.get(quantity),
    set: (item: string, parameter: string, value: number | readonly number[]) =>
      local.set(item, parameter, value),
    on: (_what: "frame", listener: (time: number) => void) => void listeners.push(listener),
    state: () => local.state(),
  });
  Object.defineProperty(window.world, "time", { get: () => local.engine.time });
}

start().then(window.world.done, window.world.failed);
