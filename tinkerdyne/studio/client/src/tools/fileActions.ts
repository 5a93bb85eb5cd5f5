// What the File menu has: worlds as a whole, on disk and beyond.

import { act } from "../state/session";
import * as store from "../state/store";
import { wording } from "../wording/spoken";
import { type Action, opens } from "./action";
import * as operations from "./operations";
import { film, filmOfPast, isFilming, picture } from "./pictures";

export const FILE: readonly Action[] = [
  {
    id: "new",
    title: wording.actions.newWorldInSpace,
    menu: "File",
    python: "world = World()",
    run: () => void act({ do: "new", dimension: 3 }),
  },
  {
    id: "new-plane",
    title: wording.actions.newWorldInThePlane,
    menu: "File",
    python: "world = World()",
    run: () => void act({ do: "new", dimension: 2 }),
  },
  {
    id: "gallery",
    title: wording.common.galleryOf,
    menu: "File",
    keys: "Ctrl+Shift+O",
    run: opens("gallery"),
  },
  {
    id: "open",
    title: wording.actions.openEntry,
    menu: "File",
    keys: "Ctrl+O",
    python: 'world = World.load("scene.json")',
    run: opens("open"),
  },
  {
    id: "save",
    title: wording.common.save,
    menu: "File",
    keys: "Ctrl+S",
    python: 'world.save("scene.json")',
    run: () => (store.model.value?.path ? void operations.save() : opens("save")()),
  },
  {
    id: "save-as",
    title: wording.actions.saveAsEntry,
    menu: "File",
    keys: "Ctrl+Shift+S",
    run: opens("save"),
  },
  { id: "recover", title: wording.actions.recoverAnUnsavedWorld, menu: "File", run: opens("recover") },
  { id: "python", title: wording.actions.openAsPython, menu: "File", keys: "Ctrl+E", run: opens("python") },
  {
    id: "share-live",
    title: wording.actions.shareLive,
    menu: "File",
    python: 'world.share("world.html")',
    run: () => void operations.shareLive(),
  },
  {
    id: "share",
    title: wording.actions.shareReplay,
    menu: "File",
    run: () => operations.exportAs("share", ".html", "text/html"),
  },
  { id: "picture", title: wording.actions.pictureOfTheViewPng, menu: "File", run: picture },
  { id: "film", title: wording.actions.filmTheViewOrEndThat, menu: "File", run: film, isOn: isFilming },
  {
    id: "film-past",
    title: wording.actions.filmOfTheRecordedPast,
    menu: "File",
    run: () => void filmOfPast(),
  },
  {
    id: "csv",
    title: wording.actions.recordedPastAsCsv,
    menu: "File",
    python: 'world.record(5).save("run.csv")',
    run: () => operations.exportAs("csv", ".csv", "text/csv"),
  },
  {
    id: "download",
    title: wording.actions.downloadTheScene,
    menu: "File",
    run: () => operations.exportAs("scene", ".json", "application/json"),
  },
];
