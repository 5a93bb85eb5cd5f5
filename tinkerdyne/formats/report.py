"""What a reader did not take over from a file, by element and line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tinkerdyne.formats.markup import Element

MOST_LINES = 6  # line numbers that are told of one kind


@dataclass(frozen=True)
class Left:
    """Something of a file that the world does not have."""

    element: str  # tag, or tag and attribute: "geom friction"
    file: str
    line: int
    why: str
    bears: bool  # whether the motion without contact differs for it

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.element}: {self.why}"


@dataclass
class Report:
    """All that was left out; it is true where the motion does not miss anything of it."""

    left: list[Left] = field(default_factory=list)

    def __bool__(self) -> bool:
        return not any(one.bears for one in self.left)

    def leave(self, element: Element, why: str, attribute: str = "", *, bears: bool = True) -> None:
        """Note an element, or an attribute of it, that is not taken over."""
        element.is_known = True
        what = f"{element.tag} {attribute}".strip()
        if attribute:
            element.read.add(attribute)
        else:
            element.read |= set(element.attributes)
        found = Left(what, element.file.name, element.line, why, bears)
        if found not in self.left:
            self.left.append(found)

    def lines(self) -> Iterator[str]:
        """One line for each kind of thing, what bears on the motion first."""
        kinds: dict[tuple[bool, str, str, str], list[int]] = {}
        for one in self.left:
            kinds.setdefault((not one.bears, one.element, one.why, one.file), []).append(one.line)
        for (harmless, element, why, file), lines in sorted(kinds.items(), key=lambda kind: kind[0][0]):
            shown = ", ".join(map(str, sorted(lines)[:MOST_LINES]))
            more = f" and {len(lines) - MOST_LINES} more" if len(lines) > MOST_LINES else ""
            says = "" if harmless else "left out: "
            yield f"{file}, line{'s' * (len(lines) > 1)} {shown}{more}: {says}{element}: {why}"

    def __str__(self) -> str:
        return "\n".join(self.lines()) or "nothing was left out"
