"""A box of given volume finds its least surface: typed-in variables, one equation, one thing to minimise.

It slides to the cube. A slider then pulls its width to three, and the other sides follow to the best box of
that width; let go, it goes back to the cube.
"""

from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.model import Model
from tinkerdyne.world.recording import joined

IDS = ("G3",)
GROUP = "Optimisation, fits and images"
SECONDS = 6.0
VOLUME, WIDE = 8.0, 3.0
PULLED = {}


def build():
    model = Model()
    for name, start in (("width", 1.0), ("depth", 2.0), ("height", 4.0)):
        model.variable(name, start, low=0.1)
    model.constrain("width*depth*height = volume", volume=VOLUME)
    model.output("surface", "2*(width*depth + depth*height + height*width)")
    model.minimise("surface")
    return model.world


def run(world):
    model = Model(world)
    parts = [world.record(2)]
    slider = model.slide("width", WIDE, strength=1e8)
    parts.append(world.record(2))
    model.settle()
    PULLED.update(model.values)
    slider.release()
    parts.append(world.record(2))
    model.settle()
    return joined(parts)


def check(world, recording):
    side, other = VOLUME ** (1 / 3), (VOLUME / WIDE) ** 0.5
    for name, value in Model(world).values.items():
        yield Claim.near(f"{name} of the cube", value, 6 * side**2 if name == "surface" else side, 1e-6, "m")
    yield Claim.near("width while it is pulled", PULLED["width"], WIDE, 1e-6, "m")
    yield Claim.near("height while the width is pulled", PULLED["height"], other, 1e-6, "m")
    volume = recording["width.value"] * recording["depth.value"] * recording["height.value"]
    yield Claim("volume while it slides", abs(volume - VOLUME).max(), 1e-6, "m³")
