"""The dense way: a world's Jacobian as one matrix, least-norm multipliers by SVD, and non-square constraints
(E8, E9).

For diagnosis, for constraints with d ≠ f (DC88: J W G F = b, solved with the least norm and a cut-off), and
as the independent check of the sparse path: composition here walks the graph of connectors recursively, as
ID90 §4.1 tells it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tinkerdyne.engine.batches import BlockBatch
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.records import Object, Vel
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Block
from tinkerdyne.language.item import Item

CUTOFF = 1e-9  # singular values below this share of the largest count as zero


def jacobian_of(engine: Engine, item: Item) -> dict[int, Array]:
    """∂(item)/∂v of each object it depends on, by object key: Df times the Jacobians of its inputs, summed
    (ID90 eq. 6)."""
    block = _block_of(engine, item)
    return _pulled(engine, item, block, block.local, block.dim)


def efforts_of(engine: Engine, item: Item) -> dict[int, Array]:
    """Force directions of a constraint on each object, f rows: its own where it is non-square, else its
    Jacobian."""
    block = _block_of(engine, item)
    if not block.effort:
        return jacobian_of(engine, item)
    places, at = [], block.record - block.effort * sum(p.width for p in block.ports)
    for port in block.ports:
        places.append(at)
        at += block.effort * port.width
    return _pulled(engine, item, block, tuple(places), block.effort)


def _block_of(engine: Engine, item: Item) -> Block:
    batch, _ = engine.structure.row(item)
    assert isinstance(batch, BlockBatch)
    return batch.block


def _pulled(engine: Engine, item: Item, block: Block, places: tuple[int, ...], rows: int) -> dict[int, Array]:
    out: dict[int, Array] = {}
    record = engine.record(item)
    own = places is block.local
    for port, source, at, sign in zip(block.ports, item.inputs, places, block.sign, strict=True):
        local = record[at : at + rows * port.width].reshape(rows, port.width)
        if own and sign:
            local = sign * np.eye(rows)
        if port.nv:
            parts = {source.key: local}
        else:
            parts = {key: local @ J for key, J in jacobian_of(engine, source).items()}
        for key, J in parts.items():
            out[key] = out[key] + J if key in out else J
    return out


def columns(engine: Engine) -> tuple[dict[int, slice], Array]:
    """The slice of v of each object, by key, and which entries of v belong to free objects."""
    where: dict[int, slice] = {}
    free = np.ones(engine.overview.nv, bool)
    for batch in engine.structure.object_batches():
        nv = batch.v.width
        for k, item in enumerate(batch.items):
            start = batch.first_v - engine.arena.index.v + k * nv
            where[item.key] = slice(start, start + nv)
            if batch.is_fixed(k):
                free[start : start + nv] = False
    return where, free


def inverse_mass(engine: Engine, entry: Object) -> Array:
    """W of one object, nv × nv."""
    return engine.arena.vector(entry.W, entry.nv * entry.nv).reshape(entry.nv, entry.nv)


def matrices(engine: Engine) -> tuple[Array, Array, Array, list[tuple[Item, slice]]]:
    """(J, G, W, rows of each constraint) as dense matrices; G has a row a force direction.

    The world must be evaluated."""
    where, free = columns(engine)
    nv = len(free)
    J_rows, G_rows, spans, at = [np.zeros((0, nv))], [np.zeros((0, nv))], [], 0
    for item in engine.structure.constraints():
        if engine.is_open(item):
            continue
        for source, target in ((jacobian_of(engine, item), J_rows), (efforts_of(engine, item), G_rows)):
            height = next(iter(source.values())).shape[0] if source else 0
            block = np.zeros((height, nv))
            for key, part in source.items():
                block[:, where[key]] = part
            target.append(block * free)
        spans.append((item, slice(at, at + J_rows[-1].shape[0])))
        at += J_rows[-1].shape[0]
    W = np.zeros((nv, nv))
    index = engine.arena.index
    for k in range(index.n_objects):
        entry = Object.of(index, k)
        own = slice(entry.v - index.v, entry.v - index.v + entry.nv)
        W[own, own] = inverse_mass(engine, entry)
    return np.vstack(J_rows), np.vstack(G_rows), W, spans


def least_norm(A: Array, b: Array) -> Array:
    """The least-norm least-squares solution of A x = b, with small singular values cut off."""
    if np.isfinite(A).all() and np.isfinite(b).all():  # else LAPACK writes to the terminal
        try:
            return np.asarray(np.linalg.lstsq(A, b, rcond=CUTOFF)[0])
        except np.linalg.LinAlgError:
            pass
    return np.full(A.shape[1], np.nan)  # the run ends there, and says so


def accelerations(engine: Engine, wanted: Callable[[Item, Array, Array], Array]) -> tuple[Array, Array]:
    """(v̇, GᵀF) by dense least squares; wanted(item, c, ċ) gives each constraint's c̈."""
    engine.program.evaluate_free()
    free = engine.arena.velocity_vector(Vel.ACC).copy()
    J, G, W, spans = matrices(engine)
    b = np.zeros(J.shape[0])
    for item, rows in spans:
        m = rows.stop - rows.start
        record = engine.record(item)
        b[rows] = wanted(item, record[:m], record[m : 2 * m]) - record[2 * m : 3 * m]
    F = least_norm(J @ W @ G.T, b - J @ free)
    push = G.T @ F
    return free + W @ push, push
