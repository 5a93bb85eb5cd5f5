"""USD out: bodies with their masses and joints by the schema of UsdPhysics, and a recording as time samples.

The text of a .usda file is written as it is; binary files are made of it by usd-core.

    Pixar, OpenUSD, "Rigid Body Physics in USD" (UsdPhysics)
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from tinkerdyne.behaviors.contact import contact
from tinkerdyne.behaviors.forces import gravity
from tinkerdyne.constraints.joints import ball, pin, prismatic, weld
from tinkerdyne.constraints.points import connect, nail
from tinkerdyne.formats.scheme import Joined, Scheme, inertia_of, picture_of, scheme_of
from tinkerdyne.formats.tree import Pose
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.objects.inertia import principal
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.world import World

RATE = 1000  # time codes in a second
SEGMENTS = 24  # of what is round
JOINTS: dict[ItemType, str] = {
    pin: "PhysicsRevoluteJoint", prismatic: "PhysicsPrismaticJoint", weld: "PhysicsFixedJoint",
    **dict.fromkeys((ball, connect, nail), "PhysicsSphericalJoint"),
}  # fmt: skip
PRECISE = "tinkerdyne"  # what USD keeps in 32 bits stands here in full


def usda_of(world: World, recording: Recording | None = None) -> tuple[str, list[str]]:
    """The text of a world as USD, and what of it is left out."""
    scheme = scheme_of(world)
    paths = _paths([*scheme.bodies, *(joint.item for joint in scheme.joints)])
    times = np.zeros(0) if recording is None else np.asarray(recording.time, float) - float(recording.time[0])
    lines = [
        "#usda 1.0",
        "(",
        '    defaultPrim = "World"',
        "    metersPerUnit = 1",
        "    kilogramsPerUnit = 1",
        '    upAxis = "Z"',
        f"    timeCodesPerSecond = {RATE}",
        *([f"    startTimeCode = 0\n    endTimeCode = {float(RATE * times[-1])!r}"] if len(times) else []),
        ")",
        "",
        'def Xform "World"',
        "{",
        *_inside(_scene(scheme)),
    ]
    for body in scheme.bodies:
        lines += _inside(_body(body, paths[body.key], times, recording))
    for joint in scheme.joints:
        if joint.item.type in JOINTS:
            lines += _inside(_joint(joint, paths))
        else:
            scheme.leave(joint.item, f"a {joint.item.type.name} has no joint in UsdPhysics")
    for item in scheme.others:
        if item.type.family != "connector" and item.type not in (gravity, contact):
            scheme.leave(item, "it has no word in UsdPhysics")
    return "\n".join([*lines, "}", ""]), scheme.left


def write_usd(path: Path, text: str) -> bytes:
    """The bytes of a file: the text itself, or what usd-core makes of it."""
    if path.suffix.lower() == ".usda":
        return text.encode()
    try:
        from pxr import Sdf
    except ImportError:
        raise ImportError(
            "writing .usd and .usdc needs usd-core: pip install 'tinkerdyne[usd]', or write .usda"
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / path.name
        layer = Sdf.Layer.CreateAnonymous(".usda")
        layer.ImportFromString(text)
        layer.Export(str(file))
        return file.read_bytes()


def _paths(items: Iterable[Item]) -> dict[int, str]:
    """Names of prims: letters, digits and underscores, each once."""
    found: dict[int, str] = {}
    for item in items:
        plain = re.sub(r"\W", "_", item.name, flags=re.ASCII) or "item"
        plain = plain if not plain[0].isdigit() else f"_{plain}"
        taken = {name.lower() for name in found.values()} | {"scene"}
        k = 1
        while (plain if k == 1 else f"{plain}_{k}").lower() in taken:
            k += 1
        found[item.key] = plain if k == 1 else f"{plain}_{k}"
    return found


def _inside(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" if line else line for line in lines]


def _tuple(numbers: Iterable[float]) -> str:
    return f"({', '.join(repr(float(x)) for x in numbers)})"


def _scene(scheme: Scheme) -> list[str]:
    g = np.zeros(3)
    for item in scheme.others:
        if item.type is gravity and item.values.get("is_on") is not False:
            g += np.array(item.values["g"], float).reshape(-1)
    size = float(np.linalg.norm(g))
    down = g / size if size else np.array([0.0, 0.0, -1.0])
    return [
        'def PhysicsScene "scene"', "{",
        f"    vector3f physics:gravityDirection = {_tuple(down)}",
        f"    float physics:gravityMagnitude = {size!r}", "}", "",
    ]  # fmt: skip


# --- bodies --------------------------------------------------------------------------------------
def _body(body: Item, path: str, times: Array, recording: Recording | None) -> list[str]:
    """A body with its pose, its mass, and its surface."""
    stands = bool(body.values.get("is_fixed"))
    schemas = [] if stands else ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    data = [f"        string name = {json.dumps(body.name, ensure_ascii=False)}"]
    if not stands:
        data += [
            f"        double mass = {float(body.mass)!r}",
            f"        double[] inertia = [{', '.join(repr(float(x)) for x in inertia_of(body).ravel())}]",
        ]
    applied = [f"    prepend apiSchemas = {json.dumps(schemas)}"] if schemas else []
    lines = [f'def Xform "{path}" (', *applied, "    customData = {"]
    lines += [f"        dictionary {PRECISE} = {{", *_inside(data), "        }", "    }", ")", "{"]
    if not stands:
        _, moments, axes = principal(inertia_of(body))
        w, x, y, z = quaternion_of(axes)
        lines += [
            f"    float physics:mass = {float(body.mass)!r}",
            "    point3f physics:centerOfMass = (0, 0, 0)",
            f"    float3 physics:diagonalInertia = {_tuple(moments)}",
            f"    quatf physics:principalAxes = {_tuple((w, x, y, z))}",
        ]
    lines += _inside(_motion(body, times, recording))
    lines += _inside(_mesh(body))
    return [*lines, "}", ""]


def _motion(body: Item, times: Array, recording: Recording | None) -> list[str]:
    """Its pose, now or at the recorded times."""
    lines = []
    for kind, name, of in (("double3", "translate", "position"), ("quatd", "orient", "orientation")):
        key = f"{body.name}.{of}"
        if recording is not None and key in recording and len(times):
            lines.append(f"{kind} xformOp:{name}.timeSamples = {{")
            rows = zip(times, recording[key], strict=True)
            lines += [f"    {RATE * float(t)!r}: {_tuple(row)}," for t, row in rows]
            lines.append("}")
        else:
            lines.append(f"{kind} xformOp:{name} = {_tuple(getattr(body, of))}")
    return [*lines, 'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]']


def _mesh(body: Item) -> list[str]:
    """The surface, with which it touches."""
    picture = picture_of(body, SEGMENTS)
    if not isinstance(picture, tuple):
        return []
    vertices, faces = (np.asarray(x) for x in picture)
    return [
        'def Mesh "surface" (', '    prepend apiSchemas = ["PhysicsCollisionAPI"]', ")", "{",
        f"    int[] faceVertexCounts = [{', '.join('3' * len(faces))}]",
        f"    int[] faceVertexIndices = [{', '.join(map(str, faces.ravel().tolist()))}]",
        f"    point3f[] points = [{', '.join(_tuple(row) for row in vertices)}]",
        '    uniform token subdivisionScheme = "none"', "}",
    ]  # fmt: skip


# --- joints --------------------------------------------------------------------------------------
def _joint(joint: Joined, paths: dict[int, str]) -> list[str]:
    """A joint by its frames in both bodies; without a body it is in the world."""
    lines = [f'def {JOINTS[joint.item.type]} "{paths[joint.item.key]}" (', "    customData = {"]
    lines += [f"        dictionary {PRECISE} = {{"]
    ends = ((0, joint.a, joint.in_a), (1, joint.b, joint.in_b))
    for k, _, pose in ends:
        numbers = [*pose.place, *pose.turn.ravel(order="F")]
        lines.append(f"            double[] frame{k} = [{', '.join(repr(float(x)) for x in numbers)}]")
    lines += ["        }", "    }", ")", "{"]
    for k, body, pose in ends:
        lines += _inside(_end(k, body, pose, paths))
    if joint.item.type in (pin, prismatic):
        lines.append('    uniform token physics:axis = "Z"')
    return [*lines, "}", ""]


def _end(k: int, body: Item | None, pose: Pose, paths: dict[int, str]) -> list[str]:
    w, x, y, z = quaternion_of(pose.turn)
    found = [
        f"point3f physics:localPos{k} = {_tuple(pose.place)}",
        f"quatf physics:localRot{k} = {_tuple((w, x, y, z))}",
    ]
    if body is not None:
        found.insert(0, f"rel physics:body{k} = </World/{paths[body.key]}>")
    return found
