// The gallery: scenes by picture.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { act, ask } from "../state/session";
import { hello } from "../state/store";
import type { Thumbnail } from "../wire/protocol";
import { close, Modal } from "./Modal";

export function Gallery() {
  const search = useSignal("");
  const about = useSignal<ReadonlyMap<string, Thumbnail>>(new Map());
  useEffect(() => {
    ask({ do: "ask", what: "thumbnails" })
      .then((found) => (about.value = new Map(found.map((tile) => [tile.name, tile]))))
      .catch(() => undefined); // drawn tiles instead
  }, []);
  const wanted = search.value.trim().toLowerCase();
  const scenes = (hello.value?.examples ?? []).filter((name) =>
    `${titleOf(name)} ${about.value.get(name)?.text ?? ""}`.toLowerCase().includes(wanted),
  );
  return (
    <Modal title="Gallery" isWide>
      <input
        type="search"
        placeholder="Search scenes"
        aria-label="Search scenes"
        value={search.value}
        onInput={(e) => (search.value = e.currentTarget.value)}
        autofocus
      />
      <div class="gallery">
        {scenes.map((name) => (
          <button
            key={name}
            class="tile"
            title={about.value.get(name)?.text}
            onClick={() => void act({ do: "open", example: name }).then((done) => done && close())}
          >
            {about.value.get(name)?.picture ? (
              <img src={about.value.get(name)?.picture} alt="" loading="lazy" />
            ) : (
              <Drawn name={name} />
            )}
            <span>{titleOf(name)}</span>
          </button>
        ))}
      </div>
    </Modal>
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
