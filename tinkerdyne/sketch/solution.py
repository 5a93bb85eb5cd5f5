"""Solutions: the motion found for a sketch, how well it meets it in words and numbers, and as a world of the engine (M5, M8)."""

from __future__ import annotations

import functools
import math
import os
import pickle
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tinkerdyne.behaviors.forces import gravity, pull
from tinkerdyne.connectors.points import point
from tinkerdyne.kernel.item import Item
from tinkerdyne.model.edit import Event, Move, Plan, Several
from tinkerdyne.objects.compound import rotation_matrix
from tinkerdyne.recording import Recording
from tinkerdyne.sketch.collision import bounce
from tinkerdyne.sketch.flight import Array
from tinkerdyne.sketch.solver import AGAIN, Outcome, start, starts
from tinkerdyne.sketch.statement import CLOSING, LONGEST, SHORTEST, Statement, multiplied
from tinkerdyne.world import World

if TYPE_CHECKING:
    from tinkerdyne.sketch.sketch import Sketch

BETTER = 0.01  # share of the cost by which another start must be better to be called so
LOOK = 2  # starts that look for an exact motion
CLOSED = 1e-8  # m/s: a gap below this is none
PINNED = 1.02  # times its least duration: a flight this short has collapsed


@dataclass(frozen=True)
class Residual:
    """How far one thing that was asked for is from being so."""

    says: str
    size: float
    unit: str

    def __str__(self) -> str:
        return f"{self.says}: off by {self.size:.2g} {self.unit}"


@dataclass(frozen=True)
class Blow:
    """A collision: when, where, its normal and impulse, restitution and friction, and what physics does not explain."""

    name: str
    time: float
    place: Array
    normal: Array
    impulse: Array  # N s, on the first body
    restitution: float
    friction: float
    gaps: dict[str, tuple[float, float]]  # by body: m/s and rad/s

    def __str__(self) -> str:
        opened = ", ".join(f"{name} {v:.2g} m/s and {w:.2g} rad/s" for name, (v, w) in self.gaps.items())
        return f"{self.name} at {self.time:.3f} s: velocities jump beyond the impulse by {opened}"


class Solution:
    """A motion: states at any time, what it meets, and the engine's own view of it."""

    def __init__(self, sketch: Sketch, statement: Statement, best: Outcome, others: list[Outcome], note: str = "") -> None:
        self.sketch, self.statement, self.outcome, self.others, self.note = sketch, statement, best, others, note
        T = best.point.durations * statement.units.time
        self.grid = np.concatenate([[0.0], np.cumsum(T)])  # s: start, collisions, end

    # --- the motion ------------------------------------------------------------------------------
    @property
    def seconds(self) -> float:
        return float(self.grid[-1])

    @property
    def cost(self) -> float:
        """The objective: the samples' misfit in units of the extent, and the gaps'."""
        return self.outcome.cost

    @property
    def is_met(self) -> bool:
        """Whether everything hard is met and no physical law is broken."""
        return self.outcome.is_feasible and self.widest_gap <= CLOSED

    @property
    def is_plausible(self) -> bool:
        """Whether everything hard is met; velocities may jump at collisions by the gaps that are reported."""
        return self.outcome.is_feasible

    @property
    def widest_gap(self) -> float:
        """The largest unexplained jump of velocity at a collision [m/s], spins counted at the bodies' radius."""
        radius = {s.name: s.radius for s in self.statement.shapes}
        return max((max(v, w * radius[name]) for blow in self.blows for name, (v, w) in blow.gaps.items()), default=0.0)

    def _states(self, body: Item | int, flight: int, share: Array) -> tuple[Array, Array, Array, Array]:
        """Place, orientation, velocity, spin of a body along a flight, in SI and its own axes."""
        b = body if isinstance(body, int) else self.sketch.bodies.index(body)
        x, q, v, w = self.statement.states(self.outcome.point, flight, b, np.atleast_1d(share))
        shape, u = self.statement.shapes[b], self.statement.units
        back = shape.turn * (1, -1, -1, -1)
        turned = np.array([multiplied(one, back) for one in q])
        return (
            x * u.length,
            turned / np.linalg.norm(turned, axis=1, keepdims=True),
            v * u.length / u.time,
            w / u.time @ shape.axes.T,
        )

    def at(self, body: Item, time: float) -> dict[str, Array]:
        """The state of a body at a time; at a collision, just after it."""
        f = int(np.clip(np.searchsorted(self.grid, time, side="right") - 1, 0, len(self.grid) - 2))
        share = np.array([(time - self.grid[f]) / (self.grid[f + 1] - self.grid[f])])
        x, q, v, w = self._states(body, f, share)
        return {"position": x[0], "orientation": q[0], "velocity": v[0], "spin": w[0]}

    def sample_times(self, body: Item) -> list[Array]:
        """The times that were given to the samples of a body, flight by flight [s]."""
        b = self.sketch.bodies.index(body)
        T = np.diff(self.grid)
        out = []
        for f, row in enumerate(self.statement.tracks):
            track = row[b]
            if track is not None and track.times is not None:
                out.append(track.times * self.statement.units.time)
            else:
                out.append(self.grid[f] + self.outcome.point.shares[f][b] * T[f])
        return out

    def recording(self, every: float = 1 / 60) -> Recording:
        """The motion as a recording of the engine's form."""
        readings: dict[str, Array] = {}
        times = np.unique(np.concatenate([np.arange(0.0, self.seconds, every), [self.seconds]]))
        kinetic, potential = np.zeros(len(times)), np.zeros(len(times))
        for b, body in enumerate(self.sketch.bodies):
            rows = [self.at(body, float(t)) for t in times]
            for name in ("position", "orientation", "velocity", "spin"):
                readings[f"{body.name}.{name}"] = np.array([row[name] for row in rows])
            shape = self.statement.shapes[b]
            spin = readings[f"{body.name}.spin"] @ shape.axes
            kinetic += shape.mass * (readings[f"{body.name}.velocity"] ** 2).sum(axis=1) / 2 + (spin**2 @ shape.moments) / 2
            potential -= shape.mass * readings[f"{body.name}.position"] @ self.sketch.gravity
        return Recording(times, kinetic, potential, readings)

    # --- what it meets ---------------------------------------------------------------------------
    @functools.cached_property
    def residuals(self) -> list[Residual]:
        """Every hard constraint, and how far it is off."""
        s, u = self.statement, self.statement.units
        out = []
        for f, wish in s.wishes:
            if not wish.is_hard:
                continue
            if wish.time is not None:
                share = (wish.time - self.grid[f]) / (self.grid[f + 1] - self.grid[f])
            else:
                share = {"start": 0.0, "end": 1.0}.get(str(wish.when), wish.when if isinstance(wish.when, float) else 1.0)
            off, unit = self._off(wish, f, float(share))
            out.append(Residual(wish.says, off, unit))
        for f, c in enumerate(s.collisions):
            if c.body is None:
                continue
            height, closing = self._contact(f)
            out.append(Residual(f"contact at {c.name}", abs(height), "m"))
            out.append(Residual(f"approach at {c.name}", max(0.0, closing + CLOSING * u.length / u.time), "m/s"))
        for f in range(len(s.collisions)):
            for b, body in enumerate(self.sketch.bodies):
                end, after = (self._states(b, f + i, np.array([1.0 - i])) for i in (0, 1))
                jump = np.linalg.norm(end[0] - after[0])
                turned = 2 * np.linalg.norm(multiplied(end[1][0] * (1, -1, -1, -1), after[1][0])[1:])
                name = s.collisions[f].name
                out.append(Residual(f"place of {body.name} through {name}", float(jump), "m"))
                out.append(Residual(f"orientation of {body.name} through {name}", float(turned), "rad"))
        return out

    def _off(self, wish: Any, f: int, share: float) -> tuple[float, str]:
        s = self.statement
        if wish.kind == "custom":
            import casadi as ca

            from tinkerdyne.sketch.flight import State

            states = [s.states(self.outcome.point, f, b, np.array([share])) for b in range(len(self.sketch.bodies))]
            u = s.units
            value = wish.function(
                [
                    State(ca.DM(x[0] * u.length), ca.DM(q[0]), ca.DM(v[0] * u.length / u.time), ca.DM(w[0] / u.time))
                    for x, q, v, w in states
                ]
            )
            found = np.array(ca.vertcat(*value) if isinstance(value, (list, tuple)) else ca.DM(value)).ravel()
            return float(np.maximum(np.maximum(wish.low - found, found - wish.high), 0).max()), ""
        x, q, v, w = (one[0] for one in self._states(s.items.index(wish.body), f, np.array([share])))
        place = x + rotation_matrix(q) @ np.array(wish.at)
        if wish.kind == "orientation":
            wanted = wish.low / np.linalg.norm(wish.low)
            return float(2 * np.linalg.norm(multiplied(wanted * (1, -1, -1, -1), q)[1:])), "rad"
        if wish.kind in ("height", "reach", "place"):
            origin, normal, R, centre = np.array(wish.surface.origin), np.array(wish.surface.normal), np.eye(3), np.zeros(3)
            if wish.surface.of is not None:
                other = s.items.index(wish.surface.of)
                xo, qo, *_ = (one[0] for one in self._states(other, f, np.array([share])))
                R, centre = rotation_matrix(qo), xo
                origin, normal = xo + R @ origin, R @ normal
            off = place - origin
            height = float(normal @ off)
            if wish.kind == "place":
                found = s.shapes[s.items.index(wish.surface.of)].inside(R.T @ (place - centre))
            else:
                found = np.array([height if wish.kind == "height" else math.sqrt(max(off @ off - height**2, 0))])
            low, high = (wish.low, wish.high) if wish.kind != "reach" else (np.array([-np.inf]), np.sqrt(wish.high))
            return float(np.maximum(np.maximum(low - found, found - high), 0).max()), "m"
        found, unit = {"position": (x, "m"), "point": (place, "m"), "velocity": (v, "m/s"), "spin": (w, "rad/s")}[wish.kind]
        return float(np.maximum(np.maximum(wish.low - found, found - wish.high), 0).max()), unit

    def _corner(self, f: int) -> Array:
        c, found = self.statement.collisions[f], self.outcome.corners[f]
        if found is not None:
            return found
        return np.array(c.at)

    def _contact(self, f: int) -> tuple[float, float]:
        """Height of the contact point over its surface, and its velocity along the normal, where flight f ends."""
        blow = self._blow(f)
        return blow[0], blow[1]

    def _blow(self, f: int) -> tuple[float, float, Array, Array, Array, float, float, list[Array]]:
        s, c = self.statement, self.statement.collisions[f]
        k = int(s.first[f + 1]) - 1
        extra = self.outcome.point.extra
        bodies = [s.items.index(c.body)] + ([s.items.index(c.on.of)] if c.on.of is not None else [])
        ends = [tuple(one[0] for one in self._states(b, f, np.array([1.0]))) for b in bodies]
        e = float(extra[f"e {k}"][0]) if f"e {k}" in extra else c.restitution[0]
        mu = float(extra[f"mu {k}"][0]) if f"mu {k}" in extra else c.friction[0]
        n0, (t1, t2) = np.array(c.on.normal), c.on.tangents()
        tilt = extra.get(f"tilt {k}", np.zeros(2))
        n = n0 + tilt[0] * t1 + tilt[1] * t2
        n /= np.linalg.norm(n)
        origin = np.array(c.on.origin)
        if len(bodies) == 2:
            R = rotation_matrix(ends[1][1])
            n, n0, origin = R @ n, R @ n0, ends[1][0] + R @ origin
        place = ends[0][0] + rotation_matrix(ends[0][1]) @ self._corner(f)
        given = []
        for b, (x, q, v, w) in zip(bodies, ends, strict=True):
            shape = s.shapes[b]
            given += [x, multiplied(q, shape.turn), v, shape.axes.T @ w, shape.mass, shape.moments]
        out = [np.array(one).ravel() for one in bounce(two=len(bodies) == 2, friction=mu > 0)(*given, place, n, e, mu)]
        J = out[-1]
        after = []
        for i, b in enumerate(bodies):
            after.append(np.concatenate([out[2 * i], s.shapes[b].axes @ out[2 * i + 1]]))
        u = ends[0][2] + np.cross(rotation_matrix(ends[0][1]) @ ends[0][3], place - ends[0][0])
        if len(bodies) == 2:
            u = u - ends[1][2] - np.cross(rotation_matrix(ends[1][1]) @ ends[1][3], place - ends[1][0])
        return float(n0 @ (place - origin)), float(u @ n), place, n, J, e, mu, after

    @functools.cached_property
    def blows(self) -> list[Blow]:
        """The collisions, with what physics does not explain of them."""
        s = self.statement
        out = []
        for f, c in enumerate(s.collisions):
            if c.body is None:
                continue
            _, _, place, n, J, e, mu, after = self._blow(f)
            bodies = [s.items.index(c.body)] + ([s.items.index(c.on.of)] if c.on.of is not None else [])
            gaps = {}
            for b, wanted in zip(bodies, after, strict=True):
                _, _, v, w = (one[0] for one in self._states(b, f + 1, np.array([0.0])))
                gaps[s.items[b].name] = (float(np.linalg.norm(v - wanted[:3])), float(np.linalg.norm(w - wanted[3:])))
            out.append(Blow(c.name, float(self.grid[f + 1]), place, n, J, e, mu, gaps))
        return out

    @property
    def collapsed(self) -> list[int]:
        """Flights that shrank to their least duration: the order of the collisions does not fit the sketch (MS03 §5.2)."""
        T = self.outcome.point.durations
        return [
            f
            for f, t in enumerate(T)
            if self.statement.flights[f].duration is None and (t < PINNED * SHORTEST or t > LONGEST / PINNED)
        ]

    def __str__(self) -> str:
        lines = []
        if self.is_met:
            lines.append("Every hard wish is met, and the motion obeys physics throughout.")
        elif self.is_plausible:
            lines.append(
                "Every hard wish is met; the motion is plausible, not exact: velocities jump at collisions beyond the impulse."
            )
        else:
            lines.append(
                f"The sketch could not be met; this is the best motion found ({self.outcome.says.replace('_', ' ').lower()})."
            )
        if self.note:
            lines.append(self.note)
        lines += [f"  {blow}" for blow in self.blows if not self.is_met and max(max(g) for g in blow.gaps.values()) > CLOSED]
        worst = sorted(self.residuals, key=lambda r: -r.size)
        lines += [f"  {r}" for r in worst if r.size > 1e-6][:12]
        if worst and worst[0].size <= 1e-6:
            lines.append(f"Hard constraints: {len(worst)}, the worst is {worst[0]}.")
        for f in self.collapsed:
            lines.append(
                f"Flight {f + 1} shrank to nothing: in this order of collisions the motion cannot follow the sketch. "
                "Allow gaps, or try another sequence."
            )
        tried = [o for o in self.others if o.is_feasible]
        if len(self.others) > 1:
            first = next((o for o in self.others if o.seed == 0), self.others[0])
            better = first.is_feasible and self.outcome.cost < (1 - BETTER) * first.cost
            says = "a better one than the first guess led to was found" if better else "none was better than the first"
            lines.append(f"Of {len(self.others)} starts {len(tried)} reached a motion; {says}.")
        lines.append(
            f"Misfit {self.cost:.4g}, {self.seconds:.3f} s in {len(self.grid) - 1} flights, {self.outcome.seconds:.2f} s of CPU."
        )
        return "\n".join(lines)

    # --- in the engine ---------------------------------------------------------------------------
    def world(self) -> World:
        """A world in which the motion plays: bodies as they start, gravity, and blows on a timeline; it can be saved and run."""
        world = self._still()
        events = []
        for f, c in enumerate(self.sketch.collisions):
            if c.body is None:
                continue
            struck = [c.body, *([c.on.of] if c.on.of is not None else [])]
            moves = tuple(Move(body.name, self._velocities(body, f + 1)) for body in struck)
            events.append(Event(float(self.grid[f + 1]), Several(moves) if len(moves) > 1 else moves[0]))
        if events:
            world.apply(Plan(tuple(events)))
        return world

    def _still(self) -> World:
        """The world at the start of the motion, without blows."""
        world = World(method="adaptive", rtol=1e-11, atol=1e-13)
        world.add(*[self._copy(body, self.at(body, 0.0)) for body in self.sketch.bodies])
        world.add(gravity(g=tuple(self.sketch.gravity)))
        self._push(world)
        return world

    def _velocities(self, body: Item, flight: int) -> tuple[tuple[str, Any], ...]:
        _, _, v, w = (one[0] for one in self._states(body, flight, np.array([0.0])))
        return (("velocity", tuple(v.tolist())), ("spin", tuple(w.tolist())))

    def _copy(self, body: Item, state: dict[str, Array]) -> Item:
        kept = {name: value for name, value in body.values.items()}
        made: Item = body.type.make(body.name, (), {**kept, **{name: tuple(value.tolist()) for name, value in state.items()}})
        return made

    def _push(self, world: World) -> None:
        for b, body in enumerate(self.sketch.bodies):
            force = self.outcome.point.extra.get(f"force {b}")
            if force is not None:
                u = self.statement.units
                world.add(pull(point(world[body.name]), by=tuple(force * u.mass * u.length / u.time**2)))

    def resimulated(self) -> list[float]:
        """How far the engine, started where each flight starts, ends from where the flight ends: the furthest corner [m]."""
        out = []
        for f in range(len(self.grid) - 1):
            world = World(method="adaptive", rtol=1e-12, atol=1e-13)
            for b, body in enumerate(self.sketch.bodies):
                x, q, v, w = (one[0] for one in self._states(b, f, np.array([0.0])))
                world.add(self._copy(body, {"position": x, "orientation": q, "velocity": v, "spin": w}))
            world.add(gravity(g=tuple(self.sketch.gravity)))
            self._push(world)
            world.step(float(self.grid[f + 1] - self.grid[f]))
            out.append(max(self._apart(b, f, world) for b in range(len(self.sketch.bodies))))
        return out

    def _apart(self, b: int, f: int, world: World) -> float:
        body, shape = world[self.sketch.bodies[b].name], self.statement.shapes[b]
        x, q, *_ = (one[0] for one in self._states(b, f, np.array([1.0])))
        here = x + shape.corners @ rotation_matrix(q).T
        there = np.array(body.position) + shape.corners @ rotation_matrix(body.orientation).T
        return float(np.linalg.norm(here - there, axis=1).max())

    def replayed(self) -> float:
        """How far the engine ends from the motion's end when it flies it whole, struck by impulses of its own state [m]."""
        world = self._still()
        s = self.statement
        for f in range(len(self.grid) - 1):
            world.step(float(self.grid[f + 1] - self.grid[f]))
            if f == len(self.grid) - 2 or s.collisions[f].body is None:
                continue
            c, blow = s.collisions[f], next(b for b in self.blows if b.name == s.collisions[f].name)
            bodies = [s.items.index(c.body)] + ([s.items.index(c.on.of)] if c.on.of is not None else [])
            given: list[Any] = []
            for b in bodies:
                body, shape = world[s.items[b].name], s.shapes[b]
                given += [
                    body.position,
                    multiplied(body.orientation, shape.turn),
                    body.velocity,
                    shape.axes.T @ np.array(body.spin),
                    shape.mass,
                    shape.moments,
                ]
            first = world[s.items[bodies[0]].name]
            place = np.array(first.position) + rotation_matrix(first.orientation) @ self._corner(f)
            out = bounce(two=len(bodies) == 2, friction=blow.friction > 0)(
                *given, place, blow.normal, blow.restitution, blow.friction
            )
            for i, b in enumerate(bodies):
                body = world[s.items[b].name]
                v, w = np.array(out[2 * i]).ravel(), s.shapes[b].axes @ np.array(out[2 * i + 1]).ravel()
                body.velocity, body.spin = tuple(v.tolist()), tuple(w.tolist())
        return max(self._apart(b, len(self.grid) - 2, world) for b in range(len(self.sketch.bodies)))

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw the sketch against the result, gaps and residuals, as .png, .svg or .pdf."""
        from tinkerdyne.sketch.picture import draw

        draw(self, path)


# --- finding ------------------------------------------------------------------------------------
def solved(
    sketch: Sketch,
    *,
    restarts: int,
    gaps: bool | None,
    executor: Executor | None,
    near: Solution | None,
    settles: bool,
    progress: Callable[[int, int, float], None] | None,
    cancel: Callable[[], bool] | None,
) -> Solution:
    """The best of several starts; with gaps where there is no exact motion."""
    if isinstance(restarts, bool) or not isinstance(restarts, int) or restarts < 1:
        raise ValueError(f"restarts must be a whole number of at least 1, not {restarts!r}")
    statement = sketch.statement()
    note = ""

    def wanted() -> bool:
        return cancel is None or not cancel()

    if near is not None:
        if near.statement.structure() != statement.structure():
            raise ValueError("near must be the solution of a sketch of the same form: as many bodies, flights, samples and wishes")
        outcome = start(statement, has_gaps=near.outcome.has_gaps, near=near.outcome, wanted=wanted, settles=settles)
        if outcome.is_feasible:
            return Solution(sketch, statement, outcome, [outcome])
    if executor is not None and not _travels(statement):
        note, executor = "A condition that is a local function cannot be sent to other processes; the starts ran one by one.", None
    found: list[Outcome] = []
    seeds = list(range(restarts))
    # Where nobody says whether an exact motion exists, a few starts look for one before all may have gaps.
    plans = (
        [(gaps, seeds, AGAIN)]
        if gaps is not None
        else [(False, seeds[:LOOK], 1), (False, seeds[LOOK:], AGAIN), (True, seeds, AGAIN)]
    )
    for has_gaps, chosen, again in plans:
        if found and has_gaps == any(o.is_feasible for o in found):
            continue
        for outcome in starts(statement, chosen, has_gaps=has_gaps, executor=executor, again=again, wanted=wanted):
            found.append(outcome)
            if progress is not None:
                progress(len(found), restarts, min(o.cost for o in found))
        if not wanted():
            break
    if not found:  # cancelled before anything was found: the first guess is the best so far
        found = [_first(statement)]
    if not wanted():
        note = f"Cancelled after {len(found)} starts. {note}".strip()
    same = [o for o in found if o.has_gaps == found[-1].has_gaps] or found
    best = min(same if any(o.is_feasible for o in same) else found, key=lambda o: o.rank)
    return Solution(sketch, statement, best, same, note)


def _first(statement: Statement) -> Outcome:
    """The first guess as an outcome that met nothing."""
    from tinkerdyne.sketch.solver import Multipliers

    point = statement.guess()
    return Outcome(point, math.inf, math.inf, False, "cancelled", statement.lowest(point), Multipliers())


def _travels(statement: Statement) -> bool:
    try:
        pickle.dumps(statement)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True
