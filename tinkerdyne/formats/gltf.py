"""glTF out: the bodies of a world as meshes, and a recording as their animation.

Khronos, glTF 2.0 Specification (2021): https://registry.khronos.org/glTF/specs/2.0
"""

from __future__ import annotations

import base64
import json
from typing import TypeAlias

import numpy as np

from tinkerdyne.formats.scheme import picture_of
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.boundary import area, convex_parts
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.world import World

FLOAT, UNSIGNED = 5126, 5125  # kinds of components
VERTICES, FACES = 34962, 34963  # what a part of the buffer is for
UPRIGHT = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # turns z upwards into y upwards
COLOURS = {"moves": [0.36, 0.55, 0.8, 1.0], "stands": [0.6, 0.6, 0.58, 1.0]}
SEGMENTS = 24  # of what is round
THIN = 0.02  # of its size: how thick what lies in the plane is drawn
GLB, JSON_CHUNK, BIN_CHUNK = b"glTF", b"JSON", b"BIN\0"
Entry: TypeAlias = dict[str, object]  # of the document


class Buffer:
    """Numbers one behind the other, and what they are."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[Entry] = []
        self.accessors: list[Entry] = []

    def add(self, values: Array, target: int = 0) -> int:
        """Rows of floats, or a row of whole numbers; the number of their accessor."""
        is_whole = values.dtype.kind in "iu"
        packed = values.astype("<u4" if is_whole else "<f4")
        flat = packed.reshape(len(packed), -1)
        view: Entry = {"buffer": 0, "byteOffset": len(self.data), "byteLength": packed.nbytes}
        self.views.append({**view, "target": target} if target else view)
        self.data += packed.tobytes()
        shape = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[flat.shape[1]]
        self.accessors.append(
            {
                "bufferView": len(self.views) - 1, "count": len(packed), "type": shape,
                "componentType": UNSIGNED if is_whole else FLOAT,
                "min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist(),
            }
        )  # fmt: skip
        return len(self.accessors) - 1


def glb_of(world: World, recording: Recording | None = None) -> tuple[bytes, list[str]]:
    """A world, and its recording as an animation, as one binary file; and what of it is left out."""
    document, buffer, left = _document(world, recording)
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    chunks = [(JSON_CHUNK, text + b" " * (-len(text) % 4))]
    if buffer:
        chunks.append((BIN_CHUNK, buffer + b"\0" * (-len(buffer) % 4)))
    body = b"".join(len(data).to_bytes(4, "little") + kind + data for kind, data in chunks)
    return GLB + (2).to_bytes(4, "little") + (12 + len(body)).to_bytes(4, "little") + body, left


def gltf_of(world: World, recording: Recording | None = None) -> tuple[str, list[str]]:
    """The same as text, its numbers within it."""
    document, buffer, left = _document(world, recording)
    if buffer:
        packed = base64.b64encode(buffer).decode()
        uri = f"data:application/octet-stream;base64,{packed}"
        document["buffers"] = [{"byteLength": len(buffer), "uri": uri}]
    return json.dumps(document, indent=1, allow_nan=False), left


def _document(world: World, recording: Recording | None) -> tuple[Entry, bytes, list[str]]:
    buffer, left = Buffer(), _left_out(world)
    materials = [
        {
            "name": name, "pbrMetallicRoughness": {
                "baseColorFactor": colour, "metallicFactor": 0.0, "roughnessFactor": 0.8,
            },
        }
        for name, colour in COLOURS.items()
    ]  # fmt: skip
    nodes: list[Entry] = []
    meshes: list[Entry] = []
    shown: list[tuple[int, Item]] = []
    for item in world.items:
        found = _surface(item) if item.type.family == "object" else None
        if found is None:
            continue
        places, normals, faces = found
        primitive = {
            "attributes": {"POSITION": buffer.add(places, VERTICES), "NORMAL": buffer.add(normals, VERTICES)},
            "indices": buffer.add(faces.ravel(), FACES), "material": int(bool(item.values.get("is_fixed"))),
        }  # fmt: skip
        meshes.append({"name": item.name, "primitives": [primitive]})
        shown.append((len(nodes), item))
        nodes.append({"name": item.name, "mesh": len(meshes) - 1, **_pose(item), **_weight(item)})
    is_flat = all(len(item.start["position"]) == 2 for _, item in shown)
    root: Entry = {"name": "world", **({} if is_flat else {"rotation": UPRIGHT})}
    if nodes:
        root["children"] = list(range(len(nodes)))
    document: Entry = {
        "asset": {"version": "2.0", "generator": "Tinkerdyne"},
        "scene": 0, "scenes": [{"nodes": [len(nodes)]}], "nodes": [*nodes, root],
    }  # fmt: skip
    if meshes:
        document |= {"meshes": meshes, "materials": materials}
    animation = _animation(buffer, recording, shown) if recording is not None else None
    if animation:
        document["animations"] = [animation]
    if buffer.data:
        document["buffers"] = [{"byteLength": len(buffer.data)}]
        document |= {"bufferViews": buffer.views, "accessors": buffer.accessors}
    return document, bytes(buffer.data), left


def _left_out(world: World) -> list[str]:
    """Objects that have no surface to be seen."""
    return [
        f"{label(item)}: it has no surface"
        for item in world.items
        if item.type.family == "object" and picture_of(item, SEGMENTS) is None
    ]


# --- bodies --------------------------------------------------------------------------------------
def _surface(item: Item) -> tuple[Array, Array, Array] | None:
    """Vertices with their normals, three a triangle, so that edges are sharp; None for what is not drawn."""
    picture = picture_of(item, SEGMENTS)
    if picture is None:
        return None
    vertices, faces = picture if isinstance(picture, tuple) else _plate(np.asarray(picture))
    corners = np.asarray(vertices, float)[np.asarray(faces)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(normals, axis=1)
    kept = sizes > 1e-12 * max(float(sizes.max(initial=0.0)), 1e-300)
    if not kept.any():
        return None
    places = corners[kept].reshape(-1, 3)
    normals = np.repeat(normals[kept] / sizes[kept, None], 3, axis=0)
    return places, normals, np.arange(len(places), dtype=np.uint32)


def _plate(outline: Array) -> tuple[Array, Array]:
    """What lies in the plane as a thin plate."""
    if area(outline) < 0:
        outline = outline[::-1]
    n, half = len(outline), THIN * float(np.ptp(outline, axis=0).max()) / 2
    flat = [(p[0], p[k], p[k + 1]) for p in convex_parts(outline) for k in range(1, len(p) - 1)]
    top = np.array(flat)
    k = np.arange(n)
    j = (k + 1) % n
    sides = np.concatenate([np.column_stack([k, j, j + n]), np.column_stack([k, j + n, k + n])])
    places = np.vstack([np.column_stack([outline, np.full(n, z)]) for z in (-half, half)])
    return places, np.concatenate([top[:, ::-1], top + n, sides])


def _pose(item: Item) -> Entry:
    place, turn = _motion(item, None, 1)
    return {"translation": place[0].tolist(), "rotation": turn[0].tolist()}


def _weight(item: Item) -> Entry:
    """What a body weighs, for whoever asks."""
    mass = getattr(item, "mass", None) if not item.values.get("is_fixed") else None
    return {} if mass is None else {"extras": {"mass": float(mass)}}


def _motion(item: Item, recording: Recording | None, count: int) -> tuple[Array, Array]:
    """Places (n, 3) and rotations (n, 4), x y z w, of a body: recorded, or as it is now."""

    def read(name: str) -> Array:
        if recording is None:
            return np.asarray(getattr(item, name), float)[None]
        return np.asarray(recording[f"{item.name}.{name}"], float)

    place = read("position")
    places = np.column_stack([place, np.zeros((len(place), 3 - place.shape[1]))])
    names = item.type.state_names()
    if "orientation" in names:
        w, x, y, z = read("orientation").T
        turns = np.column_stack([x, y, z, w])
    elif "angle" in names:
        half = read("angle").reshape(-1) / 2
        turns = np.column_stack([np.zeros((len(half), 2)), np.sin(half), np.cos(half)])
    else:
        turns = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    return places, turns / np.linalg.norm(turns, axis=1, keepdims=True)


# --- motion --------------------------------------------------------------------------------------
def _animation(buffer: Buffer, recording: Recording, shown: list[tuple[int, Item]]) -> Entry | None:
    """Places and rotations of what moves, at the recorded times."""
    times = np.asarray(recording.time, float) - float(recording.time[0])
    moves = [
        (k, item) for k, item in shown
        if not item.values.get("is_fixed") and f"{item.name}.position" in recording
    ]  # fmt: skip
    kept = np.flatnonzero(np.diff(times.astype("<f4"), prepend=-1.0) > 0)
    if not moves or len(kept) < 2:
        return None
    start = buffer.add(times[kept])
    samplers: list[Entry] = []
    channels: list[Entry] = []
    for node, item in moves:
        places, turns = _motion(item, recording, len(times))
        flips = np.cumprod(np.where((turns[1:] * turns[:-1]).sum(axis=1) < 0, -1.0, 1.0))
        turns[1:] *= flips[:, None]  # q and −q are one rotation: from one to the next the short way
        for path, values in (("translation", places), ("rotation", turns)):
            samplers.append({"input": start, "output": buffer.add(values[kept]), "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
    return {"name": "motion", "samplers": samplers, "channels": channels}
