"""The campaign of the contact solver: fresh piles, and what their steps were worth.

`python -m benchmarks.contact.campaign 27 box 5` runs five seeds of 27 boxes, without joints and with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import typer

from .pile import Account, Pile, Recipe

SECONDS = {27: 1.5, 64: 1.8, 216: 2.0}
RESTING = 1e-8  # m/s: a tolerance below this is that of an island at rest
TOO_FAST, TOO_OPEN = 1e-4, 1e-9  # m/s: what a residual must not be above, moving and at rest
SEEDS = 1000  # the first; those below chose the solver's constants


@dataclass(frozen=True)
class Worth:
    """All steps of some runs together."""

    moving: int  # islands and steps
    open_moving: int  # above 1e-4 m/s
    resting: int
    open_resting: int  # above 1e-9 m/s
    worst: float  # residual of what moves [m/s]
    worst_resting: float
    gained: float  # energy, at most [J]
    mean: float  # factorings a step
    p95: float
    cpu: float  # ms a step
    overlap: float  # the deepest [m]
    unplaced: int  # projections of positions left open
    parting: float  # their CPU, ms a step

    def __str__(self) -> str:
        return (
            f"moving {self.moving}: {self.open_moving} above 1e-4 (worst {self.worst:.1e}); "
            f"resting {self.resting}: {self.open_resting} above 1e-9 (worst {self.worst_resting:.1e}); "
            f"gained ≤ {self.gained:.0e} J; {self.mean:.1f} factorings a step, p95 {self.p95:.0f}; "
            f"{self.cpu:.2f} ms a step; overlap ≤ {1e3 * self.overlap:.3f} mm, "
            f"{self.unplaced} projections open, {self.parting:.2f} ms a step"
        )


def run(recipe: Recipe, seconds: float) -> Account:
    """Let a pile fall."""
    pile = Pile(recipe)
    for _ in range(round(240 * seconds)):
        pile.step()
    return pile.account


def worth(accounts: list[Account]) -> Worth:
    """What runs were worth together."""
    residual = np.concatenate([a.residual for a in accounts])
    tolerance = np.concatenate([a.tolerance for a in accounts])
    factorings = np.concatenate([a.factorings for a in accounts])
    rests = tolerance < RESTING
    return Worth(
        int((~rests).sum()),
        int((residual[~rests] > TOO_FAST).sum()),
        int(rests.sum()),
        int((residual[rests] > TOO_OPEN).sum()),
        float(residual[~rests].max(initial=0)),
        float(residual[rests].max(initial=0)),
        float(max(max(a.energy) for a in accounts)),
        float(factorings.mean()),
        float(np.percentile(factorings, 95)),
        1e3 * float(np.mean(np.concatenate([a.seconds[1:] for a in accounts]))),
        max(a.overlap for a in accounts),
        sum(a.unplaced for a in accounts),
        1e3 * sum(a.parting for a in accounts) / len(factorings),
    )


def piles(
    n: int, shape: str, seeds: int, *, joints: int = 0, mu: tuple[float, float] = (0.5, 0.5),
    masses: tuple[float, float] = (1.0, 1.0), first: int = SEEDS,
) -> Worth:  # fmt: skip
    """Several seeds of one sort of pile."""
    recipes = [Recipe(n, shape, first + k, mu, masses, joints) for k in range(seeds)]
    return worth([run(recipe, SECONDS[n]) for recipe in recipes])


def main(n: int, shape: str, seeds: int, joints: int = 0, mu: float = 0.0, ratio: float = 1.0) -> None:
    """Print what piles were worth; friction of all bodies 0 to `mu` where that is given."""
    between = (0.0, mu) if mu > 0 else (0.5, 0.5)
    masses = (ratio**-0.5, ratio**0.5)
    said = f"{n} {shape}, {joints} joints, μ {between}, masses 1:{ratio:g}"
    print(f"{said}: {piles(n, shape, seeds, joints=joints, mu=between, masses=masses)}", flush=True)


if __name__ == "__main__":
    typer.run(main)
