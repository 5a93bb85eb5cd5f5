"""The contact solver on fresh piles: residuals, energy, factorings and CPU, with contacts that MuJoCo finds.

Each kind of pile is one bar; five seeds of 27 bodies, two of 64 and one of 216. What is wanted of the
residuals is 0 of all steps; the factorings and the CPU are told."""

from __future__ import annotations

from collections.abc import Iterator

from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured, needed

SEEDS = {27: 5, 64: 2, 216: 1}


def _pile(n: int, shape: str, joints: int = 0, mu: float = 0.0, ratio: float = 1.0) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        try:
            needed("mujoco")
        except Missing as why:
            yield Unmeasured(name, "contacts", str(why))
            return
        from .contact.campaign import piles

        between = (0.0, mu) if mu > 0 else (0.5, 0.5)
        w = piles(n, shape, SEEDS[n], joints=joints, mu=between, masses=(ratio**-0.5, ratio**0.5))
        yield Bar(name, "steps of moving islands above 1e-4 m/s", w.open_moving, "≤", 0, f" of {w.moving}")
        yield Bar(name, "steps of resting islands above 1e-9 m/s", w.open_resting, "≤", 0, f" of {w.resting}")
        yield Bar(name, "energy gained in a step, at most", w.gained, "≤", 1e-6, " J")
        yield Remark(name, str(w))

    return measure


MEASUREMENTS: dict[str, Measurement] = {
    **{f"contact-pile-27-{s}": _pile(27, s) for s in ("box", "sphere", "capsule", "hull", "mixed")},
    "contact-pile-27-joints": _pile(27, "mixed", joints=9),
    "contact-pile-27-slippery-to-sticky": _pile(27, "mixed", mu=10.0),
    "contact-pile-27-masses-1e6": _pile(27, "mixed", ratio=1e6),
    **{f"contact-pile-64-{s}": _pile(64, s) for s in ("box", "hull", "mixed")},
    "contact-pile-64-joints": _pile(64, "box", joints=20),
    **{f"contact-pile-216-{s}": _pile(216, s) for s in ("box", "hull")},
}
