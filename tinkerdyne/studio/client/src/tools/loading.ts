// Files that come in, chosen or dropped: images, drawings, data.

import { chooseFiles, download, uploadFiles } from "../media/files";
import { reveal } from "../state/layout";
import { ask, report } from "../state/session";
import { items, loadedRows, model, say, selected, side } from "../state/store";
import { view } from "../view/current";
import type { Rows } from "../wire/protocol";
import { wording } from "../wording/spoken";

const IMAGES = "image/png,image/jpeg,.png,.jpg,.jpeg";
const DRAWINGS = ".svg,image/svg+xml";
const MESHES = ".stl,.obj,.ply,.off";
const TABLES = ".csv,.json,.txt,.tsv,text/csv,application/json,text/plain";

export async function loadPicture(given?: File): Promise<void> {
  const file = given ?? (await chooseFiles(IMAGES))[0];
  if (!file) return;
  const [name] = await ask({ do: "load", what: "picture", files: await uploadFiles([file]) });
  side.value = "image";
  reveal("side");
  say(wording.tools.liesInPlane({ name: name ?? wording.tools.theImage }));
}

/** An image that the selected troid carries along, or a new troid where none is selected. */
export async function loadTexture(): Promise<void> {
  const file = (await chooseFiles(IMAGES))[0];
  if (!file) return;
  const troid = selected.value.find((n) => "texture" in (items.value.get(n)?.values ?? {})) ?? "";
  const [name = ""] = await ask({
    do: "load",
    what: "texture",
    files: await uploadFiles([file]),
    picture: troid,
  });
  if (!troid) await showNew(name);
  say(wording.tools.carriesImage({ name }));
}

/** Further images, shown one after the other. */
export async function loadFrames(picture: string): Promise<void> {
  const files = (await chooseFiles(IMAGES, true)).sort((a, b) =>
    a.name.localeCompare(b.name, undefined, { numeric: true }),
  );
  if (!files.length) return;
  await ask({ do: "load", what: "frames", files: await uploadFiles(files), picture });
  say(wording.tools.framesFollow({ count: files.length }));
}

export async function loadSvg(given?: File): Promise<void> {
  const file = given ?? (await chooseFiles(DRAWINGS))[0];
  if (!file) return;
  const made = await ask({ do: "load", what: "svg", files: await uploadFiles([file]) });
  await drawn(made.at(-1) ?? "");
  view.stage?.frameAll();
  say(wording.tools.curvesCame({ count: made.length }));
}

/** Elastic sheets of a drawing's closed outlines. */
export async function loadSheets(): Promise<void> {
  const file = (await chooseFiles(DRAWINGS))[0];
  if (!file) return;
  const made = await ask({ do: "load", what: "sheets", files: await uploadFiles([file]) });
  await showNew(made.at(-1) ?? "");
  say(made.length === 1 ? wording.tools.oneSheetCameIn : wording.tools.sheetsCame({ count: made.length }));
}

/** An elastic solid of a closed mesh. */
export async function loadMesh(given?: File): Promise<void> {
  const file = given ?? (await chooseFiles(MESHES))[0];
  if (!file) return;
  const [name = ""] = await ask({ do: "load", what: "mesh", files: await uploadFiles([file]) });
  await showNew(name);
  say(wording.tools.cameIn({ name }));
}

/** Wait until something new is in the picture. */
async function drawn(name: string): Promise<void> {
  for (let tries = 0; tries < 60 && !view.stage?.figures.has(name); tries++)
    await new Promise(requestAnimationFrame);
  for (let more = 0; more < 2; more++) await new Promise(requestAnimationFrame);
}

/** Step back where something new does not lie within the picture. */
export async function showNew(name: string): Promise<void> {
  await drawn(name);
  const stage = view.stage;
  const box = stage?.figures.get(name)?.box();
  if (!stage || !box || box.isEmpty()) return;
  const isIn = [box.min, box.max].every((corner) => {
    const { x, y } = stage.project(corner);
    return x > 0 && y > 0 && x < stage.canvas.clientWidth && y < stage.canvas.clientHeight;
  });
  if (!isIn) stage.frameAll();
}

export async function saveSvg(): Promise<void> {
  const base = (model.value?.title || "drawing").replace(/[^\w-]+/g, "_");
  download(`${base}.svg`, (await ask({ do: "report", what: "svg" })).text, "image/svg+xml");
}

export async function loadData(given?: File): Promise<Rows | null> {
  const file = given ?? (await chooseFiles(TABLES))[0];
  return file ? acceptRows(await ask({ do: "load", what: "data", files: await uploadFiles([file]) })) : null;
}

export async function readData(content: string): Promise<Rows | null> {
  return acceptRows(await ask({ do: "load", what: "data", text: content }));
}

/** Show rows that were read, to be fitted. */
function acceptRows(rows: Rows): Rows {
  loadedRows.value = rows;
  side.value = "data";
  reveal("side");
  view.stage?.rebuild();
  return rows;
}

/** Take files that are dropped on the page. */
export function listenToDrops(): () => void {
  const over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    void dropped(file).catch(report);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}

async function dropped(file: File): Promise<void> {
  if (/\.svg$/i.test(file.name)) return loadSvg(file);
  if (/\.(stl|obj|ply|off)$/i.test(file.name)) return loadMesh(file);
  if (/\.(png|jpe?g)$/i.test(file.name) || file.type.startsWith("image/")) return loadPicture(file);
  if (/\.json$/i.test(file.name) && (await file.slice(0, 4096).text()).includes('"tinkerdyne"')) {
    await ask({ do: "open", text: await file.text() });
    return;
  }
  await loadData(file);
}
