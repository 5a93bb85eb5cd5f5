"""A snake follows a shape that moves, turns and swells through sixty frames.

Each frame is an event of the timeline, which puts another image in the picture's place, ten in a second.
"""

import numpy as np

from tinkerdyne import Change, World
from tinkerdyne.behaviors.images import photo
from tinkerdyne.behaviors.landscape import image_text
from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.snake import Snake

IDS = ("G4",)
GROUP = "Optimisation, fits and images"
FRAMES, RATE, SIDE = 60, 10, 160  # frames, frames a second, pixels
SECONDS = 6.0
EVERY = 0.1
DRAG = 0.05  # of a point of the snake, which is its mass in a first-order world: it follows within a frame


def shape(frame, angle):
    """The outline in a frame: an ellipse that goes on, turns and swells [pixels]."""
    turn, a, b = 0.03 * frame, 26 + 4 * np.sin(0.1 * frame), 18 - 3 * np.sin(0.1 * frame)
    x, y = a * np.cos(angle), b * np.sin(angle)
    c, s = np.cos(turn), np.sin(turn)
    return np.stack([50 + 1.0 * frame + c * x - s * y, 80 + 15 * np.sin(0.08 * frame) + s * x + c * y], -1)


def inside(frame, x, y):
    """Less than one within the outline."""
    turn, a, b = 0.03 * frame, 26 + 4 * np.sin(0.1 * frame), 18 - 3 * np.sin(0.1 * frame)
    x, y = x - 50 - 1.0 * frame, y - 80 - 15 * np.sin(0.08 * frame)
    c, s = np.cos(turn), np.sin(turn)
    return np.hypot((c * x + s * y) / a, (c * y - s * x) / b)


def image(frame):
    y, x = np.mgrid[SIDE - 0.5 : 0 : -1, 0.5:SIDE]
    bright = 50 + 150 / (1 + np.exp((inside(frame, x, y) - 1) * 22))
    return np.clip(bright + 6 * np.random.default_rng(frame).normal(size=bright.shape), 0, 255).astype(
        np.uint8
    )


def build():
    world = World(order=1, max_step=1 / 60)
    shown = world.add(photo(image(0), name="film", scales=(1.5, 4.0)))
    snake = Snake(world, shown, shape(0, np.linspace(0, 2 * np.pi, 80, endpoint=False)) + 2.0)
    for point in snake.points:
        point.mass = DRAG
    for frame in range(1, FRAMES):
        world.at(frame / RATE, Change("film", "image", image_text(image(frame))))
    return world


def check(world, recording):
    snake = Snake.of(world)
    places = np.stack([recording[f"{p.name}.position"] for p in snake.points], 1)
    errors = []
    for frame in range(FRAMES):
        true = shape(frame, np.linspace(0, 2 * np.pi, 2000))
        last = np.flatnonzero(np.isclose(recording.time, (frame + 1) / RATE))[0]  # when the next frame comes
        away = np.hypot(*(places[last][:, None] - true[None]).transpose(2, 0, 1)).min(axis=1)
        errors.append(away.mean())
    yield Claim("mean boundary error in the worst frame", max(errors), 0.5, "pixels")
    yield Claim("mean boundary error over all frames", np.mean(errors), 0.3, "pixels")
    middle = [(p.max(0) + p.min(0))[0] / 2 for p in places]
    yield Claim.at_least("way that the snake went to the right", np.ptp(middle), 50, "pixels")
