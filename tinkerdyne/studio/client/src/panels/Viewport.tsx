// The viewport: the stage in a canvas, and what floats over it.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { dismissGuide, hint, isGuiding } from "../state/guide";
import { parsed } from "../state/numbers";
import { goOn } from "../state/scrub";
import * as store from "../state/store";
import { withKeys } from "../tools/action";
import { action, joinWith } from "../tools/actions";
import { inHand } from "../tools/hand";
import { beforePicture, moreLabels, type PlacedLabel } from "../tools/labels";
import { listen } from "../tools/pointer";
import { CHOICES, choices, hasAxis } from "../view/axis";
import { view } from "../view/current";
import { withoutOverlaps } from "../view/labels";
import { bodiesOf, placeNamed, type placeOf } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { Away } from "./Away";
import { ActionButton } from "./Bar";
import { ControlPanel } from "./ControlPanel";
import { GuideBanner } from "./GuideBanner";
import { Legend } from "./Legend";
import { ArrangeForm } from "./make/ArrangeForm";
import { FormulaForm } from "./make/FormulaForm";
import { SizeEntry } from "./make/SizeEntry";
import { Toolbox } from "./make/Toolbox";
import { AttachmentChoice } from "./media/Attachment";
import { Rulers } from "./Rulers";
import { Select } from "./Select";
import { stageIn, type Uses } from "./stageIn";
import { TimeHandle } from "./TimeHandle";
import { ViewCube } from "./ViewCube";

interface Label {
  key: string;
  text: string;
  x: number;
  y: number;
  kind: "hint" | "name" | "time" | PlacedLabel["kind"];
  part?: number; // of a time: which key of the path `text`
}
const NAMED = 8; // of a group in conflict
const labels = signal<readonly Label[]>([]);
const isWithoutWebgl = signal(false); // there is no WebGL

export function Viewport() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    try {
      return stageIn(canvas.current, USES);
    } catch {
      isWithoutWebgl.value = true;
      return undefined;
    }
  }, []);
  return (
    <main class="viewport">
      <canvas ref={canvas} tabIndex={0} data-panel role="img" aria-label={wording.view.viewportHint} />
      {isWithoutWebgl.value ? (
        <div class="no-webgl" role="alert">
          <strong>{wording.view.noWebgl}</strong>
          <span>{wording.view.noWebglRemedy}</span>
        </div>
      ) : null}
      <Rulers />
      <ViewCube />
      <Tools />
      <Prompt />
      <Legend titled={(id) => withKeys(action(id))} />
      <Conflicts />
      <Past />
      <Away />
      <GuideBanner />
      <ControlPanel />
      {labels.value.map((l) =>
        l.kind === "time" ? (
          <TimeHandle
            key={l.key}
            path={l.text}
            part={l.part ?? 0}
            style={{ transform: beside(l.x, l.y - 26, 4) }}
          />
        ) : (
          <div
            key={l.key}
            class={`label ${l.kind}`}
            style={{
              transform: isAt(l.kind) ? at(l.x, l.y) : beside(l.x, l.y, 0, l.kind === "hint" ? 320 : 0),
            }}
          >
            <span>{l.text}</span>
            {l.kind === "hint" ? (
              <button class="plain" aria-label={wording.common.hideTheHints} onClick={dismissGuide}>
                ✕
              </button>
            ) : null}
          </div>
        ),
      )}
      <ReadoutLabel />
      <Toolbox />
      <SizeEntry />
      <FormulaForm />
      <ArrangeForm />
    </main>
  );
}

/** What the studio does with its stage: tools, the hand, labels. */
const USES: Uses = {
  listen,
  before(stage) {
    inHand()?.follow();
    if (inHand()) stage.refresh();
    for (const follow of beforePicture) follow(stage);
  },
  after(stage) {
    labels.value = labelsOf(stage);
  },
};

function labelsOf(stage: Stage): Label[] {
  const made: Label[] = [];
  const put = (key: string, text: string, at: ReturnType<typeof placeOf>, kind: Label["kind"]): void => {
    if (!at) return;
    const p = stage.project(at);
    if (p.isAhead) made.push({ key, text, x: p.x, y: p.y, kind });
  };
  // First what is pointed at or selected, then bodies, then joints.
  const first = new Set([
    store.hovered.value,
    ...(store.selected.value.length < 6 ? store.selected.value : []),
  ]);
  const others = store.areNamesShown.value ? [...stage.figures.keys(), ...stage.glyphs.keys()] : [];
  for (const name of new Set([...first, ...others])) {
    if (!name || inHand() || isGuiding.value) continue;
    put(
      `name ${name}`,
      name,
      stage.glyphs.get(name)?.anchors[0] ??
        stage.figures.get(name)?.box().getCenter(stage.camera.target.clone()) ??
        null,
      "name",
    );
  }
  const always = made.filter((l) => first.has(l.text)).length;
  const sided = made.map((l) => ({ ...l, isLeft: isLeft(l.x, 0) }));
  made.splice(0, made.length, ...withoutOverlaps(sided, always));
  const [path = ""] = store.selected.value;
  const glyph =
    store.typeOf(store.items.value.get(path))?.glyph === "path" && !inHand()
      ? stage.glyphs.get(path)
      : undefined;
  glyph?.anchors.forEach((at, part) => {
    const p = stage.project(at);
    if (p.isAhead) made.push({ key: `time ${path} ${part}`, text: path, x: p.x, y: p.y, kind: "time", part });
  });
  for (const more of moreLabels) for (const { key, text, at, kind } of more(stage)) put(key, text, at, kind);
  const next = hint.value;
  if (next?.at && !inHand()) {
    const joint = [...stage.glyphs.values()].find((glyph) => bodiesOf(glyph.item).includes(next.at));
    put("hint", next.text, next.of_joint ? (joint?.anchors[0] ?? null) : placeNamed(next.at), "hint");
  }
  return made;
}

function Tools() {
  const tool = store.tool.value;
  return (
    <div class="tools" role="toolbar" aria-label={wording.view.tools}>
      <ActionButton id="escape" icon="select" isPressed={tool === "select"} />
      <ActionButton id="cut" icon="cut" isPressed={tool === "cut"} />
      <ActionButton id="nail" icon="nail" isPressed={tool === "nail"} />
      <ActionButton id="path" icon="path" isPressed={tool === "path"} />
      <ActionButton id="frame" icon="frame" />
      <label class="joint" title={wording.view.howJoined}>
        <span>{wording.view.joinWith}</span>
        <Select
          value={store.joint.value}
          options={store.joints.value.map(({ name, word }, i) => [name, `${i + 1} ${word || name}`])}
          choose={joinWith}
        />
      </label>
      <AttachmentChoice />
      {hasAxis(store.joint.value) || store.isAiming.value ? <Axis /> : null}
    </div>
  );
}

/** Which axis a joint gets; a typed one has its numbers beside it. */
function Axis() {
  return (
    <>
      <label class="joint" title={wording.view.theAxisOfTheJointKey}>
        <span>{wording.view.axisWord}</span>
        <Select
          label={wording.view.axisOfJoints}
          value={store.axis.value}
          options={choices().map((choice) => [choice, CHOICES[choice]])}
          choose={(choice) => (store.axis.value = choice)}
        />
      </label>
      {store.axis.value === "typed"
        ? store.typedAxis.value.slice(0, store.dimension.value).map((x, i) => (
            <input
              key={i}
              class="coordinate"
              aria-label={wording.view.axisNumber({ axis: "xyz"[i] ?? "" })}
              inputMode="decimal"
              value={String(x)}
              onChange={(e) => {
                const given = parsed(e.currentTarget.value);
                const next: [number, number, number] = [...store.typedAxis.value];
                if (given !== null) next[i] = given;
                store.typedAxis.value = next;
              }}
            />
          ))
        : null}
    </>
  );
}

function Prompt() {
  return store.prompt.value ? (
    <div class="prompt" role="status">
      {store.prompt.value}
    </div>
  ) : null;
}

/** Whether there is too little room on the right of a place of the picture. */
function isLeft(x: number, room: number): boolean {
  const width = view.stage?.canvas.clientWidth ?? Infinity;
  return x > Math.max(0.5 * width, Math.min(0.66 * width, width - room));
}

/** Whether a label stands at its place, and not beside it. */
function isAt(kind: Label["kind"]): boolean {
  return kind === "tag" || kind === "measure";
}

function at(x: number, y: number): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/** To the right of a place of the picture, or to its left where there is no room. */
function beside(x: number, y: number, gap: number, room = 0): string {
  return isLeft(x, room)
    ? `translate(calc(${(x - gap).toFixed(1)}px - 100% - 24px), ${(y + gap).toFixed(1)}px)`
    : `translate(${(x + gap).toFixed(1)}px, ${(y + gap).toFixed(1)}px)`;
}

function ReadoutLabel() {
  const r = store.readout.value;
  if (!r) return null;
  return (
    <div class="readout" style={{ transform: beside(r.x, r.y, 16, 340) }}>
      <strong>{r.text}</strong>
      {r.detail ? <span>{r.detail}</span> : null}
    </div>
  );
}

/** Groups that cannot all be met, with an offer to mend. */
function Conflicts() {
  const found = (store.status.value?.conflicts ?? []).filter((c) => c.kind !== "redundant");
  if (!found.length) return null;
  return (
    <div class="conflicts" role="alert">
      {found.slice(0, 3).map((c) => (
        <div key={c.names.join()}>
          <strong>
            {c.kind === "contradictory"
              ? wording.view.cannotAllBeMet({ count: c.names.length })
              : wording.view.notMet}
          </strong>{" "}
          {c.names.slice(0, NAMED).map((name) => (
            <button key={name} class="chip" onClick={() => store.select(name)}>
              {name}
            </button>
          ))}
          {c.names.length > NAMED ? (
            <span>{wording.view.andMore({ count: c.names.length - NAMED })} </span>
          ) : null}
          <span class="muted"> {wording.view.selectToRemove}</span>
        </div>
      ))}
    </div>
  );
}

function Past() {
  if (!store.status.value?.is_past) return null;
  return (
    <div class="past" role="status">
      {wording.view.lookingAtPast({ time: store.status.value.time.toFixed(2) })}
      <button onClick={goOn}>{wording.view.goOnFromHere}</button>
      <button onClick={action("now").run}>{wording.common.backToNow}</button>
    </div>
  );
}
