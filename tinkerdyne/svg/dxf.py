"""Drawings of CAD programs in: the outlines of a DXF text or file, as those of an SVG drawing.

Read are LINE, LWPOLYLINE, POLYLINE, CIRCLE, ARC, ELLIPSE, SPLINE without weights, and blocks that INSERT puts
somewhere, in the plane. They are written as SVG paths, and read as these are.

    Autodesk, DXF Reference (2012)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number
from tinkerdyne.language.item import Item
from tinkerdyne.svg.dxf_paths import READERS, Entity, number_of, path_of
from tinkerdyne.svg.paths import MOST_PIECES, SVGError
from tinkerdyne.svg.reading import DEEPEST, content, curves_from_svg
from tinkerdyne.svg.sheets import sheets_from_svg

# Metres of $INSUNITS; where it says nothing a unit is a millimetre, as most programs take it.
UNITS = {1: 0.0254, 2: 0.3048, 4: 1e-3, 5: 0.01, 6: 1.0, 7: 1000.0, 8: 25.4e-9, 9: 25.4e-6, 10: 0.9144}
UNITS |= {12: 1e-9, 13: 1e-6, 14: 0.1}
MILLIMETRE = 1e-3
BINARY = b"AutoCAD Binary DXF"
LOOKS = {"VIEWPORT", "SEQEND", "VERTEX", "ENDBLK"}  # what is no part of a drawing


def curves_from_dxf(
    source: str | bytes | Path, *, unit: float | None = None, name: str = "dxf"
) -> list[Item]:
    """The curves of a CAD drawing (its text, or the path of a file), each piece attached to the next.

    `unit` metres for each of its; without it what the drawing says, or millimetres."""
    text, size = _svg(source, unit)
    return curves_from_svg(text, unit=size, name=name)


def sheets_from_dxf(
    source: str | bytes | Path, *, unit: float | None = None, density: float = 1.0, name: str = "dxf"
) -> list[Item]:
    """A troid for each closed outline of a CAD drawing, of `density` kg/m²; open lines are left out."""
    text, size = _svg(source, unit)
    return sheets_from_svg(text, unit=size, density=density, name=name)


def _svg(source: str | bytes | Path, unit: float | None) -> tuple[str, float]:
    """The drawing as SVG, and the metres of its unit."""
    header, blocks, drawn = _parsed(_text(source))
    size = UNITS.get(int(header), MILLIMETRE) if unit is None else number("unit", unit, positive=True)
    left: dict[str, int] = {}
    paths = []
    for entity, M in _placed(drawn, blocks):
        if entity.kind in READERS:
            paths.append(f"<path d={quoteattr(path_of(READERS[entity.kind](entity), M))}/>")
        elif entity.kind not in LOOKS:
            left.setdefault(entity.kind, entity.line)
        if len(paths) > MOST_PIECES:
            raise SVGError(f"the drawing has more than {MOST_PIECES:,} entities; simplify it")
    if left:
        said = ", ".join(f"{kind} (line {line})" for kind, line in left.items())
        warnings.warn(f"left out of the drawing, as no outlines that are read: {said}", stacklevel=3)
    if not paths:
        raise SVGError(f"the drawing has no outline: {', '.join(READERS)} are read")
    return f"<svg><g transform='scale(1,-1)'>{''.join(paths)}</g></svg>", size


# --- the pairs of a file -------------------------------------------------------------------------
def _text(source: str | bytes | Path) -> str:
    source = content(source)
    if isinstance(source, str):
        return source
    if source.startswith(BINARY):
        raise SVGError("this is a binary DXF; save it as ASCII DXF")
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return source.decode("cp1252", errors="replace")


def _parsed(text: str) -> tuple[float, dict[str, list[Entity]], list[Entity]]:
    """$INSUNITS, the blocks by their names, and what is drawn."""
    units, variable, section, block = 0.0, "", "", ""
    blocks: dict[str, list[Entity]] = {}
    drawn: list[Entity] = []
    current: Entity | None = None
    owner: Entity | None = None  # a polyline whose vertices follow
    for line, code, value in _pairs(text):
        if code == 2 and current is not None and current.kind == "SECTION":
            section = value
        if section == "HEADER":
            variable = value if code == 9 else variable
            if variable == "$INSUNITS" and code == 70:
                units = number_of(value, Entity("$INSUNITS", line))
        if code == 0:
            current = Entity(value, line)
            if value in ("SECTION", "ENDSEC", "EOF", "BLOCK", "ENDBLK"):
                block, owner = "", None
            elif value == "VERTEX" and owner is not None:
                owner.vertices.append(current)
            elif section == "ENTITIES" or (section == "BLOCKS" and block):
                (drawn if section == "ENTITIES" else blocks[block]).append(current)
                owner = current if value == "POLYLINE" else None
        elif current is not None:
            current.pairs.append((code, value))
            if code == 2 and current.kind == "BLOCK" and not block:
                block = value
                blocks.setdefault(block, []).clear()
                blocks[block].append(current)
    if not section:
        raise SVGError("this is no DXF drawing: it has no section")
    return units, blocks, drawn


def _pairs(text: str) -> Iterator[tuple[int, int, str]]:
    """Lines in pairs: where, the code, the value."""
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    for k in range(0, len(lines) - 1, 2):
        try:
            code = int(lines[k])
        except ValueError:
            raise SVGError(
                f"this is no DXF at line {k + 1}: a code was wanted, not {lines[k][:40]!r}"
            ) from None
        yield k + 2, code, lines[k + 1].strip()
    if len(lines) % 2:
        raise SVGError(f"the drawing ends in the middle of a pair, at line {len(lines)}")


# --- where it lies -------------------------------------------------------------------------------
def _placed(drawn: list[Entity], blocks: dict[str, list[Entity]]) -> Iterator[tuple[Entity, Array]]:
    """Every entity with its transform, those of blocks wherever they are put."""
    stack = [(entity, np.eye(3), 0) for entity in reversed(drawn)]
    count = 0
    while stack:
        entity, M, depth = stack.pop()
        count += 1
        if depth > DEEPEST or count > MOST_PIECES:
            raise SVGError(f"{entity}: blocks hold too many blocks; explode them, or simplify the drawing")
        if entity.kind != "INSERT":
            yield entity, M @ _mirrored(entity)
            continue
        inside = blocks.get(entity.text(2))
        if inside is None:
            raise SVGError(f"{entity}: there is no block {entity.text(2)[:40]!r}")
        base = inside[0]
        turn, place = math.radians(entity.number(50)), (entity.number(10), entity.number(20))
        scale = np.diag([entity.number(41, 1.0), entity.number(42, 1.0), 1.0])
        shift = _shift(-base.number(10), -base.number(20))
        N = M @ _mirrored(entity) @ _shift(*place) @ _turn(turn) @ scale @ shift
        stack += [(one, N, depth + 1) for one in reversed(inside[1:])]


def _shift(x: float, y: float) -> Array:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _turn(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _mirrored(entity: Entity) -> Array:
    """Entities that look downwards are drawn from behind; LINE and ELLIPSE lie where they say."""
    behind = entity.number(230, 1.0) < 0 and entity.kind not in ("LINE", "ELLIPSE", "SPLINE")
    return np.diag([-1.0, 1.0, 1.0]) if behind else np.eye(3)
