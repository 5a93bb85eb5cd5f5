// The page: bar, parts, viewport, inspector, timeline and plots.

import { grid, hidden, sheet } from "../state/layout";
import { dialog, dismiss, isConnected, isOutdated, notices, recovery, wasConnected } from "../state/store";
import { recover } from "../tools/operations";
import { wording } from "../wording/spoken";
import { Bar } from "./Bar";
import { ContextMenu } from "./ContextMenu";
import { Dialogs } from "./Dialogs";
import { Side } from "./media/Side";
import { Parts } from "./Parts";
import { Plots } from "./Plots";
import { Sheets } from "./Sheets";
import { Splitter } from "./Splitter";
import { Timeline } from "./Timeline";
import { Viewport } from "./Viewport";

export function App() {
  return (
    <>
      <div
        class="page"
        style={grid.value}
        data-hidden={[...hidden.value].join(" ")}
        data-sheet={sheet.value}
        inert={dialog.value !== ""}
      >
        <Bar />
        <Parts />
        <Viewport />
        <Side />
        <div class="bottom">
          <Timeline />
          <Plots />
        </div>
        <Splitter edge="left" />
        <Splitter edge="right" />
        <Splitter edge="bottom" />
        <Sheets />
        <Connection />
        <Recovery />
      </div>
      <ContextMenu />
      <Dialogs />
      <Notices />
    </>
  );
}

function Connection() {
  if (isOutdated.value)
    return (
      <div class="banner" role="alert">
        {wording.app.theStudioWasRenewed}{" "}
        <button onClick={() => location.reload()}>{wording.app.reloadThePage}</button>
      </div>
    );
  if (isConnected.value) return null;
  return (
    <div class="banner" role="status">
      {wasConnected.value ? wording.app.serverAway : wording.app.lookingForTheStudiosServer}
    </div>
  );
}

function Recovery() {
  const offer = recovery.value;
  if (!offer || offer.is_mine || !isConnected.value) return null; // what gave way to another world here is in the File menu
  return (
    <div class="banner" role="status">
      {wording.app.wasNotSaved({ title: offer.title })}
      <button class="primary" onClick={() => void recover()}>
        {wording.app.recoverIt}
      </button>
      <button onClick={() => (dialog.value = "recover")}>{wording.app.allUnsavedWorlds}</button>
      <button onClick={() => (recovery.value = null)}>{wording.common.notNow}</button>
    </div>
  );
}

function Notices() {
  return (
    <div class="notices" aria-live="polite">
      {notices.value.map((n) => (
        <div key={n.id} class={`notice ${n.level}`} role={n.level === "error" ? "alert" : undefined}>
          <span>{n.text}</span>
          {n.offer ? (
            <button
              class="offer"
              onClick={() => {
                n.offer?.run();
                dismiss(n.id);
              }}
            >
              {n.offer.title}
            </button>
          ) : null}
          <button class="plain" aria-label={wording.app.dismiss} onClick={() => dismiss(n.id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
