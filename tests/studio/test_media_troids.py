"""Troids from files over the socket: drawings become sheets, meshes become solids; bad files are refused and
nothing changes."""

from __future__ import annotations

import itertools
import json
import struct

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tests.studio.test_media import plane, upload
from tests.studio.test_script import same
from tinkerdyne.studio.media import troids

DRAWING = (
    '<svg viewBox="0 0 300 200"><rect x="30" y="20" width="100" height="60"/><circle cx="220" cy="120" '
    'r="40"/>'
    '<path d="M 10 150 L 100 150"/></svg>'
)
CORNERS = np.array(list(itertools.product((0, 20), (0, 30), (10, 50))))  # of a box, in millimetres
SIDES = [
    (0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5),
    (2, 3, 7), (2, 7, 6), (0, 6, 4), (0, 2, 6), (1, 5, 7), (1, 7, 3),
]  # fmt: skip


@pytest.fixture
def shown(show):
    return show(plane(), title="troids")


@pytest.fixture
def page(shown):
    found = Page(shown._server)
    yield found
    found.close()


def obj(faces=SIDES, corners=CORNERS) -> bytes:
    lines = [*(f"v {x} {y} {z}" for x, y, z in corners), *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces)]
    return "\n".join(lines).encode()


def stl() -> bytes:
    """The same box as triangles of float32."""
    out = b"\0" * 80 + struct.pack("<I", len(SIDES))
    for face in SIDES:
        out += struct.pack("<12fH", 0, 0, 0, *CORNERS[list(face)].ravel().tolist(), 0)
    return out


def test_closed_outlines_of_a_drawing_become_elastic_sheets_as_one_step(page, shown):
    world = shown.world
    made = page.ask("load", what="sheets", files=[upload(page, "house.svg", DRAWING.encode())])
    assert len(made) == 2 and [world[f"{name} elastic"].type.name for name in made] == ["elastic", "elastic"]
    box, ring = (world[name] for name in made)  # the open line is no sheet; 300 units are three metres
    assert box.mass == pytest.approx(1.0 * 0.6) and ring.mass == pytest.approx(np.pi * 0.4**2, rel=2e-3)
    assert np.subtract(ring.position, box.position) == pytest.approx((1.4, -0.7), abs=1e-6)
    assert page.item(made[0])["shape"]["kind"] == "affine"
    again = page.ask("load", what="sheets", files=[upload(page, "house.svg", DRAWING.encode())])
    assert not set(again) & set(made)
    page.ask("undo")
    page.ask("undo")
    assert not world.items


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (DRAWING.encode()[:60], "the drawing 'bad.svg': this is no XML"),
        (b'<svg viewBox="0 0 9 9"><path d="M 0 0 L 5 5"/></svg>', "no closed outline"),
        (b'<svg viewBox="0 0 9 9"><path d="M 0 0 L nan 5 Z"/></svg>', "a number was wanted"),
        (b'<svg viewBox="0 0 1.2.3 9"><path d="M0 0 L 2 2 L 2 0 L 0 2 Z"/></svg>', "crosses itself"),
        (b"<svg>" + b'<circle cx="1" cy="1" r="1"/>' * (troids.MOST_SHEETS + 1) + b"</svg>", "at most"),
        (bytes(range(256)), "the drawing 'bad.svg'"),
    ],
)
def test_a_bad_drawing_makes_no_sheet(data, words, page, shown):
    assert words in page.refused("load", what="sheets", files=[upload(page, "bad.svg", data)])
    assert not shown.world.items and not page.latest["Model"]["can_undo"]


@pytest.mark.parametrize(("name", "data"), [("box.obj", obj()), ("BOX.STL", stl())])
def test_a_mesh_becomes_an_elastic_solid_with_the_mass_of_its_inside(name, data, show):
    shown = show(td.World(), title="solid")
    page = Page(shown._server)
    [made] = page.ask("load", what="mesh", files=[upload(page, name, data)])
    body = shown.world[made]
    # Forty millimetres high, which no world has: a metre now, on the ground. Of a box the second moment is m
    # a²/12.
    assert np.allclose(body.position, (0, 0, 0.5), atol=1e-6)
    assert np.allclose(np.reshape(body.second_moment, (3, 3)), np.diag((0.25, 0.5625, 1.0)) / 12, atol=1e-6)
    assert (
        shown.world[f"{made} elastic"].type.name == "elastic" and len(page.item(made)["shape"]["faces"]) == 36
    )
    page.ask("play", is_playing=False)
    before = same(shown.world.to_json())
    page.ask("save", path="solid")
    page.ask("new", dimension=3)
    page.ask("open", path="solid.json")
    assert same(shown._session.world.to_json()) == before
    page.ask("new", dimension=3)
    page.ask("load", what="mesh", files=[upload(page, name, data)])
    page.ask("undo")
    assert made not in shown._session.world
    page.close()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("bad.obj", obj(SIDES[:-1]), "the mesh 'bad.obj': a new block is not closed"),
        (
            "bad.obj",
            obj([(b, a, c) if k == 3 else (a, b, c) for k, (a, b, c) in enumerate(SIDES)]),
            "turned against each other",
        ),
        ("flat.obj", obj(corners=CORNERS * (1, 1, 0)), "the mesh 'flat.obj'"),
        ("nan.obj", obj(corners=[*CORNERS[:-1].tolist(), ("nan", 0, 0)]), "'nan.obj'"),
        ("none.off", b"OFF\n0 0 0\n", "'none.off'"),
        ("cut.stl", stl()[:-30], "'cut.stl'"),
        ("noise.ply", bytes(range(256)) * 4, "'noise.ply'"),
        ("mesh.exe", obj(), "its name must end with .stl"),
    ],
)
def test_a_bad_mesh_makes_no_solid(name, data, words, page, shown):
    refusal = page.refused("load", what="mesh", files=[upload(page, name, data)])
    assert words in refusal and "/tmp" not in refusal
    assert not shown.world.items and not page.latest["Model"]["can_undo"]


def test_a_mesh_of_too_many_faces_is_refused(page, shown, monkeypatch):
    monkeypatch.setattr(troids, "MOST_FACES", 11)
    assert "has 12 faces; at most 11" in page.refused(
        "load", what="mesh", files=[upload(page, "box.obj", obj())]
    )
    assert "was not brought" in page.refused("load", what="mesh", files=["box.obj"])
    assert json.dumps(shown.world.to_json()) and not shown.world.items
