"""`python -m tools.ship FOLDER WHAT`: compile what a wheel brings along, so that nobody waits for it.

WHAT is "wasm": the engine for live pages, the same for every machine; or "platform": also the engine and
the kernels of the library's types for the processors of a wheel's platform. The files are those that the
cache would hold: a key that says what made them decides whether they are used (compiler/machine.py).
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path


def main(folder: str, what: str) -> None:
    os.environ["TINKERDYNE_CACHE"] = folder
    Path(folder).mkdir(parents=True, exist_ok=True)
    from tinkerdyne.compiler import machine

    level = machine.platform_level()
    os.environ[machine.CHOSEN] = level
    if what == "platform":
        tour()
        (Path(folder) / machine.LEVEL_FILE).write_text(level)
    from tinkerdyne.engine import abroad

    for called in abroad.CORES:
        abroad.core_module(called)
    print(f"compiled {sum(1 for _ in Path(folder).glob('*.o'))} pieces for {what}, {level}")


def tour() -> None:
    """Have every scene of the gallery, and the world that the studio begins with, laid out; then one step."""
    import tinkerdyne as td
    from tinkerdyne import gallery
    from tinkerdyne.studio.session import start

    world = td.World()
    rod = world.add(td.Rod(position=(0.5, 0, 0)))
    world.add(td.connect(rod.end1, td.Nail(0, 0, 0)), td.gravity())
    worlds = [world, start.build()]
    for name in gallery.names():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                worlds.append(gallery.load(name).build())
            except ImportError as problem:  # of an extra, such as scikit-image
                print(f"without the scene {name}: {problem}")
    for one in worlds:
        one.engine.evaluate()
    world.step(0.001)


if __name__ == "__main__":
    main(*sys.argv[1:])
