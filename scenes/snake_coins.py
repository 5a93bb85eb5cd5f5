"""A snake finds the rim of a Greek coin in a photograph (of the Brooklyn Museum, as scikit-image brings it).

The wire is set loosely around one coin of many. Its outline is beside the coin that a threshold finds, and is
round.
"""

import numpy as np
from skimage import data, filters, measure

from tinkerdyne import World
from tinkerdyne.behaviors.images import photo
from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.fit import Fit
from tinkerdyne.optimise.snake import Snake, circle

IDS = ("G4", "G5")
GROUP = "Optimisation, fits and images"
SECONDS = 1000.0
EVERY = 10.0
ROW, COLUMN, RADIUS = 193.0, 212.0, 30.0  # where it is set, pixels


def build():
    world = World(order=1, max_step=5.0)
    image = data.coins()
    shown = world.add(photo(image, name="coins", scales=(1.5, 4.0)))
    Snake(world, shown, circle((COLUMN + 0.5, image.shape[0] - ROW - 0.5), RADIUS, 80), tension=1.0)
    return world


def check(world, recording):
    snake = Snake.of(world)
    smooth = filters.gaussian(data.coins(), 1)
    labels = measure.label(smooth > filters.threshold_otsu(smooth))
    coin = labels == labels[int(ROW), int(COLUMN)]
    mask = snake.mask()
    yield Claim.at_least(
        "mask and coin: common pixels of all", (mask & coin).sum() / (mask | coin).sum(), 0.9
    )
    x, y = snake.polygon.mean(axis=0)
    fit = Fit("circle", snake.polygon, cx=x, cy=y, r=20.0)
    fit.settle()
    yield Claim(
        "distance of the outline from a circle, root mean square",
        np.sqrt((fit.residuals**2).mean()),
        1.5,
        "pixels",
    )
    x, y = np.stack([recording[f"{p.name}.position"][[-11, -1]] for p in snake.points], 1).transpose(2, 0, 1)
    areas = np.abs((x * np.roll(y, 1, 1) - y * np.roll(x, 1, 1)).sum(1)) / 2
    yield Claim("change of the area in the last hundred seconds", 100 * (areas[1] / areas[0] - 1), 0.1, "%")
