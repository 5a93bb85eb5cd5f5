"""Piles that fall into a bin: bodies, detection by MuJoCo (points, normals and gaps alone), and a plain step
around the contact solver."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from tinkerdyne.engine.contact.table import ContactTable, Solved, Touches

Array = NDArray[np.float64]
STEP, G = 1 / 240, 9.81
MARGIN, NEAR = 0.03, 0.002  # m: gaps that are detected, and those that are rows however slow; …
AHEAD = 1.5  # … others are where they might close in so many steps
SPACE = 0.21  # m between bodies at the start
CLOSED = 1e-6  # m: gaps below this are none, so that what rests has the same rows in every step
SLOP = 5e-5  # m: an overlap that is left, so that what rests is not moved
SAME_PLACE = 0.02  # m: a point this near to one of the last step has its impulse as a guess


@dataclass(frozen=True)
class Recipe:
    """What a pile is made of."""

    n: int
    shape: str = "box"  # or sphere, capsule, hull, mixed
    seed: int = 0
    mu: tuple[float, float] = (0.5, 0.5)
    masses: tuple[float, float] = (1.0, 1.0)  # kg, log-uniform
    joints: int = 0  # ball joints between neighbours


@dataclass
class Account:
    """What the steps of a run were worth; an entry an island and step, but for the CPU."""

    residual: list[float] = field(default_factory=list)
    tolerance: list[float] = field(default_factory=list)
    energy: list[float] = field(default_factory=list)
    factorings: list[int] = field(default_factory=list)  # a step, the most of an island
    seconds: list[float] = field(default_factory=list)  # a step
    contacts: list[int] = field(default_factory=list)
    orders: int = 0
    overlap: float = 0.0  # the deepest that was detected [m]
    unplaced: int = 0  # projections that were left open
    parting: float = 0.0  # CPU of all projections [s]


def _hull(rng: np.random.Generator) -> str:
    """The vertices of a random convex hull of about 0.1 m, as MuJoCo's text."""
    points = rng.normal(size=(14, 3))
    points *= (0.05 + 0.02 * rng.random((14, 1))) / np.linalg.norm(points, axis=1)[:, None]
    return " ".join(f"{x:.6f}" for x in points.ravel())


def _model(recipe: Recipe, rng: np.random.Generator) -> Any:
    """The bodies over a bin of planes; MuJoCo makes their masses and inertias, and finds their contacts."""
    kinds = ("box", "sphere", "capsule", "hull")
    assets, bodies = [], []
    for k in range(recipe.n):
        kind = kinds[k % 4] if recipe.shape == "mixed" else recipe.shape
        low, high = np.log(recipe.masses)
        mass = np.exp(rng.uniform(low, high))
        a, b, c = rng.uniform(0.035, 0.06, 3)
        if kind == "hull":
            assets.append(f'<mesh name="m{k}" vertex="{_hull(rng)}"/>')
            geom = f'type="mesh" mesh="m{k}"'
        else:
            size = {"box": f"{a} {b} {c}", "sphere": f"{a}", "capsule": f"{0.6 * a} {b}"}[kind]
            geom = f'type="{kind}" size="{size}"'
        bodies.append(f'<body name="b{k}"><freejoint/><geom {geom} mass="{mass}"/></body>')
    side = 0.16 * max(2, round(recipe.n ** (1 / 3)))
    walls = [("0 0 0", "0 0 1")] + [
        (f"{x * side / 2} {y * side / 2} 0", f"{-x} {-y} 0") for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    planes = [f'<geom type="plane" size="9 9 1" pos="{p}" zaxis="{z}"/>' for p, z in walls]
    text = (
        '<mujoco><option><flag multiccd="enable"/></option>'
        f'<default><geom margin="{MARGIN / 2}" condim="3"/></default>'
        f"<asset>{''.join(assets)}</asset><worldbody>{''.join(planes)}{''.join(bodies)}</worldbody></mujoco>"
    )
    return mujoco.MjModel.from_xml_string(text), side


def _rotations(q: Array) -> Array:
    """Rotation matrices of unit quaternions (n, 4)."""
    w, x, y, z = q.T
    return np.stack(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)


def _turned(q: Array, angle: Array) -> Array:
    """Unit quaternions turned by rotation vectors in world axes."""
    size = np.linalg.norm(angle, axis=1, keepdims=True)
    share = 0.5 * np.sinc(size / (2 * np.pi))
    w, (x, y, z) = np.cos(size[:, 0] / 2), (share * angle).T
    a, b, c, d = q.T
    out = np.stack(
        [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a,
        ],
        axis=1,
    )
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def _skew(d: Array) -> Array:
    zero = np.zeros(len(d))
    x, y, z = d.T
    return np.stack([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)


class Pile:
    """A pile in motion."""

    def __init__(self, recipe: Recipe) -> None:
        rng = np.random.default_rng(recipe.seed)
        self.model, side = _model(recipe, rng)
        self.data = mujoco.MjData(self.model)
        n = self.n = recipe.n
        body = np.arange(1, n + 1)
        self.mass, self.inertia = self.model.body_mass[body], self.model.body_inertia[body]
        self._com, self._axes = self.model.body_ipos[body], _rotations(self.model.body_iquat[body])
        across = max(1, int(side / SPACE))
        k = np.arange(n)
        cell = np.stack([k % across, k // across % across, k // across**2], axis=1)
        jitter = rng.uniform(-0.004, 0.004, (n, 3))
        self.x = (cell - np.array([(across - 1) / 2, (across - 1) / 2, 0])) * SPACE + jitter + (0, 0, 0.12)
        q = rng.normal(size=(n, 4))
        self.q = q / np.linalg.norm(q, axis=1, keepdims=True)
        self.v = np.zeros((n, 6))
        self.v[:, :3] = rng.normal(scale=0.3, size=(n, 3))
        self.mu = rng.uniform(*recipe.mu, size=n + 1)
        self._joint(recipe, rng)
        self.table = ContactTable([6] * n, self.pairs, [3] * len(self.pairs))
        self._old: dict[tuple[int, int], tuple[Array, Array]] = {}
        self.lam = np.zeros(3 * len(self.pairs))
        self.account = Account()

    def _joint(self, recipe: Recipe, rng: np.random.Generator) -> None:
        """Ball joints between neighbours in the row, at the middle between them."""
        first = rng.permutation(recipe.n - 1)[: recipe.joints]
        self.pairs = [(int(i), int(i) + 1) for i in sorted(first)]
        joined = set(self.pairs)
        R = self._rotation()
        middle = [(self.x[i] + self.x[j]) / 2 for i, j in self.pairs]
        self._anchors = [
            (R[i].T @ (m - self.x[i]), R[j].T @ (m - self.x[j]))
            for (i, j), m in zip(self.pairs, middle, strict=True)
        ]
        self._joined = joined

    def _rotation(self) -> Array:
        return _rotations(self.q)

    def _detect(self) -> tuple[Array, Array, Array, Array, Array]:
        """Bodies a and b, points, normals and gaps. Positions in MuJoCo are those of the frames, not of the
        centres of mass."""
        R = self._rotation()
        d = self.data
        qpos = d.qpos.reshape(self.n, 7)
        qpos[:, :3] = self.x - np.einsum("kij,kj->ki", R, self._com)
        qpos[:, 3:] = self.q
        mujoco.mj_kinematics(self.model, d)
        mujoco.mj_comPos(self.model, d)
        mujoco.mj_collision(self.model, d)
        c = d.contact
        bodies = self.model.geom_bodyid[c.geom] - 1
        keep = np.array([tuple(sorted(p)) not in self._joined for p in map(tuple, bodies)], bool)
        frame = np.array(c.frame).reshape(-1, 3, 3)[keep]
        a, b = bodies[keep].T
        return a, b, np.array(c.pos)[keep], frame, np.array(c.dist)[keep]

    def _blocks(self, body: Array, points: Array, frame: Array, sign: float) -> Array:
        """H of the points on their bodies."""
        arm = _skew(points - self.x[body])
        H = np.concatenate([frame, -frame @ arm], axis=2)
        return np.asarray(np.where((body >= 0)[:, None, None], sign * H, 0.0))

    def _guess(self, a: Array, b: Array, points: Array, frame: Array) -> Array:
        """Impulses of the nearest points of the last step, in the new frames."""
        guess = np.zeros((len(a), 3))
        used: set[tuple[int, int, int]] = set()
        for k, (i, j) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
            if (i, j) in self._old:
                old, r = self._old[i, j]
                far = np.linalg.norm(old - points[k], axis=1)
                near = int(far.argmin())
                if far[near] < SAME_PLACE and (i, j, near) not in used:
                    used.add((i, j, near))
                    guess[k] = frame[k] @ r[near]
        return guess

    def _masses(self) -> tuple[Array, Array]:
        """M of every body (n, 6, 6), and its tensor of inertia."""
        A = self._rotation() @ self._axes
        tensor = np.einsum("kij,kj,klj->kil", A, self.inertia, A)
        M = np.zeros((self.n, 6, 6))
        M[:, range(3), range(3)] = self.mass[:, None]
        M[:, 3:, 3:] = tensor
        return M, tensor

    def _links(self) -> tuple[list[Array], Array]:
        """The blocks of the joints, and the rates that take back a part of their gaps."""
        R, blocks, target = self._rotation(), [], []
        for (i, j), (p, q) in zip(self.pairs, self._anchors, strict=True):
            s, t = R[i] @ p, R[j] @ q
            blocks += [np.hstack([-np.eye(3), _skew(s[None])[0]]), np.hstack([np.eye(3), -_skew(t[None])[0]])]
            target.append(self.x[i] + s - self.x[j] - t)
        return blocks, np.concatenate(target) if target else np.zeros(0)

    def step(self) -> Solved:
        """One step: detect, solve, drift."""
        a, b, points, frame, gap = self._detect()
        M, tensor = self._masses()
        v_free = self.v.copy()
        v_free[:, 2] -= G * STEP
        Ha, Hb = self._blocks(a, points, frame, -1.0), self._blocks(b, points, frame, 1.0)
        closing = -(np.einsum("kij,kj->ki", Ha, v_free[a]) + np.einsum("kij,kj->ki", Hb, v_free[b]))[:, 0]
        near = gap < NEAR + AHEAD * STEP * np.maximum(closing, 0)
        a, b, points, frame, gap, Ha, Hb = (x[near] for x in (a, b, points, frame, gap, Ha, Hb))
        bias = np.zeros((len(a), 3))
        bias[:, 0] = np.maximum(gap - CLOSED, 0) / STEP
        mu = np.sqrt(self.mu[a] * self.mu[b])
        touches = Touches(a, b, Ha, Hb, bias, mu, self._guess(a, b, points, frame))
        J, _ = self._links()
        begin = time.process_time()
        self.table.prepare(np.stack([a, b], axis=1))
        middle = time.process_time()
        self.table.write(list(M), list(self.v), list(v_free), touches, J=J, lam=self.lam)
        again = time.process_time()
        n_open = self.table.run()
        end = time.process_time()
        solved = self.table.read(n_open)
        self._take(solved, a, b, points, frame, tensor)
        self._part(list(M), touches, J, gap, solved)
        self._note(solved, end - again + middle - begin, len(a))
        return solved

    def _take(self, solved: Solved, a: Array, b: Array, points: Array, frame: Array, tensor: Array) -> None:
        """Drift with the new velocities; angular momentum stays as it is."""
        self.v, self.lam = np.array(solved.v), solved.lam
        momentum = np.einsum("kij,kj->ki", tensor, self.v[:, 3:])
        self.x = self.x + STEP * self.v[:, :3]
        self.q = _turned(self.q, STEP * self.v[:, 3:])
        _, turned = self._masses()
        self.v[:, 3:] = np.linalg.solve(turned, momentum[:, :, None])[:, :, 0]
        world = np.einsum("kji,kj->ki", frame, solved.r)
        self._old = {}
        for pair in {*zip(a.tolist(), b.tolist(), strict=True)}:
            k = np.flatnonzero((a == pair[0]) & (b == pair[1]))
            self._old[pair] = points[k], world[k]

    def _part(self, M: list[Array], touches: Touches, J: list[Array], gap: Array, solved: Solved) -> None:
        """Take overlaps beyond the slop back, and gaps of the joints, by the least displacement."""
        c = touches
        v = np.vstack([np.array(solved.v), np.zeros(6)])
        rate = (np.einsum("kij,kj->ki", c.Ha, v[c.a]) + np.einsum("kij,kj->ki", c.Hb, v[c.b]))[:, 0]
        after = gap + STEP * rate
        self.account.overlap = max(self.account.overlap, -float(gap.min(initial=0)))
        _, lack = self._links()
        if after.min(initial=0) >= -SLOP and np.abs(lack).max(initial=0) < 1e-10:
            return
        still = [np.zeros(6)] * self.n
        c.bias = np.zeros_like(c.bias)
        c.bias[:, 0] = after + SLOP / 2
        self.table.write(M, still, still, c, J=J, target=lack)
        begin = time.process_time()
        self.account.unplaced += self.table.project() > 0
        self.account.parting += time.process_time() - begin
        d = np.array(self.table.read(0).v)
        self.x = self.x + d[:, :3]
        self.q = _turned(self.q, d[:, 3:])

    def _note(self, solved: Solved, seconds: float, n: int) -> None:
        account = self.account
        some = solved.contacts > 0
        account.residual += solved.residual[some].tolist()
        account.tolerance += solved.tolerance[some].tolist()
        account.energy += solved.energy.tolist()
        account.factorings.append(int(solved.factorings.max(initial=0)))
        account.seconds.append(seconds)
        account.contacts.append(n)
        account.orders = int(self.table.head.orders)
