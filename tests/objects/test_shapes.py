"""The shapes: closed forms against the integrals of their own fine surfaces, and their named points (R1)."""

import math

import numpy as np
import pytest
import trimesh

import tinkerdyne as td
from tinkerdyne.objects.compound import Compound
from tinkerdyne.objects.mesh import solid_of
from tinkerdyne.objects.planar_shapes import Disc, PlanarRod, Plate, Polygon
from tinkerdyne.objects.shapes import (
    Box,
    Capsule,
    Card,
    Cone,
    Cylinder,
    Mesh,
    Sphere,
    Torus,
    outline,
    surface,
)

PI = math.pi
# Textbook values of volume and of the moments of one kilogram, written down apart from the code.
ROUND = {
    "sphere": (Sphere, {"radius": 0.3}, 4 / 3 * PI * 0.027, (0.036, 0.036, 0.036)),
    "torus": (Torus, {"radius": 0.7, "thickness": 0.2}, 2 * PI**2 * 0.7 * 0.04, (0.27, 0.27, 0.52)),
    "cylinder": (Cylinder, {"radius": 0.4, "length": 1.2}, PI * 0.16 * 1.2, (0.08, 0.16, 0.16)),
    "rod": (td.Rod, {"radius": 0.1, "length": 1.2}, PI * 0.01 * 1.2, (0.005, 0.1225, 0.1225)),
    "cone": (Cone, {"radius": 0.4, "height": 0.8}, PI * 0.16 * 0.8 / 3, (0.048, 0.048, 0.048)),
    "capsule": (
        Capsule,
        {"radius": 0.3, "length": 0.4},
        PI * 0.09 * 0.4 + 4 / 3 * PI * 0.027,
        (0.0405, 0.941 / 12, 0.941 / 12),  # half its volume is in the tube, half in the ends
    ),
}
SQUARE = {
    "box": (Box, {"size": (1.0, 2.0, 3.0)}, 6.0, (13 / 12, 10 / 12, 5 / 12)),
    "card": (
        Card,
        {"width": 0.6, "height": 0.9, "thickness": 0.002},
        0.00108,
        (0.81000400 / 12, 0.36000400 / 12, 1.17 / 12),
    ),
}
SPATIAL = {**ROUND, **SQUARE}
PLANAR = {
    "disc": (Disc, {"radius": 0.4}, PI * 0.16, 0.08),
    "plate": (Plate, {"size": (3.0, 4.0)}, 12.0, 25 / 12),
    "planar_rod": (PlanarRod, {"length": 1.2, "width": 0.5}, 0.6, 1.69 / 12),
    # of a right triangle: (a² + b²)/18
    "polygon": (Polygon, {"vertices": ((1, 1), (4, 1), (1, 5))}, 6.0, 25 / 18),
}


@pytest.mark.mission("R1")
@pytest.mark.parametrize("name", SPATIAL)
def test_mass_properties_are_the_textbooks(name):
    make, sizes, volume, moments = SPATIAL[name]
    body = make("body", density=7.0, **sizes)
    assert body.volume == pytest.approx(volume, rel=1e-14)
    assert body.mass == pytest.approx(7.0 * volume, rel=1e-14)
    np.testing.assert_allclose(
        np.reshape(body.inertia, (3, 3)), 7.0 * volume * np.diag(moments), rtol=1e-13, atol=0
    )


@pytest.mark.parametrize("name", PLANAR)
def test_planar_mass_properties_are_the_textbooks(name):
    make, sizes, area, moment = PLANAR[name]
    body = make("body", density=7.0, **sizes)
    assert (body.volume, body.mass) == pytest.approx((area, 7.0 * area), rel=1e-14)
    assert body.inertia == pytest.approx(7.0 * area * moment, rel=1e-13)


@pytest.mark.parametrize("name", ROUND)
def test_surfaces_of_round_shapes_converge_to_their_closed_forms(name):
    """A polygon in a circle lacks area in proportion to 1/n²: twice the segments leave a quarter of the
    error."""
    make, sizes, volume, moments = ROUND[name]
    body = make("body", **sizes)
    errors = []
    for n in (48, 96, 192):
        solid = solid_of(*surface(body, segments=n))
        np.testing.assert_allclose(solid.centre, 0, atol=1e-3 / n if name == "cone" else 1e-14)
        inertia = np.reshape(solid.inertia, (3, 3))
        np.testing.assert_allclose(inertia - np.diag(np.diag(inertia)), 0, atol=1e-14)
        errors.append([solid.volume / volume - 1, *(np.diag(inertia) / moments - 1)])
    errors = np.array(errors)
    assert (abs(errors[-1]) < 1e-3).all() and (errors[-1] < 0).all()
    np.testing.assert_allclose(errors[:-1] / errors[1:], 4, rtol=0.01)


@pytest.mark.parametrize("name", SQUARE)
def test_surfaces_of_square_shapes_have_their_closed_forms(name):
    make, sizes, volume, moments = SQUARE[name]
    solid = solid_of(*surface(make("body", **sizes)))
    assert solid.volume == pytest.approx(volume, rel=1e-13)
    np.testing.assert_allclose(np.reshape(solid.inertia, (3, 3)), np.diag(moments), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", [*SPATIAL, "mesh", "compound", "particle", "rigid_body"])
def test_every_surface_is_watertight_and_looks_outwards(name):
    makers = {"mesh": Mesh, "compound": Compound, "particle": td.Particle, "rigid_body": td.RigidBody}
    vertices, faces = surface(
        makers[name]("body") if name in makers else SPATIAL[name][0]("body", **SPATIAL[name][1])
    )
    other = trimesh.Trimesh(vertices, faces, process=False)
    assert other.is_watertight and other.is_winding_consistent and other.volume > 0
    assert len(np.unique(vertices.round(12), axis=0)) == len(vertices) == len(np.unique(faces))
    assert other.area_faces.min() > 0


@pytest.mark.parametrize("name", PLANAR)
def test_outlines_enclose_the_area_about_their_centre(name):
    make, sizes, area, _ = PLANAR[name]
    x = outline(make("body", **sizes), segments=400)
    y = np.roll(x, -1, axis=0)
    d = x[:, 0] * y[:, 1] - x[:, 1] * y[:, 0]
    assert d.sum() / 2 == pytest.approx(area, rel=1e-4)  # 1 − sin(τ/n)/(τ/n) = 4e-5 for 400 segments
    np.testing.assert_allclose(d @ (x + y), 0, atol=1e-12)


def test_a_body_known_by_its_inertia_alone_is_drawn_as_its_equal():
    tensor = np.array([[1.1, 0.1, -0.2], [0.1, 1.6, 0.15], [-0.2, 0.15, 2.0]])
    body = td.RigidBody("body", mass=2.5, inertia=tuple(tensor.ravel()))
    solid = solid_of(*surface(body))
    np.testing.assert_allclose(2.5 * np.reshape(solid.inertia, (3, 3)), tensor, rtol=1e-12, atol=1e-13)
    flat = td.PlanarBody("flat", mass=2.0, inertia=3.0)
    np.testing.assert_allclose(np.linalg.norm(outline(flat), axis=1), math.sqrt(3.0), rtol=1e-14)


# --- named points -------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [n for n in SPATIAL if n != "torus"])
def test_named_points_lie_on_the_surface_or_within(name):
    make, sizes, *_ = SPATIAL[name]
    body = make("body", **sizes)
    vertices, faces = surface(body, segments=48)
    normals = np.cross(
        vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]]
    )
    heights = np.einsum("ij,ij->i", normals / np.linalg.norm(normals, axis=1)[:, None], vertices[faces[:, 0]])
    units = normals / np.linalg.norm(normals, axis=1)[:, None]
    places = make.places(body.values)
    assert places["centre"] == (0.0, 0.0, 0.0)
    # these are convex: a point within is behind all faces, one on the surface touches one
    for at in places.values():
        assert (units @ at - heights).max() < 2e-3
    extremes = {"end1", "end2", "apex", "base", "left", "right", "top", "bottom"} & set(places)
    for end in extremes - ({"left", "right", "top", "bottom"} if name == "card" else set()):
        assert (units @ places[end] - heights).max() == pytest.approx(0, abs=2e-3), end


def test_points_are_called_by_where_they_are():
    box = Box("box", size=(1.0, 2.0, 3.0))
    names = Box.places(box.values)
    assert len(names) == 15
    for name, (x, y, z) in names.items():
        words = {"left": x < 0, "right": x > 0, "front": y < 0, "back": y > 0, "bottom": z < 0, "top": z > 0}
        assert {word for word, wanted in words.items() if wanted} == set(name.split("_")) - {"centre"}
    assert box.right_front_top.at == (0.5, -1.0, 1.5)
    assert Card("card", width=2.0, height=4.0).top_left.at == (-1.0, 2.0, 0.0)
    assert len(Card.places({"width": 1.0, "height": 1.0})) == 9
    assert Torus("ring", radius=1.0, thickness=0.25).back.at == (0.0, 1.25, 0.0)
    assert Capsule("pill", radius=0.25, length=1.0).end2.at == (0.75, 0.0, 0.0)
    cone = Cone("cone", height=4.0)
    assert (cone.base.at, cone.apex.at) == ((-1.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    assert Disc("disc", radius=2.0).top.at == (0.0, 2.0)
    assert Plate("plate", size=(2.0, 4.0)).bottom_right.at == (1.0, -2.0)
    assert PlanarRod("bar", length=3.0).end1.at == (-1.5, 0.0)


def test_a_named_point_follows_the_size_of_its_running_body():
    world = td.World()
    box = world.add(Box("box", position=(1.0, 0.0, 0.0)))
    world.add(td.nail(box.right, at=(1.5, 0.0, 0.0)))
    box.size = (3.0, 1.0, 1.0)
    assert box.right.at == (1.5, 0.0, 0.0)
    assert world.undo() and box.right.at == (0.5, 0.0, 0.0)


def test_a_triangle_hangs_from_its_corner_in_the_plane():
    """Physical pendulum: small swings have ω² = m g h / (I + m h²)."""
    world = td.World()
    plate = world.add(Polygon("plate", vertices=((0, 0), (0.6, -1.2), (-0.6, -1.2)), position=(0, -0.8)))
    assert plate.offset == pytest.approx((0.0, -0.8))
    world.add(td.connect(plate.corner1, td.Nail(0, 0)), td.gravity())
    h, I = 0.8, plate.inertia
    plate.angle, plate.position = 1e-3, (0.8 * math.sin(1e-3), -0.8 * math.cos(1e-3))
    period = 2 * PI * math.sqrt((I + h**2) / (9.81 * h))
    world.run(seconds=period / 4)
    assert abs(plate.angle) < 2e-6  # the stepper's own error at its usual step, of 1e-3 rad
    world.run(seconds=period / 4)
    assert plate.angle == pytest.approx(-1e-3, rel=1e-3)


# --- motion -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "make",
    [
        lambda **s: Sphere("body", density=900.0, **s),
        lambda **s: Torus("body", mass=2.0, **s),
        lambda **s: Box("body", size=(0.3, 0.6, 1.1), density=500.0, **s),
        lambda **s: Mesh("body", density=500.0, **s),
        lambda **s: Compound("body", **s),
    ],
    ids=["sphere", "torus", "box", "mesh", "compound"],
)
def test_a_body_that_spins_freely_keeps_its_angular_momentum_and_energy(make):
    world = td.World()
    body = world.add(make(spin=(1.0, 5.0, 0.5)))
    I = np.reshape(body.inertia, (3, 3))

    def momentum():
        w, *u = body.orientation
        spun = I @ body.spin
        return spun + 2 * np.cross(u, np.cross(u, spun) + w * spun)

    before, energy = momentum(), body.spin @ I @ body.spin
    world.run(seconds=1.0)
    assert np.linalg.norm(momentum() - before) < 1e-11 * np.linalg.norm(before)
    assert body.spin @ I @ body.spin == pytest.approx(energy, rel=1e-2)  # splitting: order 2, but no drift
    assert abs(np.array(body.orientation[1:])).max() > 0.1


# --- refusals -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("make", "options", "says"),
    [
        (Sphere, {"radius": 0}, "radius of sphere 'x' must be positive, not 0"),
        (Sphere, {"radius": math.nan}, "radius of sphere 'x' must be a number, not NaN"),
        (Sphere, {"radius": "1"}, "radius of sphere 'x' must be a number"),
        (Sphere, {"colour": 1}, "sphere 'x' has no colour; it has mass, radius"),
        (Sphere, {"radius": 1e-40, "density": 1e-250}, "sphere 'x' has mass 0 kg .* choose another size"),
        (Sphere, {"radius": 1e200}, r"radius of sphere 'x' must lie between 1e-50 and 1e\+50 m, not 1e\+200"),
        (
            Torus,
            {"radius": 0.1, "thickness": 0.1},
            "thickness of torus 'x' is 0.1 m; it must be less than its radius, 0.1 m",
        ),
        (Box, {"size": (1, 2)}, "size of box 'x' must have 3 numbers, not 2"),
        (Box, {"size": (1, 2, 0)}, r"size of box 'x' must be positive numbers .*, not \(1.0, 2.0, 0.0\)"),
        (Card, {"thickness": 0.0}, "thickness of card 'x' must be positive"),
        (Polygon, {"vertices": ((0, 0), (1, 1))}, "polygon 'x' has 2 vertices; a polygon has at least three"),
        (Polygon, {"vertices": ((0, 0), (1, 1), (2, 2))}, "polygon 'x' encloses no area"),
        (
            Polygon,
            {"vertices": ((0, 0), (1, 1), (1, 0), (0, 1))},
            "polygon 'x' crosses itself: side 0 .* meets side 2",
        ),
        (
            Polygon,
            {"vertices": ((0, 0), (1, 1), (1, math.inf))},
            "vertices of polygon 'x' must be finite .*; vertex 2 is",
        ),
    ],
)
def test_bad_sizes_are_refused_in_words(make, options, says):
    with pytest.raises((ValueError, TypeError), match=says):
        make("x", **options)


def test_a_refused_size_leaves_a_running_body_as_it_was():
    world = td.World()
    ring = world.add(Torus("ring"))
    with pytest.raises(ValueError, match=r"thickness of torus 'ring' is 0\.6 m"):
        ring.thickness = 0.6
    assert ring.thickness == 0.1 and ring.mass == 1.0
    world.step(0.01)


def test_pictures_of_what_has_none_are_refused():
    with pytest.raises(TypeError, match="disc 'd' has no surface in space; it has an outline"):
        surface(Disc("d"))
    with pytest.raises(TypeError, match="sphere 's' has no outline in the plane; it has a surface"):
        outline(Sphere("s"))
    with pytest.raises(TypeError, match="gravity 'g' is no body"):
        surface(td.gravity(name="g"))
    with pytest.raises(ValueError, match="segments, at least 4, not 3"):
        surface(Sphere("s"), segments=3)
    for make, item in ((surface, Sphere("s")), (outline, Disc("d")), (td.polyline, td.Circle("c"))):
        with pytest.raises(ValueError, match=r"at most (1|10),000 segments, not 1,000,000,000"):
            make(item, segments=10**9)
