"""Laws of the source: imports go one way, public names say what they are, and types refuse in words."""

import ast
from pathlib import Path

import numpy as np
import pytest

import tinkerdyne as td
from tests.laws.zoo import EXTRA, Habitat, types
from tinkerdyne.language.types import REGISTRY

PACKAGE = Path(td.__file__).parent

# CONTRIBUTING.md: a folder imports only from those before it; those on one line do not import each other.
ORDER = [
    ["files", "folders"],
    ["compiler"],
    ["language"],
    ["objects"],
    ["connectors"],
    ["constraints", "behaviors"],
    ["engine"],
    ["world"],
    ["optimise"],
    ["svg"],
    ["export"],
    ["gallery"],
    ["drawing"],
    ["sketch"],
    ["studio"],
    ["cli"],
]
RANK = {name: k for k, group in enumerate(ORDER) for name in group}


def part_of(path: Path) -> str:
    inside = path.relative_to(PACKAGE)
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


def imported(path: Path) -> set[str]:
    """First-level parts of the package that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively; write the whole name"
            names = [
                f"{node.module}.{alias.name}" if node.module == "tinkerdyne" else str(node.module)
                for alias in node.names
            ]
        else:
            continue
        parts = {name.split(".")[1] for name in names if name.startswith("tinkerdyne.")}
        # other names come through the public door
        found |= {part if part in RANK else "world" for part in parts}
    return found


FILES = sorted(
    p for p in PACKAGE.rglob("*.py") if p.name not in ("__init__.py", "__main__.py") or p.parent != PACKAGE
)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_follow_the_flow_of_data(path):
    here = part_of(path)
    assert here in RANK, (
        f"{here} has no place in the order of folders: say in tests/laws/test_doors.py where it stands"
    )
    for other in imported(path):
        assert other == here or RANK[other] < RANK[here], (
            f"{path.name} ({here}) imports {other}, which comes after it"
        )


def test_the_order_would_notice_a_backward_arrow():
    assert imported(PACKAGE / "world" / "world.py") >= {"engine", "language"}
    assert RANK["world"] > RANK["engine"] > RANK["behaviors"] > RANK["language"] > RANK["compiler"]


def attributes(path: Path) -> set[str]:
    """The names after a dot in a file."""
    return {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_the_history_names_the_stacks_of_undo(path):
    if path != PACKAGE / "world" / "history.py":
        assert not attributes(path) & {"_undo", "_redo"}, (
            f"{path} touches the stacks of undo; ask world.history, which owns them"
        )


def modules(path: Path) -> set[str]:
    """The modules that a file imports from, and those that it imports by name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def knows_the_arena(path: Path) -> bool:
    rooms = {"tinkerdyne.engine.records", "tinkerdyne.engine.arena"}
    return bool(rooms & modules(path)) or "arena" in attributes(path)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_the_engine_knows_the_arena(path):
    if part_of(path) != "engine":
        assert not knows_the_arena(path), (
            f"{path} looks into the arena; ask tinkerdyne.engine.readings where a number lies, or the engine"
        )


def privates_of_worlds(path: Path) -> set[str]:
    """`_x` where a file says world._x, whatever the world belongs to."""
    return {
        node.attr
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and ast.unparse(node.value).split(".")[-1] in ("world", "copy")
    }


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nobody_else_touches_what_is_private_to_a_world(path):
    if part_of(path) != "world":
        private = privates_of_worlds(path)
        assert not private, (
            f"{path} uses {', '.join(sorted(private))} of a world; use its contents, engine, history or clock"
        )


def asked_by_name(path: Path) -> list[str]:
    """Comparisons of a type's or a kind's name with texts, and look-ups of a type by a text. A name may also
    be compared by `match`, index a table of texts, or be called something else first."""
    found, tree = [], ast.parse(path.read_text())
    aliases = {
        target.id: ast.unparse(value)
        for node in ast.walk(tree)
        for target, value in assigned(node)
        if isinstance(target, ast.Name) and names_a_type(value)
    }

    def called(node: ast.expr) -> str:
        """The name of a type that an expression is, else nothing."""
        if isinstance(node, ast.Name):
            return aliases.get(node.id, "")
        return ast.unparse(node) if names_a_type(node) else ""

    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, _, rest) if has_text(node):
                found += [f"{ast.unparse(node)} ({name})" for name in map(called, [left, *rest]) if name]
            case ast.Match(subject, cases) if called(subject) and any(map(has_text, cases)):
                found.append(f"match {called(subject)}")
            case ast.Subscript(ast.Name("REGISTRY"), ast.Constant()):
                found.append(ast.unparse(node))
            case ast.Subscript(ast.Dict(keys), index) if called(index) and any(map(has_text, keys)):
                found.append(ast.unparse(node))
            case ast.Call(ast.Attribute(ast.Name("REGISTRY"), "get"), [ast.Constant(), *_]):
                found.append(ast.unparse(node))
            case ast.Call(ast.Attribute(value, "startswith" | "endswith")) if called(value):
                found.append(f"{ast.unparse(node)} ({called(value)})")
    return found


def assigned(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """Targets of an assignment, each with its value, those of tuples one by one."""
    match node:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            return list(zip(targets, values, strict=False))
        case ast.Assign(targets, value) | ast.NamedExpr(ast.Name() as targets, value):
            return [(target, value) for target in (targets if isinstance(targets, list) else [targets])]
    return []


def names_a_type(node: ast.expr) -> bool:
    """Whether an expression is the name of a type or of a kind."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "name"
        and ast.unparse(node.value).split(".")[-1] in ("type", "kind")
    )


def has_text(node: ast.AST | None) -> bool:
    return node is not None and any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(node)
    )


@pytest.mark.parametrize(
    "path", [p for p in FILES if part_of(p) in ("engine", "world", "optimise")], ids=lambda p: p.name
)
def test_the_engine_and_the_world_ask_no_type_for_its_name(path):
    assert not asked_by_name(path), (
        f"{path} asks {asked_by_name(path)}; let the description of the type say it"
    )


AT_THE_FRONT = [p for p in FILES if part_of(p) in ("studio", "drawing", "svg", "sketch", "cli")]


@pytest.mark.parametrize("path", AT_THE_FRONT, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_front_ends_ask_no_type_for_its_name(path):
    # Kinds have names that the protocol knows; a type is asked for what its look says, or known by itself.
    asked = [text for text in asked_by_name(path) if "type.name" in text]
    assert not asked, f"{path} asks {asked}; let the look of the type say it"


def test_these_rules_would_notice_who_breaks_them(tmp_path):
    named = tmp_path / "named.py"
    named.write_text("item.type.name == 'rod'\nport.kind.name in ('a', 'b')\nREGISTRY['rod']\n")
    assert len(asked_by_name(named)) == 3
    named.write_text(
        "name, k = item.type.name, 2\nname == 'rod'\n{'rod': 1}[item.type.name]\nREGISTRY.get('rod')\n"
        "match item.type.name:\n    case 'rod': pass\n    case _: pass\n"
    )
    assert len(asked_by_name(named)) == 4
    named.write_text("name = item.name\nname == 'rod'\nitem.type.name in names\nREGISTRY[name]\n")
    assert not asked_by_name(named)
    bad = tmp_path / "bad.py"
    bad.write_text(
        "from tinkerdyne.engine import records as L\n"
        "self.world._items\nworld._undo.clear()\nworld.engine.arena.S\n"
    )
    assert knows_the_arena(bad) and privates_of_worlds(bad) == {"_items", "_undo"} <= attributes(bad)
    assert knows_the_arena(PACKAGE / "engine" / "engine.py")
    assert "_undo" in attributes(PACKAGE / "world" / "history.py")


@pytest.mark.parametrize("name", td.__all__)
def test_every_public_name_says_what_it_is(name):
    thing = getattr(td, name)
    text = getattr(thing, "doc", None) or (
        thing.__doc__ if not isinstance(thing, tuple(TYPE_CLASSES)) else None
    )
    assert text and text.strip() and len(text.split()) > 2, f"{name} has no docstring"


TYPE_CLASSES = {type(t) for t in REGISTRY.values()}


@pytest.mark.parametrize(
    "name", [t.name for t in types("connector", "constraint", "behavior", "field", "object")]
)
def test_every_registered_type_says_what_it_is(name):
    first = REGISTRY[name].doc.strip().split("\n\n")[0].rstrip()
    assert first.endswith((".", ":", "]", "[m]."))


def public_members(tree: ast.Module):
    """Public functions, classes and methods of a file (overloads and nested functions aside)."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                protocol = any("Protocol" in ast.unparse(base) for base in node.bases)
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_") and not protocol:
                        if "overload" in map(ast.unparse, inner.decorator_list):
                            continue
                        yield f"{node.name}.{inner.name}", inner


WORLD = [
    PACKAGE / "world" / f"{name}.py"
    for name in ("adding", "clock", "contents", "editing", "history", "stepping", "world")
]


@pytest.mark.parametrize("path", WORLD, ids=lambda p: p.name)
def test_every_public_method_of_the_world_says_what_it_does(path):
    silent = [
        name for name, node in public_members(ast.parse(path.read_text())) if not ast.get_docstring(node)
    ]
    assert not silent, f"{path.name}: no docstring for {', '.join(silent)}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_every_file_says_its_one_idea(path):
    text = path.read_text()
    assert not text.strip() or ast.get_docstring(ast.parse(text)), f"{path} has no first docstring line"


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("name", [t.name for t in types("connector", "constraint", "behavior")])
def test_every_type_takes_or_refuses_its_kinds_in_words(name, dim):
    """With its own defaults, on inputs of the kinds it asks for, a type is made, or says in words why not."""
    kind = REGISTRY[name]
    habitat = Habitat(dim, np.random.default_rng(0))
    wanted = [k for _, k in kind.ports] + ([kind.variadic] * EXTRA if kind.variadic is not None else [])
    names = {"vector": "point", "anything": "point"}
    inputs = [habitat.supply(names.get(k.name, k.name), j) for j, k in enumerate(wanted)]
    options = {}
    if "text" in kind.parameters:
        texts = dim if kind.ports else len(kind.parameters["text"][1])
        options = {"names": tuple("abc"[: len(inputs) - len(kind.ports)]), "text": ("0",) * texts}
    try:
        kind.make("specimen", inputs, dict(options))
    except (TypeError, ValueError) as problem:
        assert name in str(problem) and "\n" not in str(problem), (
            f"{name} refuses without naming itself: {problem}"
        )
        assert dim == 2 or "plane" in str(problem), f"{name} takes none of its kinds in space: {problem}"


@pytest.mark.parametrize("name", [t.name for t in types("connector", "constraint", "behavior") if t.ports])
def test_points_of_the_plane_and_of_space_do_not_mix(name):
    """Inputs of two dimensions are refused in words, and never broadcast into something."""
    kind = REGISTRY[name]
    geometry = [k for _, k in kind.ports if k.name in ("point", "direction", "frame", "vector")]
    if len(geometry) < 2 or "text" in kind.parameters:
        return
    flat, deep = Habitat(2, np.random.default_rng(0)), Habitat(3, np.random.default_rng(0))
    inputs = []
    for j, (_, k) in enumerate(kind.ports):
        habitat = flat if k is not geometry[-1] or j < len(kind.ports) - 1 else deep
        inputs.append(habitat.supply("point" if k.name == "vector" else k.name, j))
    if kind.ports[-1][1].name not in ("point", "direction", "frame", "vector"):
        return
    with pytest.raises((TypeError, ValueError), match=name):
        kind.make("specimen", inputs, {})


def test_a_scalar_is_not_equal_to_a_point():
    habitat = Habitat(3, np.random.default_rng(0))
    with pytest.raises((TypeError, ValueError), match="equal"):
        td.equal(habitat.supply("scalar", 0), habitat.supply("point", 0))


STORY = ["tell", "problem", "solve", "tree", "show"]  # a sketch is told, stated, solved and shown


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "sketch").rglob("*/*.py")), ids=lambda p: "/".join(p.parts[-2:])
)
def test_the_folders_of_sketching_follow_its_story(path):
    """What a file needs when it is read comes from its own folder or those before it; `solve` and `plot` hand
    over to the next when they are called."""
    here = STORY.index(path.parent.name)
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("tinkerdyne.sketch."):
            folder = str(node.module).split(".")[2]
            assert folder == "disturb" or STORY.index(folder) <= here, (
                f"{path.parent.name}/{path.name} imports {node.module}, which comes after it in the story"
            )
