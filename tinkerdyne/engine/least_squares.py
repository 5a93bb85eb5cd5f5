"""The dense way: a world's Jacobian as one matrix, least-norm multipliers by SVD, and non-square constraints
(E8, E9).

For diagnosis, for constraints with d ≠ f (DC88: J W G F = b, solved with the least norm and a cut-off), and
as the independent check of the sparse path: composition here walks the graph of connectors recursively, as
ID90 §4.1 tells it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tinkerdyne.engine import records as L
from tinkerdyne.engine.batches import Structure
from tinkerdyne.engine.records import V_ACC
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Block
from tinkerdyne.language.item import Item

CUTOFF = 1e-9  # singular values below this share of the largest count as zero


def jacobian_of(s: Structure, item: Item) -> dict[int, Array]:
    """∂(item)/∂v of each object it depends on, by object key: Df times the Jacobians of its inputs, summed
    (ID90 eq. 6)."""
    batch, _ = s.row(item)
    block = batch.what
    assert isinstance(block, Block)
    return _pulled(s, item, block, s.record(item), block.local, block.dim)


def efforts_of(s: Structure, item: Item) -> dict[int, Array]:
    """Force directions of a constraint on each object, f rows: its own where it is non-square, else its
    Jacobian."""
    batch, _ = s.row(item)
    block = batch.what
    assert isinstance(block, Block)
    if not block.effort:
        return jacobian_of(s, item)
    places, at = [], block.record - block.effort * sum(p.width for p in block.ports)
    for port in block.ports:
        places.append(at)
        at += block.effort * port.width
    return _pulled(s, item, block, s.record(item), tuple(places), block.effort)


def _pulled(
    s: Structure, item: Item, block: Block, record: Array, places: tuple[int, ...], rows: int
) -> dict[int, Array]:
    out: dict[int, Array] = {}
    own = places is block.local
    for port, source, at, sign in zip(block.ports, item.inputs, places, block.sign, strict=True):
        local = record[at : at + rows * port.width].reshape(rows, port.width)
        if own and sign:
            local = sign * np.eye(rows)
        if port.nv:
            parts = {source.key: local}
        else:
            parts = {key: local @ J for key, J in jacobian_of(s, source).items()}
        for key, J in parts.items():
            out[key] = out[key] + J if key in out else J
    return out


def columns(s: Structure) -> tuple[dict[int, slice], Array]:
    """The slice of v of each object, by key, and which entries of v belong to free objects."""
    where: dict[int, slice] = {}
    free = np.ones(int(s.I[L.H_NV]), bool)
    base = int(s.I[L.H_S_V])
    for batch in s.batches.values():
        if batch.family == L.OBJECT:
            nv = batch.v.data.shape[1]
            for k, item in enumerate(batch.items):
                start = batch.first_v - base + k * nv
                where[item.key] = slice(start, start + nv)
                if batch.fixed.data[k, 0]:
                    free[start : start + nv] = False
    return where, free


def constraints(s: Structure) -> list[Item]:
    """The constraints in the order of their rows."""
    ordered = sorted((b for b in s.batches.values() if b.family == L.CONSTRAINT), key=lambda b: b.base[2])
    return [item for batch in ordered for item in batch.items]


def matrices(s: Structure) -> tuple[Array, Array, Array, list[tuple[Item, slice]]]:
    """(J, G, W, rows of each constraint) as dense matrices; G has a row a force direction.

    The world must be evaluated."""
    where, free = columns(s)
    nv = len(free)
    J_rows, G_rows, spans, at = [np.zeros((0, nv))], [np.zeros((0, nv))], [], 0
    for item in constraints(s):
        if s.is_open(item):
            continue
        for source, target in ((jacobian_of(s, item), J_rows), (efforts_of(s, item), G_rows)):
            height = next(iter(source.values())).shape[0] if source else 0
            block = np.zeros((height, nv))
            for key, part in source.items():
                block[:, where[key]] = part
            target.append(block * free)
        spans.append((item, slice(at, at + J_rows[-1].shape[0])))
        at += J_rows[-1].shape[0]
    W = np.zeros((nv, nv))
    base = int(s.I[L.H_S_V])
    for o in range(int(s.I[L.H_NO])):
        T = s.I[s.I[L.H_OBJ] + o * L.OBJ :][: L.OBJ]
        n, v = int(T[L.O_NV]), int(T[L.O_V]) - base
        W[v : v + n, v : v + n] = s.S[T[L.O_W] : T[L.O_W] + n * n].reshape(n, n)
    return np.vstack(J_rows), np.vstack(G_rows), W, spans


def least_norm(A: Array, b: Array) -> Array:
    """The least-norm least-squares solution of A x = b, with small singular values cut off."""
    try:
        return np.asarray(np.linalg.lstsq(A, b, rcond=CUTOFF)[0])
    except np.linalg.LinAlgError:  # a matrix with values that are no numbers: the run ends there, and says so
        return np.full(A.shape[1], np.nan)


def accelerations(s: Structure, wanted: Any) -> tuple[Array, Array]:
    """(v̇, F) by dense least squares; wanted(item, c, ċ) gives each constraint's c̈."""
    s.core["evaluate_free"](s.I.ctypes.data, s.S.ctypes.data)
    nv = int(s.I[L.H_NV])
    at = int(s.I[L.H_S_VELS]) + V_ACC * nv
    free = s.S[at : at + nv].copy()
    J, G, W, spans = matrices(s)
    b = np.zeros(J.shape[0])
    for item, rows in spans:
        m = rows.stop - rows.start
        record = s.record(item)
        b[rows] = wanted(item, record[:m], record[m : 2 * m]) - record[2 * m : 3 * m]
    F = least_norm(J @ W @ G.T, b - J @ free)
    return free + W @ (G.T @ F), F
