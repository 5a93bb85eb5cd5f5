"""What a run and an assembly came to, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.world.accuracy import Accuracy, worst


class Status(Enum):
    """How a run ended; each member is a sentence."""

    DONE = "All steps were taken."
    CAREFUL = (
        "All steps were taken; some were too fast or too near a singular configuration, and were "
        "taken "
        "with care."
    )
    INACCURATE = "All steps were taken, but the motion is less accurate than its settings promise."
    UNMET = (
        "All steps were taken, but some constraints cannot be met: the pose is the least-squares compromise."
    )
    TOO_MANY = "The budget of steps was used up; the motion so far was kept."
    TOO_STIFF = "A force is too stiff for the step; the last good state was kept."
    NOT_FINITE = "A value stopped being finite; the last good state was kept."

    def __bool__(self) -> bool:
        return self not in (Status.NOT_FINITE, Status.TOO_STIFF, Status.TOO_MANY)


@dataclass(frozen=True)
class Jump:
    """A moving constraint whose place or velocity jumped; an impulse carried what it holds along."""

    constraint: str
    time: float
    of: str  # "place" or "velocity"
    size: float

    def __str__(self) -> str:
        return (
            f"The {self.of} wanted by {self.constraint} jumps by {self.size:.3g} at t = {self.time:.6g} "
            "s, taken by an impulse."
        )


@dataclass(frozen=True)
class Result(SaysNearest):
    """What a run did."""

    status: Status
    steps: int
    culprits: tuple[str, ...] = ()
    time: float | None = None  # when it stopped short
    jump: Jump | None = None  # the widest jump of a moving constraint
    remedy: str = ""
    accuracy: Accuracy | None = None  # how far the motion may be off

    def __bool__(self) -> bool:
        return bool(self.status)

    def __repr__(self) -> str:
        return f"<Result {self.status.name}, {self.steps} steps: {self}>"

    def __str__(self) -> str:
        said = self.status.value
        if self.culprits:
            said += f" It concerns {', '.join(self.culprits)}."
        if self.time is not None:
            said += f" That was at t = {self.time:.6g} s."
        if self.remedy:
            said += f" {self.remedy}"
        return said if self.jump is None else f"{said} {self.jump}"


@dataclass(frozen=True)
class Assembly(SaysNearest):
    """What putting parts together came to; true when everything was met."""

    is_met: bool
    gap: float  # the largest |c| that is left
    iterations: int
    unmet: tuple[str, ...] = ()  # the widest first
    overlapping: tuple[tuple[str, str], ...] = ()  # pairs that could not be parted, the deepest first

    def __bool__(self) -> bool:
        return self.is_met

    def __repr__(self) -> str:
        return f"<Assembly {self}>"

    def __str__(self) -> str:
        said = f"{self.iterations} iterations, largest gap {self.gap:.3g}"
        if self.is_met:
            return f"assembled: {said}"
        left = [f"open: {', '.join(self.unmet)}"] if self.unmet else []
        if self.overlapping:
            left.append(f"overlapping: {', '.join(' and '.join(pair) for pair in self.overlapping)}")
        return f"not assembled: {said}; {'; '.join(left)}"


def together(results: Sequence[Result]) -> Result:
    """One result of several: the worst status, all steps and culprits, the widest jump."""
    least = max(results, key=lambda r: list(Status).index(r.status), default=Result(Status.DONE, 0))
    culprits = dict.fromkeys(name for r in results for name in r.culprits)
    jump = max((r.jump for r in results if r.jump), key=lambda j: j.size, default=None)
    steps, accuracy = sum(r.steps for r in results), worst([r.accuracy for r in results])
    return Result(least.status, steps, tuple(culprits), least.time, jump, least.remedy, accuracy)
