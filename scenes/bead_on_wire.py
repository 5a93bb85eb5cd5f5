"""A bead slides to and fro on a wavy wire, over the hill in its middle.

CN97 and ID90's example. The bead's place on the wire is a variable u with 0.1 kg of its own (the ring), so
(M + m (1 + f′²)) ü + m f′ f″ u̇² + m g f′ = 0, which scipy integrates independently.
"""

import numpy as np
from scipy.integrate import solve_ivp

from tinkerdyne import Particle, Variable, World, connect, cos, curve, gravity, slider
from tinkerdyne.gallery import Claim

IDS = ("E2", "R10")
GROUP = "Papers"
SECONDS = 5.0
G, RING, START = 9.81, 0.1, -1.9


@curve(span=(-3.2, 3.2))
def wavy_wire(u, *, rise=0.12, wave=0.25):
    """The wire y = rise · u² + wave · cos 3u, standing."""
    return u, rise * u * u + wave * cos(3 * u)


def build():
    world = World(method="adaptive", rtol=1e-11, atol=1e-12)
    wire = world.add(wavy_wire("wire", is_fixed=True))
    u = world.add(Variable("u", mass=RING, value=START))
    bead = world.add(Particle("bead", position=(START, 0.12 * START**2 + 0.25 * np.cos(3 * START))))
    world.add(connect(bead, slider(wire, u), name="hole"), gravity(g=(0, -G)))
    return world


def check(world, recording):
    def rate(_t, y):
        slope, bend = 0.24 * y[0] - 0.75 * np.sin(3 * y[0]), 0.24 - 2.25 * np.cos(3 * y[0])
        return y[1], -(slope * bend * y[1] ** 2 + G * slope) / (RING + 1 + slope**2)

    found = solve_ivp(
        rate, (0, SECONDS), (START, 0), method="DOP853", t_eval=recording.time, rtol=1e-12, atol=1e-13
    )
    x, y = recording["bead.position"].T
    yield Claim("distance from scipy's solution", np.abs(x - found.y[0]).max(), 1e-6, "m")
    yield Claim("distance from the wire", np.abs(y - 0.12 * x**2 - 0.25 * np.cos(3 * x)).max(), 1e-9, "m")
    yield Claim.near("width of the swing", np.ptp(x), -2 * START, 1e-3, "m")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "change of energy, of the potential's range",
        100 * np.ptp(energy) / np.ptp(recording.potential_energy),
        1e-5,
        "%",
    )
