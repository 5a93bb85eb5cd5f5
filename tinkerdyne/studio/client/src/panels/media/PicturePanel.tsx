// Images and snakes: load a picture, put a snake on it, pull it, keep what it found.

import { download } from "../../media/files";
import { groups, type SnakeInfo } from "../../media/groups";
import { act, ask, report } from "../../state/session";
import * as store from "../../state/store";
import { drawSnake, drawVolcano } from "../../tools/draw";
import { loadFrames, loadPicture } from "../../tools/loading";
import { wording } from "../../wording/spoken";
import { Order } from "./NewCurve";
import { Settle } from "./Settle";

const NUMBERS: readonly (readonly [string, string, number])[] = [
  ["tension", wording.media.shortensIt, 2],
  ["bending", wording.media.straightensIt, 2],
  ["strength", wording.media.drawsItToEdges, 400],
];

export function PicturePanel() {
  const pictures = (store.model.value?.items ?? []).filter((i) => store.typeOf(i)?.supplies === "picture");
  const { snakes, volcanoes } = groups.value;
  return (
    <section class="panel media" aria-label={wording.media.image} data-panel>
      <h2>{wording.media.image}</h2>
      <Order />
      <div class="buttons">
        <button class={pictures.length ? "" : "primary"} onClick={() => void loadPicture().catch(report)}>
          {wording.media.loadImage}
        </button>
      </div>
      <p class="muted">{wording.media.pictureHint}</p>
      {pictures.map((p) => (
        <div key={p.name} class="card" role="group" aria-label={p.name}>
          <div class="number-head">
            <b>{p.name}</b>
            <button
              class="tool"
              aria-label={wording.media.deleteIt({ name: p.name })}
              onClick={() => void act({ do: "delete", names: [p.name] })}
            >
              ✕
            </button>
          </div>
          <div class="buttons">
            <button class={snakes.length ? "" : "primary"} onClick={() => drawSnake(p.name, true)}>
              {wording.media.closedSnake}
            </button>
            <button onClick={() => drawSnake(p.name, false)}>{wording.media.openSnake}</button>
            <button
              onClick={() => void loadFrames(p.name).catch(report)}
              title={wording.media.furtherImagesShownOneAfterThe}
            >
              {wording.media.frames}
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
            aria-label={wording.media.deleteIt({ name: v.name })}
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
          {wording.media.pointsCounted({ count: snake.points.length })}
          {snake.isClosed ? "" : wording.media.openEnded}
        </span>
        <button
          class="tool"
          aria-label={wording.media.deleteIt({ name: snake.name })}
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
            aria-label={wording.media.numberOf({ name, item: snake.name })}
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
      <p class="muted">{wording.media.snakeHint}</p>
      <div class="buttons">
        <Settle name={snake.name} />
        <button onClick={() => drawVolcano(snake.name)}>{wording.media.volcano}</button>
        {snake.isClosed ? (
          <button class="primary" onClick={() => void keepMask().catch(report)}>
            {wording.media.maskPng}
          </button>
        ) : null}
        <button onClick={() => void keep("csv").catch(report)}>CSV</button>
        <button onClick={() => void keep("json").catch(report)}>JSON</button>
        <button onClick={() => void keep("outline").catch(report)}>SVG</button>
      </div>
    </div>
  );
}
