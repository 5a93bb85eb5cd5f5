// The toolbox: bodies, joints and forces with pictures; a click takes one in hand, a drag drops it into the view.
import { made } from "../../state/making";
import { dimension, hello, isReplay, types } from "../../state/store";
import { withKeys } from "../../tools/action";
import { action } from "../../tools/actions";
import { dropType, takeType, toolbox } from "../../tools/make";
import { view } from "../../view/current";
import type { TypeInfo } from "../../wire/protocol";
import { wording } from "../../wording/spoken";
import { Picture } from "./Picture";

const FAR = 8; // px from the button: it is dragged into the view

export function Toolbox() {
  if (!hello.value || isReplay.value) return null;
  void [types.value, dimension.value];
  const all = toolbox();
  const bodies = all.filter((type) => type.family === "object");
  const [moving, standing] = [bodies.filter((t) => !stands(t)), bodies.filter(stands)];
  const others = all.filter((type) => type.family !== "object" && type.ports.length > 0);
  const rules = [...standing, ...all.filter((type) => type.family !== "object" && !type.ports.length)];
  return (
    <div class="toolbox" role="toolbar" aria-label={wording.making.toolbox} aria-orientation="vertical">
      {[moving, others, rules].map((types, k) => (
        <div
          key={k}
          class="toolbox-group"
          role="group"
          aria-label={[wording.common.bodies, wording.making.jointsAndForces, wording.making.ground][k]}
        >
          {types.map((type) => (
            <TypeButton key={type.name} type={type} />
          ))}
        </div>
      ))}
      <div class="toolbox-group">
        <Command id="insert-panel" word={wording.making.more} icon="compound" />
        <Command id="formula-constraint" word={wording.making.writeAFormula} icon="formula" />
        <Command id="measure" word={wording.common.measure} icon="distance" />
        <Command id="arrange-line" word={wording.common.arrange} icon="mirror" />
      </div>
    </div>
  );
}

/** Whether it is ground, which stands still. */
function stands(type: TypeInfo): boolean {
  return type.parameters.some((p) => p.name === "is_fixed" && p.default === true);
}

function TypeButton({ type }: { type: TypeInfo }) {
  const isOn = made.value?.name === type.name;
  const word = type.word || type.title;
  let from: { x: number; y: number } | null = null;
  let isDragged = false;
  return (
    <button
      class="tool maker"
      aria-pressed={isOn}
      aria-label={word}
      title={`${word}: ${sentence(type.doc)}`}
      onPointerDown={(e) => {
        from = { x: e.clientX, y: e.clientY };
        isDragged = false;
        e.currentTarget.setPointerCapture(e.pointerId);
      }}
      onPointerMove={(e) => {
        if (from && Math.hypot(e.clientX - from.x, e.clientY - from.y) > FAR) isDragged = true;
        e.currentTarget.classList.toggle("dragged", isDragged);
      }}
      onPointerUp={(e) => {
        from = null;
        e.currentTarget.classList.remove("dragged");
        if (isDragged) drop(type, e);
      }}
      onClick={() => {
        if (!isDragged) takeType(type);
        isDragged = false;
      }}
    >
      <Picture icon={type.icon} />
    </button>
  );
}

/** The first sentence of a description. */
export function sentence(doc: string): string {
  const plain = doc.replace(/\s*\[[^\]]*\]/g, "").replaceAll("`", "");
  return /^.*?\.(?=\s|$)/.exec(plain)?.[0] ?? plain;
}

function drop(type: TypeInfo, event: PointerEvent): void {
  const box = view.stage?.canvas.getBoundingClientRect();
  if (!box) return;
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  if (x < 0 || y < 0 || x > box.width || y > box.height) return;
  dropType(type, { x, y, isShift: event.shiftKey, isControl: event.ctrlKey, isAlt: event.altKey });
}

function Command({ id, word, icon }: { id: string; word: string; icon: TypeInfo["icon"] }) {
  const found = action(id);
  return (
    <button class="tool maker" aria-label={word} title={withKeys(found)} onClick={found.run}>
      <Picture icon={icon} />
    </button>
  );
}
