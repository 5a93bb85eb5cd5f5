"""Contact of whole worlds that are large: piles of all shapes, 216 boxes against Rapier, 1,000 boxes poured,
and edits of a standing pile. All settings are as they come but the step, 1/240 s."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

import tinkerdyne as td
from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact.detection_records import ContactPoint
from tinkerdyne.engine.contact.problem import Island, IslandValues, Problem
from tinkerdyne.engine.contact.touching import TouchValues

from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured, needed
from .contact.worlds import STEP, pile, rapier_pile

SEEDS, SECONDS = range(500, 505), {27: 2.0, 64: 2.0, 216: 1.0}
RESTING, MOVING = 1e-9, 1e-4  # m/s
SLOW = 5e-3  # m/s: an island that is slower rests
PHASES = {"falling": (0.0, 1.75), "settled, awake": (2.75, 3.0), "asleep": (4.0, 4.25)}
LAST = 6.0  # s: some heaps have a box that topples late; they settle by then


@dataclass
class _Worth:
    """What the steps of piles were worth."""

    steps: int = 0
    moving: int = 0  # steps in which something that moved was left above 1e-4 m/s, …
    resting: int = 0  # … or at rest above 1e-9
    worst: float = 0.0
    deepest: float = 0.0  # met on the way through a step, before it was parted, …
    seen: float = 0.0  # … and at the end of one
    gained: float = 0.0  # in a quarter of a second, of the energy at the start
    factorings: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, world: td.World, seconds: float) -> None:
        """Run a pile step by step."""
        first = energy = world.energy
        world.run(STEP)
        for k in range(round(seconds / STEP)):
            contacts = world.engine.contacts
            before = int(contacts.arena.head.factorings)
            begin = time.process_time()
            world.run(STEP)
            self.seconds += time.process_time() - begin
            arena = contacts.arena
            self.factorings.append(int(arena.head.factorings) - before)
            self._judge(Problem(arena.P), arena.X, TouchValues(arena.Y).residual)
            gaps = arena.detector.contacts()[1][:, place_of(ContactPoint, "gap")]
            self.seen = max(self.seen, -float(gaps.min(initial=0.0)))
            if k % 60 == 59:
                now = world.energy
                self.gained, energy = max(self.gained, (now - energy) / first), now
            self.steps += 1
        self.deepest = max(self.deepest, TouchValues(world.engine.contacts.arena.Y).deepest)

    def _judge(self, problem: Problem, X: np.ndarray, residual: float) -> None:
        """`residual` is the largest above a tolerance in any kick of the step; the islands at hand say
        whether something at rest was left open."""
        self.worst = max(self.worst, residual)
        self.moving += residual > MOVING
        islands = [Island.of(problem, k) for k in range(problem.n_islands)]
        values = [IslandValues(X[island.values :]) for island in islands]
        self.resting += any(v.speed < SLOW and v.tolerance == RESTING < v.residual for v in values)


def _piles(n: int, shape: str, joints: bool = False) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        worth = _Worth()
        for seed in SEEDS:
            worth.add(pile(n, shape, seed, joints=joints), SECONDS[n])
        of = f" of {worth.steps}"
        yield Bar(
            name, "steps above 1e-4 m/s while moving", worth.moving, "≤", 0, of, f"worst {worth.worst:.1e}"
        )
        yield Bar(name, "steps above 1e-9 m/s at rest", worth.resting, "≤", 0, of)
        yield Bar(name, "energy gained in a quarter second", worth.gained, "≤", 1e-12, " of all")
        said = f"{worth.seen:.1e} m at the ends of steps"
        yield Bar(name, "deepest overlap", worth.deepest, "≤", 1e-4, " m", said)
        counts = np.array(worth.factorings)
        yield Remark(name, f"factorings a step {counts.mean():.1f}, p95 {np.percentile(counts, 95):.0f}; "
                           f"{1e3 * worth.seconds / worth.steps:.2f} ms a step")  # fmt: skip

    return measure


def _against_rapier(name: str) -> Iterator[Line]:
    try:
        needed("rapier3d")
    except Missing as why:
        yield Unmeasured(name, "216 boxes against Rapier", str(why))
        return
    world = pile(216, "box", SEEDS[0])
    awake, peer = pile(216, "box", SEEDS[0], may_sleep=False), rapier_pile(world)
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}

    def spend(what: Callable[[], object]) -> float:
        begin = time.process_time()
        what()
        return time.process_time() - begin

    def go(seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            peer.step()

    def is_moving() -> bool:
        boxes = [item for item in awake if item.type.name == "box"]
        return max(float(np.linalg.norm(box.velocity)) for box in boxes) > SLOW

    now = 0.0
    for phase, (begin, length) in ((name, (a, b - a)) for name, (a, b) in PHASES.items()):
        who = world if phase == "asleep" else awake
        begin = max(begin, now)
        for one in (world, awake):
            one.run(begin - now)
        go(begin - now)
        while phase == "settled, awake" and is_moving() and begin < LAST:
            for one in (world, awake):
                one.run(0.25)
            go(0.25)
            begin += 0.25
        end = begin + length
        ours[phase] = spend(lambda who=who, t=end - begin: who.run(t))  # type: ignore[misc]
        other = awake if who is world else world
        other.run(end - begin)
        theirs[phase] = spend(lambda t=end - begin: go(t))  # type: ignore[misc]
        now = end
        wanted = {"falling": 40.0, "settled, awake": 5.0, "asleep": 0.1}[phase]
        said = f"{1e3 * ours[phase] * STEP / (end - begin):.3f} ms a step"
        yield Bar(name, f"216 boxes {phase}", ours[phase] / theirs[phase], "≤", wanted, " of Rapier", said)
    yield Remark(name, f"{len(world.asleep)} of 216 sleep at the end")


def _thousand(name: str) -> Iterator[Line]:
    world, begin = pile(1000, "box", SEEDS[0]), time.process_time()
    result = world.run(2.0)
    spent = time.process_time() - begin
    arena = world.engine.contacts.arena
    yield Bar(name, "1,000 boxes poured, seconds simulated", world.time, "≥", 2.0 - 1e-9, " s")
    said = f"{1e3 * spent * STEP / 2.0:.0f} ms a step, {result.status.name}"
    left = f"{arena.head.n_open} solutions above their tolerance"
    deep = f"deepest overlap {TouchValues(arena.Y).deepest:.1e} m, {len(world.asleep)} asleep"
    yield Remark(name, f"{said}, {left}, {deep}")


def _heaps(**rule: bool) -> td.World:
    """Nine heaps of eight boxes, two metres apart, that have come to rest."""
    world, random = td.World(max_step=STEP), np.random.default_rng(7)
    world.add(td.gravity(), td.contact(**rule), td.Floor("floor"))
    for heap in range(9):
        for k in range(8):
            place = (2.0 * (heap % 3) + 0.05 * random.normal(), 2.0 * (heap // 3), 0.2 + 0.25 * k)
            world.add(
                td.Box(
                    f"h{heap}b{k}", size=tuple(random.uniform(0.1, 0.2, 3)), density=1000.0, position=place
                )
            )
    world.run(3.0)
    return world


EDITS: dict[str, Callable[[td.World], object]] = {
    "a mass": lambda world: setattr(world["h4b3"], "density", 1500.0),
    "a body that comes": lambda world: world.add(
        td.Box("new", size=(0.1, 0.1, 0.1), position=(2.0, 2.0, 2.0))
    ),
    "a body that goes": lambda world: world.remove(world["h4b2"]),
    "a body that is moved": lambda world: setattr(world["h4b7"], "position", (2.0, 2.0, 2.0)),
}


def _fastest(world: td.World, edit: Callable[[td.World], object]) -> float:
    """Make an edit, after some that are undone again; what the fastest took [ms]."""
    spent = []
    for k in range(4):
        if k:
            world.undo()
        begin = time.process_time()
        edit(world)
        spent.append(1e3 * (time.process_time() - begin))
    return min(spent)


def _states(world: td.World, names: list[str]) -> list[bytes]:
    bodies = [world[name] for name in names]
    return [np.array([*b.position, *b.orientation, *b.velocity, *b.spin]).tobytes() for b in bodies]


def _edit(name: str) -> Iterator[Line]:
    others = [f"h{heap}b{k}" for heap in range(9) if heap != 4 for k in range(8)]
    for may_sleep in (True, False):
        how = "asleep" if may_sleep else "awake"
        plain = _heaps(may_sleep=may_sleep)
        plain.run(1.0)
        for what, edit in EDITS.items():
            world = _heaps(may_sleep=may_sleep)
            before = _states(world, others)
            spent = _fastest(world, edit)
            changed = sum(a != b for a, b in zip(before, _states(world, others), strict=True))
            yield Bar(name, f"{what}, {how}: bodies that differ at once", changed, "≤", 0)
            world.run(1.0)
            pairs = zip(_states(plain, others), _states(world, others), strict=True)
            yield Bar(
                name, f"{what}, {how}: … that differ a second later", sum(a != b for a, b in pairs), "≤", 0
            )
            yield Bar(name, f"{what}, {how}: the edit takes", spent, "≤", 1.0, " ms")


MEASUREMENTS: dict[str, Measurement] = {
    **{
        f"contact-world-27-{shape}": _piles(27, shape)
        for shape in ("box", "sphere", "capsule", "hull", "mixed")
    },
    **{
        f"contact-world-64-{shape}": _piles(64, shape)
        for shape in ("box", "sphere", "capsule", "hull", "mixed")
    },
    "contact-world-27-joints": _piles(27, "mixed", joints=True),
    "contact-world-64-joints": _piles(64, "mixed", joints=True),
    "contact-world-216-box": _piles(216, "box"),
    "contact-world-216-mixed": _piles(216, "mixed"),
    "contact-216-boxes": _against_rapier,
    "contact-1000-boxes": _thousand,
    "contact-edit": _edit,
}
