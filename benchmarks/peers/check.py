"""Every installed peer runs every scene, and the physics is right: `python -m benchmarks.peers.check`.

Two views agree: all engines reach the same place at a small step, and energy and joints hold there.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import available
from .precision import Precision
from .reference import TIPS
from .scene import Net, Scene

MODULES = {
    "mujoco": "mujoco_peer",
    "exudyn": "exudyn_peer",
    "drake": "drake_peer",
    "pybullet": "pybullet_peer",
    "rapier3d": "rapier_peer",
    "pymunk": "pymunk_peer",
    "pin": "pinocchio_peer",
}
DT = 1 / 2000  # s
PLACE = 0.02  # m: iterative solvers stretch, and all but Exudyn are of first order here
GAP = 5e-3  # m
DRIFT = 0.01  # of the weight's fall


def peer(package: str) -> Any:
    """The module of an installed peer."""
    return import_module(f".{MODULES[package]}", __package__)


def complaints(
    name: str, scene: Scene, start: float, expected_tip: tuple[float, float, float] | None
) -> list[str]:
    """What is wrong with a scene that has run for 0.5 s from energy `start`."""
    wrong = []
    drift = abs(scene.energy() - start) / abs(scene.potential() - start)
    if not drift < DRIFT:
        wrong.append(f"{name}: energy is off by {100 * drift:.2g} % of the fall (wanted < {100 * DRIFT:g} %)")
    if not scene.gap() < GAP:
        wrong.append(f"{name}: gap {scene.gap():.2g} m (wanted < {GAP:g} m)")
    if expected_tip and not max(abs(a - b) for a, b in zip(scene.tip(), expected_tip, strict=True)) < PLACE:
        wrong.append(f"{name}: tip {scene.tip()} (wanted {expected_tip})")
    return wrong


def main() -> None:
    wrong: list[str] = []
    tips: dict[str, tuple[float, float, float]] = {}
    for package, version in available().items():
        if package not in MODULES:
            continue
        module = peer(package)
        for kind, size in (("chain", 10), ("loop", 10), ("net", Net(5)), ("tendon_net", Net(5))):
            if hasattr(module, kind):
                scene = getattr(module, kind)(size, DT)
                start = scene.energy()
                scene.step(round(0.5 / DT))
                wrong += complaints(f"{package} {kind}", scene, start, tips.setdefault(kind, scene.tip()))
        methods: tuple[Precision, ...] = getattr(module, "PRECISION", ())
        for method in methods:
            for n_links, tip in TIPS.items():
                reached, _ = method.solve(n_links, method.settings[3])
                if max(abs(a - b) for a, b in zip(reached, tip, strict=True)) > PLACE:
                    wrong.append(f"{method.name}: {n_links} links end at {reached} (wanted {tip})")
        print(f"{package} {version} ran")
    print(*(wrong or ["all peers agree"]), sep="\n")


if __name__ == "__main__":
    main()
