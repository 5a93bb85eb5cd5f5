// What the File menu has: worlds as a whole, on disk and beyond.

import { act } from "../state/session";
import * as store from "../state/store";
import { type Action, opens } from "./action";
import * as operations from "./operations";
import { film, filmOfPast, isFilming, picture } from "./pictures";

export const FILE: readonly Action[] = [
  {
    id: "new",
    title: "New world in space",
    menu: "File",
    python: "world = World()",
    run: () => void act({ do: "new", dimension: 3 }),
  },
  {
    id: "new-plane",
    title: "New world in the plane",
    menu: "File",
    python: "world = World()",
    run: () => void act({ do: "new", dimension: 2 }),
  },
  { id: "gallery", title: "Gallery…", menu: "File", keys: "Ctrl+Shift+O", run: opens("gallery") },
  {
    id: "open",
    title: "Open…",
    menu: "File",
    keys: "Ctrl+O",
    python: 'world = World.load("scene.json")',
    run: opens("open"),
  },
  {
    id: "save",
    title: "Save",
    menu: "File",
    keys: "Ctrl+S",
    python: 'world.save("scene.json")',
    run: () => (store.model.value?.path ? void operations.save() : opens("save")()),
  },
  { id: "save-as", title: "Save as…", menu: "File", keys: "Ctrl+Shift+S", run: opens("save") },
  { id: "recover", title: "Recover an unsaved world…", menu: "File", run: opens("recover") },
  { id: "python", title: "Open as Python…", menu: "File", keys: "Ctrl+E", run: opens("python") },
  {
    id: "share",
    title: "Share: a replay in one HTML file",
    menu: "File",
    run: () => operations.exportAs("share", ".html", "text/html"),
  },
  { id: "picture", title: "Picture of the view (PNG)", menu: "File", run: picture },
  { id: "film", title: "Film the view, or end that", menu: "File", run: film, isOn: isFilming },
  {
    id: "film-past",
    title: "Film of the recorded past",
    menu: "File",
    run: () => void filmOfPast(),
  },
  {
    id: "csv",
    title: "Recorded past as CSV",
    menu: "File",
    python: 'world.record(5).save("run.csv")',
    run: () => operations.exportAs("csv", ".csv", "text/csv"),
  },
  {
    id: "download",
    title: "Download the scene",
    menu: "File",
    run: () => operations.exportAs("scene", ".json", "application/json"),
  },
];
