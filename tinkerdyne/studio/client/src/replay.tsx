// The replay: a recording in one file, with orbit, scrub and plots and without a server.

import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Box3, Vector3 } from "three";
import { listenTo } from "./live/pointer";
import { Icon } from "./panels/Icon";
import { Legend } from "./panels/Legend";
import { Plot } from "./panels/Plot";
import { stageIn } from "./panels/stageIn";
import { history, Series } from "./state/history";
import { plotEach } from "./state/plots";
import { expectTracks, showFrame } from "./state/session";
import * as store from "./state/store";
import { view } from "./view/current";
import { texturesApplied } from "./view/texture";
import { decode, type Frame, Tracks } from "./wire/frame";
import type { Replay as Recorded } from "./wire/protocol";
import { unpacked } from "./wire/unpack";
import "./style/index.css";
import { wording } from "./wording/spoken";

declare global {
  interface Window {
    tinkerdyne: {
      ready: Promise<void>;
      done(): void; // it is ready
      failed(problem: unknown): void;
      seek(time: number): void;
      size: { frames: number; start: number; end: number };
    };
  }
}

const isFilm = new URLSearchParams(location.search).get("film") === "1" || location.hash.startsWith("#film");
// A film shows bodies only, unless forces are asked for.
if (isFilm)
  for (const kind of ["constraint", "behavior", "field", "hand", "torque"]) {
    const isShown = location.hash === "#film-forces" && kind !== "field";
    store.forceChoice.value = { ...store.forceChoice.value, [kind]: isShown, [`${kind} of many`]: isShown };
  }
const isPlaying = signal(!isFilm);
const now = signal(0);

class Player {
  readonly frames: Frame[] = [];
  private readonly tracks = new Map<number, Tracks>();

  constructor(
    readonly recording: Recorded,
    bytes: ArrayBuffer, // of its frames
  ) {
    for (const layout of recording.layouts) this.tracks.set(layout.revision, new Tracks(layout));
    for (let at = 0; at + 16 <= bytes.byteLength; ) {
      const layout = this.tracks.get(new DataView(bytes).getUint32(at + 4, true))?.layout;
      const frame = layout && decode(bytes.slice(at, at + 16 + 4 * layout.size));
      if (!frame) break;
      this.frames.push(frame);
      at += 16 + 4 * frame.numbers.length;
    }
    store.pictures.value = new Map(Object.entries(recording.pictures));
    store.model.value = { ...recording.model, revision: 0 }; // it fits every layout of the recording
    store.isReplay.value = true;
    for (const [name, { times, values }] of Object.entries(recording.plots))
      history.series.set(name, new Series(times, values));
    store.traced.value = recording.traces;
    store.recalled.value++;
  }

  get start(): number {
    return this.frames[0]?.time ?? 0;
  }

  get end(): number {
    return this.frames.at(-1)?.time ?? 0;
  }

  /** The last frame at a time or before it. */
  private at(time: number): Frame | undefined {
    let [low, high] = [0, this.frames.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.frames[middle]?.time ?? Infinity) <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return this.frames[low];
  }

  seek(time: number): void {
    now.value = Math.min(this.end, Math.max(this.start, time));
    const frame = this.at(now.value);
    const tracks = frame && this.tracks.get(frame.revision);
    if (!frame || !tracks) return;
    if (store.tracks.value !== tracks) expectTracks(tracks);
    showFrame(frame);
  }
}

function Replay({ player }: { player: Player }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const stop = stageIn(canvas.current, { listen: listenTo });
    player.seek(player.start);
    let last = performance.now();
    let next = 0;
    const loop = (time: number): void => {
      next = requestAnimationFrame(loop);
      const passed = (time - last) / 1000;
      last = time;
      if (isPlaying.value) player.seek(now.value >= player.end ? player.start : now.value + passed);
    };
    next = requestAnimationFrame(loop);
    return () => {
      cancelAnimationFrame(next);
      stop();
    };
  }, []);
  const plots = useMemo(() => {
    const traced = new Set(player.recording.traces.flatMap((at) => ["[0]", "[1]", "[2]"].map((k) => at + k)));
    return plotEach(Object.keys(player.recording.plots).filter((name) => !traced.has(name)));
  }, []);
  return (
    <div class="replay">
      <main class="viewport">
        <canvas ref={canvas} tabIndex={0} role="img" aria-label={wording.live.recordedMotion} />
        {isFilm ? null : <div class="caption">{player.recording.model.title}</div>}
        {isFilm ? null : <Legend />}
      </main>
      {isFilm ? null : (
        <footer>
          <div class="player">
            <button
              class="tool"
              aria-label={isPlaying.value ? wording.live.pause : wording.live.play}
              onClick={() => (isPlaying.value = !isPlaying.value)}
            >
              <Icon name={isPlaying.value ? "pause" : "play"} />
            </button>
            <input
              type="range"
              aria-label={wording.live.time}
              min={player.start}
              max={player.end}
              step="any"
              value={now.value}
              onInput={(e) => {
                isPlaying.value = false;
                player.seek(Number(e.currentTarget.value));
              }}
            />
            <span>{now.value.toFixed(2)} s</span>
          </div>
          {plots.length ? (
            <div class="plot-row">
              {plots.slice(0, 4).map((spec, i) => (
                <Plot key={`${spec.id} ${store.theme.value}`} spec={spec} place={i} isFixed />
              ))}
            </div>
          ) : null}
        </footer>
      )}
    </div>
  );
}

const SAMPLES = 12;

/** Where a motion leaves the picture that its start was framed in, the film shows all of the way. */
function showWhole(player: Player): void {
  const stage = view.stage;
  if (!stage) return;
  stage.rebuild();
  const whole = new Box3();
  let isLeft = false;
  for (let k = 0; k <= SAMPLES; k++) {
    player.seek(player.start + (k / SAMPLES) * (player.end - player.start));
    stage.place();
    const box = stage.bounds();
    isLeft ||= cornersOf(box).some((corner) => {
      const { x, y } = stage.project(corner);
      return x < 0 || y < 0 || x > stage.canvas.clientWidth || y > stage.canvas.clientHeight;
    });
    whole.union(box);
  }
  if (isLeft) stage.settle(whole);
  player.seek(player.start);
}

function cornersOf({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) =>
    [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))),
  );
}

async function start(): Promise<void> {
  const root = document.getElementById("studio");
  if (!root) return;
  const [content, frames] = await Promise.all([unpacked("recording"), unpacked("frames")]);
  if (!content || !frames) {
    render(<p class="empty">{wording.live.thisPageHoldsNoRecording}</p>, root);
    return;
  }
  const player = new Player(JSON.parse(new TextDecoder().decode(content)) as Recorded, frames);
  document.title = `${player.recording.model.title || wording.live.replay} · Tinkerdyne`;
  store.hello.value = {
    type: "Hello",
    version: 1,
    build: "",
    types: player.recording.types,
    examples: [],
    guides: [],
    fits: [],
    can_render: false,
    session: "",
    is_bare: false,
  };
  render(<Replay player={player} />, root);
  const drawn = (): Promise<void> =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
  // Effects run late on a busy machine.
  const staged = (): Promise<void> => drawn().then(() => (view.stage ? undefined : staged()));
  Object.assign(window.tinkerdyne, {
    size: { frames: player.frames.length, start: player.start, end: player.end },
    seek(time: number): void {
      isPlaying.value = false;
      const before = store.tracks.value;
      player.seek(time);
      if (store.tracks.value !== before) view.stage?.rebuild(); // other parts: the picture may be taken at once
      view.stage?.draw();
    },
  });
  await staged();
  if (isFilm) showWhole(player);
  await texturesApplied();
  await drawn();
}

start().then(window.tinkerdyne.done, window.tinkerdyne.failed);
