"""Keys over time: rows (time, number …) become a table of cubic polynomials that kernels look up (R3, G7)."""

from __future__ import annotations

import numpy as np

from tinkerdyne.language.checks import number

STYLES = ("smooth", "natural", "linear")
MOST_KEYS = 100_000
# numbers [SI], and times between keys [s]: beyond, a cubic has no digits left
LARGEST_KEY, SHORTEST_SPAN = 1e12, 1e-12


def checked_keys(what: str, rows: object) -> tuple[tuple[float, ...], ...]:
    """Keys in their stored form: at least two, in the order of time, each a time and as many numbers as the
    others."""
    try:
        listed = [list(row) for row in rows]  # type: ignore[attr-defined]
    except TypeError:
        raise TypeError(
            f"{what} must be rows of a time and numbers, such as [(0, x, y, z), (1, x, y, z)], not {rows!r}"
        ) from None
    if not 2 <= len(listed) <= MOST_KEYS:
        raise ValueError(f"{what} must be between 2 and {MOST_KEYS} rows, not {len(listed)}")
    width = len(listed[0])
    if width < 2:
        raise ValueError(f"{what} must be rows of a time and at least one number, not {listed[0]!r}")
    found = []
    for k, row in enumerate(listed):
        if len(row) != width:
            raise ValueError(
                f"{what} must be rows of equal length; row {k} has {len(row)} numbers, the first one {width}"
            )
        found.append(tuple(number(f"row {k} of {what}", x) for x in row))
        widest = max(found[k], key=abs)
        if abs(widest) > LARGEST_KEY:
            raise ValueError(
                f"row {k} of {what} has the number {widest:g}; times and places must lie within "
                f"±{LARGEST_KEY:g} [SI]"
            )
        if k and not found[k][0] > found[k - 1][0]:
            raise ValueError(
                f"times in {what} must increase: row {k} is at {found[k][0]:g} s, after {found[k - 1][0]:g} "
                "s; "
                "a jump in place needs a little time, or an edit of the state"
            )
        if k and found[k][0] - found[k - 1][0] < SHORTEST_SPAN:
            raise ValueError(
                f"times in {what} must be at least {SHORTEST_SPAN:g} s apart; rows {k - 1} and {k} are nearer"
            )
    return tuple(found)


def table(rows: tuple[tuple[float, ...], ...], style: str) -> list[float]:
    """n, w, n times, then n rows (t_k, c₀ … c₃); the first key's place holds before, the last one's after."""
    keys = np.array(rows)
    t, x = keys[:, 0], keys[:, 1:]
    if style == "linear":
        slopes = np.diff(x, axis=0) / np.diff(t)[:, None]
        c = np.stack([np.zeros_like(slopes), np.zeros_like(slopes), slopes, x[:-1]])
    else:
        from scipy.interpolate import CubicSpline  # a fifth of a second to import, for those who need it

        c = CubicSpline(t, x, bc_type="clamped" if style == "smooth" else "natural").c
    spans = np.concatenate([t[:-1, None], c[3], c[2], c[1], c[0]], axis=1)
    held = np.zeros((2, spans.shape[1]))
    held[:, 0] = t[0] - 1.0, t[-1]
    held[:, 1 : 1 + x.shape[1]] = x[[0, -1]]
    spans = np.concatenate([held[:1], spans, held[1:]])
    return [float(len(spans)), float(spans.shape[1]), *spans[:, 0].tolist(), *spans.ravel().tolist()]
