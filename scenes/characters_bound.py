"""Thirteen characters of different sizes, scattered solid by solid, are put together and bound hand and foot.

LD98 Fig. 3. Everyone has fifteen solids, with ball joints at neck, waist, shoulders and hips, hinges at
elbows and knees, cardan joints at wrists and ankles, and shares hands and feet with both neighbours in a
ring. Then the ring swings from a nail.
"""

import numpy as np
from scipy.integrate import cumulative_simpson

from tinkerdyne import Box, World, ball, connect, gravity, join, nail, pin, universal
from tinkerdyne.gallery import Claim
from tinkerdyne.world.recording import joined

IDS = ("A2", "A7")
GROUP = "Papers"
SECONDS = 0.6
EVERY = 1 / 960
N, G = 13, 9.81
# A character of height 1 looks along x with its arms stretched out along y. Centre and size of its solids …
TRUNK = {
    "pelvis": ((0, 0, 0.55), (0.1, 0.2, 0.1)),
    "chest": ((0, 0, 0.72), (0.1, 0.2, 0.2)),
    "head": ((0, 0, 0.91), (0.1,) * 3),
}
LIMBS = {
    "upper arm": ((0, 0.2, 0.8), (0.06, 0.18, 0.06)),
    "forearm": ((0, 0.38, 0.8), (0.05, 0.16, 0.05)),
    "hand": ((0, 0.5, 0.8), (0.04, 0.07, 0.03)),
    "thigh": ((0, 0.08, 0.4), (0.08, 0.08, 0.2)),
    "shin": ((0, 0.08, 0.18), (0.07, 0.07, 0.2)),
    "foot": ((0.04, 0.08, 0.04), (0.2, 0.07, 0.05)),
}
# … and the joints of the trunk and of either side: where, and about what a hinge turns.
SPINE = (("pelvis", "chest", ball, (0, 0, 0.61)), ("chest", "head", ball, (0, 0, 0.84)))
SIDE = (
    ("chest", "upper arm", ball, (0, 0.11, 0.8), (0, 0, 1)),
    ("upper arm", "forearm", pin, (0, 0.29, 0.8), (0, 0, 1)),
    ("forearm", "hand", universal, (0, 0.465, 0.8), (0, 1, 0)),
    ("pelvis", "thigh", ball, (0, 0.08, 0.5), (0, 1, 0)),
    ("thigh", "shin", pin, (0, 0.08, 0.29), (0, 1, 0)),
    ("shin", "foot", universal, (0, 0.08, 0.07), (0, 0, 1)),
)


def character(who, height):
    """The solids of a character, by name, as it stands; and its joints."""
    solids, joints = {}, []

    def solid(name, place, size):
        pose = {"position": height * np.array(place), "size": height * np.array(size)}
        solids[name] = Box(f"{who} {name}", density=1000, **pose)

    for name, (place, size) in TRUNK.items():
        solid(name, place, size)
    for a, b, kind, at in SPINE:
        joints.append(join(kind, solids[a], solids[b], at=height * np.array(at)))
    for side, flip in (("left", (1, 1, 1)), ("right", (1, -1, 1))):
        for name, (place, size) in LIMBS.items():
            solid(f"{side} {name}", np.array(place) * flip, size)
        for a, b, kind, at, axis in SIDE:
            first = solids[a] if a in solids else solids[f"{side} {a}"]
            joints.append(
                join(kind, first, solids[f"{side} {b}"], at=height * np.array(at) * flip, axis=axis)
            )
    return solids, joints


def build(seed=0, n=N, spread=1.0):
    """All stand in a ring, but every solid is up to `spread` metres away from there along each axis, and
    turned at random."""
    world, random = World(method="adaptive", rtol=1e-7, atol=1e-9), np.random.default_rng(seed)
    all_solids, all_joints = zip(
        *[character(f"{k}", random.uniform(1.0, 2.0)) for k in range(n)], strict=True
    )
    for k, solids in enumerate(all_solids):
        centre = n / 4 * np.array((np.sin(2 * np.pi * k / n), np.cos(2 * np.pi * k / n), 0))
        for solid in solids.values():
            q = random.normal(size=4)
            solid.position, solid.orientation = (
                centre + random.uniform(-spread, spread, 3),
                q / np.linalg.norm(q),
            )
        world.add(*solids.values())
    world.add(*[joint for joints in all_joints for joint in joints])
    for k, (one, next_) in enumerate(zip(all_solids, (*all_solids[1:], all_solids[0]), strict=True)):
        for what in ("hand", "foot"):
            world.add(connect(one[f"left {what}"].back, next_[f"right {what}"].front, name=f"{what} {k}"))
    world.add(nail(all_solids[0]["head"].top, at=(0, 0, 0), name="nail"), gravity(g=(0, 0, -G)))
    return world


def run(world):
    scattered = world.record(0)
    world.assemble()
    return joined([scattered, world.record(SECONDS, every=EVERY)])


def check(world, recording):
    series = {name: values[1:] for name, values in recording.items()}  # once assembled
    rows = sum(v.shape[1] for name, v in series.items() if name.endswith(".force"))
    yield Claim.at_least("scalar constraints", rows, 758)
    gap = max(v.max() for name, v in series.items() if name.endswith(".gap"))
    yield Claim("widest gap, assembled and on the way", gap, 1e-6, "m, rad")
    energy, kinetic = series["kinetic_energy"] + series["potential_energy"], series["kinetic_energy"].max()
    yield Claim("change of energy, of the largest kinetic", 100 * np.ptp(energy) / kinetic, 1e-4, "%")
    # The nail is all that holds them: its impulse and that of their weight are their momentum.
    masses = {item.name: 1000 * np.prod(item.size) for item in world.items if item.type is Box}
    momentum = sum(m * series[f"{name}.velocity"] for name, m in masses.items())
    impulse = cumulative_simpson(
        series["nail.force"] - (0, 0, G * sum(masses.values())), dx=EVERY, axis=0, initial=0
    )
    error = np.abs(momentum - impulse).max() / np.abs(momentum).max()
    yield Claim("momentum − impulse of nail and weight, of the largest", 100 * error, 0.01, "%")
