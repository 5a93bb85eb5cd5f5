// Help: the table of keys and gestures, and the first steps.
import { beginWithNext, guides, restartGuide } from "../state/guide";
import { act } from "../state/session";
import { items } from "../state/store";
import { keysShown } from "../tools/action";
import { actions } from "../tools/actions";
import type { Guide } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { close, Modal } from "./Modal";

const MOUSE: readonly (readonly [string, string])[] = [
  [wording.help.dragAPart, wording.help.pullItByASpringThat],
  [wording.help.shiftAndDragAPart, wording.help.holdItHardByANail],
  [wording.help.altAndDragAPart, wording.help.holdByPlaceAndOrientation],
  [wording.help.bringAnEndNearAnother, wording.help.aHaloShows],
  [wording.help.dragTheBackground, wording.help.turnTheViewInThePlane],
  [wording.help.rightButtonOrShiftOnThe, wording.help.moveTheView],
  [wording.help.wheel, wording.help.nearerAndFarther],
  [wording.help.clickShiftAndClick, wording.help.selectOneSelectSeveral],
  [wording.help.ctrlAndDrag, wording.help.selectWhatIsInARectangle],
];

const ALONE: readonly (readonly [string, string])[] = [
  ["F6", wording.help.toNextPanel],
  [keysShown("Tab"), wording.help.inTheView],
  [wording.help.gArrowsEnter, wording.help.grabItMoveIt],
  [wording.help.enterOnAPartOfThe, wording.help.selectOrPick],
  [wording.help.placesInTheInspector, wording.help.enterNails],
  ["M", wording.help.makeTheSelectedNailOrJoint],
];

export function Keys() {
  return (
    <Modal title={wording.common.keyboardAndMouse} isWide>
      <div class="columns" tabIndex={0} role="region" aria-label={wording.help.keysAndGestures}>
        <Table caption={wording.help.mouse} rows={MOUSE} />
        <Table caption={wording.help.byKeyboardAlone} rows={ALONE} />
        <Table
          caption={wording.help.keyboard}
          rows={actions()
            .filter((a) => a.keys)
            .map((a) => [keysShown(a.keys ?? ""), a.title] as const)}
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
    <Modal title={wording.help.firstSteps} isWide>
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
                {wording.help.begin}
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
