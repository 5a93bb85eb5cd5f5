"""Drawings in and out: paths against their definitions, transforms, a way there and back, and what is
refused."""

import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.objects.curves import Circle, Ellipse, Rectangle, Spiral, polyline
from tinkerdyne.objects.splines import Bezier, BSpline, Line
from tinkerdyne.svg import SVGError, curves_from_svg, reading, save_svg, sheets_from_svg, svg_of
from tinkerdyne.svg.paths import path, transform


def read(inside, **options):
    return curves_from_svg(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>', unit=1.0, **options)


def curves(items):
    return [item for item in items if item.type.family == "object"]


def test_every_command_of_a_path():
    (pieces, closed), (second, open_) = path(
        "d", "m1 2 3 0 L5,3 h1v-1 H4 V0 c1 1 2 1 3 0 s2-1 3 0 q1 1 2 0 t2 0 Z M0 0 1 1"
    )
    assert closed and not open_ and np.array_equal(second[0], [[0, 0], [1, 1]])
    ends = [(1, 2), (4, 2), (5, 3), (6, 3), (6, 2), (4, 2), (4, 0), (7, 0), (10, 0), (12, 0), (14, 0), (1, 2)]
    assert [tuple(p[0]) for p in pieces] == ends[:-1] and tuple(pieces[-1][-1]) == ends[-1]
    assert [len(p) for p in pieces] == [2, 2, 2, 2, 2, 2, 4, 4, 3, 3, 2]
    assert tuple(pieces[7][1]) == (8, -1)  # S mirrors the handle before it, (6, 1) about (7, 0)
    assert tuple(pieces[9][1]) == (13, -1)  # and T that of (11, 1) about (12, 0)


@pytest.mark.parametrize(("large", "sweep"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_arcs_lie_on_their_ellipse_and_turn_as_asked(large, sweep):
    ((pieces, _),) = path("d", f"M1 0 A 2 1 0 {large}{sweep}-1 .5")
    u = np.linspace(0, 1, 9)[:, None]
    places = np.concatenate(
        [
            (1 - u) ** 3 * p[0] + 3 * u * (1 - u) ** 2 * p[1] + 3 * u * u * (1 - u) * p[2] + u**3 * p[3]
            for p in pieces
        ]
    )
    # Both ellipses through two points have their centres on one line: that of the places is found by least
    # squares.
    A = np.column_stack([places[:, 0] / 2, 2 * places[:, 1], np.ones(len(places))])
    (cx, cy, rest), *_ = np.linalg.lstsq(A, places[:, 0] ** 2 / 4 + places[:, 1] ** 2, rcond=None)
    # cubic quarters err by 3e-4
    np.testing.assert_allclose(((places - (cx, cy)) / (2, 1)) ** 2 @ (1, 1), 1.0, atol=6e-4)
    assert rest == pytest.approx(1 - cx**2 / 4 - cy**2, abs=2e-3)
    angle = np.unwrap(np.arctan2(places[:, 1] - cy, (places[:, 0] - cx) / 2))
    assert (abs(angle[-1] - angle[0]) > math.pi) == bool(large) and (angle[-1] > angle[0]) == bool(sweep)


def test_transforms_compose_from_the_left():
    places = {
        "translate(10 20) rotate(90) scale(2,3) skewX(45)": ((1, 1), (7, 24)),
        "rotate(180 1 2)": ((0, 0), (2, 4)),
        "matrix(1 2 3 4 5 6)": ((1, 1), (9, 12)),
        "skewY(45)": ((1, 1), (1, 2)),
        "scale(3)": ((1, 2), (3, 6)),
        "": ((1, 2), (1, 2)),
    }
    for text, (place, wanted) in places.items():
        np.testing.assert_allclose(transform("g", text) @ (*place, 1), (*wanted, 1), atol=1e-12, err_msg=text)


def test_shapes_become_curves_with_y_up():
    items = read(
        '<g transform="translate(1 2)"><circle cx="1" cy="1" r="3"/><ellipse rx="2" ry="1" '
        'transform="rotate(90)"/>'
        '<rect width="4" height="2"/><polygon points="0,0 1,0 0,1"/><line x2="1" y2="1"/></g><defs><circle '
        'r="9"/></defs>'
    )
    kinds = [item.type.name for item in curves(items)]
    assert kinds == ["circle", "ellipse", *["line"] * 4, *["line"] * 3, "line"]
    circle, ellipse = items[:2]
    assert circle.position == pytest.approx((2.0, -3.0)) and circle.radius == pytest.approx(3.0)
    assert ellipse.radii == pytest.approx((2.0, 1.0)) and abs(math.sin(ellipse.angle)) == pytest.approx(1.0)


def test_a_sheared_circle_is_the_right_ellipse():
    (it,) = read('<circle r="2" transform="skewX(40) scale(1 0.5)"/>')
    M = transform("it", "skewX(40) scale(1 0.5)")[:2, :2] * 2
    world = td.World(order=1)
    world.add(it)
    flipped = polyline(it) * (1, -1)
    np.testing.assert_allclose(np.linalg.norm(np.linalg.solve(M, flipped.T), axis=0), 1.0, rtol=1e-12)


def test_a_path_comes_in_one_piece_and_can_be_pulled():
    world = td.World(order=1, max_step=1 / 120)
    items = read('<path d="M0 0 C1 0 2 1 2 2 L0 2 Z"/>')
    world.add(*items)
    assert world.gap == 0.0
    first = curves(items)[0]
    world.grab(td.curve_point(first, u=0.5)).move(3.0, -1.0)
    world.run(1.0)
    assert world.gap < 1e-7
    ends = [np.array(c.points) for c in curves(items)]
    for a, b in zip(ends, ends[1:] + ends[:1], strict=True):
        np.testing.assert_allclose(a[-1], b[0], atol=1e-7)


def test_a_world_goes_out_and_comes_back(tmp_path):
    world = td.World(order=1)
    spiral = world.add(Spiral("spiral", position=(4.0, 0.0)))
    world.add(
        Circle("circle", position=(1.0, 2.0), radius=0.5),
        Ellipse("ellipse", radii=(2.0, 1.0), angle=0.4),
        Line("line & <more>", points=((0, 0), (3, 1))),
        Bezier("cubic"),
        Bezier("square", points=((0, 0), (1, 1), (2, 0))),
        BSpline("ring", points=((0, 0), (1, 0), (1, 1), (0, 1), (-1, 0.5)), is_closed=True),
        Rectangle("box", size=(1.0, 0.5), angle=0.3),
        td.PlanarRod("rod", position=(-2.0, 0.0), angle=0.5),
        td.Particle("mote", position=(0.0, -1.0)),
        td.Variable("number"),
    )
    save_svg(world, tmp_path / "world.svg", unit=0.02)
    back = curves_from_svg(tmp_path / "world.svg", unit=0.02)
    found = curves(back)
    counts = {kind: sum(item.type.name == kind for item in found) for kind in ("circle", "ellipse", "bezier")}
    assert counts == {"circle": 1, "ellipse": 1, "bezier": 1 + 1 + 5}
    circle = next(item for item in found if item.type.name == "circle")
    assert circle.position == pytest.approx((1.0, 2.0), abs=1e-6) and circle.radius == pytest.approx(
        0.5, abs=1e-6
    )
    ring = [item for item in found if item.type.name == "bezier"][2:]
    fresh = td.World(order=1)
    fresh.add(*back)
    for k, piece in enumerate(ring):
        middle = td.curve_point(piece, u=0.5).value
        assert middle == pytest.approx(td.curve_point(world["ring"], u=k + 0.5).value, abs=1e-5)
    lines = [np.array(item.points) for item in found if item.type.name == "line"]
    assert any(np.allclose(p, polyline(spiral)[:2], atol=1e-5) for p in lines)


def kinds_of(items):
    return sorted(item.type.name for item in items)


def joints(items):
    """Which pieces are attached, by their numbers, and where."""
    order = {item: k for k, item in enumerate(curves(items))}
    return [[(order[p.inputs[0]], p.u) for p in item.inputs] for item in items if item.type.name == "connect"]


@pytest.mark.parametrize(
    "d",
    [
        "M0 0H3V2H0Z",
        "M0 0C300 400-300 400 0 0Z",
        "M0 0L3 0Q5 1 3 3C2 4 1 4 0 0Z",
        "M0 0L3 0Q5 1 3 3C2 4 1 4 0 1",
        "M0 0L3 0L3 3Z M10 0L13 0L13 3",
    ],
)
def test_outlines_go_out_and_come_back_as_they_are_attached(d):
    world = td.World(order=1)
    items = read(f'<path d="{d}"/>')
    world.add(*items)
    again = curves_from_svg(svg_of(world))
    assert kinds_of(again) == kinds_of(items)
    for a, b in zip(curves(items), curves(again), strict=True):
        np.testing.assert_allclose(b.points, a.points, rtol=1e-12, atol=1e-12)
    fresh = td.World(order=1)
    fresh.add(*again)
    assert fresh.gap < 1e-12
    assert joints(again) == joints(items)


def test_pieces_attached_by_hand_in_any_direction_are_one_closed_outline():
    world = td.World(order=1)
    a, b, c = world.add(
        Line("a", points=((0, 0), (1, 0))),
        Line("b", points=((0, 1), (1, 0))),
        Bezier("c", points=((0, 0), (-1, 0.5), (0, 1))),
    )
    for (p, u), (q, w) in (((a, 1.0), (b, 1.0)), ((b, 0.0), (c, 1.0)), ((c, 0.0), (a, 0.0))):
        world.add(td.connect(td.curve_point(p, u=u), td.curve_point(q, u=w)))
    assert (
        svg_of(world).count("<path") == 1 and kinds_of(curves_from_svg(svg_of(world))).count("connect") == 3
    )
    [sheet] = sheets_from_svg(svg_of(world))
    # The triangle, and the parabola beside it with two thirds of its triangle: ½ + ⅔ · ½ · 1 · ½ · … = ½ + ⅓.
    assert sheet.mass == pytest.approx(1 / 2 + 1 / 3, rel=1e-3)


def test_a_loop_of_one_piece_stays_closed_when_it_is_pulled():
    world = td.World(order=1, max_step=1 / 120)
    items = read('<path d="M0 0C3 4-3 4 0 0Z"/>')
    world.add(*items)
    assert kinds_of(items) == ["bezier", "connect"]
    world.grab(td.curve_point(items[0], u=0.5)).move(1.0, -5.0)
    world.run(1.0)
    np.testing.assert_allclose(items[0].points[0], items[0].points[-1], atol=1e-7)


def test_what_is_not_shown_is_left_out():
    hidden = (
        '<path style="fill:none; display : none" d="M0 0L9 9"/><g style="display:none"><path d="M0 0L9 '
        '9"/></g>'
        '<path visibility="hidden" d="M0 0L9 9"/><path style="visibility:collapse" d="M0 0L9 9"/>'
    )
    (line,) = read(
        f'{hidden}<g visibility="hidden"><line x2="7"/><g style="visibility:visible"><line x2="1"/></g></g>'
    )
    assert line.points[1] == (1.0, 0.0)


def test_copies_by_use_are_followed():
    items = read(
        '<defs><g id="pair"><line x2="1"/><circle r="2"/></g></defs><symbol id="s"><line x2="3"/></symbol>'
        '<use href="#pair" x="10" y="1" transform="scale(2)"/>'
        '<use xmlns:x="http://www.w3.org/1999/xlink" x:href="#s"/>'
    )
    assert [item.type.name for item in items] == ["line", "circle", "line"]
    assert items[0].points == ((20.0, -2.0), (22.0, -2.0)) and items[1].radius == pytest.approx(4.0)
    doubled = "".join(f'<g id="g{k}"><use href="#g{k + 1}"/><use href="#g{k + 1}"/></g>' for k in range(40))
    for inside, words in [
        ('<use id="u" href="#none"/>', "use 'u' copies '#none', which is not in this drawing"),
        ('<use href="other.svg#a"/>', "copies 'other.svg#a'"),
        ('<g id="a"><use href="#a"/></g>', "more than 100 deep"),
        (f'<defs>{doubled}<g id="g40"/></defs><use href="#g0"/>', "copies more than 50,000 elements"),
    ]:
        with pytest.raises(SVGError, match=words):
            read(inside)


def test_numbers_are_written_with_all_their_digits():
    world = td.World(order=1)
    world.add(Circle("far", position=(12345.678901234, 0.1), radius=0.001))
    world.add(Line("line", points=((1e4 / 3, 0), (1e4 / 3 + 1e-5, 1e-7))))
    text = svg_of(world)
    circle, line = curves_from_svg(text)
    assert circle.position == pytest.approx((12345.678901234, 0.1), rel=1e-14)
    assert circle.radius == pytest.approx(0.001, rel=1e-13, abs=0)
    np.testing.assert_allclose(line.points, world["line"].points, rtol=1e-14)
    assert 'rx="0.1"' in text and "e-17" not in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<svg", "no XML at line 1"),
        ("<svg><path d='M0 0 L1 1'></svg>", "no XML at line 1"),
        ("<html/>", "root is <html>"),
        ("<svg/>", "has no path"),
        ("<svg><text>hello</text></svg>", "has no path"),
        ('<svg><path id="p" d="M0 0 L nan 3"/></svg>', "d of path 'p': a number was wanted at 'nan 3'"),
        ('<svg><path d="M0 0 L1e999 0"/></svg>', "farther than"),
        ('<svg><path d="L0 0"/></svg>', "no command"),
        ('<svg><path d="M0 0 X3"/></svg>', "no command"),
        ('<svg><path d="M0 0 L3"/></svg>', "a number was wanted at ''"),
        ('<svg><path d="M0 0 Z 3 3"/></svg>', "a command was wanted"),
        ('<svg><path d="M0 0 A1 1 0 2 0 3 3"/></svg>', "a number was wanted"),
        ('<svg><circle r="-3"/></svg>', "negative radius"),
        ('<svg><circle r="3cm"/></svg>', "units other than px"),
        ('<svg><g transform="spin(3)"><circle r="3"/></g></svg>', "transform of g"),
        ('<svg><g transform="rotate(1 2)"><circle r="3"/></g></svg>', "rotate takes 1 or 3 numbers, not 2"),
        (
            '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg><text>&x;</text></svg>',
            "declares entities",
        ),
        ('<!DOCTYPE s [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>', "declares entities"),
        (b"\xff\xfe<\x00s\x00", "not UTF-8"),
        ("<svg>" + "<g>" * 200 + "</g>" * 200 + "</svg>", "more than 100 deep"),
        ("<svg>" + "<line x2='1'/>" * 5001 + "</svg>", "more than 5,000 pieces"),
        ("<svg>" + " " * 10_000_000 + "</svg>", "10,000,000 bytes"),
    ],
    ids=range(24),
)
def test_what_is_no_drawing_is_refused_in_words(text, words):
    with pytest.raises(SVGError, match=words):
        curves_from_svg(text)


def test_a_world_without_anything_in_the_plane_has_no_drawing():
    world = td.World()
    world.add(td.Rod("rod"))
    with pytest.raises(ValueError, match="lies in the plane"):
        svg_of(world)


# --- sheets ------------------------------------------------------------------------------------------
def test_closed_outlines_become_troids_with_the_mass_of_their_inside():
    rest = '<circle cx="10" cy="0" r="2"/><path d="M0 0L3 1"/><path d="M0 0H3V-3Z"/>'
    text = f'<svg><rect x="1" y="2" width="4" height="2"/>{rest}</svg>'
    box, disk, triangle = sheets_from_svg(text, unit=0.5, density=3.0)
    assert box.position == pytest.approx((1.5, -1.5)) and box.mass == pytest.approx(3.0 * 2.0)
    np.testing.assert_allclose(np.reshape(box.second_moment, (2, 2)), 6.0 * np.diag((4, 1)) / 12, atol=1e-12)
    area = 0.5 * 64 * math.sin(2 * math.pi / 64)  # of a polygon with 64 corners on the unit circle
    assert disk.position == pytest.approx((5, 0), abs=1e-12) and disk.mass == pytest.approx(3.0 * area)
    assert triangle.position == pytest.approx((1.0, 0.5)) and triangle.mass == pytest.approx(3.0 * 1.125)
    world = td.World()
    world.add(box, disk, triangle)
    assert svg_of(world).count("<path") + svg_of(world).count("<polygon") >= 3


def test_a_round_path_is_a_sheet_of_many_corners():
    [drop] = sheets_from_svg('<svg><path d="M0 0C2 0 2 2 0 2C-2 2-2 0 0 0Z"/></svg>', unit=1.0)
    # The right half is x = 6 u (1 − u), y' = 12 u (1 − u): the area is 144 ∫ u² (1 − u)² du = 4.8.
    assert drop.mass == pytest.approx(4.8, rel=2e-3) and drop.mass < 4.8 and len(drop.drawing) == 128


def test_a_drawing_of_open_lines_has_no_sheet():
    with pytest.raises(SVGError, match="no closed outline"):
        sheets_from_svg('<svg><path d="M0 0L3 1L4 4"/></svg>')


@pytest.mark.parametrize(
    "body",
    [
        f'<path d="M0 0{"L1 1L2 2" * 250_000}"/>',
        f'<path d="M0 0 L{"1 1 2 2 " * 250_000}"/>',
        f'<path d="M0 0{"z" * 2_000_000}"/>',
        f'<path d="{"m0 0" * 500_000}"/>',
        f'<polyline points="{"1 1 2 2 " * 250_000}"/>',
        f'<g transform="{"scale(1)" * 250_000}"><path d="M0 0L1 1"/></g>',
        '<path d="M0 0L1 1"/>' * 80_000,
    ],
    ids=lambda body: body[:12],
)
def test_two_megabytes_are_refused_before_anything_is_made_of_them(body, monkeypatch):
    """X9: what is read grows with the text, not with its square, and nothing is made of what is too much."""
    made = []
    monkeypatch.setattr(reading, "_chain", lambda *given: made.append(given) or [])
    with pytest.raises(SVGError, match=r"more than 5,000 pieces|more than 1000 parts"):
        curves_from_svg(f'<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>')
    assert len(made) <= 5_000
