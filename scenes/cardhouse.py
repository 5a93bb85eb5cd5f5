"""Seven scattered cards build a house of cards, stand, and come down when their feet begin to slip.

DC88 Figs. 24 and 25, by points on planes, lines and points. Feet stand on the floor or the roof and are kept
from slipping; two cards lean on each other along their top edges. Then the feet slip, one storey after the
other, until stops catch the tops.
"""

import numpy as np
from scipy.integrate import solve_ivp

from tinkerdyne import (
    Card,
    Change,
    World,
    at_least,
    connect,
    direction,
    frame,
    gravity,
    on_line,
    on_plane,
    point,
    slide_between,
)
from tinkerdyne.gallery import Claim

IDS = ("R10",)
GROUP = "Stacks, rolls and blows"
SECONDS = 8.0
WIDE, HIGH, LEAN, MASS, TAU = 0.7, 1.0, 0.4, 0.1, 0.3  # m, m, rad, kg, s
REACH = HIGH * np.sin(LEAN)  # m, from a foot to below the top
TENTS = {"left": ("floor", -REACH), "right": ("floor", REACH), "upper": ("roof", 0.0)}


def turned(lean):
    """The quaternion of a card that leans towards x: its width along y, its height up."""
    c, s = np.cos(lean / 2) / 2, np.sin(lean / 2) / 2
    return np.array((c - s, c + s, c + s, c - s))


def build(seed=1):
    world, random = World(max_step=1 / 480, tolerance=1e-9), np.random.default_rng(seed)

    def card(name, lean, high=HIGH):
        q = turned(lean) + random.normal(0, 0.1, 4)
        place = random.uniform((-1, -1, 0), (1, 1, 2))
        return world.add(
            Card(name, width=WIDE, height=high, mass=MASS, position=place, orientation=q / np.linalg.norm(q))
        )

    def stand(card, base, x):
        corner, (side, away, up) = (
            point(base, at=(-WIDE / 2, -x, 0)),
            (direction(base, along=a) for a in np.eye(3)),
        )
        world.add(on_plane(card.bottom_left, corner, side, tau=TAU, name=f"{card.name} side"))
        for k, foot in enumerate((card.bottom_left, card.bottom_right)):
            world.add(on_plane(foot, corner, up, tau=TAU, name=f"{card.name} stands {k}"))
            world.add(on_plane(foot, corner, away, tau=TAU, name=f"{card.name} grips {k}"))

    floor = world.add(Card("floor", width=2, height=5, orientation=turned(-np.pi / 2), is_fixed=True))
    roof = card("roof", -np.pi / 2, 2 * REACH)
    for name, (base, x) in TENTS.items():
        a, b = card(f"{name} a", LEAN), card(f"{name} b", -LEAN)
        stand(a, world[base], x - REACH)
        stand(b, world[base], x + REACH)
        world.add(on_line(b.top, a.top, direction(a, along=(1, 0, 0)), tau=TAU, name=f"{name} top"))
        for edge in (a.top_left, a.top_right):
            world.add(
                at_least(slide_between(world[base], frame(a, at=edge.at)), low=0, name=f"{edge.name} stop")
            )
    left, right = world["left a"], world["right a"]
    world.add(connect(roof.top, left.top, tau=TAU, name="roof lies left"))
    world.add(
        on_line(roof.top_right, left.top, direction(left, along=(1, 0, 0)), tau=TAU, name="roof lies along")
    )
    world.add(
        on_plane(roof.bottom, right.top, direction(floor, along=(0, 0, 1)), tau=TAU, name="roof lies right"),
        gravity(),
    )
    for when, storey in ((6.0, ("left", "right")), (7.0, ("upper",))):
        feet = (f"{name} {card} grips {k}" for name in storey for card in "ab" for k in (0, 1))
        world.at(when, *(Change(foot, "is_on", False) for foot in feet))
    return world


def check(world, recording):
    t, energy, weight = recording.time, recording.kinetic_energy + recording.potential_energy, MASS * 9.81
    standing = np.searchsorted(t, 5.97)  # before the first feet slip
    feet = [
        v[standing, 0]
        for name, v in recording.items()
        if "stands" in name and "upper" not in name and name.endswith(".force")
    ]
    yield Claim.near("what the feet on the floor carry, in cards", sum(feet) / weight, 7, 1e-4)

    # While the lower storey sinks, with cards at θ from upright and three more cards on top:
    # ½ A θ′² + 5 m g h cos θ is constant, with A = 4 (m h²/4 + I) + 3 m h² sin² θ.
    def rate(_t, y):
        inertia = MASS * (HIGH**2 + 0.002**2) / 12
        A = 4 * (MASS * HIGH**2 / 4 + inertia) + 3 * MASS * (HIGH * np.sin(y[0])) ** 2
        return y[1], (
            5 * weight * HIGH * np.sin(y[0]) - 3 * MASS * HIGH**2 * np.sin(y[0]) * np.cos(y[0]) * y[1] ** 2
        ) / A

    sinking = (t > 6.01) & (t < 6.4)
    angle = solve_ivp(rate, (6, 6.4), (LEAN, 0), t_eval=t[sinking], rtol=1e-10, atol=1e-12).y[0]
    error = np.abs(recording["roof.position"][sinking, 2] - HIGH * np.cos(angle)).max()
    yield Claim("height of the sinking roof against scipy's", error, 1e-5, "m")
    after = energy[t > 6.01]
    yield Claim("largest rise of energy while it comes down", np.diff(after).max() / after[0], 1e-6)
    # one storey of two cards, whose middles are half way up; then nothing
    for when, cards in ((6.9, 1), (8, 0)):
        left = np.interp(when, t, energy) / (weight * HIGH * np.cos(LEAN))
        yield Claim.near(f"energy at {when:g} s, in cards at full height", left, cards, 1e-4)
    heights = [values[-1, 2] for name, values in recording.items() if name.endswith(".position")]
    yield Claim("height of the highest card at the end", max(heights, key=abs), 1e-6, "m")
