"""Acting input: recorded gestures as CSV, NPZ or JSON, with any timing; smoothed and resampled (M8, MS03
§6.2)."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import zipfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter1d

from tinkerdyne.files import SceneError, read_file
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number, vector
from tinkerdyne.sketch.tell.reading import samples

FARTHEST = 1e9  # m
COLUMNS = {"t": "time", "time": "time", "x": 0, "y": 1, "z": 2, "qw": 3, "qx": 4, "qy": 5, "qz": 6}


@dataclass(frozen=True)
class Gesture:
    """A recorded movement: places (n, 3) [m], orientations (n, 4) or none, the hand's own times (n,) [s] or
    none."""

    places: Array
    orientations: Array | None = None
    times: Array | None = None

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, part: slice) -> Gesture:
        q = None if self.orientations is None else self.orientations[part]
        return Gesture(self.places[part], q, None if self.times is None else self.times[part])

    def smoothed(self, width: float = 2.0) -> Gesture:
        """Without tremor: a Gaussian of `width` samples over places and orientations; the ends stay, and all
        does with width 0."""
        if not 0 <= number("width", width) <= max(len(self), 2):
            raise ValueError(f"width must lie between 0 and the gesture's {len(self)} samples, not {width!r}")
        x = _smoothed(self.places, width)
        if self.orientations is None:
            return Gesture(x, None, self.times)
        q = self.orientations / np.linalg.norm(self.orientations, axis=1, keepdims=True)
        flips = np.cumprod(np.concatenate([[1.0], np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0)]))
        q = _smoothed(q * flips[:, None], width)
        return Gesture(x, q / np.linalg.norm(q, axis=1, keepdims=True), self.times)

    def resampled(self, count: int) -> Gesture:
        """At most so many samples, evenly spread along the gesture."""
        if isinstance(count, bool) or not isinstance(count, int) or count < 2:
            raise ValueError(f"a gesture keeps at least 2 samples, not {count!r}")
        times = np.arange(len(self), dtype=float) if self.times is None else self.times
        t, x, q = resampled(times, self.places, self.orientations, count)
        return Gesture(x, q, None if self.times is None else t)


def _smoothed(rows: Array, width: float) -> Array:
    """Rows under a Gaussian, gone on with beyond each end by their reflection in it, so that it stays."""
    if width == 0 or len(rows) < 2:
        return rows
    beyond = math.ceil(4 * width) + 1
    wide = np.pad(rows, ((beyond, beyond), (0, 0)), mode="reflect", reflect_type="odd")
    return np.asarray(gaussian_filter1d(wide, width, axis=0)[beyond:-beyond])


def load_gesture(path: str | os.PathLike[str]) -> Gesture:
    """A gesture from a file: .csv with columns t, x, y, z, qw, qx, qy, qz (t and q may be missing), .npz or
        .json with arrays places, orientations, times; its times are counted from its first sample, whatever
        the
    recorder's clock said."""
    gesture = _load(path)
    return gesture if gesture.times is None else replace(gesture, times=gesture.times - gesture.times[0])


def _load(path: str | os.PathLike[str]) -> Gesture:
    ending = Path(path).suffix.lower()
    name = os.fspath(path)
    try:
        if ending == ".csv":
            return _from_csv(read_file(path).decode("utf-8-sig"))
        if ending == ".npz":
            arrays = np.load(io.BytesIO(read_file(path)), allow_pickle=False)
            if isinstance(arrays, np.ndarray):
                raise ValueError(
                    "it is a single .npy array, no .npz archive; save it with numpy.savez(file, places=…)"
                )
            with arrays:
                return gesture_of({key: arrays[key] for key in arrays.files})
        if ending == ".json":
            return gesture_of(json.loads(read_file(path)))
    except (SceneError, OSError):
        raise
    except UnicodeDecodeError as problem:
        raise SceneError(
            f"{name}: this is no gesture: byte {problem.start + 1} is not UTF-8; save it as UTF-8 text"
        ) from problem
    except (zipfile.BadZipFile, zlib.error, EOFError) as problem:
        raise SceneError(
            f"{name}: this is no gesture: the archive is empty or damaged ({problem}); save it again"
        ) from problem
    except RecursionError as problem:
        raise SceneError(f"{name}: this is no gesture: its lists are nested too deep") from problem
    except (csv.Error, ValueError, TypeError, KeyError) as problem:
        said = problem.args[0] if problem.args else problem
        raise SceneError(f"{name}: this is no gesture: {said}") from problem
    raise SceneError(f"{name}: a gesture is a .csv, .npz or .json file")


def gesture_of(given: object) -> Gesture:
    """From places, orientations and times by name."""
    if not isinstance(given, dict) or "places" not in given:
        raise ValueError("places are missing; a gesture has places, and perhaps orientations and times")
    unknown = set(given) - {"places", "orientations", "times"}
    if unknown:
        raise ValueError(
            f"{', '.join(sorted(unknown))} mean nothing here; a gesture has places, orientations and times"
        )
    for what, rows in given.items():
        if np.iscomplexobj(rows):
            raise ValueError(f"{what} must be real numbers, not complex ones")
    x = samples("places", given["places"], 3)
    if np.abs(x).max() > FARTHEST:
        raise ValueError(
            f"places must lie within {FARTHEST:g} m, not {float(np.abs(x).max()):.3g} m away; are they in "
            "metres?"
        )
    q = None if given.get("orientations") is None else samples("orientations", given["orientations"], 4)
    t = None if given.get("times") is None else np.array(vector("times", given["times"]))
    for what, rows in (("orientations", q), ("times", t)):
        if rows is not None and len(rows) != len(x):
            raise ValueError(f"there are {len(rows)} {what} for {len(x)} places")
    if t is not None and (not np.all(np.isfinite(t)) or np.any(np.diff(t) <= 0)):
        raise ValueError("times must rise from sample to sample")
    if q is not None and np.any(np.linalg.norm(q, axis=1) < 1e-9):
        raise ValueError("an orientation is the zero quaternion; no rotation is (1, 0, 0, 0)")
    return Gesture(x, q, t)


def read_gesture(text: str) -> Gesture:
    """A gesture from the text of a file, JSON or CSV."""
    try:
        return gesture_of(json.loads(text)) if text.lstrip().startswith("{") else _from_csv(text)
    except (csv.Error, RecursionError, TypeError, json.JSONDecodeError) as problem:
        raise ValueError(f"this is no gesture: {problem}") from problem


def _from_csv(text: str) -> Gesture:
    rows = [row for row in csv.reader(io.StringIO(text)) if row and any(cell.strip() for cell in row)]
    if len(rows) < 3:
        raise ValueError("a head line and at least two lines of numbers are needed")
    head = [cell.strip().lower() for cell in rows[0]]
    wrong = [name for name in head if name not in COLUMNS]
    if wrong:
        raise ValueError(f"column {wrong[0]!r} is unknown; there are t, x, y, z, qw, qx, qy, qz")
    twice = [name for k, name in enumerate(head) if COLUMNS[name] in [COLUMNS[other] for other in head[:k]]]
    if twice:
        raise ValueError(f"column {twice[0]!r} is given twice; keep one")
    if not {"x", "y", "z"} <= set(head):
        raise ValueError("the columns x, y and z are needed")
    numbers = np.empty((len(rows) - 1, len(head)))
    for i, row in enumerate(rows[1:]):
        if len(row) != len(head):
            raise ValueError(f"line {i + 2} has {len(row)} numbers, not {len(head)}")
        for j, cell in enumerate(row):
            try:
                numbers[i, j] = float(cell)
            except ValueError:
                raise ValueError(f"line {i + 2}: {cell.strip()!r} is no number") from None
    columns = dict(zip(head, numbers.T, strict=True))
    quaternion = ("qw", "qx", "qy", "qz")
    has_turns = [name in columns for name in quaternion]
    if any(has_turns) and not all(has_turns):
        raise ValueError("an orientation needs all of qw, qx, qy, qz")
    time = columns.get("t", columns.get("time"))
    turns = np.stack([columns[name] for name in quaternion], axis=1) if all(has_turns) else None
    return gesture_of(
        {"places": np.stack([columns[k] for k in "xyz"], axis=1), "orientations": turns, "times": time}
    )


def resampled(
    times: Array, places: Array, turns: Array | None, count: int
) -> tuple[Array, Array, Array | None]:
    """`count` samples of a track at most, evenly spread in its own order, as they are: what lies between two
    was not shown."""
    if len(places) <= count:
        return times, places, turns
    at = np.linspace(0, len(places) - 1, count).round().astype(int)
    return times[at], places[at], None if turns is None else turns[at]
