"""Worlds in which light parts carry heavy ones, each with a force known in closed form; g = 9.81 m/s².

Every function takes the ratio of the heavy mass to the light one, and gives a world, what to read, and what
it must be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tinkerdyne as td

G = 9.81
Case = tuple[td.World, Callable[[], float], float]


def size(item: Any) -> Callable[[], float]:
    return lambda: float(np.linalg.norm(item.force))


def hanging_weight(ratio: float, **settings: Any) -> Case:
    """A weight at the lower end of a light rod: the nail carries both."""
    world = td.World(**settings)
    light = 10.0 / ratio
    rod = world.add(td.PlanarRod("rod", mass=light, position=(0, -0.5), angle=-np.pi / 2))
    weight = world.add(td.Particle("weight", mass=10.0, position=(0, -1.0)))
    nail = world.add(td.connect(rod.end1, td.Nail(0, 0), name="nail"))
    world.add(td.connect(rod.end2, weight), td.gravity())
    return world, size(nail), G * (10.0 + light)


def scissor_lift(ratio: float, *, stages: int = 4, **settings: Any) -> Case:
    """A table on crossed links: what holds the lower end carries (load + links/2) · stages / tan(angle)."""
    world = td.World(**settings)
    light, load, angle = 100.0 / ratio, 100.0, 0.6
    width, height = np.cos(angle), np.sin(angle)
    below: tuple[Any, Any] | None = None
    holder = None
    for k in range(stages):
        middle = (width / 2, (k + 0.5) * height)
        rising = world.add(td.PlanarRod(f"rising{k}", mass=light, position=middle, angle=angle))
        falling = world.add(td.PlanarRod(f"falling{k}", mass=light, position=middle, angle=np.pi - angle))
        world.add(td.connect(rising.centre, falling.centre))
        if below is None:
            world.add(td.connect(rising.end1, td.Nail(0, 0)))
            along = td.world_direction(along=(1, 0))
            world.add(td.on_line(falling.end1, td.Nail(0, 0), along))
            anchor = td.Nail(width + 1.0, 0)
            holder = world.add(td.distance(falling.end1, anchor, length=1.0, name="holder"))
        else:
            world.add(td.connect(below[0].end2, falling.end1), td.connect(below[1].end2, rising.end1))
        below = (rising, falling)
    assert below is not None
    table = world.add(td.Particle("table", mass=load, position=(0.0, stages * height)))
    world.add(td.connect(below[1].end2, table), td.gravity())
    wanted = stages * (load + stages * light) * G / np.tan(angle)
    return world, size(holder), wanted


def suspension_bridge(ratio: float, *, count: int = 9, **settings: Any) -> Case:
    """Masses on hangers from light nodes of a cable in the shape of its loads: a hanger carries its mass."""
    world = td.World(**settings)
    heavy = 1000.0
    light = heavy / ratio
    step, tension = 10.0, 5.0 * heavy * G
    places, height, slope = [(0.0, 0.0)], 0.0, -(count / 2) * (heavy + light) * G / tension
    for k in range(count + 1):
        height += slope * step
        places.append((step * (k + 1), height))
        slope += (heavy + light) * G / tension
    nodes = [td.Nail(*places[0])]
    hangers = []
    for k, place in enumerate(places[1:-1]):
        nodes.append(world.add(td.Particle(f"node{k}", mass=light, position=place)))
        load = world.add(td.Particle(f"load{k}", mass=heavy, position=(place[0], place[1] - 5.0)))
        hangers.append(world.add(td.distance(nodes[-1], load, length=5.0, name=f"hanger{k}")))
    nodes.append(td.Nail(*places[-1]))
    for k in range(len(nodes) - 1):
        length = float(np.hypot(*np.subtract(places[k + 1], places[k])))
        world.add(td.distance(nodes[k], nodes[k + 1], length=length))
    world.add(td.gravity())
    return world, size(hangers[count // 2]), heavy * G


def crank(ratio: float, **settings: Any) -> Case:
    """A heavy slider driven by a light crank and connecting rod at a given speed.

    The force along the guide, read where the slider is pinned, is its mass times the acceleration of a
    slider–crank."""
    world = td.World(**settings)
    heavy = 10.0
    light = heavy / ratio
    r, length, speed = 0.3, 1.0, 2.0
    arm = world.add(
        td.PlanarRod("arm", mass=light, length=r, position=(0, r / 2), angle=np.pi / 2, spin=speed)
    )
    reach = np.sqrt(length**2 - r**2)
    rod = world.add(
        td.PlanarRod(
            "rod", mass=light, length=length, position=(reach / 2, r / 2), angle=-np.arcsin(r / length),
            velocity=(-r * speed, 0.0),
        )
    )  # fmt: skip
    slider = world.add(td.Particle("slider", mass=heavy, position=(reach, 0), velocity=(-r * speed, 0)))
    hinge = world.add(td.join(td.pin, None, arm, at=(0, 0), name="hinge"))
    world.add(td.connect(arm.end2, rod.end1), td.speed(hinge.turn, at=speed))
    joint = world.add(td.connect(rod.end2, slider, name="joint"))
    world.add(td.on_line(slider, td.Nail(0, 0), td.world_direction(along=(1, 0))))

    def force() -> float:
        phi = float(hinge.turn.value[0]) + np.pi / 2
        s = r * np.sin(phi) / length
        c = np.sqrt(1 - s * s)
        rate = r * np.cos(phi) * speed / (length * c)
        turning = (-r * np.sin(phi) * speed**2 / length + s * rate**2) / c
        a = -r * np.cos(phi) * speed**2 - length * (c * rate**2 + s * turning)
        return abs(float(joint.force[0]) / (heavy * a))

    return world, force, 1.0


def stop(ratio: float, **settings: Any) -> Case:
    """A heavy weight on a light pad that lies on a floor: the stop carries both."""
    world = td.World(**settings)
    light = 10.0 / ratio
    pad = world.add(td.Particle("pad", mass=light, position=(0, 0)))
    weight = world.add(td.Particle("weight", mass=10.0, position=(0, 0.1)))
    world.add(td.distance(pad, weight, length=0.1))
    up = td.world_direction(along=(0, 1))
    world.add(td.on_line(weight, td.Nail(0, 0), up), td.on_line(pad, td.Nail(0, 0), up))
    floor = world.add(
        td.at_least(td.coordinate(pad, td.world_direction(along=(0, 1))), low=0.0, name="floor")
    )
    world.add(td.gravity())
    return world, size(floor), G * (10.0 + light)


CASES = (hanging_weight, scissor_lift, suspension_bridge, crank, stop)
