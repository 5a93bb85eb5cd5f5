"""Modules fly together and dock; what the constraints do is what their rockets would have to do.

DC88 Figs. 22 and 23: the hub goes to its place (point-to-nail), each module to its port (point-to-point),
with its axis along the port's (orientation). The thrust on a module is the sum of the recorded constraint
forces, and must be m a of its recorded motion.
"""

import numpy as np

from tinkerdyne import Box, Cylinder, World, align, connect, direction, match, nail, world_frame
from tinkerdyne.gallery import Claim

IDS = ("R7", "R10")
GROUP = "Machines"
SECONDS = 24.0
EVERY = 1 / 60
TAU = 1.5  # s
PORTS = {"lab": "left", "home": "right", "store": "front", "gate": "back", "mast": "top", "keel": "bottom"}
TONNES = {"hub": 8.0, "lab": 12.0, "home": 15.0, "store": 6.0, "gate": 4.0, "mast": 2.0, "keel": 3.0}


def build(seed=0):
    world, random = World(max_step=1 / 240), np.random.default_rng(seed)
    hub = world.add(
        Box(
            "hub",
            size=(4, 4, 4),
            mass=1000 * TONNES["hub"],
            position=(3, -5, 4),
            orientation=any_turn(random),
        )
    )
    world.add(nail(hub.centre, at=(0, 0, 0), tau=TAU, name="place"))
    world.add(match(world_frame(), hub, locked="abc", tau=TAU, name="hub axes"))
    for name, port in PORTS.items():
        pose = {"position": random.uniform(-25, 25, 3), "orientation": any_turn(random)}
        module = world.add(Cylinder(name, radius=1.5, length=6, mass=1000 * TONNES[name], **pose))
        dock = getattr(hub, port)
        world.add(connect(module.end1, dock, tau=TAU, name=f"{name} port"))
        world.add(
            align(
                direction(hub, along=dock.at),
                direction(module, along=(1, 0, 0)),
                tau=TAU,
                name=f"{name} axis",
            )
        )
    return world


def any_turn(random):
    """A unit quaternion, all alike likely."""
    q = random.normal(size=4)
    return q / np.linalg.norm(q)


def thrusts(recording):
    """The force on each module over time [N]."""
    found = {name: recording[f"{name} port.force"] for name in PORTS}
    return {"hub": recording["place.force"] - sum(found.values()), **found}


def check(world, recording):
    found = thrusts(recording)
    for name, thrust in found.items():
        v = recording[f"{name}.velocity"]
        a = (v[:-4] - 8 * v[1:-3] + 8 * v[3:-1] - v[4:]) / (12 * EVERY)
        error = np.abs(thrust[2:-2] - 1000 * TONNES[name] * a).max()
        yield Claim(
            f"thrust on the {name} − m a, of the largest", 100 * error / np.abs(thrust).max(), 0.01, "%"
        )
    gaps = [recording[name][-1] for name in recording if name.endswith(".gap")]
    yield Claim("widest gap at the end", max(gaps), 1e-4, "m, rad")
    yield Claim(
        "largest thrust at the end", max(np.abs(thrust[-1]).max() for thrust in found.values()), 1, "N"
    )
