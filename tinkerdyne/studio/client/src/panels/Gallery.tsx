// The gallery: scenes by picture, in groups, each with a sentence; those that are pointed at move.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { act, ask } from "../state/session";
import { hello } from "../state/store";
import type { Thumbnail } from "../wire/protocol";
import { wording } from "../wording/spoken";
import { close, Modal } from "./Modal";

const OTHERS = wording.dialogs.others;

export function Gallery() {
  const search = useSignal("");
  const about = useSignal<readonly Thumbnail[]>([]);
  useEffect(() => {
    ask({ do: "ask", what: "thumbnails" })
      .then((found) => (about.value = found))
      .catch(() => undefined); // drawn tiles instead
  }, []);
  const wanted = search.value.trim().toLowerCase();
  const found = matching(tilesOf(about.value), wanted);
  const first = firstOf(found, wanted);
  const groups = [...new Set(found.map((tile) => tile.group))];
  return (
    <Modal title={wording.dialogs.gallery} isWide>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          const typed = search.value.trim().toLowerCase(); // it may not be drawn yet
          const chosen = firstOf(matching(tilesOf(about.value), typed), typed);
          if (chosen) open(chosen.name);
        }}
      >
        <input
          type="search"
          placeholder={wording.dialogs.searchScenesHint}
          aria-label={wording.dialogs.searchScenes}
          value={search.value}
          onInput={(e) => (search.value = e.currentTarget.value)}
          autofocus
        />
      </form>
      <div class="gallery" role="region" aria-label={wording.dialogs.scenes} tabIndex={0}>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <div class="tiles">
              {found
                .filter((tile) => tile.group === group)
                .map((tile) => (
                  <Tile key={tile.name} tile={tile} isFirst={wanted !== "" && tile === first} />
                ))}
            </div>
          </section>
        ))}
        {found.length ? null : <p class="muted">{wording.dialogs.noScene}</p>}
      </div>
    </Modal>
  );
}

/** The scenes of the server; before it has told of them, those whose names are known. */
function tilesOf(about: readonly Thumbnail[]): readonly Thumbnail[] {
  if (about.length) return about;
  const plain = { title: "", text: "", picture: "", group: OTHERS, film: "" };
  return (hello.value?.examples ?? []).map((name) => ({ name, ...plain }));
}

function matching(tiles: readonly Thumbnail[], wanted: string): readonly Thumbnail[] {
  const said = (t: Thumbnail): string => `${titleOf(t.name)} ${t.title} ${t.text} ${t.group}`.toLowerCase();
  return tiles.filter((tile) => said(tile).includes(wanted));
}

/** What Enter opens: what is called so, before what only speaks of it. */
function firstOf(found: readonly Thumbnail[], wanted: string): Thumbnail | undefined {
  return found.find((tile) => titleOf(tile.name).toLowerCase().includes(wanted)) ?? found[0];
}

function open(name: string): void {
  void act({ do: "open", example: name }).then((done) => done && close());
}

function Tile({ tile, isFirst }: { tile: Thumbnail; isFirst: boolean }) {
  const isMoving = useSignal(false);
  const move = (moves: boolean) => (): void => {
    isMoving.value = moves && tile.film !== "" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  };
  const picture = isMoving.value ? tile.film : tile.picture;
  return (
    <button
      class={`tile ${isFirst ? "first" : ""}`}
      onClick={() => open(tile.name)}
      onPointerEnter={move(true)}
      onPointerLeave={move(false)}
      onFocus={move(true)}
      onBlur={move(false)}
    >
      {picture ? <img src={picture} alt="" loading="lazy" /> : <Drawn name={tile.name} />}
      <strong>{titleOf(tile.name)}</strong>
      <span>{tile.title}</span>
    </button>
  );
}

function titleOf(name: string): string {
  const words = name.replaceAll("_", " ").replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A small linkage that differs from name to name, where there is no picture. */
function Drawn({ name }: { name: string }) {
  let seed = 7;
  for (const letter of name) seed = (seed * 31 + letter.charCodeAt(0)) % 9973;
  const random = (): number => {
    seed = (seed * 137 + 71) % 9973;
    return seed / 9973;
  };
  const points = Array.from(
    { length: 4 + Math.floor(2 * random()) },
    (_, i) => [22 + i * 24 + 8 * random(), 18 + 52 * random()] as const,
  );
  return (
    <svg viewBox="0 0 140 88" aria-hidden="true" class="drawn">
      <polyline
        points={points.map((p) => p.join()).join(" ")}
        fill="none"
        stroke="var(--plot-1)"
        stroke-width="7"
        stroke-linecap="round"
        stroke-linejoin="round"
        opacity="0.75"
      />
      {points.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="3.2" fill="var(--panel)" stroke="var(--text)" stroke-width="1.4" />
      ))}
    </svg>
  );
}
