"""What MJCF's meshes weigh: an angle bracket, in the four ways that `inertia` names."""

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.formats.mjcf_inertia import solid_by

# An L of width 3/8 m: its outline in x and z, drawn out along y; numbers that single precision holds.
OUTLINE = np.array([(0, 0), (4, 0), (4, 1), (1, 1), (1, 5), (0, 5)]) / 8
VERTICES = np.array([(x, y, z) for y in (0.0, 0.375) for x, z in OUTLINE])
CAP = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
SIDES = [(k, (k + 1) % 6, 6 + (k + 1) % 6) for k in range(6)]
SIDES += [(k, 6 + (k + 1) % 6, 6 + k) for k in range(6)]
FACES = np.array([*CAP, *((6 + a, 6 + c, 6 + b) for a, b, c in CAP), *((a, c, b) for a, b, c in SIDES)])
# kg at 1 kg/m³, centre and principal moments, from MuJoCo 4.0.0
WANTED = {
    "convex": (
        0.08203125,
        (0.196428571428571, 0.1875, 0.25),
        (0.00192798808960078, 0.00363493043718493, 0.00364031110491071),
    ),
    "exact": (0.046875, (0.15625, 0.1875, 0.21875), (0.001068115234375, 0.002593994140625, 0.00262451171875)),
    "legacy": (
        0.0615725766321656,
        (0.173080641492266, 0.1875, 0.217666628753412),
        (0.00127724039614835, 0.00298721658641553, 0.00301529367415701),
    ),
    "shell": (
        1.09375,
        (0.164285714285714, 0.1875, 0.226785714285714),
        (0.034925479498956, 0.0735688709077381, 0.0759969070337821),
    ),
}


def model(attribute=""):
    vertex, face = (" ".join(map(str, one.ravel())) for one in (VERTICES, FACES))
    return f"""<mujoco><asset><mesh name="l" vertex="{vertex}" face="{face}" {attribute}/></asset><worldbody>
      <body name="l"><freejoint/><geom type="mesh" mesh="l" density="1"/></body></worldbody></mujoco>"""


@pytest.mark.mission("S3")
@pytest.mark.parametrize("way", ["", *WANTED])
def test_a_bracket_weighs_what_the_format_says(way, tmp_path):
    path = tmp_path / "bracket.xml"
    path.write_text(model(f'inertia="{way}"' if way else ""))
    body = td.read_model(path).bodies[0]
    mass, centre, moments = WANTED[way or "legacy"]
    assert body.mass == pytest.approx(mass, rel=1e-12)
    assert body.position == pytest.approx(centre, abs=1e-12)
    inertia = np.array(body.inertia)
    tensor = np.diag(inertia) if inertia.ndim == 1 else inertia
    assert np.linalg.eigvalsh(tensor) == pytest.approx(moments, rel=1e-11)


def test_an_unknown_way_is_refused_with_its_line(tmp_path):
    path = tmp_path / "bracket.xml"
    path.write_text(model('inertia="hollow"'))
    with pytest.raises(ValueError, match=r"bracket.xml, line 1.* convex, exact, legacy, shell, not 'hollow'"):
        td.read_model(path)


def test_where_all_faces_look_away_from_the_middle_legacy_is_exact():
    rng = np.random.default_rng(7)
    points = rng.normal(size=(40, 3)) * (1, 2, 0.5)
    convex = solid_by("convex", points, np.zeros((0, 3), int))
    from tinkerdyne.objects.decomposition import hull_of

    vertices, faces = hull_of(points)
    for given in (faces, faces[:, ::-1]):  # inside out too
        legacy = solid_by("legacy", vertices, given)
        assert legacy.volume == pytest.approx(convex.volume, rel=1e-12)
        assert legacy.centre == pytest.approx(convex.centre, abs=1e-12)
        full = np.array(legacy.inertia).reshape(3, 3)
        other = np.array(convex.inertia)
        assert full == pytest.approx(np.diag(other) if other.size == 3 else other.reshape(3, 3), rel=1e-10)


@pytest.mark.parametrize("way", ["legacy", "shell"])
def test_a_mesh_without_an_inside_is_refused(way):
    line = np.array([(0.0, 0, 0), (1, 0, 0), (2, 0, 0)])
    with pytest.raises(ValueError, match="an area"):
        solid_by(way, line, np.array([(0, 1, 2)]))
