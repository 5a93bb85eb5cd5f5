"""Units of a sketch: its extent, √(extent/g) or the times that are told, and the first body's mass."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.tell.shape import FlightBody
from tinkerdyne.sketch.tell.story import Collision, Flight

BRISK = 6.0  # units of speed: one that is told is no larger
BRIEF = 0.1  # units of time: the longest flight whose duration is told lasts no shorter


@dataclass
class Units:
    """What one unit of length [m], time [s] and mass [kg] is."""

    length: float
    time: float
    mass: float


def units_of(shapes: list[FlightBody], flights: list[Flight], collisions: list[Collision], g: Array) -> Units:
    """From what is told, and gravity [m/s²]."""
    tracks = [t for f in flights for t in f.tracks.values()]
    wished = [w for f in flights for w in f.wishes if w.kind in ("position", "point")]
    bounded = [w for w in wished if np.isfinite(w.low).all() and np.isfinite(w.high).all()]
    places = [t.places for t in tracks] + [(w.low + w.high)[None] / 2 for w in bounded]
    length, strength, spans = 2 * max(s.radius for s in shapes), float(np.linalg.norm(g)), _spans(flights)
    if places:
        everything = np.concatenate(places)
        length = max(length, float(np.linalg.norm(np.ptp(everything, axis=0))))
        for on in (c.on for c in collisions if c.body is not None and c.on.of is None):
            length = max(length, float(np.abs((everything - on.origin) @ on.normal).max()))
    if strength == 0:
        return Units(length, max(spans, default=1.0), shapes[0].mass)
    speed, longest = demanded(flights, "velocity"), max(spans, default=math.inf)
    length = max(length, speed * min(speed / (BRISK**2 * strength), longest))
    return Units(length, min(math.sqrt(length / strength), longest / BRIEF), shapes[0].mass)


def demanded(flights: list[Flight], kind: str) -> float:
    """The largest vector that wishes of a kind ask for at least."""
    least = [np.clip(0.0, w.low, w.high) for f in flights for w in f.wishes if w.kind == kind]
    return max((float(np.linalg.norm(one)) for one in least), default=0.0)


def _spans(flights: list[Flight]) -> list[float]:
    """How long the flights last of which times of samples or bounds tell it [s]."""
    out, begin = [], 0.0
    for flight in flights:
        timed = [t.times for t in flight.tracks.values() if t.times is not None and len(t.times) > 1]
        end = max([begin, *(float(times[-1]) for times in timed)])
        if flight.duration is not None or end > begin:
            out.append(end - begin if flight.duration is None else flight.duration[1])
        begin = end
    return out
