"""Small contact problems for tests: bodies in space, boxes that stand on each other, random tangles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinkerdyne.engine.contact.table import ContactTable, Solved, Touches

Array = NDArray[np.float64]
STEP, G = 1 / 240, 9.81


@dataclass
class System:
    """Bodies and contacts as they are handed to the solver."""

    masses: list[Array]
    v: list[Array]
    v_free: list[Array]
    touches: Touches
    joints: list[list[int]] = field(default_factory=list)
    J: list[Array] = field(default_factory=list)

    def table(self) -> ContactTable:
        return ContactTable([len(v) for v in self.v], self.joints, [3] * len(self.joints))

    def solved(self, table: ContactTable | None = None) -> Solved:
        table = table or self.table()
        table.prepare(np.stack([self.touches.a, self.touches.b], axis=1))
        table.write(self.masses, self.v, self.v_free, self.touches, J=self.J)
        return table.read(table.run())

    def renamed(self, order: NDArray[np.int64]) -> System:
        """Body order[k] of this one is body k of the other; contacts come backwards."""
        to = np.append(np.argsort(order), -1)  # −1 stays the ground
        c = self.touches
        back = Touches(
            to[c.a][::-1], to[c.b][::-1], c.Ha[::-1], c.Hb[::-1], c.bias[::-1], c.mu[::-1], c.guess[::-1]
        )
        several: Any = [[values[k] for k in order] for values in (self.masses, self.v, self.v_free)]
        return System(*several, back)

    def slips(self, solved: Solved) -> Array:
        """u of every contact, from the velocities alone."""
        v = [*solved.v, np.zeros(6)]
        c = self.touches
        pairs = zip(c.a, c.b, c.Ha, c.Hb, c.bias, strict=True)
        return np.array(
            [
                (Ha[:, : len(v[a])] @ v[a] if a >= 0 else 0)
                + (Hb[:, : len(v[b])] @ v[b] if b >= 0 else 0)
                + bias
                for a, b, Ha, Hb, bias in pairs
            ]
        )


def skew(d: Array) -> Array:
    return np.array([[0, -d[2], d[1]], [d[2], 0, -d[0]], [-d[1], d[0], 0]])


def block(frame: Array, point: Array, centre: Array, sign: float) -> Array:
    """H of a point on a body in space; rows n, t1, t2."""
    return sign * np.hstack([frame, -frame @ skew(point - centre)])


def tower(
    weights: list[float], *, mu: float = 0.5, tilt: float = 0.0, v: float = 0.0, at: float = 0.0
) -> System:
    """Boxes of 0.1 m on each other on a plane that is tilted, all sliding down it at speed v."""
    frame = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
    centres = [np.array([at, 0, 0.05 + 0.1 * k]) for k in range(len(weights))]
    a, b, Ha, Hb = [], [], [], []
    for k, centre in enumerate(centres):
        for x in (-0.05, 0.05):
            for y in (-0.05, 0.05):
                point = np.array([at + x, y, 0.1 * k])
                a.append(k - 1)
                b.append(k)
                Ha.append(block(frame, point, centres[k - 1], -1) if k else np.zeros((3, 6)))
                Hb.append(block(frame, point, centre, 1))
    n = len(a)
    zero = np.zeros((n, 3))
    touches = Touches(np.array(a), np.array(b), np.array(Ha), np.array(Hb), zero, np.full(n, mu), zero.copy())
    masses = [m * np.diag([1, 1, 1, *[0.1**2 / 6] * 3]) for m in weights]
    before = [np.array([v, 0, 0, 0, 0, 0]) for _ in weights]
    pull = STEP * G * np.array([np.sin(tilt), 0, -np.cos(tilt), 0, 0, 0])
    return System(masses, before, [x + pull for x in before], touches)


def both(one: System, other: System) -> System:
    """Two systems that do not touch each other."""
    n, c, d = len(one.v), one.touches, other.touches
    shift = [np.where(x >= 0, x + n, -1) for x in (d.a, d.b)]
    touches = Touches(
        np.append(c.a, shift[0]), np.append(c.b, shift[1]),
        *(np.concatenate([x, y]) for x, y in ((c.Ha, d.Ha), (c.Hb, d.Hb), (c.bias, d.bias))),
        np.append(c.mu, d.mu), np.concatenate([c.guess, d.guess]),
    )  # fmt: skip
    return System(one.masses + other.masses, one.v + other.v, one.v_free + other.v_free, touches)


def tangle(seed: int, *, bodies: int, contacts: int, mu: tuple[float, float] = (0.0, 1.0)) -> System:
    """Bodies of random masses in space and in the plane (3 rows), with contacts at random places that may or
    may not close."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([3, 6], bodies)
    masses = []
    for n in sizes:
        B = rng.normal(size=(n, n))
        masses.append((B @ B.T + n * np.eye(n)) * np.exp(rng.uniform(-1, 1)))
    v = [rng.normal(size=n) for n in sizes]
    a, b = rng.integers(-1, bodies, contacts), rng.integers(0, bodies, contacts)
    a = np.where(a == b, -1, a)
    H = rng.normal(size=(2, contacts, 3, 6))
    for side, body in enumerate((a, b)):
        for k in range(contacts):
            H[side, k, :, sizes[body[k]] if body[k] >= 0 else 0 :] = 0.0
    bias = np.zeros((contacts, 3))
    bias[:, 0] = np.maximum(0.0, rng.normal(size=contacts))
    touches = Touches(a, b, H[0], H[1], bias, rng.uniform(*mu, contacts), np.zeros((contacts, 3)))
    return System(masses, v, v, touches)
