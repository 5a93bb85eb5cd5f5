// Help: the table of keys and gestures, and the first steps.
import { beginWithNext, guides, restartGuide } from "../state/guide";
import { act } from "../state/session";
import { items } from "../state/store";
import { actions } from "../tools/actions";
import type { Guide } from "../wire/protocol";
import { close, Modal } from "./Modal";

const MOUSE: readonly (readonly [string, string])[] = [
  ["Drag a part", "Pull it, by a spring that shows its force"],
  ["Shift and drag a part", "Hold it hard, by a nail that moves"],
  [
    "Alt and drag a part",
    "Hold it by place and orientation: R, Shift R or the wheel turn it, Ctrl and arrows tilt it",
  ],
  ["Bring an end near another", "A halo shows what would be joined; letting go joins it"],
  ["Drag the background", "Turn the view (in the plane: move it)"],
  ["Right button, or Shift on the background", "Move the view"],
  ["Wheel", "Nearer and farther"],
  ["Click, Shift and click", "Select one, select several"],
  ["Ctrl and drag", "Select what is in a rectangle"],
];

const ALONE: readonly (readonly [string, string])[] = [
  ["F6", "Go to the next panel; Tab goes on within it"],
  ["Tab", "In the view: select the next part or joint"],
  ["G, arrows, Enter", "Grab it, move it, let go; what is near is joined"],
  ["Enter on a part of the list", "Select it, or pick it for what is being inserted"],
  ["Places in the inspector", "Enter nails a place where it is, or picks it for what is being inserted"],
  ["M", "Make the selected nail or joint a motor"],
];

export function Keys() {
  return (
    <Modal title="Keyboard and mouse" isWide>
      <div class="columns" tabIndex={0} role="region" aria-label="Keys and gestures">
        <Table caption="Mouse" rows={MOUSE} />
        <Table caption="By keyboard alone" rows={ALONE} />
        <Table
          caption="Keyboard"
          rows={actions()
            .filter((a) => a.keys)
            .map((a) => [a.keys ?? "", a.title] as const)}
        />
      </div>
    </Modal>
  );
}

function Table({ caption, rows }: { caption: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <table class="keys">
      <caption>{caption}</caption>
      <tbody>
        {rows.map(([key, what]) => (
          <tr key={key + what}>
            <th scope="row">
              <kbd>{key}</kbd>
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The guides: what each is about, and how it begins. */
export function Steps() {
  const begin = async (guide: Guide): Promise<void> => {
    close();
    const isHere = guide.needs.length > 0 && guide.needs.every((name) => items.value.has(name));
    if (isHere) return restartGuide(guide);
    beginWithNext(guide);
    await act({ do: "new", ...WORLDS[guide.begin] });
  };
  return (
    <Modal title="First steps" isWide>
      <div class="guides">
        {guides.value.map((guide) => (
          <section key={guide.name} aria-label={guide.title}>
            <h3>{guide.title}</h3>
            <ol class="steps">
              {guide.steps.map(({ title, text }) => (
                <li key={title}>
                  <b>{title}.</b> <Keyed text={text} />
                </li>
              ))}
            </ol>
            <div class="buttons">
              <button class="primary" onClick={() => void begin(guide)}>
                Begin
              </button>
            </div>
          </section>
        ))}
      </div>
    </Modal>
  );
}

/** The worlds that guides begin with. */
const WORLDS: Readonly<Record<Guide["begin"], { dimension?: number; order?: number; is_start?: boolean }>> = {
  start: { is_start: true },
  space: {},
  empty: {},
  plane: { dimension: 2 },
  curves: { dimension: 2, order: 1 },
};

/** A text with its keys, which stand in backquotes. */
export function Keyed({ text }: { text: string }) {
  return <>{text.split("`").map((part, i) => (i % 2 ? <kbd key={part}>{part}</kbd> : part))}</>;
}
