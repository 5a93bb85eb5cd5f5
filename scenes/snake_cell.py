"""A snake closes in on a cell in a noisy picture, and is driven off the cell beside it by a volcano.

The picture is made here, so that the true outline is known. Once the volcano is gone, a hand pulls a point of
the snake away and lets it go: it locks on again.
"""

import numpy as np

from tinkerdyne import World
from tinkerdyne.behaviors.images import photo
from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.snake import Snake, circle
from tinkerdyne.world.recording import joined

IDS = ("G4",)
GROUP = "Optimisation, fits and images"
SECONDS = 500.0
EVERY = 2.0
SIDE, CENTRE, OTHER = 200, np.array((80.0, 100.0)), np.array((155.0, 110.0))  # pixels
SEEN = {}


def outline(angle):
    """The cell's radius in a direction [pixels]."""
    return 36 + 4 * np.cos(2 * angle) + 2 * np.sin(3 * angle)


def image():
    y, x = np.mgrid[SIDE - 0.5 : 0 : -1, 0.5:SIDE]
    away = np.hypot(x - CENTRE[0], y - CENTRE[1]) - outline(np.arctan2(y - CENTRE[1], x - CENTRE[0]))
    second = np.hypot(x - OTHER[0], y - OTHER[1]) - 22
    bright = 60 + 110 / (1 + np.exp(away / 0.8)) + 90 / (1 + np.exp(second / 0.8))
    return np.clip(bright + 8 * np.random.default_rng(4).normal(size=bright.shape), 0, 255).astype(np.uint8)


def build():
    world = World(order=1, max_step=1.0)
    shown = world.add(photo(image(), name="cell", scales=(2.0, 6.0)))
    Snake(world, shown, circle(CENTRE, 50, 100), tension=0.2)
    return world


def run(world):
    snake = Snake.of(world)
    parts = [world.record(100, every=EVERY, of=snake.points)]
    SEEN["caught"] = snake.polygon
    hills = snake.volcano(OTHER, height=1000, width=15)
    parts.append(world.record(100, every=EVERY, of=snake.points))
    world.remove(*hills)
    parts.append(world.record(100, every=EVERY, of=snake.points))
    SEEN["alone"] = snake.polygon
    held = snake.nearest((80, 140))
    grip = world.grab(held, limit=1e3)
    grip.move(80, 165)
    parts.append(world.record(100, every=EVERY, of=snake.points))
    SEEN["pulled"] = np.array(held.position)
    grip.release()
    parts.append(world.record(100, every=EVERY, of=snake.points))
    return joined(parts)


def error(polygon):
    """Distances from the true outline along the rays from the cell's centre [pixels]."""
    x, y = (polygon - CENTRE).T
    return np.abs(np.hypot(x, y) - outline(np.arctan2(y, x)))


def check(world, recording):
    snake = Snake.of(world)
    yield Claim.at_least(
        "largest boundary error while the other cell holds it", error(SEEN["caught"]).max(), 5, "pixels"
    )
    yield Claim("mean boundary error after the volcano", error(SEEN["alone"]).mean(), 0.25, "pixels")
    yield Claim.at_least("height to which a hand pulled it", SEEN["pulled"][1], 155, "pixels")
    yield Claim("mean boundary error after it was let go", error(snake.polygon).mean(), 0.25, "pixels")
    y, x = np.mgrid[SIDE - 0.5 : 0 : -1, 0.5:SIDE]
    true = np.hypot(x - CENTRE[0], y - CENTRE[1]) < outline(np.arctan2(y - CENTRE[1], x - CENTRE[0]))
    mask = snake.mask()
    yield Claim.at_least(
        "mask and cell: common pixels of all", (mask & true).sum() / (mask | true).sum(), 0.98
    )
    last = recording["snake 7.position"]
    yield Claim(
        "motion of a point in the last four seconds", np.abs(last[-1] - last[-3]).max(), 1e-2, "pixels"
    )
