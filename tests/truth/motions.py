"""Random motions at random steps, and how far they really are off: against the same motion by order 8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tinkerdyne as td

METHODS = ("rattle", "energy_momentum", "runge_kutta", "stormer")
SPAN = 0.5  # s


def pendulum(draw: Any, world: td.World) -> None:
    """One to three rods that swing, slowly or fast."""
    rate = 10 ** draw.uniform(-0.5, 3)
    last, place, speed = td.Nail(0, 0), np.zeros(2), np.zeros(2)
    for k in range(draw.integers(1, 4)):
        angle, spin = draw.uniform(-np.pi, np.pi), rate * draw.normal()
        half = np.array([np.cos(angle), np.sin(angle)]) / 2
        turn = spin * np.array([-half[1], half[0]])
        rod = td.PlanarRod(
            f"rod{k}", mass=10 ** draw.uniform(-1, 1), position=place + half, angle=angle, spin=spin,
            velocity=speed + turn,
        )  # fmt: skip
        world.add(rod)
        world.add(td.connect(rod.end1, last))
        last, place, speed = rod.end2, place + 2 * half, speed + 2 * turn
    world.add(td.gravity())


def springs(draw: Any, world: td.World) -> None:
    """Particles in a row on springs of any stiffness, with dampers or without."""
    last = td.Nail(0, 0)
    stiff = 10 ** draw.uniform(1, 6)
    for k in range(draw.integers(1, 4)):
        p = world.add(td.Particle(f"p{k}", mass=float(draw.uniform(0.3, 3)), position=(k + 1.1, 0.0)))
        world.add(td.spring(last, p, stiffness=stiff * float(draw.uniform(0.3, 3)), length=1.0))
        if draw.random() < 0.4:
            world.add(td.damper(last, p, coefficient=float(10 ** draw.uniform(-1, 1))))
        last = p
    if draw.random() < 0.5:
        world.add(td.gravity())


def crank(draw: Any, world: td.World) -> None:
    """A motor drives a crank, and that a rod whose end slides in a guide."""
    speed, r = float(10 ** draw.uniform(0, 2.5)), 0.3
    arm = td.PlanarRod("arm", length=r, position=(0, r / 2), angle=np.pi / 2, spin=speed)
    arm = world.add(td.PlanarRod("arm", length=r, position=(0, r / 2), angle=np.pi / 2, spin=speed,
                                 velocity=(-r * speed / 2, 0)))  # fmt: skip
    reach = np.sqrt(1 - r * r)
    rod = world.add(td.PlanarRod("rod", position=(reach / 2, r / 2), angle=-np.arcsin(r),
                                 velocity=(-r * speed, 0)))  # fmt: skip
    slider = world.add(td.Particle("slider", mass=2.0, position=(reach, 0), velocity=(-r * speed, 0)))
    hinge = world.add(td.join(td.pin, None, arm, at=(0, 0)))
    world.add(td.connect(arm.end2, rod.end1), td.connect(rod.end2, slider))
    world.add(td.on_line(slider, td.Nail(0, 0), td.world_direction(along=(1, 0))))
    if draw.random() < 0.5:
        world.add(td.speed(hinge.turn, at=speed))
    world.add(td.gravity())


def top(draw: Any, world: td.World) -> None:
    """A spinning top on its tip, or thrown."""
    spin = 10 ** draw.uniform(0, 3)
    size = (0.3, 0.2, 0.4)
    body = world.add(td.Box("top", size=size, position=(0, 0, 0.5), mass=1.0,
                            spin=tuple(spin * np.array([0.1, 0.05, 1.0]))))  # fmt: skip
    if draw.random() < 0.7:
        tip = td.point(body, at=(0, 0, -0.5))
        body.velocity = tuple(np.cross(spin * np.array([0.1, 0.05, 1.0]), (0, 0, 0.5)))
        world.add(td.connect(tip, td.Nail(0, 0, 0)))
    world.add(td.gravity())


def loop(draw: Any, world: td.World) -> None:
    """A net of four to six particles, closed, that flies and turns; with drag or without."""
    n = int(draw.integers(4, 7))
    rate = 10 ** draw.uniform(-0.5, 2.5)
    angles = 2 * np.pi * np.arange(n) / n
    places = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    parts = [
        world.add(
            td.Particle(f"p{k}", position=p, velocity=rate * np.array([-p[1], p[0]]), mass=1.0 + 0.5 * k)
        )
        for k, p in enumerate(places)
    ]
    for k in range(n):
        length = float(np.linalg.norm(places[k] - places[k - 1]))
        world.add(td.distance(parts[k], parts[k - 1], length=length))
    world.add(td.gravity())
    if draw.random() < 0.5:
        world.add(td.damping(rate=float(10 ** draw.uniform(-1, 1))))


KINDS: tuple[Callable[[Any, td.World], None], ...] = (pendulum, springs, crank, top, loop)


def build(seed: int, **settings: Any) -> td.World:
    """The motion that the seed says."""
    draw = np.random.default_rng(seed)
    world = td.World(**settings)
    KINDS[seed % len(KINDS)](draw, world)
    return world


def chosen(seed: int) -> tuple[str, float]:
    """The method and the step that the seed says."""
    draw = np.random.default_rng([seed, 1])
    return METHODS[draw.integers(len(METHODS))], float(10 ** draw.uniform(-4, -2))


def places(world: td.World) -> Any:
    """Where everything is, in the norm of the kinetic energy: √m x of particles and of bodies' ends."""
    found = []
    for item in world.items:
        if item.type.family != "object" or "position" not in item.type.state_names():
            continue
        heavy = np.sqrt(item.mass)
        if "orientation" in item.type.state_names():
            found += [heavy * (np.array(item.position) + 0.3 * axis) for axis in axes(item.orientation)]
        elif "angle" in item.type.state_names():
            turned = 0.5 * np.array([np.cos(item.angle), np.sin(item.angle)])
            found += [heavy * (np.array(item.position) + sign * turned) for sign in (-1, 1)]
        else:
            found.append(heavy * np.array(item.position))
    return np.concatenate(found)


def axes(quaternion: Any) -> Any:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        ]
    )


def misturned(seed: int, method: str, step: float) -> float:
    """How far off the turns of bodies in space are after one step, as a share of the way of all places. A
    place is never further off than across the circle on which it runs: after many turns its way does not
    tell."""
    one, other = build(seed, method=method, max_step=step), build(seed, method="adaptive")
    one.run(step)
    way, fine, before = 0.0, 64, places(other)
    for _ in range(fine):
        other.run(step / fine)
        now = places(other)
        way, before = way + float(np.linalg.norm(now - before)), now
    off = [
        np.sqrt(a.mass) * 0.3 * (axes(a.orientation) - axes(b.orientation))
        for a, b in zip(one.items, other.items, strict=True)
        if a.type.family == "object" and "orientation" in a.type.state_names()
    ]
    return float(np.linalg.norm(off)) / max(way, 1e-12) if off else 0.0


def true_error(seed: int, method: str, step: float, looks: int = 25) -> tuple[float, td.Result]:
    """(how far off the places are on average, as a share of the way to the end, the turns of a step, and the
    energy as a share of the largest kinetic energy, whichever is most; what the run said)."""
    one, other = (
        build(seed, method=method, max_step=step),
        build(seed, method="adaptive", rtol=1e-10, atol=1e-12),
    )
    dt = SPAN / looks
    way, off, moving, lost = 0.0, 0.0, 0.0, 0.0
    fine = 16
    before = places(other)
    results = []
    for _ in range(looks):
        results.append(one.run(dt))
        for _ in range(fine):
            if not other.run(dt / fine):
                raise ArithmeticError("the reference failed")
            now = places(other)
            way += float(np.linalg.norm(now - before))
            moving = max(moving, other.kinetic_energy)
            before = now
        if not results[-1]:
            return np.inf, results[-1]
        off += float(np.linalg.norm(places(one) - before)) / looks
        lost = max(lost, abs(one.energy - other.energy))
    turned = misturned(seed, method, step)
    return max(off / max(way, 1e-12), turned, lost / max(moving, 1e-12)), results[-1]
