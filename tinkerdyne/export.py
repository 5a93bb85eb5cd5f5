"""Tables: a recording as columns of plain numbers, written as .csv, .npz or .parquet.

One row a recorded time. The columns are `time`, `energy`, `kinetic_energy`, `potential_energy`, and for each
item its readings: `<object>.position.x` … in world axes, `<object>.orientation.w` …, `<constraint>.force.0` …
(λ, row by row), `<constraint>.gap`. SI units.
"""

from __future__ import annotations

import csv
import errno
import importlib.util
import io
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.scene import write_file

ENDINGS = (".csv", ".npz", ".parquet")
COORDINATES = ("position", "velocity", "spin")  # these count along x, y, z
QUATERNION = ("w", "x", "y", "z")


def table(recording: Recording) -> dict[str, Array]:
    """The columns of a recording by name, each (n,)."""
    out = {"time": recording.time, "energy": recording.kinetic_energy + recording.potential_energy}
    for name in recording:
        values = recording[name]
        if values.ndim == 1:
            out[name] = values
        else:
            for part, column in zip(_parts(name.rpartition(".")[2], values.shape[1]), values.T, strict=True):
                out[f"{name}.{part}"] = column
    return out


def _parts(reading: str, width: int) -> tuple[str, ...]:
    if reading in COORDINATES and width <= 3:
        return ("x", "y", "z")[:width]
    if reading == "orientation" and width == 4:
        return QUATERNION
    return tuple(str(k) for k in range(width))


def checked_target(path: str | os.PathLike[str], endings: tuple[str, ...] = ENDINGS) -> Path:
    """A file that can be written, as far as can be told before the work is done."""
    target = Path(path)
    if target.suffix.lower() not in endings:
        raise ValueError(
            f"{str(target)!r} must end in {', '.join(endings[:-1])} or {endings[-1]}, which says how it is "
            "written"
        )
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder; name a file in it", str(target))
    if not target.parent.is_dir():
        raise FileNotFoundError(
            errno.ENOENT, f"there is no folder {str(target.parent)!r}; make it first", str(target)
        )
    if not os.access(target.parent, os.W_OK):
        raise PermissionError(
            errno.EACCES, f"the folder {str(target.parent)!r} is read-only; choose another", str(target)
        )
    if target.suffix.lower() == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise ImportError(
            "writing .parquet needs pyarrow: pip install 'tinkerdyne[parquet]', or write .csv or .npz"
        )
    return target


def write_table(path: str | os.PathLike[str], columns: Mapping[str, Array]) -> None:
    """Write columns of equal length to a file, as a whole or not at all."""
    target = checked_target(path)
    make = {".csv": _csv, ".npz": _npz, ".parquet": _parquet}[target.suffix.lower()]
    write_file(target, make(columns))


def _csv(columns: Mapping[str, Array]) -> bytes:
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(columns)
    # repr: reads back to the same bits
    rows.writerows(zip(*[values.tolist() for values in columns.values()], strict=True))
    return text.getvalue().encode()


def _npz(columns: Mapping[str, Array]) -> bytes:
    data = io.BytesIO()
    np.savez(data, **dict(columns))  # type: ignore[arg-type]
    return data.getvalue()


def _parquet(columns: Mapping[str, Array]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    data = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(dict(columns)), data)
    return data.getvalue()


__all__ = ["ENDINGS", "checked_target", "table", "write_table"]
