// Out of the page: a picture of the view, and films of it.
import { download } from "../media/files";
import { act, ask, report } from "../state/session";
import { hello, model, say, status, tracedPlaces } from "../state/store";
import { view } from "../view/current";
import { wording } from "../wording/spoken";

const RATE = 60; // frames a second
const KINDS = ["video/mp4;codecs=avc1.42E01E", "video/webm;codecs=vp9", "video/webm"];
const BITS = 12_000_000; // a second

function base(): string {
  return (model.value?.title || "world").replace(/\.[a-z]+$/, "").replace(/[^\w-]+/g, "_");
}

/** The view as it is drawn, without what lies over it. */
export function picture(): void {
  const stage = view.stage;
  if (!stage) return;
  stage.refresh();
  stage.draw();
  stage.canvas.toBlob((blob) => blob && download(`${base()}.png`, blob, "image/png"), "image/png");
}

let recorder: MediaRecorder | null = null;

export function isFilming(): boolean {
  return recorder !== null;
}

/** Record what the view shows from now on; with `done` the file is given when it ends. False where the browser cannot. */
function record(): boolean {
  const kind =
    typeof MediaRecorder === "undefined"
      ? undefined
      : KINDS.find((one) => MediaRecorder.isTypeSupported(one));
  const canvas = view.stage?.canvas;
  if (!kind || !canvas) return false;
  const parts: Blob[] = [];
  const made = new MediaRecorder(canvas.captureStream(RATE), { mimeType: kind, videoBitsPerSecond: BITS });
  made.ondataavailable = (event) => parts.push(event.data);
  made.onstop = () => {
    for (const track of made.stream.getTracks()) track.stop();
    const ending = kind.startsWith("video/mp4") ? "mp4" : "webm";
    download(`${base()}.${ending}`, new Blob(parts), kind.replace(/;.*/, ""));
    say(wording.tools.theFilmIsMade);
  };
  made.start(1000);
  recorder = made;
  view.stage?.refresh();
  return true;
}

function stop(): void {
  recorder?.stop();
  recorder = null;
}

/** Film what the view shows, until this is asked for again. */
export function film(): void {
  if (recorder) stop();
  else if (record()) say(wording.tools.theViewIsFilmedTheSame);
  else say(wording.tools.cannotFilm, "warning");
}

/** A film of the recorded past, from its beginning to now: by the browser as it shows it, else by the server. */
export async function filmOfPast(): Promise<void> {
  const now = status.value;
  if (!now || recorder) return;
  if (typeof MediaRecorder === "undefined") return void (await filmByServer());
  if (!(await act({ do: "loop", start: now.start, end: now.end }))) return;
  if (!record()) return void (await filmByServer());
  say(wording.tools.theRecordedPastIsFilmedWhile);
  await new Promise((done) => setTimeout(done, (1e3 * (now.end - now.start)) / now.speed));
  stop();
  await act({ do: "loop", is_on: false });
  await act({ do: "scrub", time: null });
}

async function filmByServer(): Promise<void> {
  if (!hello.value?.can_render) {
    say(wording.tools.nobodyFilms, "error");
    return;
  }
  say(wording.tools.theServerMakesTheFilmThat);
  try {
    const { text } = await ask({ do: "ask", what: "film", plots: [], traces: [...tracedPlaces.value] });
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    download(`${base()}.mp4`, bytes, "video/mp4");
  } catch (reason) {
    report(reason);
  }
}
