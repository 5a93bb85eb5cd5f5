"""Names and texts of a file are words, never code, also where the world is written as Python."""

from __future__ import annotations

import ast
import json
import random
import warnings

import pytest

import tinkerdyne as td
from tinkerdyne.files import SceneError
from tinkerdyne.studio.build.script import script

HOSTILE = (
    "k=__import__('os').system('touch owned')) #", "'); import os; os.abort(); ('", '"""', "\\", "a\\'b", "'",
    "lambda", "import", "None", "name", "text", "self", "tau", "is_on", "t", "on", "type", "td", "world",
    "__class__", "é", "ａ", "ﬁ",
    "x y", "", "1", "{0}", "%s", "a.b", "a-b", "a=1", "*", "**k", "\u2028", "a" * 300, "x\u200b",
    "REGISTRY", "gallery", "exec('owned=1')", "f(owned:=1)", "]", ")", "body0.end1", "world.add",
)  # fmt: skip
NAMES = {"td", "world", "REGISTRY", "gallery"}
CALLS = (ast.Call, ast.Attribute, ast.Name, ast.Constant, ast.Tuple, ast.Dict, ast.keyword, ast.Subscript)
NODES = (
    *CALLS,
    ast.Module,
    ast.Assign,
    ast.Expr,
    ast.Import,
    ast.ImportFrom,
    ast.alias,
    ast.UnaryOp,
    ast.USub,
)


def scene():
    """A scene with something of everything that has a name."""
    world = td.World()
    rod, ball = world.add(td.Rod("rod"), td.Particle("ball"))
    world.add(td.typed_curve("a*u", "b*u*u", a=1.0, b=2.0, name="curve"))
    height = world.add(td.formula("p.z*k", p=ball, k=2.0, name="height"))
    world.add(td.formula_energy("k*h^2", h=height, k=3.0, name="energy"))
    world.add(td.formula_force(height, "c*x", x=height, c=-1.0, name="force"))
    world.add(
        td.equation("h - r", h=height, r=0.5, name="law"), td.moving("cos(w*t)", "0", "0", w=2.0, name="goer")
    )
    world.add(td.nail(rod.end1, name="hook"))
    world.at(1.0, td.Change("energy", "constants", (4.0,)), td.Remove(("hook",)))
    world.ramp(ball, "mass", to=2.0, start=1.0, end=2.0)
    return json.loads(world.to_json())


def places(value, path=()):
    """The places of all texts in a document: keys and values."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), True
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from places(inner, (*path, k))
    elif isinstance(value, str):
        yield path, False


def spoiled(document, path, is_key, text):
    """The document with one text replaced, everywhere it stands for the same name."""
    copy = json.loads(json.dumps(document))
    at = copy
    for step in path[:-1]:
        at = at[step]
    if is_key:
        at[text] = at.pop(path[-1])
        return copy
    old = at[path[-1]]
    if path[-1] == "name":
        return json.loads(json.dumps(copy).replace(json.dumps(old), json.dumps(text)))
    at[path[-1]] = text
    return copy


def assert_harmless(text):
    """Nothing but calls of the package's words with literals and variables of the script itself."""
    tree = ast.parse(text)
    made = set(NAMES)
    for node in ast.walk(tree):
        assert isinstance(node, (*NODES, ast.Load, ast.Store)), ast.dump(node)[:200]
        if isinstance(node, ast.Assign):
            made |= {target.id for target in node.targets}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            assert node.id in made, node.id
        if isinstance(node, ast.Import):
            assert [alias.name for alias in node.names] == ["tinkerdyne"]
        if isinstance(node, ast.ImportFrom):
            assert node.module in ("tinkerdyne", "tinkerdyne.language.types")


def attempt(document, path, is_key, text):
    """Load the spoiled document, and build it again from its script."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            world = td.World.from_json(json.dumps(spoiled(document, path, is_key, text)))
        except SceneError:
            return False
        written = script(world)
        assert_harmless(written)
        names: dict = {}
        exec(compile(written, "script", "exec"), names)
    assert [item.name for item in names["world"].items] == [item.name for item in world.items]
    assert names["world"].timeline == world.timeline
    return True


def test_a_hostile_text_at_any_place_of_a_file_is_refused_or_stays_a_text():
    document, rng = scene(), random.Random(7)
    every = list(places(document))
    taken = sum(attempt(document, *rng.choice(every), rng.choice(HOSTILE)) for _ in range(150))
    assert taken > 10


@pytest.mark.parametrize("key", HOSTILE)
def test_hostile_names_of_numbers_and_inputs_never_become_code(key):
    document = scene()
    for entry in ("energy", "force"):
        at = [one["name"] for one in document["behaviors"]].index(entry)
        number = next(iter(document["behaviors"][at]["constants"]))
        attempt(document, ("behaviors", at, "constants", number), True, key)
        attempt(document, ("behaviors", at, "names", 0), False, key)
