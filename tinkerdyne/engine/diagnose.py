"""Diagnosis: degrees of freedom, rank, and the groups of constraints that repeat or contradict each other, by
name (E8).

A left null vector n of J (nᵀJ = 0) is a set of constraints that depend on each other. At the least-squares
pose nᵀc = 0 means they agree there (redundant), nᵀc ≠ 0 that they cannot all be met (contradictory). Vectors
that share a constraint are one group.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tinkerdyne.engine.contact.holding import STILL, TouchingPair, free_motions, holdings
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.least_squares import columns, matrices
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.item import Item

# singular values below this share of the largest are zero: a pose is as good as its tolerance, some 1e-8
RANK = 1e-6
SHARE = 1e-6  # a constraint belongs to a group when it has at least this share of a null vector
OPEN = 1e-4  # a gap that a hundred projections leave [SI]
UNMET = 1e-7  # residual along a null vector that counts as a contradiction [SI]


@dataclass(frozen=True)
class Diagnosis(SaysNearest):
    """What the constraints of a world do to its freedoms."""

    freedoms: int
    rows: int
    rank: int
    redundant: tuple[tuple[str, ...], ...]
    contradictory: tuple[tuple[str, ...], ...]
    without_effect: tuple[str, ...]
    residual: float  # the largest |c| at the nearest pose
    contacts: tuple[TouchingPair, ...] = ()  # what each pair of bodies that touch takes
    freedoms_in_contact: int | None = None  # that are left while all contacts hold and stick
    held_by_contact: tuple[str, ...] = ()  # bodies without joints that contacts could hold still

    def __repr__(self) -> str:
        return f"<Diagnosis: {'; '.join(str(self).splitlines())}>"

    def __str__(self) -> str:
        lines = [f"{self.freedoms} degrees of freedom; {self.rows} constraint rows of rank {self.rank}"]
        for group in self.redundant:
            lines.append(f"these repeat each other: {', '.join(group)}")
        for group in self.contradictory:
            lines.append(f"these contradict each other: {', '.join(group)} (remove one)")
        for name in self.without_effect:
            lines.append(f"{name} has no effect: it can move nothing")
        if self.residual > UNMET and not self.contradictory:
            lines.append(
                f"not all constraints can be met from here: the nearest pose leaves {self.residual:.3g}"
            )
        lines += map(str, self.contacts)
        if self.freedoms_in_contact is not None:
            lines.append(f"{self.freedoms_in_contact} freedoms are left while all contacts hold and stick")
        if self.held_by_contact:
            lines.append(f"held by contact alone: {', '.join(self.held_by_contact)}")
        return "\n".join(lines)


def diagnose(engine: Engine) -> Diagnosis:
    """Diagnose at the nearest pose that projection reaches; the state is left as it was. Contacts are counted
    where everything is."""
    touching = _in_contact(engine)
    found = _diagnosed(engine)
    return found if touching is None else replace(found, **touching)


def _in_contact(engine: Engine) -> dict[str, Any] | None:
    """What contacts take of the freedoms; None where nothing touches."""
    where, free = columns(engine)
    contacts = engine.contacts.rows(free)
    if not contacts:
        return None
    engine.program.evaluate_free()
    J, *_ = matrices(engine)
    left = free_motions(np.vstack([J, *[contact.rows for contact in contacts]]), free)
    touching = {body.key: body for c in contacts for body in (c.meeting.a, c.meeting.b)}
    held = [
        body.name
        for key, body in sorted(touching.items())
        if free[where[key]].any() and not np.any(J[:, where[key]])
        and np.abs(left[where[key]]).max(initial=0.0) < STILL
    ]  # fmt: skip
    return {
        "contacts": holdings(contacts),
        "freedoms_in_contact": left.shape[1],
        "held_by_contact": tuple(held),
    }


def _diagnosed(engine: Engine) -> Diagnosis:
    """Without contacts."""
    engine.pull_state()
    engine.forget_approaches()  # what is still on its way is no contradiction
    engine.program.project(100)
    engine.program.evaluate_free()
    J, _, W, spans = matrices(engine)
    _, free = columns(engine)
    c = (
        np.concatenate([engine.record(item)[: rows.stop - rows.start] for item, rows in spans])
        if spans
        else np.zeros(0)
    )
    engine.push_state()
    engine.scalars.ready = 0.0
    idle = tuple(item.name for item, rows in spans if not np.any(J[rows]))
    rank, groups = 0, []
    for part in _components(J, spans):
        rows = np.concatenate([np.arange(r.start, r.stop) for _, r in part])
        r, dependent = _groups(J[rows], W, c[rows], part)
        rank += r
        groups += dependent
    redundant = tuple(names for names, wrong in groups if not wrong)
    contradictory = tuple(names for names, wrong in groups if wrong)
    residual = float(np.abs(c).max(initial=0.0))
    named = {name for group in contradictory for name in group}
    for part in _components(J, spans):
        # Out of reach, and not yet straight enough for J to show it: those that stay open are the group.
        worst = {item.name: float(np.abs(c[rows]).max()) for item, rows in part}
        widest = max(worst.values())
        open_ = tuple(name for name, gap in worst.items() if gap > 0.1 * widest)
        if widest > OPEN and not named & set(open_):
            contradictory = (*contradictory, open_)
    return Diagnosis(int(free.sum()) - rank, J.shape[0], rank, redundant, contradictory, idle, residual)


def _components(J: Array, spans: list[tuple[Item, slice]]) -> list[list[tuple[Item, slice]]]:
    """Constraints that share moving objects, directly or through others."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    kept = [(item, rows) for item, rows in spans if np.any(J[rows])]
    if not kept:
        return []
    touch = csr_matrix(np.array([np.any(J[rows] != 0, axis=0) for _, rows in kept], dtype=np.int8))
    count, labels = connected_components(touch @ touch.T, directed=False)
    return [[kept[k] for k in np.flatnonzero(labels == g)] for g in range(count)]


def _groups(
    J: Array, W: Array, c: Array, part: list[tuple[Item, slice]]
) -> tuple[int, list[tuple[tuple[str, ...], bool]]]:
    """Rank of one component and its dependent groups, each with whether it is contradictory."""
    touched = np.flatnonzero(np.any(J != 0, axis=0))
    B = J[:, touched] @ np.linalg.cholesky(W[np.ix_(touched, touched)])  # J W Jᵀ = B Bᵀ
    scale = np.linalg.norm(B, axis=1)
    scale[scale == 0] = 1.0
    vectors, values, _ = np.linalg.svd(B / scale[:, None])
    rank = int(np.sum(values > RANK * max(values[0], 1e-300)))
    N = vectors[:, rank:] / scale[:, None]
    if not N.shape[1]:
        return rank, []
    N = _sparse_basis(N)
    local, at = [], 0
    for item, rows in part:
        n = rows.stop - rows.start
        local.append((item.name, slice(at, at + n)))
        at += n
    groups: list[tuple[set[str], list[int]]] = []
    for k in range(N.shape[1]):
        names = {name for name, rows in local if np.abs(N[rows, k]).max() > SHARE * np.abs(N[:, k]).max()}
        members = [k]
        for other in [g for g in groups if g[0] & names]:
            names |= other[0]
            members += other[1]
            groups.remove(other)
        groups.append((names, members))
    out = []
    order = {name: k for k, (name, _) in enumerate(local)}
    for names, members in groups:
        wrong = bool(np.abs(N[:, members].T @ c).max() > UNMET)
        out.append((tuple(sorted(names, key=lambda name: order[name])), wrong))
    return rank, out


def _sparse_basis(N: Array) -> Array:
    """A basis of the same space with as few constraints in each vector as elimination gives (reduced column
    echelon form)."""
    B: Array = N / np.abs(N).max(axis=0)
    used: list[int] = []
    for k in range(B.shape[1]):
        open_rows = np.abs(B[:, k]).copy()
        open_rows[used] = 0
        pivot = int(open_rows.argmax())
        used.append(pivot)
        B[:, k] /= B[pivot, k]
        for j in range(B.shape[1]):
            if j != k:
                B[:, j] -= B[pivot, j] * B[:, k]
    B[np.abs(B) < SHARE] = 0.0
    return B
