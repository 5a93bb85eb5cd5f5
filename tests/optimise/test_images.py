"""Pictures: forces beside finite differences and scipy's own splines, images in and out, and what is refused
(G4)."""

import json

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

import tinkerdyne as td
from tests.laws.zoo import Probe, assert_close
from tinkerdyne.behaviors.images import edge, link, photo, picture, volcano
from tinkerdyne.behaviors.landscape import edges, image_from, image_text

RNG = np.random.default_rng(5)
ROUGH = ndimage.gaussian_filter(RNG.normal(size=(40, 60)), 2)


def landscape(shown):
    return shown.image.landscape(shown.scales)


def test_energy_is_the_spline_of_the_edges_at_every_place():
    world = td.World(order=1)
    shown = world.add(photo(ROUGH, scales=(1.5, 3.0), pixel=0.5, corner=(-3.0, 2.0)))
    p = world.add(td.Particle(position=(0.0, 0.0)))
    behavior = world.add(edge(p, shown, strength=3.0))
    e = landscape(shown).edges.astype(float)
    for place in RNG.uniform((-3, 2), (27, 22), (50, 2)):
        p.position = tuple(place)
        column, up = np.clip((place - (-3.0, 2.0)) / 0.5 - 0.5, 0, (59, 39))
        wanted = ndimage.map_coordinates(e, [[39 - up], [column]], order=3, mode="mirror")[0]
        assert behavior.energy == pytest.approx(-3 * wanted, abs=1e-9)


def test_rows_go_down_while_y_goes_up():
    image = np.zeros((20, 30))
    image[:5] = 1.0  # the upper rows are bright: an edge between rows 4 and 5
    e = edges(image.astype(np.float32), (1.0,))
    world = td.World(order=1)
    shown = world.add(photo(image, scales=(1.0,)))
    p = world.add(td.Particle(position=(15.0, 14.0)))
    world.add(edge(p, shown, strength=100.0))
    world.run(20)
    assert p.position == pytest.approx((15.0, 15.0), abs=0.05)  # 20 rows, five of them above the edge
    assert e.max() == 1 and e[4:6].min() > 0.9


@pytest.mark.parametrize("kind", ["edge", "link", "volcano"])
@pytest.mark.parametrize("seed", range(3))
def test_forces_are_the_energy_s_slope(kind, seed):
    rng = np.random.default_rng(seed)
    world = td.World()
    shown = world.add(photo(ROUGH, scales=(2.0,), pixel=0.7))
    points = world.add(*[td.Particle(position=tuple(rng.uniform(8, 20, 2))) for _ in range(3)])
    body = world.add(td.PlanarBody(position=(14.0, 14.0), angle=0.3))
    corner = td.point(body, at=(1.5, -2.0))
    if kind == "edge":
        world.add(edge(points[0], shown, strength=2.0), edge(corner, shown, strength=-1.0))
    elif kind == "link":
        world.add(
            link(*points, shown, strength=2.0, tension=0.3, bending=0.7),
            link(points[1], corner, points[2], shown),
        )
    else:
        world.add(
            volcano(points[0], at=(12.0, 13.0), width=3.0),
            volcano(corner, at=(12.0, 13.0), width=3.0, height=-2.0),
        )
    probe = Probe(world)
    q, v, t = probe.random(seed)
    probe.set(q, v, t)
    force = probe.force
    for _ in range(4):
        along = rng.normal(size=probe.nq)
        rise = probe.slope(lambda: world.potential_energy, q, 0 * v, t, along, 0 * v, 0.0)
        assert_close(-force @ along, rise, f"the force of {kind}")


def test_first_order_step_stays_downhill_however_long_it_is():
    for step in (0.1, 10.0, 1e4):
        world = td.World(order=1, max_step=step)
        shown = world.add(photo(ROUGH, scales=(2.0,)))
        points = world.add(*[td.Particle(position=tuple(p)) for p in RNG.uniform(5, 35, (12, 2))])
        ring = [*points, *points[:2]]
        world.add(
            *[link(*three, shown, strength=5.0) for three in zip(ring, ring[1:], ring[2:], strict=False)]
        )
        energies = [world.potential_energy]
        for _ in range(30):
            world.step(step)
            energies.append(world.potential_energy)
        assert np.diff(energies).max() <= 1e-9 and energies[-1] < energies[0] - 1


def test_picture_is_saved_as_text_and_comes_back_the_same():
    world = td.World(order=1)
    shown = world.add(photo(ROUGH, name="rough", scales=(1.5,)))
    p = world.add(td.Particle("p", position=(20.0, 20.0)))
    world.add(edge(p, shown, strength=50.0, name="pull"))
    world.run(0.2)
    again = td.World.from_json(world.to_json())
    assert again["pull"].energy == world["pull"].energy
    world.run(1), again.run(1)
    assert again["p"].position == world["p"].position
    text = json.loads(world.to_json())["connectors"][0]["image"]
    assert text.startswith("data:image/png;base64,")


def test_another_frame_is_an_edit_that_can_be_undone():
    world = td.World(order=1)
    shown = world.add(photo(ROUGH))
    p = world.add(td.Particle(position=(20.0, 13.0)))
    behavior = world.add(edge(p, shown))
    first, count = behavior.energy, world.engine.rebuilds
    shown.image = ROUGH[::-1]
    assert behavior.energy != first and world.engine.rebuilds == count
    world.undo()
    assert behavior.energy == first


@pytest.mark.parametrize("ending", ["png", "jpg"])
def test_files_are_read_in_grey_and_in_colour(tmp_path, ending):
    grey = np.clip(128 + 400 * ROUGH, 0, 255).astype(np.uint8)
    for pixels in (grey, np.stack([grey] * 3, 2)):
        path = tmp_path / f"image.{ending}"
        Image.fromarray(pixels).save(path, quality=98)
        assert np.abs(image_from(path) - grey).max() <= (0.5 if ending == "png" else 12)


@pytest.mark.parametrize(
    "image", [np.arange(64.0).reshape(8, 8), np.eye(5, dtype=bool), np.linspace(-1, 1, 48).reshape(6, 8)]
)
def test_image_as_text_keeps_its_levels(image):
    back = image_from(str(image_text(image)))
    wanted = np.asarray(image, float)
    back = back / max(back.max(), 1) * np.ptp(wanted) + wanted.min()
    assert back == pytest.approx(wanted, abs=2e-5 * np.ptp(wanted))


def test_bad_images_are_refused_in_words(tmp_path):
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "words.png").write_text("no image")
    Image.fromarray(np.zeros((64, 64), np.uint8)).save(tmp_path / "cut.png")
    whole = (tmp_path / "cut.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[: len(whole) - 30])
    hole = np.ones((8, 8))
    hole[2, 3] = np.nan
    for source, said in [
        (tmp_path / "none.png", "none.png.*cannot be read"),
        (tmp_path / "empty.png", "not an image"),
        (tmp_path / "words.png", "not an image"),
        (tmp_path / "cut.png", "cannot be read"),
        (hole, "nan, at row 2, column 3"),
        (np.zeros((0, 5)), "4 to 8192 pixels"),
        (np.zeros((3, 3)), "4 to 8192 pixels"),
        (np.zeros((4, 9000), np.uint8), "4 to 8192 pixels"),
        (np.zeros(7), "rows × columns"),
        (np.zeros((5, 5, 2)), "rows × columns"),
        (np.array([["a"] * 5] * 5), "rows × columns"),
        ("data:image/png;base64,!!!", "no PNG as text"),
        ("data:text/plain,hello", "must be a PNG"),
    ]:
        with pytest.raises(ValueError, match=said):
            image_from(source)


def test_points_far_outside_or_nowhere_find_the_border():
    world = td.World(order=1)
    shown = world.add(photo(ROUGH))
    p = world.add(td.Particle(position=(1e300, -1e300)))
    behavior = world.add(edge(p, shown))
    corner = behavior.energy
    p.position = (59.5, 0.5)
    assert behavior.energy == pytest.approx(corner, abs=1e-12)


def test_damaged_picture_in_a_scene_file_is_told():
    world = td.World(order=1)
    world.add(photo(ROUGH, name="photo"))
    scene = json.loads(world.to_json())
    for bad in ("data:image/png;base64,AAAA", "../x.png", 5, None):
        scene["connectors"][0]["image"] = bad
        with pytest.raises(td.SceneError, match="image of picture 'photo'"):
            td.World.from_json(json.dumps(scene))


def test_pictures_refuse_what_is_no_picture():
    with pytest.raises(ValueError, match="photo"):
        picture(image="../secret.png")  # a scene file names no other files
    for scales in ((), (0.0,), (-1.0,), (1e9,)):
        with pytest.raises(ValueError, match="scales"):
            photo(ROUGH, scales=scales)
    with pytest.raises(ValueError, match="corner"):
        photo(ROUGH, corner=(0, 0, 0))
    shown = photo(ROUGH)
    with pytest.raises(ValueError, match="plane"):
        edge(td.Particle(position=(0, 0, 0)), shown)
    with pytest.raises(TypeError, match="picture"):
        edge(td.Particle(position=(0, 0)), td.Particle(position=(1, 1)))
