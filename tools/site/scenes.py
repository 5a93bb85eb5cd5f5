"""What the gallery shows of a scene: its claims, measured, and a page in which it runs, or else its replay.

Making all of them takes minutes, so what was made is kept under build/ by what it was made of.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tinkerdyne import gallery
from tinkerdyne.studio.show.film import Film, filmed
from tinkerdyne.studio.show.live import live_page, why_not
from tinkerdyne.world.recording import Recording

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "site-scenes"
PLAIN = {  # whose own run only chooses what is recorded
    *("bennett", "engine", "miura", "pantograph_in_curves", "screw_press", "superellipse"),
}
BY_HAND = {  # what the script does on the way, and who does it in the page
    "allocation": "After four seconds the script asks for more earnings; here the first optimum stands.",
    "box_of_least_surface": "The script pulls on the width, and lets go; here the optimum is found once.",
    "cards_by_friction": "The script shoots a card away after two seconds; here you may pull one away.",
    "characters_bound": "The script assembles the characters at one blow; here they fly together.",
    "curve_pulled": "The script pulls on three places of the curves; here the hand is yours.",
    "fit_circle": "The script pulls the circle aside and lets it go; here it is fitted once.",
    "fit_escape": "The script leads the fit out of its wrong minimum by a slider; here it stays in it.",
    "peaucellier_in_curves": "The script moves a corner to and fro; here the hand is yours.",
    "structure_dragged": "The script takes a corner on a detour; here the hand is yours.",
    "tangent_circles": "The script pulls the third circle aside; here the hand is yours.",
}
REPLAYED = {  # what no page can do, for the run is not a passing of time
    "bar_between_disks": "it shows an assembly, correction by correction: no time passes in it",
    "particle_on_circle": "its script takes each step of a method of its own",
    "snake_cell": "its snake reads an image, which stays in Python",
}
NOT_MET = ": not met on the machine that made this page"
DIGITS = 16  # of the hash in the name of what is kept
FORMAT = 1  # of what is kept; count it up when other things are made
FASTEST = 1 / 60  # s between two moments of a replay


@dataclass(frozen=True)
class Shown:
    """A scene as the gallery shows it; its page is the file NAME.html."""

    name: str
    is_live: bool
    said: str  # what differs from the script, or why it is a replay
    claims: tuple[tuple[str, str, str], ...]  # says, found, wanted
    file: str  # where its page is kept


def all_shown() -> Iterator[Shown]:
    """Every scene of the gallery; as many are made at once as there are processors."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for shown in pool.map(shown_of, gallery.names()):
            print(f"{shown.name}: {'live' if shown.is_live else 'replay'} {shown.said}", flush=True)
            yield shown


def kept() -> Iterator[Shown]:
    """What was kept of scenes, whatever it was made of; those of which nothing was are left out."""
    for name in gallery.names():
        found = sorted(KEPT.glob(f"{name}-{'?' * DIGITS}.json"), key=lambda path: path.stat().st_mtime)
        if found:
            yield read(found[-1])


def read(notes: Path) -> Shown:
    kept = json.loads(notes.read_text(encoding="utf-8"))
    return Shown(**{**kept, "claims": tuple(map(tuple, kept["claims"]))})


def shown_of(name: str) -> Shown:
    """What was kept of a scene, or is made now."""
    scene = gallery.load(name)
    key = hashlib.sha256(f"{FORMAT} {fingerprint()}".encode() + scene.path.read_bytes()).hexdigest()[:DIGITS]
    page, notes = KEPT / f"{name}-{key}.html", KEPT / f"{name}-{key}.json"
    if not (page.is_file() and notes.is_file()):
        for old in (*KEPT.glob(f"{name}-*.html"), *KEPT.glob(f"{name}-*.json")):
            old.unlink()
        html, shown = made(scene, str(page))
        page.write_text(html, encoding="utf-8")
        notes.write_text(json.dumps(asdict(shown)), encoding="utf-8")
    return read(notes)


@functools.cache
def fingerprint() -> str:
    """Of all that scenes' pages are made of, besides the scenes themselves."""
    package = ROOT / "tinkerdyne"
    built = package / "studio" / "client" / "dist"
    files = [*package.rglob("*.py"), built / "live.html", built / "replay.html"]
    sums = (
        hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(files)
        if "node_modules" not in file.parts
    )
    return "".join(sums)


def made(scene: gallery.Scene, file: str) -> tuple[str, Shown]:
    """The page of a scene, and what is said of it."""
    film, recording = run(scene)
    claims = scene.check(film.world, recording)
    html, said = in_page(scene)
    words = tuple((claim.says, claim.found, claim.wanted + NOT_MET * (not claim.holds)) for claim in claims)
    return html or film.page(), Shown(scene.name, bool(html), said, words, file)


def run(scene: gallery.Scene) -> tuple[Film, Recording]:
    """The scene's own run, on film, with no more moments than are seen."""
    recordings: list[Recording] = []
    world = scene.build()
    film = filmed(world, scene.title, lambda: recordings.append(scene.record(world)))
    kept = film.moments[:1]
    for moment in film.moments[1:]:
        if moment.time >= kept[-1].time + 0.99 * FASTEST:
            kept.append(moment)
    film.moments = kept
    return film, recordings[0]


def in_page(scene: gallery.Scene) -> tuple[str, str]:
    """The page in which a scene runs, and what differs there; or nothing, and why."""
    if scene.name in REPLAYED:
        return "", REPLAYED[scene.name]
    if scene.runs_itself and scene.name not in PLAIN and scene.name not in BY_HAND:
        return "", "its run is a script"
    world, said = scene.build(), BY_HAND.get(scene.name, "")
    if world.settings.get("method") == "adaptive":
        world.configure(method="rattle", max_step=1 / 1000)
        said = f"{said} Python steps it with the method “adaptive”, the page with “rattle” at 1 ms.".strip()
    reason = why_not(world)
    return ("", reason) if reason else (live_page(world, scene.title), said)
