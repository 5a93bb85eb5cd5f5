"""Laws of the source: imports go one way, public names say what they are, and types refuse in words."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

import tinkerdyne as td
from tests.laws.zoo import EXTRA, Habitat, types
from tinkerdyne.language import kinds
from tinkerdyne.language.types import REGISTRY

PACKAGE = Path(td.__file__).parent

# CONTRIBUTING.md: a folder imports only from those before it; those on one line do not import each other.
ORDER = [
    ["files", "folders", "python_text"],
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
    ["formats"],
    ["gallery"],
    ["drawing"],
    ["sketch"],
    ["studio"],
    ["notebook"],
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


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_python_is_read_by_one_thread_at_a_time(path):
    """See tinkerdyne/python_text.py for what happens otherwise."""
    tree = ast.parse(path.read_text())
    read = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "ast.parse"
    ]
    assert not read or path == PACKAGE / "python_text.py", (
        f"{path} parses by itself; ask tinkerdyne/python_text.py"
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


# How records and batches are laid out, by the names of what says so.
OF_LAYOUT = {
    "first_q", "first_v", "first_record", "first_parameter", "local", "record_place", "row_place", "by_uid",
}  # fmt: skip
READINGS = ast.parse((PACKAGE / "engine" / "readings.py").read_text())
GIVE_PLACES = {
    node.name
    for node in ast.walk(READINGS)
    if isinstance(node, ast.FunctionDef)
    and not node.name.startswith("_")
    and not node.name.startswith(("read", "room"))
    and ast.unparse(node.returns or ast.Constant(None)) in ("Array", "Array | None", "list[int]")
} - {"flow", "positions", "velocities"}


def lays_out(tree: ast.Module) -> list[str]:
    """Where a file works out itself where a number lies: by how a record is laid out, or by arithmetic with
    places that it was given."""

    def gives(node: ast.expr) -> bool:
        match node:
            case ast.Name(name):
                return name in places
            case ast.Subscript(value, ast.Constant() | ast.Slice() | ast.Tuple()):
                return gives(value)
            case ast.Call(ast.Name(name)):
                return name in GIVE_PLACES
            case ast.Call(ast.Attribute(owner, name)):
                return name in GIVE_PLACES and ast.unparse(owner).endswith("places")
        return False

    places: set[str] = set()
    for node in ast.walk(tree):
        places |= {t.id for t, value in assigned(node) if isinstance(t, ast.Name) and gives(value)}
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(owner, name) if name in OF_LAYOUT and ast.unparse(owner) != "threading":
                found.append(f"line {node.lineno}: {ast.unparse(node)}")
            case ast.BinOp(left, _, right) if gives(left) or gives(right):
                found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


@pytest.mark.parametrize(
    "path", [p for p in FILES if RANK[part_of(p)] > RANK["engine"]], ids=lambda p: str(p.relative_to(PACKAGE))
)
def test_readings_alone_say_where_a_number_lies(path):
    found = lays_out(ast.parse(path.read_text()))
    assert not found, f"{path}: {found}; let tinkerdyne.engine.readings give the places themselves"


@pytest.mark.parametrize(
    "lines",
    [
        "first = batch.first_q + nq * k",
        "at = self._places.lift(body) if x else batch.first_record",
        "axes = [self._places.origin(body)[0] + 3 + i for i in range(9)]",
        "at = item.type.block_of(item).local[0]",
        "at = places.force_on(item, 0)\nnext = at[0] + 2",
        "where, n = multipliers(engine, item), 3\nwhere[:1] + n",
        "engine.record_place(item.key)",
    ],
)
def test_who_works_out_a_place_would_be_noticed(lines):
    assert lays_out(ast.parse(lines))


@pytest.mark.parametrize(
    "lines",
    ["at = self._places.origin(body)[:2]", "_here = threading.local()", "to + 3", "read(engine, places) / 2"],
)
def test_who_is_given_a_place_is_let_be(lines):
    assert not lays_out(ast.parse(lines))


WORLDS = re.compile(r"\bWorld\b(?!\.)(?!\()")  # in an annotation


def worlds_in(tree: ast.Module) -> set[str]:
    """Names, and names of attributes, that stand for worlds: by what they are called, by their annotation, or
    by what is assigned to them."""
    found = {"world", "w", "copy"}

    def is_world(node: ast.expr) -> bool:
        match node:
            case ast.Name(name) | ast.Attribute(_, name):
                return name in found or name.endswith("world")
            case ast.Call(ast.Name("World")) | ast.Call(ast.Attribute(_, "World")):
                return True
            case ast.Call(ast.Attribute(ast.Name("World") | ast.Attribute(_, "World"), "load" | "from_json")):
                return True
            case ast.BoolOp(_, either):
                return any(map(is_world, either))
            case ast.IfExp(_, body, otherwise):
                return is_world(body) or is_world(otherwise)
        return False

    for node in ast.walk(tree):
        match node:
            case ast.arg(name, annotation) if annotation is not None and WORLDS.search(
                ast.unparse(annotation)
            ):
                found.add(name)
            case ast.AnnAssign(ast.Name(name) | ast.Attribute(_, name), annotation) if WORLDS.search(
                ast.unparse(annotation)
            ):
                found.add(name)
    before = 0
    while len(found) > before:  # a world may be called something else, and that something else
        before = len(found)
        for node in ast.walk(tree):
            for target, value in assigned(node):
                if isinstance(target, ast.Name | ast.Attribute) and is_world(value):
                    found.add(target.id if isinstance(target, ast.Name) else target.attr)
    return found


def privates_of_worlds(path: Path) -> set[str]:
    """`_x` where a file says world._x, whatever the world is called and belongs to."""
    tree = ast.parse(path.read_text())
    worlds = worlds_in(tree)
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name(owner) | ast.Attribute(_, owner), name) if name.startswith(
                "_"
            ) and not name.startswith("__"):
                if owner in worlds or owner.endswith("world"):
                    found.add(name)
            case ast.Attribute(ast.Call(ast.Name("World")), name) if name.startswith("_"):
                found.add(name)
    return found


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


AT_THE_FRONT = [p for p in FILES if RANK[part_of(p)] > RANK["optimise"]]


@pytest.mark.parametrize("path", AT_THE_FRONT, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_front_ends_ask_no_type_for_its_name(path):
    # Kinds have names that the protocol knows; a type is asked for what its look says, or known by itself.
    asked = [text for text in asked_by_name(path) if "type.name" in text]
    assert not asked, f"{path} asks {asked}; let the look of the type say it"


# Kinds have names that some types have too; a text that is one of a few choices says so in an annotation.
TYPE_NAMES = set(REGISTRY) - {kind.name for kind in vars(kinds).values() if isinstance(kind, kinds.Kind)}


def choices(tree: ast.AST) -> set[str]:
    """Fields and arguments of a file that are annotated as one of a few texts, by `Literal` or an alias."""
    aliases = {
        target.id
        for node in ast.walk(tree)
        for target, value in assigned(node)
        if isinstance(target, ast.Name) and ast.unparse(value).startswith("Literal[")
    }

    def is_choice(annotation: ast.expr | None) -> bool:
        text = ast.unparse(annotation) if annotation is not None else ""
        return text.startswith("Literal[") or text in aliases or text.split(".")[-1] in LOOKS

    return {
        node.target.id if isinstance(node, ast.AnnAssign) else node.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign | ast.arg)
        and (isinstance(node, ast.arg) or isinstance(node.target, ast.Name))
        and is_choice(node.annotation)
    }


def other_keys(tree: ast.AST) -> set[str]:
    """Names that stand for keys of something else: of a parameter among values, of a model that can be
    fitted."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.comprehension(ast.Tuple([ast.Name(key), _]), rows) if ast.unparse(rows).endswith(
                "values.items()"
            ):
                found.add(key)
            case ast.Compare(ast.Name(key), [ast.In() | ast.NotIn()], [ast.Name("MODELS")]):
                found.add(key)
    return found


MESSAGES = sorted((PACKAGE / "studio/wire/messages").glob("*.py"))
LOOKS = {"Glyph", "Axis", "Seat", "Role", "Group", "Model", "Rotation"}  # closed choices of other files
CHOICES = set().union(
    *(
        choices(ast.parse((PACKAGE / path).read_text()))
        for path in ("language/look.py", "objects/object.py", *MESSAGES)
    )
)


def types_in_texts(source: str) -> list[str]:
    """Where a file compares a text with the name of a registered type: by `==`, `in`, `match`, or a table."""
    tree = ast.parse(source)
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        for target, value in assigned(node):
            if isinstance(target, ast.Name):
                values.setdefault(target.id, []).append(value)
    chosen = choices(tree) | other_keys(tree)

    def is_choice(node: ast.expr) -> bool:
        match node:
            case ast.Name(name) if name not in chosen:
                return name in values and all(map(is_choice, values[name]))
            case ast.Name(name):
                return True
            case ast.Attribute(_, name):
                return name in CHOICES
        return False

    def named(node: ast.AST) -> bool:
        """Whether an expression, or the table that it stands for, holds the name of a type."""
        tables = values.get(node.id, []) if isinstance(node, ast.Name) else [node]
        texts = [text for t in tables for text in (filter(None, t.keys) if isinstance(t, ast.Dict) else [t])]
        return any(
            isinstance(n, ast.Constant) and n.value in TYPE_NAMES
            for text in texts
            if isinstance(text, ast.Constant | ast.Tuple | ast.List | ast.Set | ast.pattern | ast.Call)
            for n in ast.walk(text)
        )

    asked: list[tuple[ast.AST, ast.expr, list[ast.AST]]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, _, rest):
                sides = [left, *rest]
                asked += [(node, one, [s for s in sides if s is not one]) for one in sides]
            case ast.Match(subject, cases):
                asked.append((subject, subject, [case.pattern for case in cases]))
            case ast.Subscript(table, index) | ast.Call(ast.Attribute(table, "get"), [index, *_]):
                asked.append((node, index, [table]))
            case ast.Call(ast.Attribute(subject, "startswith" | "endswith"), texts):
                asked.append((node, subject, list(texts)))
    return [
        f"line {where.lineno}: {ast.unparse(where)}"
        for where, subject, others in asked
        if isinstance(subject, ast.Name | ast.Attribute) and not named(subject)
        if any(map(named, others)) and not is_choice(subject)
    ]


@pytest.mark.parametrize(
    "path", [p for p in FILES if part_of(p) == "studio"], ids=lambda p: f"{p.parent.name}/{p.name}"
)
def test_the_studio_compares_no_text_with_the_name_of_a_type(path):
    asked = types_in_texts(path.read_text())
    assert not asked, f"{path}: {asked}; let the look of the type say it (or Literal, that it is no type)"


@pytest.mark.parametrize(
    "lines",
    [
        "of == 'nail'",
        "'tug' != d.type",
        "of in ('particle', 'troid')",
        "kind.name in {'distance', 'spring'}",
        "match of:\n    case 'held' | 'nail': pass",
        "{'place': 'at', 'tug': 'to'}[d.type]",
        "{'world_frame': 'at'}.get(of)",
        "WORLD = {'nail': 'at'}\nif d.type in WORLD: pass",
        "WORLD = {'nail': 'at'}\nWORLD[d.type]",
        "STILL = frozenset(('nail', 'weld'))\nof in STILL",
        "d.type.startswith('spring')",
        "what = d.type\nwhat == 'rod'",
    ],
)
def test_a_type_that_is_asked_by_a_text_would_be_noticed(lines):
    assert types_in_texts(lines)


@pytest.mark.parametrize(
    "lines",
    [
        "kind == 'point'",
        "look.role == 'variable'",
        "command.how == 'tangent'",
        "how = command.how\nhow == 'tangent'",
        "def f(model: Literal['line', 'circle']): model == 'circle'",
        "of == other",
        "if model in MODELS: model == 'circle'",
        "ANGLES = ('angle', 'rest')\n[k in ANGLES for k, v in item.values.items()]",
        "WORDS = {'nail': 1}\nWORDS",
        "hint('pull')",
    ],
)
def test_other_texts_are_let_be(lines):
    assert not types_in_texts(lines)


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
    bad.write_text(
        "w._a\nself._world._b\nmy_world._c\n"
        "def f(place: World | None): place._d\n"
        "made = td.World()\nmade._e\nself.home = made\nself.home._f\n"
        "again = World.load(path)\nother, k = again, 2\nother._g\n"
        "self._private, item._alive, again.__dict__, self._worlds._h\n"
    )
    assert privates_of_worlds(bad) == {"_a", "_b", "_c", "_d", "_e", "_f", "_g"}
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
    for name in [
        "adding",
        "clock",
        "contents",
        "editing",
        "history",
        "judging",
        "method",
        "stepping",
        "world",
    ]
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


ROOT = PACKAGE.parent
CITED = re.compile(r"(?<![\w{}*])[\w./-]+\.md\b")


def missing_pages(path: Path, text: str) -> set[str]:
    """Pages that a text cites and that are not in the repository."""
    shelves = (ROOT, ROOT / "docs", path.parent)
    # `make bench` and `make docs` write pages of their own.
    cited = {
        page
        for page in CITED.findall(text)
        if not page.endswith("latest.md") and "site" not in path.relative_to(ROOT).parts
    }
    return {page for page in cited if not any((shelf / page).is_file() for shelf in shelves)}


@pytest.mark.parametrize("folder", ["tinkerdyne", "tests", "docs", "benchmarks", "scenes", "tools"])
def test_pages_that_are_cited_are_there(folder):
    here = Path(__file__)
    files = [p for end in ("py", "md", "ts", "tsx") for p in (ROOT / folder).rglob(f"*.{end}") if p != here]
    found = {
        str(p.relative_to(ROOT)): missing_pages(p, p.read_text())
        for p in files
        if "node_modules" not in p.parts and "dist" not in p.parts
    }
    assert not {path: pages for path, pages in found.items() if pages}


def test_a_page_that_is_missing_would_be_noticed():
    assert missing_pages(PACKAGE / "x.py", "see NOTES.md, docs/design.md and design.md") == {"NOTES.md"}


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
