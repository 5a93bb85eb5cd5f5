// Images and snakes: load a picture, put a snake on it, pull it, keep what it found.

import { download } from "../../media/files";
import { groups, type SnakeInfo } from "../../media/groups";
import { act, ask, report } from "../../state/session";
import * as store from "../../state/store";
import { drawSnake, drawVolcano } from "../../tools/draw";
import { loadFrames, loadPicture } from "../../tools/loading";
import { Order } from "./NewCurve";
import { Settle } from "./Settle";

const NUMBERS: readonly (readonly [string, string, number])[] = [
  ["tension", "Shortens it", 2],
  ["bending", "Straightens it", 2],
  ["strength", "Draws it to edges", 400],
];

export function PicturePanel() {
  const pictures = (store.model.value?.items ?? []).filter((i) => store.typeOf(i)?.supplies === "picture");
  const { snakes, volcanoes } = groups.value;
  return (
    <section class="panel media" aria-label="Image" data-panel>
      <h2>Image</h2>
      <Order />
      <div class="buttons">
        <button class={pictures.length ? "" : "primary"} onClick={() => void loadPicture().catch(report)}>
          Load image…
        </button>
      </div>
      <p class="muted">
        PNG or JPEG, from a file or dropped on the view. A snake is a springy line that locks on to edges.
      </p>
      {pictures.map((p) => (
        <div key={p.name} class="card" role="group" aria-label={p.name}>
          <div class="number-head">
            <b>{p.name}</b>
            <button
              class="tool"
              aria-label={`Delete ${p.name}`}
              onClick={() => void act({ do: "delete", names: [p.name] })}
            >
              ✕
            </button>
          </div>
          <div class="buttons">
            <button class={snakes.length ? "" : "primary"} onClick={() => drawSnake(p.name, true)}>
              Closed snake
            </button>
            <button onClick={() => drawSnake(p.name, false)}>Open snake</button>
            <button
              onClick={() => void loadFrames(p.name).catch(report)}
              title="further images, shown one after the other"
            >
              Frames…
            </button>
          </div>
        </div>
      ))}
      {snakes.map((s) => (
        <Snake key={s.name} snake={s} />
      ))}
      {volcanoes.map((v) => (
        <div key={v.name} class="model-line">
          <span>{v.name}</span>
          <button
            class="tool"
            aria-label={`Delete ${v.name}`}
            onClick={() => void act({ do: "delete", names: [...v.items] })}
          >
            ✕
          </button>
        </div>
      ))}
    </section>
  );
}

function Snake({ snake }: { snake: SnakeInfo }) {
  const keep = async (what: "csv" | "json" | "outline"): Promise<void> => {
    const { text } = await ask({ do: "report", what, name: snake.name });
    const kind = what === "json" ? "application/json" : "text/plain";
    download(`${snake.name}.${what === "outline" ? "svg" : what}`, text, kind);
  };
  const keepMask = async (): Promise<void> => {
    const { data } = await ask({ do: "report", what: "mask", name: snake.name });
    download(
      `${snake.name}-mask.png`,
      Uint8Array.from(atob(data), (c) => c.charCodeAt(0)),
      "image/png",
    );
  };
  const present = snake.items.filter((n) => store.items.value.has(n));
  return (
    <div class="card" role="group" aria-label={snake.name}>
      <div class="number-head">
        <b>{snake.name}</b>
        <span class="muted">
          {snake.points.length} points{snake.isClosed ? "" : ", open"}
        </span>
        <button
          class="tool"
          aria-label={`Delete ${snake.name}`}
          onClick={() => void act({ do: "delete", names: present })}
        >
          ✕
        </button>
      </div>
      {NUMBERS.map(([name, title, most]) => (
        <label key={name} class="tuned" title={title}>
          <span>{name}</span>
          <input
            type="range"
            min={0}
            max={1}
            step="any"
            aria-label={`${name} of ${snake.name}`}
            value={Math.sqrt(Math.min(1, Number(snake.values[name] ?? 0) / most))}
            onChange={(e) =>
              void act({
                do: "tune",
                name: snake.name,
                values: { [name]: Number((most * Number(e.currentTarget.value) ** 2).toPrecision(3)) },
              })
            }
          />
          <output>{Number(Number(snake.values[name] ?? 0).toPrecision(3))}</output>
        </label>
      ))}
      <p class="muted">Pull it at any point. Insert › Spring ties a point to a place.</p>
      <div class="buttons">
        <Settle name={snake.name} />
        <button onClick={() => drawVolcano(snake.name)}>Volcano</button>
        {snake.isClosed ? (
          <button class="primary" onClick={() => void keepMask().catch(report)}>
            Mask (PNG)
          </button>
        ) : null}
        <button onClick={() => void keep("csv").catch(report)}>CSV</button>
        <button onClick={() => void keep("json").catch(report)}>JSON</button>
        <button onClick={() => void keep("outline").catch(report)}>SVG</button>
      </div>
    </div>
  );
}
