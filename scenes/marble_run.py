"""A marble rolls down three gutters as closed forms say, drops from each to the next, and ends in a box.

Between boards at a right angle it rolls on two points, r/√2 below its centre, and so its spin weighs double:
v² (1 + 4/5) = 2 g h, where on a flat track it is v² (1 + 2/5).
"""

import numpy as np
from scipy.spatial.transform import Rotation

from tinkerdyne import Box, Floor, Sphere, World, contact, gravity
from tinkerdyne.gallery import Claim

IDS = ("R11",)
GROUP = "Stacks, rolls and blows"
SECONDS = 6.0
EVERY = 1 / 240
R, LONG, SLOPE, G = 0.03, 1.2, 0.2, 9.81  # m, m, rad, m/s²
BOARD, THIN, DROP = 0.1, 0.01, 0.35  # m
BOX = (0.86, 0.0)  # m, where the box stands
STARTS = [((-1) ** (k + 1) * LONG / 2, 0.0, 1.2 - DROP * k) for k in range(3)]  # of the marble's centre


def board(world, name, x, z, middle, size):
    """A fixed board with its own x and z along these."""
    axes = np.column_stack([x, np.cross(z, x), z])
    turn = np.roll(Rotation.from_matrix(axes).as_quat(), 1)
    world.add(Box(name, size=size, position=tuple(middle), orientation=tuple(turn), is_fixed=True))


def gutter(world, name, start, side):
    """Two boards along which the marble's centre goes from `start` towards x (side 1) or −x."""
    ahead = np.array((side * np.cos(SLOPE), 0.0, -np.sin(SLOPE)))
    up = np.array((side * np.sin(SLOPE), 0.0, np.cos(SLOPE)))
    middle = np.array(start) + (LONG / 2 - 0.1) * ahead  # it begins a little before
    for k, y in enumerate((-1.0, 1.0)):
        away, out = ((np.array((0, y, 0)) + sign * up) / np.sqrt(2) for sign in (-1, 1))
        place = middle + (R + THIN / 2) * away + (BOARD / 2 - R) * out
        board(world, f"{name} {'near' if k == 0 else 'far'}", ahead, -away, place, (LONG, BOARD, THIN))
    end = np.array(start) - 0.12 * ahead
    board(world, f"{name} stop", ahead, up, end, (THIN, 0.14, 0.14))


def build(step=1 / 480):
    world = World(max_step=step)
    world.add(gravity(), contact(friction=0.4, restitution=0.3), Floor("floor", size=3.0))
    for k, start in enumerate(STARTS):
        gutter(world, f"gutter{k}", start, (-1) ** k)
    for k, (x, y) in enumerate(((-0.2, 0), (0.2, 0), (0, -0.2), (0, 0.2))):
        size = (THIN, 0.4, 0.12) if x else (0.4, THIN, 0.12)
        world.add(Box(f"side{k}", size=size, position=(BOX[0] + x, BOX[1] + y, 0.06), is_fixed=True))
    world.add(Sphere("marble", radius=R, density=2500, position=STARTS[0]))
    world.show(is_running=True)
    return world


def check(world, recording):
    place, speed = recording["marble.position"], np.linalg.norm(recording["marble.velocity"], axis=1)
    fallen, is_first = STARTS[0][2] - place[:, 2], place[:, 0] < 0.45
    first = slice(0, int(np.argmin(is_first)))
    off = speed[first] - np.sqrt(2 * G * fallen[first] / 1.8)
    yield Claim("speed in the first gutter beside √(2 g h/1.8)", np.abs(off).max(), 1e-3, "m/s")
    turn = np.linalg.norm(recording["marble.spin"][first], axis=1) * R / np.sqrt(2)
    yield Claim("slip where it rolls", np.abs(turn - speed[first]).max(), 1e-6, "m/s")
    yield Claim("way from the middle of the box in the end", np.abs(place[-1, :2] - BOX).max(), 0.2 - R, "m")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "energy gained at any moment, of all", 100 * np.diff(energy).max() / np.ptp(energy), 0.01, "%"
    )
