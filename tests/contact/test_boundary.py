"""Every object that has a picture says its boundary, and the picture's corners lie on it."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.contact.oracle import pair
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.objects.boundary import Part
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.shape import Shape

SHAPES = sorted(name for name, kind in REGISTRY.items() if isinstance(kind, Shape))
HERE = (np.zeros(3), np.eye(3))


def on_boundary(parts, places, slack):
    """Each place lies on or in one of the parts, and on none deep: the gap of a point there is zero."""
    point = Part("point", is_planar=parts[0].is_planar)
    for place in places:
        x = np.append(place, np.zeros(3 - len(place)))
        least = min(
            found["gap"].min()
            for part in parts
            if len((found := pair(part, HERE, point, (x, np.eye(3)), margin=10.0))["gap"])
        )
        assert abs(least) < slack, (place, least)


def test_there_are_shapes():
    assert {"sphere", "box", "torus", "mesh", "compound", "disc", "polygon", "rod", "card"} <= set(SHAPES)


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "compound"])
def test_the_picture_of_a_shape_lies_on_its_boundary(name):
    item = REGISTRY[name]()
    drawn = item.type.picture(item, 12)
    places = drawn[0] if isinstance(drawn, tuple) else drawn
    # a torus is round everywhere; all others have corners of their pictures on the surface
    on_boundary(item.type.boundary(item), places[:: max(1, len(places) // 24)], 1e-9)


def test_the_parts_of_a_compound_are_where_its_parts_are():
    head = td.Box(
        size=(0.2, 0.3, 0.4), position=(0.5, 0.1, 0.0), orientation=(np.cos(0.3), 0, np.sin(0.3), 0)
    )
    item = td.Compound(shapes={"handle": td.Rod(), "head": head, "ball": td.Sphere(position=(0, 1, 0))})
    parts = item.type.boundary(item)
    assert [part.core for part in parts] == ["cylinder", "box", "point"]
    places = item.type.places(item.values)
    outer = [places["head_left_front_bottom"], places["head_right_back_top"], places["ball_top"]]
    on_boundary(parts, np.array(outer), 1e-9)


def test_an_object_without_a_shape_has_the_boundary_of_its_picture():
    body = td.RigidBody(mass=2.0, inertia=(0.3, 0.4, 0.5))
    on_boundary(body.type.boundary(body), body.type.picture(body, 8)[0], 1e-9)
    flat = td.PlanarBody(mass=2.0, inertia=0.3)
    on_boundary(flat.type.boundary(flat), flat.type.picture(flat, 8), 1e-9)
    point = td.Particle()
    assert point.type.boundary(point)[0].rounding == 0.0


def test_a_troid_touches_with_what_is_drawn_on_it():
    corners = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0)  # clockwise
    troid = td.Troid(drawing=corners)
    on_boundary(troid.type.boundary(troid), np.reshape(corners, (-1, 2)), 1e-9)
    assert td.Troid().type.boundary(td.Troid()) == ()


def test_what_says_nothing_has_no_boundary():
    silent = td.Variable()
    assert isinstance(silent.type, Maker)
    assert silent.type.boundary(silent) == ()
