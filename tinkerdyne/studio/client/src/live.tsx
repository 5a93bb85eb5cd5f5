// The live page: a world that runs in the page by itself, to be looked at, pulled, changed, paused and begun again.

import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { answerParent, lend } from "./live/embedded";
import { FORMAT, fileIn, type LiveFile } from "./live/file";
import { Local } from "./live/local";
import { listenTo, type Take } from "./live/pointer";
import { Pull } from "./live/pull";
import { ControlPanel } from "./panels/ControlPanel";
import { Icon } from "./panels/Icon";
import { Legend } from "./panels/Legend";
import { Plot } from "./panels/Plot";
import { stageIn } from "./panels/stageIn";
import { plotEach, plots } from "./state/plots";
import { expectTracks, recall, receive, report, serveBy, showFrame } from "./state/session";
import * as store from "./state/store";
import { placeNamed } from "./view/places";
import { Tracks } from "./wire/frame";
import { unpacked } from "./wire/unpack";
import "./style/index.css";
import { wording } from "./wording/spoken";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];
const pulled = signal<Pull | null>(null);

function Page({ local }: { local: Local }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const stop = stageIn(canvas.current, {
      listen: (stage) => listenTo(stage, taking(local)),
      before: () => pulled.value?.follow(),
    });
    local.show();
    let last = performance.now();
    let next = 0;
    const loop = (time: number): void => {
      next = requestAnimationFrame(loop);
      local.pass(Math.max(0, time - last) / 1000);
      last = time;
    };
    next = requestAnimationFrame(loop);
    addEventListener("keydown", keysOf(local));
    return () => {
      cancelAnimationFrame(next);
      stop();
    };
  }, []);
  return (
    <div class="replay">
      <main class="viewport">
        <canvas ref={canvas} tabIndex={0} role="img" aria-label={wording.live.worldInMotion} />
        <div class="caption">{local.file.model.title}</div>
        <Legend />
        <ControlPanel isFixed />
        <Readout />
        <Notes />
      </main>
      <footer>
        <Player local={local} />
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

/** Parts are taken hold of where they are hit; what cannot be pulled is left to the view. */
const taking =
  (local: Local): Take =>
  (stage, x, y, isHard) => {
    const hit = stage.bodyAt(x, y);
    if (!hit || !(hit.name in local.file.hands)) return null;
    const pull = new Pull(stage, local, hit.name, hit.own, isHard, () => (pulled.value = null));
    pulled.value = pull;
    return pull;
  };

const keysOf =
  (local: Local) =>
  (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, select, button");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") void local.ask({ do: "play", is_playing: !local.isPlaying });
    else if (event.key === ".") void local.ask({ do: "play", is_playing: false, steps: 1 });
    else if (event.key === "Home") local.reset();
    else return;
    event.preventDefault();
  };

function Readout() {
  const now = store.readout.value;
  return now ? (
    <div class="readout" style={{ transform: `translate(${now.x + 16}px, ${now.y + 16}px)` }}>
      <strong>{now.text}</strong>
    </div>
  ) : null;
}

/** Why the motion stopped, and what was refused. */
function Notes() {
  const note = store.status.value?.note;
  const all = [...(note ? [note] : []), ...store.notices.value.map(({ text }) => text)];
  return all.length ? (
    <div class="notices" aria-live="polite">
      {all.map((text) => (
        <div key={text} class="notice error" role="alert">
          <span>{text}</span>
        </div>
      ))}
    </div>
  ) : null;
}

function Player({ local }: { local: Local }) {
  const now = store.status.value;
  const title = now?.is_playing ? wording.live.pause : wording.live.play;
  return (
    <div class="player">
      <button
        type="button"
        class="tool"
        aria-label={title}
        title={`${title} (${wording.live.space})`}
        onClick={() => void local.ask({ do: "play", is_playing: !local.isPlaying })}
      >
        <Icon name={now?.is_playing ? "pause" : "play"} />
      </button>
      <button
        type="button"
        class="tool"
        aria-label={wording.live.oneStep}
        title={`${wording.live.oneStep} (.)`}
        onClick={() => void local.ask({ do: "play", is_playing: false, steps: 1 })}
      >
        <Icon name="step" />
      </button>
      <button
        type="button"
        class="tool"
        aria-label={wording.common.backToTheStart}
        title={wording.common.backToTheStart}
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
      <span class="clock">{(now?.time ?? 0).toFixed(2)} s</span>
      <span class="made">Tinkerdyne {local.file.version}</span>
    </div>
  );
}

/** The page knows of the world what the studio's server would say. */
function meet(file: LiveFile): void {
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
}

/** Why a file cannot be shown; "" where it can. */
function refusal(file: LiveFile | null): string {
  if (!file) return wording.live.noWorld;
  return file.format === FORMAT ? "" : wording.live.otherFormat({ format: file.format, known: FORMAT });
}

async function start(): Promise<void> {
  const root = document.getElementById("studio");
  if (!root) return;
  const content = await unpacked("world");
  const file = content && fileIn(new TextDecoder().decode(content));
  const wrong = refusal(file);
  if (!file || wrong) throw new Error(wrong);
  meet(file);
  const listeners: ((time: number) => void)[] = [];
  const local = await Local.start(file, {
    onFrame(frame) {
      showFrame(frame);
      for (const listener of listeners) listener(frame.time);
    },
    onStatus: receive,
    onValues: receive,
    whereIs: (place) => placeNamed(place)?.toArray() ?? [Number.NaN, Number.NaN, Number.NaN],
  });
  serveBy(local);
  lend(local, listeners);
  answerParent(local, listeners);
  local.show();
  plots.value = plotEach(Object.keys(file.watched));
  const traces = file.model.display["traces"];
  if (Array.isArray(traces)) store.traced.value = traces.map(String);
  store.tracedPlaces.subscribe((places) => {
    local.trace(places);
    void recall().catch(report);
  });
  render(<Page local={local} />, root);
}

/** What cannot be shown says why, to who looks at it and to who asked for it. */
function fail(problem: unknown): void {
  const root = document.getElementById("studio");
  const said = problem instanceof Error ? problem.message : String(problem);
  if (root) {
    render(
      <p class="empty" role="alert">
        {said}
      </p>,
      root,
    );
  }
  window.world.failed(problem);
}

start().then(window.world.done, fail);
