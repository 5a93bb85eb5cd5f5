"""MJCF's includes and default classes: every element gets behind it what its classes say."""

from __future__ import annotations

from tinkerdyne.formats.markup import Element, FormatError, read_markup, wrong

ACTUATORS = (
    "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion",
    "dcmotor",
)  # fmt: skip
TENDONS = ("spatial", "fixed")
EQUALITIES = ("connect", "weld", "joint", "tendon", "flex", "flexvert", "flexstrain")
MOST_INCLUDED = 1000  # files


def with_includes(root: Element) -> None:
    """Put the contents of included files where they are included; each may be included once."""
    folder, seen, stack = root.file.parent, {root.file.resolve()}, [root]
    while stack:
        element = stack.pop()
        children: list[Element] = []
        pending = list(reversed(element.children))
        while pending:
            child = pending.pop()
            if child.tag != "include":
                children.append(child)
                continue
            path = folder / child.get("file")
            if not path.is_file():
                raise wrong(child, f"there is no file {child.get('file')!r} beside the model")
            if path.resolve() in seen:
                raise wrong(child, f"{child.get('file')!r} is included twice")
            seen.add(path.resolve())
            if len(seen) > MOST_INCLUDED:
                raise FormatError(f"{root.file.name} includes more than {MOST_INCLUDED} files")
            included = read_markup(path)
            included.is_known = True
            pending += reversed(included.children)
        element.children = children
        stack += children


class Classes:
    """Default classes: for each its elements and its parent."""

    def __init__(self, root: Element) -> None:
        self.parents: dict[str, str | None] = {"": None}
        self.elements: dict[str, list[Element]] = {"": []}
        for top in root.all("default"):
            name = top.get("class", "main")
            if name not in self.parents:
                self.parents[name] = ""
                self.elements[name] = []
            if self.parents[name] == "":
                self.top = name
            self._fill(top, name)

    top = ""

    def _fill(self, element: Element, name: str) -> None:
        for child in element.children:
            child.is_known = child.tag == "default" or child.is_known
            if child.tag != "default":
                self.elements[name].append(child)
                continue
            inner = child.get("class")
            if not inner or inner in self.parents:
                raise wrong(child, f"a default class needs a name of its own, not {inner!r}")
            self.parents[inner], self.elements[inner] = name, []
            self._fill(child, inner)

    def line(self, name: str, element: Element) -> list[str]:
        """A class and those that it builds on, the nearest first."""
        if name not in self.parents:
            raise wrong(element, f"there is no default class {name!r}")
        found: list[str] = []
        at: str | None = name
        while at is not None:
            found.append(at)
            at = self.parents[at]
        return found

    def behind(self, element: Element, child_class: str, tags: tuple[str, ...]) -> list[Element]:
        """The default elements behind an element, the nearest first."""
        name = element.attributes.get("class", child_class or self.top)
        element.read.add("class")
        return [
            given
            for at in self.line(name, element)
            for given in reversed(self.elements[at])
            if given.tag in tags
        ]


def dress(root: Element, classes: Classes) -> None:
    """Give every element what its classes say of its kind."""
    stack = [(child, "") for child in root.children if child.tag == "worldbody"]
    while stack:
        element, inherited = stack.pop()
        inherited = element.attributes.get("childclass", inherited)
        element.read.add("childclass")
        if element.tag in ("joint", "geom", "site", "camera", "light"):
            element.behind = classes.behind(element, inherited, (element.tag,))
        stack += [(child, inherited) for child in element.children]
    for section, tags, kinds in (
        ("actuator", ACTUATORS, ACTUATORS),
        ("tendon", TENDONS, ("tendon",)),
        ("equality", EQUALITIES, ("equality",)),
        ("asset", ("mesh", "material"), None),
    ):
        for part in root.children:
            if part.tag == section:
                for child in part.children:
                    if child.tag in tags:
                        child.behind = classes.behind(child, "", kinds or (child.tag,))
