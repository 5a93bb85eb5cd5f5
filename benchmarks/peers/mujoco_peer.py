"""MuJoCo: rods as free bodies joined by `connect` equalities (maximal coordinates), hinge trees where
reduced."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from .precision import Precision
from .reference import DOUBLE_PENDULUM, PENDULUMS, SPAN
from .scene import (
    ACROSS,
    ALONG,
    GRAVITY,
    LENGTH,
    MASS,
    Array,
    Diverged,
    Net,
    NetScene,
    Place,
    RodMotion,
    Rods,
    RodScene,
    chain_rods,
    loop_rods,
)

Method = Literal["euler", "rk4"]
Tuning = Literal["default", "tuned"]

_INTEGRATORS = {"euler": mujoco.mjtIntegrator.mjINT_EULER, "rk4": mujoco.mjtIntegrator.mjINT_RK4}
_D = mujoco.mjtDisableBit
# Stages these scenes never need. Equalities alone make the solver's problem quadratic: one Newton iteration
# is exact, so islands and the warm start only cost time.
_NEEDLESS = (
    _D.mjDSBL_LIMIT,
    _D.mjDSBL_FRICTIONLOSS,
    _D.mjDSBL_ACTUATION,
    _D.mjDSBL_SENSOR,
    _D.mjDSBL_EULERDAMP,
    _D.mjDSBL_ISLAND,
    _D.mjDSBL_WARMSTART,
)


mujoco.set_mju_user_warning(lambda _: None)  # instead of a log file in the working directory
_BAD = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)


def _stepper(model: Any, data: Any) -> Callable[[int], None]:
    def step(n: int) -> None:
        mujoco.mj_step(model, data, nstep=n)
        # MuJoCo has then put everything back to the start
        if any(data.warning[int(kind)].number for kind in _BAD):
            raise Diverged("MuJoCo met a huge or non-finite state")

    return step


def _spec(dt: float, method: Method, tuning: Tuning) -> Any:
    spec = mujoco.MjSpec()
    spec.option.timestep = dt
    spec.option.gravity = (0, 0, -GRAVITY)
    spec.option.integrator = _INTEGRATORS[method]
    spec.option.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE
    off = (_D.mjDSBL_CONTACT, *_NEEDLESS) if tuning == "tuned" else (_D.mjDSBL_CONTACT,)
    spec.option.disableflags = sum(int(flag) for flag in off)
    return spec


def _stiffen(equality: Any, dt: float) -> None:
    """The stiffest critically damped response MuJoCo allows at this step, and its largest impedance."""
    equality.solref = (2 * dt, 1)
    equality.solimp = (0.9999, 0.9999, 0.001, 0.5, 2)


def _connect(spec: Any, a: str, b: str, anchor: Place, tuning: Tuning) -> Any:
    """Keep point `anchor` of body a where it is now on body b."""
    equality = spec.add_equality(
        type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY, name1=a, name2=b, active=True
    )
    equality.data[:3] = anchor
    if tuning == "tuned":
        _stiffen(equality, spec.option.timestep)
    return equality


def _add_rod(spec: Any, name: str, centre: Array, quaternion: Array) -> Any:
    # ipos and iquat must be given: left out, they are taken from pos and quat
    body = spec.worldbody.add_body(name=name, pos=centre, quat=quaternion, ipos=(0, 0, 0), iquat=(1, 0, 0, 0))
    body.mass, body.inertia, body.explicitinertial = MASS, (ALONG, ACROSS, ACROSS), True
    body.add_freejoint()
    return body


def _rod_spec(rods: Rods, dt: float, method: Method, tuning: Tuning) -> Any:
    spec = _spec(dt, method, tuning)
    for k, (centre, quaternion) in enumerate(zip(rods.centres, rods.quaternions, strict=True)):
        _add_rod(spec, f"rod{k}", centre, quaternion)
    for nail in rods.nails:
        end = -LENGTH / 2 if nail == 0 else LENGTH / 2
        _connect(spec, f"rod{max(nail - 1, 0)}", "world", (end, 0, 0), tuning)
    for k in range(rods.count - 1):
        _connect(spec, f"rod{k}", f"rod{k + 1}", (LENGTH / 2, 0, 0), tuning)
    return spec


def _rod_scene(rods: Rods, spec: Any) -> RodScene:
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)

    def read() -> RodMotion:
        q, v = data.qpos.reshape(-1, 7), data.qvel.reshape(-1, 6)
        flat = np.empty((rods.count, 9))
        for turn, quaternion in zip(flat, q[:, 3:], strict=True):
            mujoco.mju_quat2Mat(turn, quaternion)
        turns = flat.reshape(-1, 3, 3)
        spins = np.einsum("nij,nj->ni", turns, v[:, 3:])  # MuJoCo's are in the body frame
        return RodMotion(q[:, :3].copy(), turns[:, :, 0].copy(), v[:, :3].copy(), spins)

    return RodScene(rods, _stepper(model, data), read)


def chain(count: int, dt: float, method: Method = "euler", tuning: Tuning = "tuned") -> RodScene:
    rods = chain_rods(count)
    return _rod_scene(rods, _rod_spec(rods, dt, method, tuning))


def loop(count: int, dt: float, method: Method = "euler", tuning: Tuning = "tuned") -> RodScene:
    rods = loop_rods(count)
    return _rod_scene(rods, _rod_spec(rods, dt, method, tuning))


# Nets


def _add_particle(spec: Any, name: str, place: Array, axes: Array) -> Any:
    """A particle that slides along `axes`; with none it is nailed."""
    body = spec.worldbody.add_body(name=name, pos=place, ipos=(0, 0, 0), iquat=(1, 0, 0, 0))
    body.mass, body.inertia, body.explicitinertial = MASS, (ALONG, ALONG, ALONG), True  # it never turns
    for axis in axes:
        body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
    body.add_site(name=f"site of {name}")
    return body


def _add_distance(spec: Any, a: str, b: str) -> Any:
    """A spatial tendon between two sites, held at its length of now."""
    tendon = spec.add_tendon(name=f"{a} to {b}")
    tendon.wrap_site(a)
    tendon.wrap_site(b)
    equality = spec.add_equality(
        type=mujoco.mjtEq.mjEQ_TENDON, objtype=mujoco.mjtObj.mjOBJ_TENDON, name1=f"{a} to {b}", active=True
    )
    equality.data[:5] = 0
    return equality


def _dissected(index: NDArray[np.intp]) -> list[int]:
    """Nested dissection of a grid, separators first: MuJoCo eliminates the last first and keeps the order of
    bodies."""
    if index.size <= 9:
        return [int(k) for k in index.ravel()]
    if index.shape[0] < index.shape[1]:
        index = index.T
    middle = len(index) // 2
    return [int(k) for k in index[middle]] + _dissected(index[:middle]) + _dissected(index[middle + 1 :])


def _net_scene(layout: Net, spec: Any, order: list[int]) -> NetScene:
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)
    free = [k for k in order if k not in layout.nails]

    def read() -> tuple[Array, Array]:
        x, v = layout.points, np.zeros((layout.size**2, 3))
        x[free] += data.qpos.reshape(-1, 3)  # slides start at zero
        v[free] = data.qvel.reshape(-1, 3)
        return x, v

    return NetScene(layout, _stepper(model, data), read)


def _net_spec(layout: Net, dt: float, method: Method, tuning: Tuning, order: list[int]) -> Any:
    spec = _spec(dt, method, tuning)
    for k in order:
        _add_particle(spec, f"p{k}", layout.points[k], np.eye(3)[: 0 if k in layout.nails else 3])
    return spec


def tendon_net(layout: Net, dt: float, method: Method = "euler", tuning: Tuning = "tuned") -> NetScene:
    """Each distance is a spatial tendon with an equality."""
    size = layout.size
    rows = np.arange(size**2).reshape(size, size)
    order = _dissected(rows) if tuning == "tuned" else list(range(size**2))
    spec = _net_spec(layout, dt, method, tuning, order)
    for a, b in layout.edges:
        equality = _add_distance(spec, f"site of p{a}", f"site of p{b}")
        if tuning == "tuned":
            _stiffen(equality, dt)
    return _net_scene(layout, spec, order)


def net(layout: Net, dt: float, method: Method = "euler", tuning: Tuning = "tuned") -> NetScene:
    """All distances are the edges of one 1-D flex with a single equality, MuJoCo's fastest way."""
    order = list(range(layout.size**2))
    spec = _net_spec(layout, dt, method, tuning, order)
    flex = spec.add_flex(name="net", dim=1, radius=1e-3, selfcollide=0)
    flex.vertbody = [f"p{k}" for k in order]
    flex.elem = layout.edges.ravel().tolist()
    equality = spec.add_equality(
        type=mujoco.mjtEq.mjEQ_FLEX, objtype=mujoco.mjtObj.mjOBJ_FLEX, name1="net", active=True
    )
    if tuning == "tuned":
        _stiffen(equality, dt)
    return _net_scene(layout, spec, order)


# Work-precision


def _advance(model: Any, data: Any) -> float:
    """Run for 5 s; CPU seconds."""
    step = _stepper(model, data)
    start = time.process_time()
    step(round(SPAN / model.opt.timestep))
    return time.process_time() - start


def _place(array: Array) -> Place:
    x, y, z = array
    return float(x), float(y), float(z)


def solve_tree(n_links: int, dt: float) -> tuple[Place, float]:
    """A tree of hinges about y, RK4."""
    pendulum = PENDULUMS[n_links]
    spec = _spec(dt, "rk4", "tuned")
    spec.option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE  # no constraint needs a sparse one
    body = spec.worldbody
    for k in range(n_links):
        body = body.add_body(pos=(min(k, 1) * LENGTH, 0, 0), ipos=(pendulum.centre, 0, 0), iquat=(1, 0, 0, 0))
        # a point mass gets an inertia too small to matter, since MuJoCo refuses zero
        body.mass, body.inertia, body.explicitinertial = MASS, (max(pendulum.inertia, 1e-12),) * 3, True
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=(0, 1, 0))
    body.add_site(name="tip", pos=(LENGTH, 0, 0))
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)
    cpu = _advance(model, data)
    mujoco.mj_kinematics(model, data)
    return _place(data.site("tip").xpos), cpu


def solve_maximal(n_links: int, dt: float) -> tuple[Place, float]:
    """RK4 on free rods with `connect`, or on point masses in the plane with tendon equalities.

    At a response time of one step, half of what MuJoCo calls safe, RK4 is still stable and the error is
    least.
    """
    if PENDULUMS[n_links] is DOUBLE_PENDULUM:
        spec = _spec(dt, "rk4", "tuned")
        spec.worldbody.add_site(name="site of p0")
        for k in (1, 2):
            _add_particle(spec, f"p{k}", np.array([k * LENGTH, 0, 0]), np.eye(3)[[0, 2]])
            _add_distance(spec, f"site of p{k - 1}", f"site of p{k}")
        tip = "site of p2"
    else:
        spec = _rod_spec(chain_rods(n_links), dt, "rk4", "tuned")
        spec.body(f"rod{n_links - 1}").add_site(name="tip", pos=(LENGTH / 2, 0, 0))
        tip = "tip"
    spec.option.disableflags |= int(_D.mjDSBL_REFSAFE)
    spec.option.iterations = 1
    for equality in spec.equalities:
        _stiffen(equality, dt / 2)
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)
    cpu = _advance(model, data)
    mujoco.mj_kinematics(model, data)
    return _place(data.site(tip).xpos), cpu


_STEPS = tuple(1 / (100 * 2**k) for k in range(10))
PRECISION = (
    Precision("MuJoCo RK4, hinges", "reduced", _STEPS, solve_tree),
    Precision("MuJoCo RK4, maximal", "maximal", _STEPS, solve_maximal),
)


# Edits


def edit_cpu(count: int, dt: float, *, repeats: int = 5) -> dict[str, float]:
    """CPU seconds from an edit of a running chain to the end of the next step, the least of `repeats`.

    The structure of a compiled model is fixed, so each edit changes the spec and recompiles, keeping the
    state. (A constraint foreseen before compiling could be switched by `eq_active` at no cost.)
    """
    spec = _rod_spec(chain_rods(count), dt, "euler", "tuned")
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=20)
    last = f"rod{count - 1}"
    spec.body(last).add_site(name="tip", pos=(LENGTH / 2, 0, 0))
    added: list[Any] = []
    best: dict[str, float] = {}

    def measure(name: str, edit: Callable[[], None]) -> None:
        nonlocal model, data
        start = time.process_time()
        edit()
        if name != "plain step":
            model, data = spec.recompile(model, data)
        mujoco.mj_step(model, data)
        best[name] = min(best.get(name, np.inf), time.process_time() - start)

    def pin_tip(other: str) -> None:
        """Hold the tip at another site."""
        equality = spec.add_equality(
            type=mujoco.mjtEq.mjEQ_CONNECT,
            objtype=mujoco.mjtObj.mjOBJ_SITE,
            name1="tip",
            name2=other,
            active=True,
        )
        _stiffen(equality, dt)
        added.append(equality)

    def add_constraint() -> None:
        added.append(spec.worldbody.add_site(name="hook", pos=data.site("tip").xpos))
        pin_tip("hook")

    def add_body() -> None:
        axis = data.xmat[model.body(last).id].reshape(3, 3)[:, 0]
        rod = _add_rod(
            spec, "new", data.site("tip").xpos + LENGTH / 2 * axis, data.xquat[model.body(last).id]
        )
        rod.add_site(name="upper", pos=(-LENGTH / 2, 0, 0))
        added.append(rod)
        pin_tip("upper")

    def remove() -> None:
        while added:  # the equality first: deleting a body or site deletes what refers to it
            spec.delete(added.pop())

    model, data = spec.recompile(model, data)  # with the site at the tip
    for _ in range(repeats):
        mujoco.mj_step(model, data)
        measure("plain step", lambda: None)
        measure("add constraint", add_constraint)
        measure("remove constraint", remove)
        measure("add body", add_body)
        measure("remove body", remove)
    return best
