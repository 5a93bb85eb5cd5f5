// The page: bar, parts, viewport, inspector, timeline and plots.

import { dialog, dismiss, isConnected, isOutdated, notices, recovery, wasConnected } from "../state/store";
import { recover } from "../tools/operations";
import { Bar } from "./Bar";
import { Dialogs } from "./Dialogs";
import { Side } from "./media/Side";
import { Parts } from "./Parts";
import { Plots } from "./Plots";
import { Timeline } from "./Timeline";
import { Viewport } from "./Viewport";

export function App() {
  return (
    <>
      <div class="page" inert={dialog.value !== ""}>
        <Bar />
        <Parts />
        <Viewport />
        <Side />
        <div class="bottom">
          <Timeline />
          <Plots />
        </div>
        <Connection />
        <Recovery />
      </div>
      <Dialogs />
      <Notices />
    </>
  );
}

function Connection() {
  if (isOutdated.value)
    return (
      <div class="banner" role="alert">
        The studio was renewed. <button onClick={() => location.reload()}>Reload the page</button>
      </div>
    );
  if (isConnected.value) return null;
  return (
    <div class="banner" role="status">
      {wasConnected.value
        ? "The studio's server is away. This page waits for it; if it was started anew, open the address that it printed."
        : "Looking for the studio's server…"}
    </div>
  );
}

function Recovery() {
  const offer = recovery.value;
  if (!offer || offer.is_mine || !isConnected.value) return null; // what gave way to another world here is in the File menu
  return (
    <div class="banner" role="status">
      “{offer.title}” was not saved when the studio ended.
      <button class="primary" onClick={() => void recover()}>
        Recover it
      </button>
      <button onClick={() => (dialog.value = "recover")}>All unsaved worlds…</button>
      <button onClick={() => (recovery.value = null)}>Not now</button>
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
          <button class="plain" aria-label="Dismiss" onClick={() => dismiss(n.id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
