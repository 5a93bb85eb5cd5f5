"""The motion found for a sketch of a tree: what it meets, and as a world of the engine (M7)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from tinkerdyne.behaviors.forces import gravity as gravity_field
from tinkerdyne.connectors.points import frame, world_frame
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.sketch.show.impacts import Impact
from tinkerdyne.sketch.show.report import Residual
from tinkerdyne.sketch.show.words import BETTER
from tinkerdyne.sketch.tree.shooting import paths, shooting
from tinkerdyne.sketch.tree.start import TreeOutcome, off
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.world import World

if TYPE_CHECKING:
    from tinkerdyne.sketch.tree.sketch import LinkSamples, TreeSketch


class TreeSolution:
    """A motion of a tree and what it meets."""

    def __init__(
        self, sketch: TreeSketch, outcome: TreeOutcome, others: list[TreeOutcome], note: str = ""
    ) -> None:
        self.sketch, self.outcome, self.others, self.note = sketch, outcome, others, note
        self.nodes, self.shares, self.gap = outcome.nodes, outcome.shares, outcome.gap
        self.seconds = outcome.nodes.T
        tree = sketch.tree
        self.residuals = [
            Residual(
                f"{hold.what} of {tree.links[hold.link].item.name} {hold.moment(sketch.steps)}",
                size,
                hold.unit,
            )
            for hold, size in zip(sketch.holds, off(sketch, outcome.nodes), strict=True)
        ]

    @property
    def cost(self) -> float:
        return self.outcome.cost

    @property
    def cpu(self) -> float:
        """Seconds of CPU of the start that was kept."""
        return self.outcome.seconds

    @property
    def iterations(self) -> int:
        return self.outcome.iterations

    @property
    def is_plausible(self) -> bool:
        return self.is_met

    @property
    def is_met(self) -> bool:
        return self.outcome.is_met

    @property
    def misfit(self) -> float:
        """How far the samples are off, root mean square [m]."""
        off = [
            np.linalg.norm(self._passing(track, shares) - track.places, axis=1)
            for track, shares in zip(self.sketch.tracks, self.shares, strict=True)
        ]
        return float(np.sqrt(np.mean(np.concatenate(off) ** 2))) if off else 0.0

    def _passing(self, track: LinkSamples, shares: Array) -> Array:
        """Where the followed point is at shares of the motion."""
        path = paths(self.sketch.tree, self.nodes, track.link, track.at)
        even = np.linspace(0, 1, len(path))
        return np.stack([np.interp(shares, even, path[:, k]) for k in range(3)], axis=1)

    @property
    def grid(self) -> Array:
        """The times of the nodes [s]."""
        return np.linspace(0.0, self.seconds, self.sketch.steps + 1)

    @property
    def blows(self) -> list[Impact]:
        """A tree strikes nothing."""
        return []

    def __str__(self) -> str:
        says = "Every hard wish is met, and the motion obeys the equations of motion." if self.is_met else (
            "The sketch could not be met; this is the best motion found "
            f"({self.outcome.says.replace('_', ' ').lower()})."
        )  # fmt: skip
        lines = [
            says,
            *(one for one in (self.note, self.outcome.bound) if one),
            *(f"  {one}" for one in self.residuals),
        ]
        if len(self.others) > 1:
            met = [o for o in self.others if o.is_met]
            first = next((o for o in self.others if o.seed == 0), self.others[0])
            better = first.is_met and self.cost < (1 - BETTER) * first.cost
            found = (
                "a better one than the first guess led to was found"
                if better
                else "none was better than the first"
            )
            lines.append(f"Of {len(self.others)} starts {len(met)} reached a motion; {found}.")
        gap = (
            f"Largest gap between steps {self.gap:.2g}" if np.isfinite(self.gap) else "The steps do not join"
        )
        misfit = f" misfit {self.cost:.4g} m²;" if self.sketch.tracks and np.isfinite(self.cost) else ""
        lines.append(f"{gap};{misfit} {self.seconds:.3f} s, {self.outcome.seconds:.2f} s of CPU.")
        return "\n".join(lines)

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw the sketched path and the motion of the links, as .png, .svg or .pdf."""
        from tinkerdyne.sketch.show.tree_picture import draw_tree

        draw_tree(self, path)

    def world(self, node: int = 0) -> World:
        """A world of the tree's own bodies and joints, in motion as at a node."""
        tree, nodes = self.sketch.tree, self.nodes
        x, R = (np.array(one) for one in tree.pose_function(nodes.c[node], nodes.Q[node]))
        v, w = (np.array(one) for one in tree.velocity_function(nodes.c[node], nodes.Q[node], nodes.u[node]))
        world = World(method="adaptive", rtol=1e-11, atol=1e-13)
        copies: dict[int, Item] = {}
        for k, link in enumerate(tree.links):
            state = {
                "position": x[:, k],
                "velocity": v[:, k],
                "spin": w[:, k],
                "orientation": quaternion_of(R[:, 3 * k : 3 * k + 3]),
            }
            options = {name: tuple(np.asarray(value).tolist()) for name, value in state.items()}
            copies[k] = link.item.type.make(link.item.name, (), {**link.item.values, **options})
        still = [
            one.type.make(
                one.name, (), {**one.values, "position": one.position, "orientation": one.orientation}
            )
            for one in tree.fixed
        ]
        world.add(*copies.values(), *still)
        for k, link in enumerate(tree.links):
            if link.joint == "free":
                continue
            a = world_frame(at=link.at_a, axes=link.axes_a.ravel(order="F")) if link.parent < 0 else (
                frame(copies[link.parent], at=link.at_a, axes=link.axes_a.ravel(order="F"))
            )  # fmt: skip
            world.add(
                REGISTRY[link.joint](
                    a, frame(copies[k], at=link.at_b, axes=link.axes_b.ravel(order="F")), name=f"joint {k}"
                )
            )
        world.add(gravity_field(g=tuple(self.sketch.gravity)))
        return world

    def recording(self, every: float = 1 / 60) -> Recording:
        """The motion, run by the engine."""
        return self.world().record(self.seconds, every=every)

    def resimulated(self) -> list[float]:
        """How far the engine, started at each node, is from the next: the furthest centre [m]."""
        out = []
        for k in range(self.sketch.steps):
            world = self.world(k)
            world.step(self.seconds / self.sketch.steps)
            x, _ = (
                np.array(one)
                for one in self.sketch.tree.pose_function(self.nodes.c[k + 1], self.nodes.Q[k + 1])
            )
            out.append(
                max(
                    float(np.abs(x[:, j] - world[link.item.name].position).max())
                    for j, link in enumerate(self.sketch.tree.links)
                )
            )
        return out

    def end_by_rk4(self, steps: int = 4000) -> float:
        """How far the held points are off when the first node alone is flown by many small Runge–Kutta steps
        [m]."""
        rates = shooting(self.sketch.tree, self.sketch.gravity)
        y, h = ca.MX.sym("y", rates.size), self.seconds / steps
        end = np.array(
            ca.Function("step", [y], [rates.fine(y, h)]).fold(steps)(rates.packed(self.nodes)[0])
        ).T
        last = rates.unpacked(self.seconds, end)
        out = 0.0
        for hold in self.sketch.holds:
            if hold.node == self.sketch.steps and hold.kind == "place":
                at = paths(self.sketch.tree, last, hold.link, hold.at)[0]
                out = max(out, float(np.maximum(np.maximum(hold.low - at, at - hold.high), 0).max()))
        return out
