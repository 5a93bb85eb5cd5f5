"""Random collisions written as stops, each with the motion that it must have; and pools of touching balls.

A particle flies straight at a fixed ball, at another particle, or at a wall across an axis. After the hit it
flies straight on, so that place and velocity are known at any time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tinkerdyne as td

GENTLE = 1e-3  # m/s: slower hits do not bounce


@dataclass(frozen=True)
class Collision:
    """A world, how long to run it, and what to read then (places and velocities) and want."""

    world: td.World
    seconds: float
    read: Callable[[], np.ndarray]
    wanted: np.ndarray
    speed: float
    free: np.ndarray  # the place after a flight that nothing hinders, relative to what would be hit
    rest: float  # s after the hit

    def is_missed(self) -> bool:
        """Whether it flies on, after the run, as if nothing were in its way."""
        self.world.run(self.seconds)
        n, seen = len(self.free), self.read()
        place = seen[:n] - (seen[2 * n : 3 * n] if len(seen) > 2 * n else 0.0)
        return bool(np.linalg.norm(place - self.free) < 1e-3 * self.speed * self.rest)

    def error(self) -> float:
        """How far off it is after the run, by the speed; not a number where the run failed."""
        if not self.world.run(self.seconds):
            return float("nan")
        return float(np.abs(self.read() - self.wanted).max() / max(1.0, self.speed))


def collision(seed: int, method: str) -> Collision:
    """One of the three kinds, at any speed (0.1 … 10⁴ m/s), with any step (0.1 … 100 ms) and restitution."""
    draw = np.random.default_rng(seed)
    dim = int(draw.integers(2, 4))
    speed, step = 10 ** draw.uniform(-1, 4), 10 ** draw.uniform(-4, -1)
    e = float(draw.choice([0.0, 0.5, 1.0, draw.uniform()]))
    radius, ahead = draw.uniform(0.05, 0.5), draw.normal(size=dim)
    ahead /= np.linalg.norm(ahead)
    across = draw.normal(size=dim)
    across -= across @ ahead * ahead
    off = draw.uniform(-0.95, 0.95) * radius
    start = -draw.uniform(1, 30) * radius * ahead + off * across / np.linalg.norm(across)
    kind = (_ball, _pair, _wall)[draw.integers(3)]
    return kind(draw, td.World(method=method, max_step=step), start, speed * ahead, radius, e)


def _after(draw: Any, when: float) -> tuple[float, float]:
    """(the whole time, the time after the hit)."""
    seconds = max(2e-9, when * (1 + draw.uniform(0.05, 3)))
    return seconds, seconds - when


def _meeting(x: np.ndarray, u: np.ndarray, radius: float) -> tuple[float, np.ndarray]:
    """When a point that flies from x with u comes within `radius` of the origin, and the direction there."""
    along = x @ u / (u @ u)
    when = -along - np.sqrt(along**2 - (x @ x - radius**2) / (u @ u))
    place = x + when * u
    return when, place / radius


def _ball(draw: Any, world: td.World, x: np.ndarray, u: np.ndarray, radius: float, e: float) -> Collision:
    mote = world.add(td.Particle("mote", position=x, velocity=u, mass=10 ** draw.uniform(-2, 2)))
    room = td.distance_between(mote, td.Nail(*np.zeros(len(x))))
    world.add(td.at_least(room, low=radius, restitution=e))
    when, normal = _meeting(x, u, radius)
    seconds, rest = _after(draw, when)
    v = u - (1 + e) * (u @ normal) * normal
    wanted = np.r_[x + when * u + rest * v, v]
    read = lambda: np.r_[mote.position, mote.velocity]  # noqa: E731
    return Collision(world, seconds, read, wanted, _size(u), x + seconds * u, rest)


def _pair(draw: Any, world: td.World, x: np.ndarray, u: np.ndarray, radius: float, e: float) -> Collision:
    drift, (m1, m2) = draw.normal(size=len(x)) * _size(u), 10 ** draw.uniform(-2, 2, 2)
    a = world.add(td.Particle("a", position=x, velocity=u + drift, mass=m1))
    b = world.add(td.Particle("b", position=0 * x, velocity=drift, mass=m2))
    world.add(td.at_least(td.distance_between(a, b), low=radius, restitution=e))
    when, normal = _meeting(x, u, radius)
    seconds, rest = _after(draw, when)
    blow = (1 + e) * (u @ normal) / (1 / m1 + 1 / m2) * normal
    va, vb = u + drift - blow / m1, drift + blow / m2
    wanted = np.r_[x + when * (u + drift) + rest * va, va, when * drift + rest * vb, vb]
    read = lambda: np.r_[a.position, a.velocity, b.position, b.velocity]  # noqa: E731
    return Collision(world, seconds, read, wanted, _size(u), x + seconds * u, rest)


def _wall(draw: Any, world: td.World, x: np.ndarray, u: np.ndarray, radius: float, e: float) -> Collision:
    mote = world.add(td.Particle("mote", position=x, velocity=u))
    k = int(np.argmax(np.abs(u)))
    at = x[k] + draw.uniform(1, 20) * radius * np.sign(u[k])
    stop = td.at_most(td.component(mote, of=k), high=at, restitution=e)
    if u[k] < 0:
        stop = td.at_least(td.component(mote, of=k), low=at, restitution=e)
    world.add(stop)
    when = (at - x[k]) / u[k]
    seconds, rest = _after(draw, when)
    v = u.copy()
    v[k] *= -e if abs(u[k]) >= GENTLE else 0.0
    wanted = np.r_[x + when * u + rest * v, v]
    read = lambda: np.r_[mote.position, mote.velocity]  # noqa: E731
    return Collision(world, seconds, read, wanted, _size(u), x + seconds * u, rest)


def _size(u: np.ndarray) -> float:
    return float(np.linalg.norm(u))


@dataclass(frozen=True)
class Pool:
    """Touching balls of random masses and velocities; some pairs are jointed, the others are stops."""

    world: td.World
    balls: list[td.Item]
    stops: list[td.Item]
    restitutions: tuple[float, ...]

    def momentum(self) -> np.ndarray:
        return np.sum([ball.mass * np.array(ball.velocity) for ball in self.balls], axis=0)

    def closing(self) -> float:
        """The fastest rate at which a touching pair closes."""
        return max((-stop.velocity[0] for stop in self.stops if stop.value[0] < 1e-8), default=0.0)


def pool(seed: int, method: str) -> Pool:
    """3 … 12 balls, grown by touching or in a hexagonal raft."""
    draw = np.random.default_rng(seed)
    dim, n, width = int(draw.integers(2, 4)), int(draw.integers(3, 13)), 0.1
    places = [np.zeros(dim)]
    while len(places) < n:
        way = draw.normal(size=dim)
        place = places[draw.integers(len(places))] + width * way / np.linalg.norm(way)
        if all(np.linalg.norm(place - other) > width - 1e-12 for other in places):
            places.append(place)
    if draw.random() < 0.4:
        rows = [divmod(k, int(np.ceil(n**0.5))) for k in range(n)]
        places = [
            np.r_[width * (b + 0.5 * (a % 2)), width * a * 3**0.5 / 2, np.zeros(dim - 2)] for a, b in rows
        ]
    masses, velocities = 10 ** draw.uniform(-2, 2, n), draw.normal(size=(n, dim))
    world = td.World(method=method)
    balls = [
        world.add(td.Particle(f"ball{k}", position=places[k], velocity=velocities[k], mass=masses[k]))
        for k in range(n)
    ]
    apart = lambda i, j: float(np.linalg.norm(places[i] - places[j]))  # noqa: E731
    pairs = [(i, j) for i in range(n) for j in range(i) if abs(apart(i, j) - width) < 1e-9]
    jointed = [pair for pair in pairs[1:] if draw.random() < 0.2]
    for i, j in jointed:
        world.add(td.distance(balls[i], balls[j], length=width))
    world.project()
    same = draw.choice([0.0, 1.0, draw.uniform()])
    restitutions = tuple(float(same if seed % 2 else draw.uniform()) for pair in pairs if pair not in jointed)
    stops = [
        world.add(td.at_least(td.distance_between(balls[i], balls[j]), low=width, restitution=e))
        for (i, j), e in zip([pair for pair in pairs if pair not in jointed], restitutions, strict=True)
    ]
    return Pool(world, balls, stops, restitutions)


def cradle(method: str, balls: int = 5, restitution: float = 1.0) -> tuple[td.World, list[td.Item], float]:
    """Touching balls on rods of 0.5 m, the first drawn aside by 0.3 rad; and its speed on arrival."""
    world, length, g, angle = td.World(method=method), 0.5, 9.81, 0.3
    parts = []
    for k in range(balls):
        turn = -angle if k == 0 else 0.0
        place = (0.1 * k + length * np.sin(turn), -length * np.cos(turn))
        parts.append(world.add(td.Particle(f"ball{k}", position=place)))
        world.add(td.distance(td.Nail(0.1 * k, 0.0), parts[-1], length=length))
    for a, b in itertools.pairwise(parts):
        world.add(td.at_least(td.distance_between(a, b), low=0.1, restitution=restitution))
    world.add(td.gravity(g=(0, -g)))
    return world, parts, float(np.sqrt(2 * g * length * (1 - np.cos(angle))))


def linkage(seed: int, **settings: Any) -> tuple[td.World, list[td.Item]]:
    """2 … 5 rods in a row on pins, each with limits, some with a floor below, restitutions 0, 1 or any."""
    draw = np.random.default_rng(seed)
    world, rods = td.World(**settings), list[td.Item]()
    for k in range(int(draw.integers(2, 6))):
        rod = world.add(td.PlanarRod(f"rod{k}", position=(k + 0.5, 0.0), mass=10 ** draw.uniform(-1, 1)))
        pin = world.add(td.join(td.pin, rods[-1] if rods else None, rod, at=(k, 0), name=f"pin{k}"))
        e = float(draw.choice([0.0, 1.0, draw.uniform()]))
        low, high = draw.uniform(0.1, 1, 2)
        world.add(*td.within(pin.turn, -low, high, restitution=e))
        if draw.random() < 0.5:
            floor = td.component(rod.end2, of=1)
            world.add(td.at_least(floor, low=-draw.uniform(0.3, 1.5), restitution=e))
        rods.append(rod)
    world.add(td.gravity())
    return world, rods
