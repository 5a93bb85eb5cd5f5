"""CAD drawings in: entities against their definitions, units, blocks, and what is refused."""

import math

import numpy as np
import pytest

from tinkerdyne.svg import SVGError, curves_from_dxf, sheets_from_dxf


def dxf(*entities, header="", blocks=""):
    """A drawing of entities, each written as its pairs."""
    head = f"0\nSECTION\n2\nHEADER\n{header}0\nENDSEC\n"
    inside = f"0\nSECTION\n2\nBLOCKS\n{blocks}0\nENDSEC\n" if blocks else ""
    return head + inside + "0\nSECTION\n2\nENTITIES\n" + "".join(map(pairs, entities)) + "0\nENDSEC\n0\nEOF\n"


def pairs(words):
    """ "LINE 10=0 20=1" as a file says it."""
    kind, *rest = words.split()
    return f"0\n{kind}\n" + "".join("{}\n{}\n".format(*word.split("=")) for word in rest)


SQUARE = "LWPOLYLINE 90=4 70=1 10=0 20=0 10=2 20=0 10=2 20=1 10=0 20=1"


def area(text, **options):
    (sheet,) = sheets_from_dxf(text, density=1.0, **options)
    return sheet.mass


def test_a_closed_polyline_is_a_sheet_in_millimetres():
    assert area(dxf(SQUARE)) == pytest.approx(2e-6)
    (sheet,) = sheets_from_dxf(dxf(SQUARE), unit=1.0)
    assert sheet.position == pytest.approx((1.0, 0.5))


@pytest.mark.parametrize(("code", "metres"), [(1, 0.0254), (4, 1e-3), (5, 0.01), (6, 1.0), (0, 1e-3)])
def test_units_are_those_that_the_drawing_says(code, metres):
    assert area(dxf(SQUARE, header=f"9\n$INSUNITS\n70\n{code}\n")) == pytest.approx(2 * metres**2)


ROUND = [
    ("CIRCLE 10=3 20=1 40=2", math.pi * 4),
    ("ELLIPSE 10=0 20=0 11=2 21=0 40=0.5 41=0 42=6.283185307179586", math.pi * 2),
    ("LWPOLYLINE 90=2 70=1 10=-1 20=0 42=1 10=1 20=0 42=1", math.pi),  # two half circles
    ("LWPOLYLINE 90=2 70=1 10=0 20=0 42=1 10=2 20=0", math.pi / 2),  # a half circle and its chord
    ("LWPOLYLINE 90=2 70=1 10=0 20=0 42=0.41421356237309503 10=1 20=1", math.pi / 4 - 0.5),
]


@pytest.mark.parametrize(("entity", "wanted"), ROUND)
def test_what_is_round_has_its_area(entity, wanted):
    """Cubics are off a circle by 3e-4, polygons of 32 corners a piece by 1e-3."""
    assert area(dxf(entity), unit=1.0) == pytest.approx(wanted, rel=3e-3)


def test_an_old_polyline_has_its_vertices_behind_it():
    old = (
        "POLYLINE 66=1 70=1",
        "VERTEX 10=0 20=0",
        "VERTEX 10=2 20=0",
        "VERTEX 10=2 20=1",
        "VERTEX 10=0 20=1",
        "SEQEND",
    )
    assert area(dxf(*old), unit=1.0) == pytest.approx(2.0)


def test_arcs_and_lines_are_curves():
    arc = "ARC 10=0 20=0 40=2 50=270 51=90"
    items = curves_from_dxf(dxf(arc, "LINE 10=0 20=2 11=0 21=-2"), unit=1.0)
    kinds = [item.type.word for item in items if item.type.family == "object"]
    assert kinds == ["Bezier", "Bezier", "Line"]


def test_a_spline_is_the_curve_of_its_control_points():
    knots, places = [0, 0, 0, 0, 1, 2, 2, 2, 2], [(0, 0), (1, 2), (3, 2), (4, 0), (2, -1)]
    words = [*(f"40={knot}" for knot in knots), *(f"10={x} 20={y}" for x, y in places)]
    mass = area(dxf(f"SPLINE 70=1 71=3 {' '.join(words)}"), unit=1.0)
    from scipy.interpolate import BSpline

    curve = BSpline(knots, places, 3)
    x, y = curve(np.linspace(0, 2, 4001)).T
    wanted = abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2
    assert mass == pytest.approx(wanted, rel=3e-3)


def test_blocks_are_drawn_where_they_are_put():
    block = "0\nBLOCK\n2\npart\n10\n1\n20\n0\n" + pairs(SQUARE) + "0\nENDBLK\n"
    text = dxf("INSERT 2=part 10=10 20=5 41=3 42=1 50=90", blocks=block)
    (sheet,) = sheets_from_dxf(text, unit=1.0)
    assert sheet.mass == pytest.approx(6.0)
    assert sheet.position == pytest.approx((9.5, 5.0))  # about its base, stretched, turned, put


def test_what_is_not_read_is_told_with_its_line():
    with pytest.warns(UserWarning, match=r"MTEXT \(line 6\)"):
        curves_from_dxf(dxf("MTEXT 10=0", SQUARE).replace("HEADER\n0\nENDSEC\n0\nSECTION\n2\n", ""))


ENDLESS = "0\nBLOCK\n2\na\n" + pairs("INSERT 2=a") + "0\nENDBLK\n"
WRONG = [
    ("", "no section"),
    ("hello\nworld\n", "line 1"),
    (dxf("CIRCLE 10=x 20=0 40=1"), "line 12: CIRCLE: 'x' is no number"),
    (dxf("CIRCLE 10=0 20=0 40=-1"), "radius"),
    (dxf("INSERT 2=none"), "no block 'none'"),
    (
        dxf("INSERT 2=a", blocks="0\nBLOCK\n2\na\n" + pairs("INSERT 2=a") + "0\nENDBLK\n"),
        "blocks hold too many",
    ),
    (dxf("LWPOLYLINE 90=0"), "0 vertices"),
    (b"AutoCAD Binary DXF\r\n\x1a\0", "binary"),
    (dxf(SQUARE) + "0\n", "middle of a pair"),
]


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_broken_drawings_say_where(text, says):
    with pytest.raises(SVGError, match=says):
        curves_from_dxf(text)
