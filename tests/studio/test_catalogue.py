"""The catalogue: everything that exists is in it, and everything in it can be inserted."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.studio.build.catalogue import GROUPS, catalogue, info
from tinkerdyne.studio.build.inserting import insert, resolve
from tinkerdyne.studio.wire.typescript import COMMAND, TARGET, source

KNOWN = ("point", "direction", "frame", "scalar", "vector", "curve", "particles", "anything", "part")
TYPES = [
    name
    for name, kind in REGISTRY.items()
    if kind.module.startswith("tinkerdyne.")
    and all(port.name in KNOWN for _, port in getattr(kind, "ports", ()))
]


@td.curve(span=(0.0, td.TAU))
def studio_circle(u, *, r=1.0):
    """A circle with a radius that can change."""
    return r * td.cos(u), r * td.sin(u)


@td.lagrangian
def studio_pair(*, angle=0.0):
    """Two particles on a bar."""
    return (td.vec(td.cos(angle), td.sin(angle)), td.vec(-td.cos(angle), -td.sin(angle)))


def world_for(planar: bool) -> td.World:
    """A world with something of every kind to plug into."""
    world = td.World()
    if planar:
        a, b = world.add(td.PlanarRod("a"), td.PlanarRod("b", position=(0.4, 0.9), angle=0.4))
        world.add(studio_circle("curve"), studio_circle("other", r=2.0), studio_pair("particles"))
    else:
        a, b = world.add(td.Rod("a"), td.Rod("b", position=(0.4, 0.9, 0.3), orientation=(0.5, 0.5, 0.5, 0.5)))
    world.add(td.Variable("u", value=0.3), td.Variable("w", value=0.2))
    world.add(td.distance_between(a.end1, b.end2, name="measure"))
    return world


def inputs_for(name: str, planar: bool) -> tuple[str, ...]:
    kind = REGISTRY[name]
    points = iter(("a.end1", "b.end2", "@0,2" if planar else "@0,2,1"))
    others = {
        "direction": iter(("a@1,0", "b@0.6,0.8") if planar else ("a@1,0,0", "b@0,0.6,0.8")),
        "frame": iter(("a", "b")),
        "scalar": iter(("u", "w"))
        if any(port.name == "curve" for _, port in kind.ports)
        else iter(("measure", "u")),
        "vector": iter(("measure", "u")),
        "curve": iter(("curve", "other")),
        "particles": iter(("particles",)),
        "anything": iter(("measure", "u")),
        "part": iter(("a", "b")),
    }
    wanted = [port.name for _, port in kind.ports] if not hasattr(kind, "coordinates") else ["frame", "frame"]
    if getattr(kind, "variadic", None) is not None and kind.variadic.name == "point":
        wanted += ["point"] * 3
    elif getattr(kind, "variadic", None) is not None and kind.variadic.name == "part":
        wanted += ["part"] * 2
    return tuple(next(points) if port == "point" else next(others[port]) for port in wanted)


def test_everything_that_exists_is_in_the_catalogue():
    found = {one.name: one for one in catalogue()}
    assert found.keys() == REGISTRY.keys()
    for one in found.values():
        assert one.title and one.group in GROUPS
        # other tests make types too
        assert one.doc or not REGISTRY[one.name].module.startswith("tinkerdyne.")
    msgspec.json.encode(catalogue())


@pytest.mark.parametrize("name", TYPES)
def test_every_type_can_be_inserted(name):
    kind = REGISTRY[name]
    ports = {port.name for _, port in getattr(kind, "ports", ())}
    world = world_for(planar := bool(ports & {"curve", "particles"}) or info(kind).is_planar)
    inputs = () if kind.family in ("object", "field") else inputs_for(name, planar)
    values = {}
    if name in ("typed_energy", "typed_equation", "formula_value"):
        inputs, values = (
            ("measure",),
            {"text": ["k*x"], "names": ["x"], "constant_names": ["k"], "constants": [2.0]},
        )
    elif name in ("typed_force", "typed_path"):
        inputs, values = ("measure",), {"text": ["0"]}
    names = insert(world, name, inputs, values, "", 2 if planar else 3)
    assert world[names[0]].type is kind
    world.step(1e-3)
    assert world.undo() and names[0] not in world


# --- the lines of Python beside the commands ------------------------------------------------------
PAGE = TARGET.parents[1]
OF_TYPES = {
    one.python: {port.name for port in one.ports}
    for one in map(info, map(REGISTRY.__getitem__, TYPES))
    if one.python
}
# what a reader puts in
STAND_INS = set("xyabcuw") | {"part", "joint", "axle", "point", "curve", "line", "vertices", "faces"}


def said_by_the_page() -> list[tuple[str, bool]]:
    """The lines that stand in the sources of the page's actions, and whether they can be run as they are."""
    quoted = r"""(?:"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`)"""
    found = []
    for path in sorted((PAGE / "tools").glob("*ctions.ts")):
        text = path.read_text(encoding="utf-8")
        lines = ["".join(m.groups(default="")) for m in re.finditer(rf"python:\s+{quoted}", text)]
        ways = r"""(?:POINTS|CURVES[^"]*|LINE\]),\s*"([^"]+)",?\s*\]"""
        lines += [m[1] for m in re.finditer(ways, text)]
        found += [
            (line.replace("${of}", "pin"), path.name != "mediaActions.ts")
            for line in lines
            if "${python}" not in line
        ]
    return found


def imported(nodes: list[ast.AST]) -> dict[str, object]:
    """What a line imports, by the names that it gives."""
    return {
        name.asname or name.name: getattr(importlib.import_module(node.module or ""), name.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }


@pytest.mark.parametrize("line", sorted({line for line, _ in said_by_the_page()} | OF_TYPES.keys()))
def test_every_line_names_what_exists(line):
    nodes = list(ast.walk(ast.parse(line)))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known = {**vars(builtins), **vars(td), "Path": Path, "world": td.World(), **imported(nodes)}
    known = {name: one for name, one in known.items() if name not in own}
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id in known
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
            assert hasattr(known[node.value.id], node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            assert node.id in known or node.id in STAND_INS | own | OF_TYPES.get(line, set())


def test_the_lines_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line for line, is_whole in said_by_the_page() if is_whole]
    assert len(lines) > 15
    td.World().save("scene.json")
    for line in lines:
        world = td.World()
        a, b = world.add(td.Rod("rod"), td.Rod("other", position=(0, 0, 1)))
        joint = world.add(td.nail(a.end1, at=(-0.5, 0, 0), name="hook"))
        axle = td.join(td.pin, None, b, at=(0, 0, 1), axis=(0, 0, 1))
        world.add(axle)
        given = {"world": world, "part": a, "a": a, "b": b, "joint": joint, "axle": axle}
        exec(line, {**vars(td), **given})
    assert Path("run.csv").read_text().startswith("time,")


@pytest.mark.parametrize(
    "name", [name for name in TYPES if info(REGISTRY[name]).python and name != "picture"]
)
def test_the_line_of_a_type_adds_one(name):
    kind, ports = REGISTRY[name], info(REGISTRY[name]).ports
    planar = bool({port.kind for port in ports} & {"curve", "particles"}) or info(kind).is_planar
    world = world_for(planar)
    rods = {"a": world["a"].end1, "b": world["b"].end1, "c": world["a"].end2}
    if any(port.kind == "part" for port in ports):
        rods = {"a": world["a"], "b": world["b"]}
    names = {**vars(td), "world": world, "x": world["measure"], "y": world["u"], "turn": world["u"], **rods}
    if not any(port.is_many for port in ports):
        texts = inputs_for(name, planar) if ports else ()
        names |= {
            port.name: resolve(world, text, port.kind) for port, text in zip(ports, texts, strict=False)
        }
    before = {item.key for item in world.items}
    exec(info(kind).python, names)
    assert any(item.type is kind for item in world.items if item.key not in before)
    world.step(1e-3)


def test_parameters_say_their_sort_unit_and_default():
    spring = {p.name: p for p in info(REGISTRY["spring"]).parameters}
    assert [spring[n].unit for n in ("stiffness", "length", "damping")] == ["N/m", "m", "N s/m"]
    rod = info(REGISTRY["rod"])
    assert {p.name: (p.sort, p.unit) for p in rod.parameters} == {
        "mass": ("size", "kg"), "length": ("size", "m"), "radius": ("size", "m"), "is_fixed": ("truth", ""),
    }  # fmt: skip
    assert rod.places == ("end1", "end2", "centre") and rod.supplies == "frame"
    assert {p.name: p.sort for p in rod.state}["orientation"] == "quaternion"
    nail = {p.name: p for p in info(REGISTRY["nail"]).parameters}
    assert nail["at"].default == {"plane": (0.0, 0.0), "space": (0.0, 0.0, 0.0)} and nail["at"].unit == "m"
    assert {p.name: p.choices for p in info(REGISTRY["path"]).parameters}["style"] == (
        "smooth",
        "natural",
        "linear",
    )
    assert info(REGISTRY["pin"]).coordinates == ("turn",)


def test_a_joint_is_made_where_its_bodies_are():
    world = world_for(planar=False)
    for inputs in (
        ("a.end2", "b.end1"),
        ("a@0.1,0.2,0.3", "b"),
        ("b", "a.end1"),
        ("@1,2,3", "a"),
        ("a.end1",),
    ):
        before = world["a"].position
        names = insert(world, "pin", inputs, {"axis": [0, 0, 1]}, "", 3)
        joint = world[names[0]]
        turned = joint.value[3:]
        assert np.abs(turned).max() < 1e-12  # the axes agree; only the points may be apart
        if len(inputs) == 1 or any("." not in i and "@" not in i for i in inputs):
            assert joint.gap < 1e-12  # one point for both: it holds at once
        assert world["a"].position == before
        world.undo()


def test_what_is_left_out_is_as_it_is_now():
    world = world_for(planar=False)
    names = [
        insert(world, of, inputs, {}, "", 3)[0]
        for of, inputs in (
            ("nail", ("b.end1",)),
            ("distance", ("a.end1", "b.end1")),
            ("spring", ("a.end2", "b.end2")),
            ("held", ("measure",)),
        )
    ]
    assert all(world[name].gap < 1e-12 for name in (names[0], names[1], names[3]))
    assert world[names[2]].energy < 1e-20


@pytest.mark.parametrize(
    ("of", "inputs", "says"),
    [
        ("nope", (), "no type"),
        ("rod", ("a",), "plugged into nothing"),
        ("connect", ("a.end1",), "takes 2 inputs"),
        ("connect", ("a.end7", "b.end1"), "end7"),
        ("connect", ("c.end1", "b.end1"), "c.end1"),
        ("connect", ("a@1,2,x", "b.end1"), "a@1,2,x"),
        ("pin", ("a", "a"), "itself"),
        ("pin", ("u", "a"), "variable"),
        ("connect", ("measure", "a.end1"), "point"),
    ],
)
def test_a_wrong_insertion_is_refused_in_words_and_changes_nothing(of, inputs, says):
    world = world_for(planar=False)
    before = world.to_json()
    with pytest.raises(Exception, match=says.replace(".", r"\.")):
        insert(world, of, inputs, {}, "", 3)
    assert world.to_json() == before


def test_the_types_of_the_page_are_those_of_the_protocol():
    assert TARGET.read_text(encoding="utf-8") == source(), f"{TARGET.name} is stale; run: {COMMAND}"
