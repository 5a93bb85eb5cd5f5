"""Troids: mass distributions of shapes, elastic forces, and a constraint matrix that is factored once
(G6)."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tinkerdyne as td

pytestmark = pytest.mark.mission("G6")


# --- mass distributions --------------------------------------------------------------------------
def test_a_sheet_has_the_second_moment_of_its_polygon():
    """A rectangle a × b has S = m diag(a², b²)/12, a triangle m/36 Σ …; both about their centre."""
    sheet = td.sheet(vertices=[(1, 2), (3, 2), (3, 3), (1, 3)], mass=6.0)
    assert sheet.position == pytest.approx((2.0, 2.5))
    np.testing.assert_allclose(
        np.reshape(sheet.second_moment, (2, 2)), 6.0 * np.diag((4, 1)) / 12, atol=1e-12
    )
    corners = np.array([(0.0, 0.0), (2.0, 0.3), (0.7, 1.9)])
    offsets = corners - corners.mean(axis=0)
    triangle = td.sheet(vertices=corners, mass=2.0)
    np.testing.assert_allclose(
        np.reshape(triangle.second_moment, (2, 2)), 2.0 * offsets.T @ offsets / 12, rtol=1e-12
    )


def test_a_block_has_the_second_moment_of_its_mesh():
    vertices, faces = td.surface(td.Box(size=(1.0, 2.0, 3.0)))
    block = td.block(vertices=vertices + np.array((5, 6, 7)), faces=faces, mass=2.0)
    assert block.position == pytest.approx((5.0, 6.0, 7.0))
    np.testing.assert_allclose(
        np.reshape(block.second_moment, (3, 3)), 2.0 * np.diag((1, 4, 9)) / 12, atol=1e-12
    )


def test_a_picture_has_the_second_moment_of_its_bright_pixels():
    """A white rectangle in a black picture weighs as the sheet that is drawn like it."""
    image = np.zeros((40, 60))
    image[10:20, 30:50] = 0.7
    picture = td.picture(image=image, width=6.0, mass=3.0)
    sheet = td.sheet(vertices=[(3, 2), (5, 2), (5, 3), (3, 3)], mass=3.0)
    assert picture.position == pytest.approx(sheet.position)
    np.testing.assert_allclose(picture.second_moment, sheet.second_moment, atol=1e-12)
    colours = td.picture(image=np.repeat(image[..., None], 3, axis=2), width=6.0, mass=3.0)
    np.testing.assert_allclose(colours.second_moment, picture.second_moment, atol=1e-12)


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (np.zeros((4, 4)), "not all zero"),
        (np.full((4, 4), np.nan), "finite"),
        (-np.ones((4, 4)), "not negative"),
        (np.ones(7), "rows of pixels"),
        (np.ones((1, 1)), "rows of pixels"),
    ],
)
def test_a_picture_that_is_none_is_refused(image, says):
    with pytest.raises(ValueError, match=says):
        td.picture("p", image=image)


# --- elastic forces ------------------------------------------------------------------------------
def turned(dim, seed):
    Q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(dim, dim)))
    Q[:, 0] *= np.linalg.det(Q)
    return Q


@pytest.mark.parametrize("dim", [2, 3])
@given(seed=st.integers(0, 1000))
def test_a_turned_troid_feels_no_elastic_force(dim, seed):
    world = td.World()
    shape = tuple(turned(dim, seed).ravel(order="F"))
    jelly = world.add(td.Troid("jelly", position=(0.0,) * dim, shape=shape))
    world.add(td.elastic(jelly, stiffness=50.0), td.keep_volume(jelly, stiffness=50.0))
    assert world.energy == pytest.approx(0.0, abs=1e-12)
    world.run(0.1)
    assert jelly.shape == pytest.approx(shape, abs=1e-9)


@pytest.mark.parametrize("dim", [2, 3])
def test_small_oscillations_have_the_frequency_of_the_stiffness(dim):
    """A = (1 + s) 1 has E ≈ dim k s² and T = ½ dim S ṡ²: ω² = 2k/S."""
    world = td.World(max_step=1e-4)
    k, S, s = 3.0, 0.2, 1e-4
    jelly = world.add(
        td.Troid(
            "jelly", second_moment=(S,), position=(0.0,) * dim, shape=tuple(((1 + s) * np.eye(dim)).ravel())
        )
    )
    world.add(td.elastic(jelly, stiffness=k))
    world.run(np.pi / np.sqrt(2 * k / S))  # half a period
    assert jelly.shape[0] - 1 == pytest.approx(-s, rel=1e-3)


def test_keeping_its_volume_a_squeezed_block_bulges():
    world = td.World(order=1)
    jelly = world.add(td.Troid("jelly", position=(0.0, 0.0), second_moment=(0.1,)))
    world.add(td.elastic(jelly, stiffness=1.0), td.keep_volume(jelly, stiffness=1e3))
    top, bottom = td.point(jelly, at=(0.0, 0.5)), td.point(jelly, at=(0.0, -0.5))
    world.add(td.nail(top, at=(0.0, 0.4), tau=0.1), td.nail(bottom, at=(0.0, -0.4), tau=0.1))
    world.run(5.0)
    a = np.reshape(jelly.shape, (2, 2)).T
    assert a[1, 1] == pytest.approx(0.8, abs=1e-6)
    assert np.linalg.det(a) == pytest.approx(1.0, abs=2e-3) and a[0, 0] > 1.2


def test_shape_drag_stops_a_jelly():
    world = td.World()
    jelly = world.add(td.Troid("jelly", position=(0.0, 0.0), shape=(1.3, 0.0, 0.1, 0.8)))
    world.add(td.elastic(jelly, stiffness=5.0), td.shape_drag(jelly, coefficient=1.0))
    world.run(10.0)
    assert world.kinetic_energy < 1e-9 and world.potential_energy < 1e-9


def spinning(drag, rate=3.0):
    world = td.World()
    turn = (0.0, rate, -rate, 0.0)
    jelly = world.add(td.Troid("jelly", position=(0.0, 0.0), velocity=(1.0, 0.0), shape_rate=turn))
    world.add(td.elastic(jelly, stiffness=200.0), drag(jelly))
    return world, jelly


def spin(jelly):
    a, rate = (np.reshape(x, (2, 2)).T for x in (jelly.shape, jelly.shape_rate))
    w = rate @ np.linalg.inv(a)
    return (w[1, 0] - w[0, 1]) / 2


@pytest.mark.parametrize("coefficient", [0.1, 1.0, 30.0])
def test_shape_drag_leaves_rigid_motion_alone(coefficient):
    world, jelly = spinning(lambda jelly: td.shape_drag(jelly, coefficient=coefficient))
    second = 0.1 * np.eye(2)

    def momentum():
        a, rate = (np.reshape(x, (2, 2)).T for x in (jelly.shape, jelly.shape_rate))
        m = rate @ second @ a.T
        return m[1, 0] - m[0, 1]

    before = momentum()
    world.run(2.0)
    assert momentum() == pytest.approx(before, rel=1e-9)
    assert tuple(jelly.velocity) == pytest.approx((1.0, 0.0), abs=1e-12)
    # at rest in a shape that its turning stretches: k (s² − 1) = S ω² by hand
    s = np.linalg.svd(np.reshape(jelly.shape, (2, 2)))[1]
    assert s == pytest.approx(np.sqrt(1 + 0.1 * spin(jelly) ** 2 / 200.0), rel=1e-3)


def test_drag_on_the_axes_brakes_rotation():
    world, jelly = spinning(lambda jelly: td.shape_drag(jelly, coefficient=0.1, turning=1.0))
    world.run(2.0)
    assert spin(jelly) == pytest.approx(3.0 * np.exp(-2.0), rel=1e-2)


def test_shape_drag_of_an_older_file_still_brakes_rotation():
    world, _ = spinning(lambda jelly: td.shape_drag(jelly, coefficient=0.1, turning=1.0, name="drag"))
    world.at(0.5, td.shape_drag(world["jelly"], coefficient=0.2, turning=1.0, name="more"))
    text = world.to_json().replace('"tinkerdyne": 2', '"tinkerdyne": 1')
    old = text.replace(', "turning": 1.0', "").replace(', ["turning", 1.0]', "")
    assert "turning" not in old
    loaded = td.World.from_json(old)
    assert loaded["drag"].turning == 1.0
    world.run(1.0)
    loaded.run(1.0)
    assert loaded["more"].turning == 1.0 and loaded["jelly"].shape == world["jelly"].shape


@pytest.mark.parametrize(
    ("rule", "hole", "is_hole"),
    [("evenodd", "h60v60h-60z", True), ("nonzero", "v60h60v-60z", True), ("nonzero", "h60v60h-60z", False)],
)
def test_outline_inside_another_is_a_hole_by_the_fill_rule(rule, hole, is_hole):
    text = f'<svg><g fill-rule="{rule}"><path d="M0 0h100v100h-100zM10 20{hole}M20 30h10v10h-10z"/></g></svg>'
    ring, *island = td.sheets_from_svg(text)
    assert len(island) == is_hole
    # ∫ over the square less the hole, about their common centre: m = 1 − 0.36, x = (0.5 − 0.36·0.4)/m.
    m = 1 - 0.36 * is_hole
    x = (0.5 - 0.36 * 0.4 * is_hole) / m
    xx = 1 / 12 + (0.5 - x) ** 2 - 0.36 * is_hole * (0.36 / 12 + (0.4 - x) ** 2)
    yy = 1 / 12 - 0.36 * is_hole * 0.36 / 12
    assert ring.mass == pytest.approx(m) and ring.position == pytest.approx((x, -0.5))
    assert ring.second_moment == pytest.approx((xx, 0, 0, yy), abs=1e-12)
    sides = np.reshape(ring.drawing, (-1, 2))
    after = np.roll(sides, -1, axis=0)
    # the drawing has the hole too
    assert (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]).sum() / 2 == pytest.approx(m)


# --- one factoring -------------------------------------------------------------------------------
def chain(count=5, **settings):
    world = td.World(max_step=1 / 240, **settings)
    world.add(td.gravity(g=(0.0, -9.81)))
    sheets = [
        world.add(td.Troid(f"t{k}", mass=0.3, second_moment=(0.02,), position=(float(k), 0.0)))
        for k in range(count)
    ]
    world.add(td.nail(td.point(sheets[0], at=(-0.5, 0.5)), at=(-0.5, 0.5)))
    for a, b in pairwise(sheets):
        world.add(td.connect(td.point(a, at=(0.5, 0.5)), td.point(b, at=(-0.5, 0.5))))
        world.add(td.elastic(b, stiffness=2.0))
    return world


def test_attached_and_nailed_troids_are_factored_once():
    world = chain()
    world.run(0.5)
    assert world.counts["factorings"] == 1 and world.counts["steps"] == 120
    _ = world.energy, world["nail-1"].force
    world.run(0.5)
    assert world.counts["factorings"] == 1


@pytest.mark.parametrize("method", ["rattle", "runge_kutta"])
def test_edits_make_it_factor_again_and_the_motion_is_that_of_a_world_that_always_does(method):
    def run(always):
        world = chain(method=method)
        for k in range(8):
            world.engine.ready()
            if always:
                world.engine.arena.index.is_constant = 0
            world.step(1 / 240)
            if k == 2:
                world["t2"].mass = 1.0
            if k == 3:
                world["connect-2"].is_on = False
            if k == 4:
                world["point-1"].at = (-0.4, 0.4)
            if k == 5:
                world.undo()
            if k == 6:
                world.assemble(by_mass=False)
        return np.array([world[f"t{k}"].position for k in range(5)])

    np.testing.assert_allclose(run(False), run(True), atol=1e-12)


def test_a_world_with_a_rigid_body_on_it_is_not_taken_for_constant():
    world = chain()
    rod = world.add(td.PlanarRod("rod", position=(4.9, 0.5)))
    world.add(td.connect(rod.end1, td.point(world["t4"], at=(0.5, 0.5))))
    world.run(0.1)
    assert world.counts["factorings"] > 20


# --- drawings ------------------------------------------------------------------------------------
def test_drawings_go_along_and_are_saved():
    from tinkerdyne.objects.troids import drawing_of

    world = td.World()
    sheet = world.add(td.sheet("s", vertices=[(0, 0), (2, 0), (1, 2)]))
    again = td.World.from_json(world.to_json())["s"]
    assert again.drawing == sheet.drawing
    corners, faces = drawing_of(again)
    np.testing.assert_allclose(np.array(again.position) + corners, [(0, 0), (2, 0), (1, 2)], atol=1e-12)
    assert faces.tolist() == [[0, 1, 2]]
    plain = td.Troid(mass=3.0, second_moment=(3.0 * 4 / 12, 0, 0, 3.0 / 12), position=(0.0, 0.0))
    half = np.abs(drawing_of(plain)[0])
    np.testing.assert_allclose(half, [(1.0, 0.5)] * 4)


# --- textures ------------------------------------------------------------------------------------
def flag():
    """Red at the left, blue at the right; nothing below."""
    image = np.zeros((20, 30, 4), np.uint8)
    image[:10, :15], image[:10, 15:] = (255, 0, 0, 255), (0, 0, 255, 255)
    image[10:, :, :3] = 200
    return image


def test_a_picture_carries_its_image_along_in_files_and_scripts():
    from tinkerdyne.objects.textures import levels_of

    world = td.World()
    sheet = world.add(td.picture("p", image=flag(), width=3.0))
    assert np.array_equal(levels_of(sheet.texture), flag())
    again = td.World.from_json(world.to_json())["p"]
    assert again.texture == sheet.texture and again.second_moment == sheet.second_moment
    sheet.texture = 255 - flag()[..., :3]
    assert np.array_equal(levels_of(sheet.texture), 255 - flag()[..., :3])
    world.undo()
    assert world["p"].texture == again.texture


def test_what_is_transparent_in_a_picture_has_no_mass():
    sheet = td.sheet(vertices=[(0, 1), (3, 1), (3, 2), (0, 2)])
    picture = td.picture(image=flag(), width=3.0)
    assert picture.position == pytest.approx(sheet.position)
    np.testing.assert_allclose(picture.second_moment, sheet.second_moment, atol=1e-12)


def test_a_picture_of_a_file_is_that_of_its_pixels(tmp_path):
    from PIL import Image

    Image.fromarray(flag()).save(tmp_path / "flag.png")
    picture = td.picture(image=tmp_path / "flag.png", width=3.0)
    assert picture.texture == td.picture(image=flag(), width=3.0).texture
    assert (
        td.sheet(vertices=[(0, 0), (1, 0), (0, 1)], texture=tmp_path / "flag.png").texture == picture.texture
    )


def test_the_mass_of_a_large_picture_is_that_of_all_its_pixels(tmp_path):
    from PIL import Image

    # A lattice of single bright pixels, which a thumbnail would smear over all of it, and more of them on the
    # left.
    pixels = np.zeros((700, 1400), np.uint8)
    pixels[::5, :700:5] = 255
    pixels[::5, 700::10] = 255
    Image.fromarray(pixels).save(tmp_path / "stars.png")
    wanted = td.picture(image=pixels, width=2.0)
    for source in (
        tmp_path / "stars.png",
        str(tmp_path / "stars.png"),
        (tmp_path / "stars.png").read_bytes(),
    ):
        found = td.picture(image=source, width=2.0)
        assert found.position == pytest.approx(wanted.position, rel=1e-12)
        assert found.second_moment == pytest.approx(wanted.second_moment, rel=1e-12)
        assert len(found.texture) < (tmp_path / "stars.png").stat().st_size * 40
    assert td.picture(image=wanted.texture, width=2.0).texture == wanted.texture
    with pytest.raises(ValueError, match=r"image of picture 'p' 'none.png' cannot be read"):
        td.picture("p", image="none.png")


def test_a_drawing_that_is_no_corners_is_refused(tmp_path):
    flat = td.World().add(td.sheet("flat", vertices=[(0, 0), (1, 0), (0, 1)]))
    for numbers in (1, 3, 4, 7):
        with pytest.raises(
            ValueError, match=f"drawing of troid 't' must be three corners.*not {numbers} numbers"
        ):
            td.Troid("t", drawing=(0.5,) * numbers)
        with pytest.raises(ValueError, match="drawing of troid 'flat' must be three corners"):
            flat.drawing = (0.5,) * numbers
    for numbers in (6, 8, 12):
        with pytest.raises(ValueError, match="drawing of troid 's' must be triangles"):
            td.Troid("s", position=(0, 0, 0), drawing=(0.5,) * numbers)
    assert len(flat.drawing) == 6
    text = flat.world.to_json()
    first = text.index('"drawing": [') + len('"drawing": [')
    with pytest.raises(ValueError, match="must be three corners"):
        td.World.from_json(text[:first] + "0.5, " + text[first:])
    flat.drawing = ()


def test_a_large_texture_is_made_smaller_and_kept_in_its_proportions():
    from tinkerdyne.objects.textures import levels_of

    texture = td.Troid("t", texture=np.full((1000, 2000), 0.5)).texture
    assert levels_of(texture).shape == (256, 512, 3) and np.all(levels_of(texture) == 128)


def sheared():
    """The flag, sheared, and a triangle with the same image."""
    world = td.World()
    world.add(
        td.picture("p", image=flag()[:10, :, :3], width=3.0, position=(1.0, 2.0), shape=(1.0, 0.3, -0.2, 0.8))
    )
    world.add(td.sheet("t", vertices=[(4, 0), (6, 0), (5, 2)], texture=flag()[:10, :, :3]))
    return world


def test_an_svg_drawing_shows_textures_where_the_troids_are():
    import xml.etree.ElementTree as ET

    world = sheared()
    root = ET.fromstring(td.svg_of(world, unit=0.01))
    tag = "{http://www.w3.org/2000/svg}"
    images = root.findall(f".//{tag}image")
    assert [image.get("href") for image in images] == [world["p"].texture, world["t"].texture]
    a, b, c, d, e, f = map(float, images[0].get("transform")[7:-1].split())
    # the image's corners, from the upper left
    drawn = np.array([(e, f), (a + e, b + f), (a + c + e, b + d + f), (c + e, d + f)])
    corners = np.array([(-1.5, 0.5), (1.5, 0.5), (1.5, -0.5), (-1.5, -0.5)])
    expected = (np.array((1.0, 2.0)) + corners @ np.array([(1.0, 0.3), (-0.2, 0.8)])) * (100, -100)
    np.testing.assert_allclose(drawn, expected, atol=1e-3)
    cut = {clip.get("id"): clip[0].get("d") for clip in root.iter(f"{tag}clipPath")}
    outlines = {path.get("id"): path.get("d") for path in root.iter(f"{tag}path")}
    used = [g.get("clip-path")[5:-1] for g in root.iter(f"{tag}g") if g.get("clip-path")]
    assert [cut[name] for name in used] == [outlines["p"], outlines["t"]]
    # what comes back: outlines, connected at their corners, no clips
    assert len(td.curves_from_svg(td.svg_of(world))) == 8 + 6


def test_a_plot_shows_textures_where_the_troids_are(tmp_path):
    from PIL import Image

    from tinkerdyne.drawing import plot

    world = sheared()
    plot(world, world.record(0.1), tmp_path / "run.png", films=1)
    seen = np.asarray(Image.open(tmp_path / "run.png").convert("RGB")).astype(int)
    red, blue = (
        np.argwhere((seen[..., k] > 240) & (np.delete(seen, k, axis=2) < 20).all(axis=2)) for k in (0, 2)
    )
    # halves of the image, of the parallelogram and of the triangle
    assert len(red) / len(blue) == pytest.approx(1.0, abs=0.02)
    # those of the parallelogram
    red, blue = (places[places[:, 1] < np.quantile(places[:, 1], 0.4)] for places in (red, blue))
    down, right = blue.mean(axis=0) - red.mean(axis=0)
    assert down / right == pytest.approx(-0.3, abs=0.05)  # the first axis, up to the right


@pytest.mark.parametrize(
    ("texture", "says"),
    [
        ("/etc/hostname", r"texture of troid 't' must be an array.*Path\("),
        ("data:image/svg+xml,<svg/>", "PNG as text"),
        ("data:image/png;base64,@@", "no PNG as text"),
        ("data:image/png;base64,QUJD", "no PNG or JPEG"),
        (np.full((4, 4), np.nan), "finite"),
        (np.full((4, 4), 300), "0 to 255"),
        (np.zeros((4, 4, 2)), "colours"),
        (np.zeros((0, 4)), "pixels a side"),
    ],
)
def test_what_is_no_texture_is_refused_in_words(texture, says):
    with pytest.raises(ValueError, match=says):
        td.Troid("t", texture=texture)


# --- too stiff for the step ----------------------------------------------------------------------
def limbs(stiffness, **settings):
    """Three sheets in a row that hang from a nail; the middle one has its own stiffness."""
    world = td.World(**settings)
    before = None
    for k in range(3):
        limb = world.add(td.sheet(f"limb{k}", vertices=[(k, 0), (k + 1, 0), (k + 1, 1), (k, 1)]))
        world.add(td.elastic(limb, stiffness=stiffness if k == 1 else 100.0, name=f"elastic{k}"))
        end = td.point(limb, at=(-0.5, 0.0))
        world.add(td.connect(td.point(before, at=(0.5, 0.0)), end) if before else td.nail(end, at=(0.0, 0.5)))
        before = limb
    world.add(td.gravity())
    return world


def test_a_troid_that_is_too_stiff_for_the_step_is_named_and_the_last_good_state_kept():
    world = limbs(1e9, max_step=1 / 240)
    result = td.Result(td.Status.DONE, 0)
    for _ in range(240):
        good = [np.array((*world[f"limb{k}"].position, *np.ravel(world[f"limb{k}"].shape))) for k in range(3)]
        if not (result := world.step(1 / 240)):
            break
    assert result.status is td.Status.TOO_STIFF and result.culprits == ("limb1", "elastic1")
    assert "max_step below" in str(result) and "lower stiffness" in str(result)
    now = [np.array((*world[f"limb{k}"].position, *np.ravel(world[f"limb{k}"].shape))) for k in range(3)]
    assert np.array_equal(now, good) and np.abs(now).max() < 3
    world["elastic1"].stiffness = 1e4
    assert world.run(1.0) and np.abs([world[f"limb{k}"].position for k in range(3)]).max() < 4


def test_a_stiff_troid_within_what_the_step_allows_is_taken():
    assert limbs(1e7).run(0.5)  # max_step 1 ms


def test_the_fastest_swing_is_that_of_the_stiffest_spring():
    """Two masses on a spring swing at √(k/μ) with μ = m₁ m₂/(m₁ + m₂)."""
    from tinkerdyne.engine.steppers.stability import fastest

    world = td.World()
    a, b, c = world.add(
        *(
            td.Particle(n, position=(x, 0, 0), mass=m)
            for n, x, m in (("a", 0, 2.0), ("b", 1, 3.0), ("c", 2, 1.0))
        )
    )
    world.add(td.spring(a, b, length=1.0, stiffness=5e6), td.spring(b, c, length=1.0, stiffness=50.0))
    world.step(1e-6)
    speed, mode = fastest(world.engine)
    assert speed == pytest.approx(np.sqrt(5e6 * 5 / 6), rel=1e-3) and abs(mode[6]) < 1e-3 * abs(mode[0])
    assert mode[0] / mode[3] == pytest.approx(-1.5, rel=1e-3)


# --- the puppet ----------------------------------------------------------------------------------
def test_a_puppet_is_jello_or_nearly_rigid_as_its_stiffness_says():
    from tinkerdyne import gallery

    def stretch(stiffness):
        world = gallery.load("puppet").build(stiffness=stiffness)
        recording = world.record(1.5, every=1 / 60)
        shapes = [recording[name].reshape(-1, 2, 2) for name in recording if name.endswith(".shape")]
        assert len(shapes) == 11
        return max(np.abs(np.linalg.svd(shape, compute_uv=False) - 1).max() for shape in shapes)

    soft, usual, stiff = (stretch(k) for k in (4.0, 40.0, 4000.0))
    assert soft > 2 * usual > 0.2 and stiff < 0.01  # of a limb's size; they were 118 %, 28 % and 0.4 %
