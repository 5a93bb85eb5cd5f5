"""What is written as glTF is valid by the Khronos validator."""

import json
import subprocess
import warnings

import pytest

import hatch_build
import tinkerdyne as td
from tests.conftest import ROOT
from tinkerdyne import gallery
from tinkerdyne.formats import write_model

pytestmark = pytest.mark.mission("S3")
CLIENT = ROOT / hatch_build.CLIENT
# bodies and joints in space and in the plane, meshes and compounds, curves, particles, contact, troids
SCENES = ("jansen", "four_bar", "dominoes", "bowling", "troid_flag", "bead_on_wire")


def validated(*paths):
    """The validator's reports, in order."""
    command = [*hatch_build.npm_command(), "run", "--silent", "validate", "--", *map(str, paths)]
    done = subprocess.run(
        command, cwd=CLIENT, env=hatch_build.environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gltf")
    shapes = td.World()
    shapes.add(
        td.Box("box", size=(1, 2, 3)),
        td.Capsule("capsule", radius=0.1, length=0.6, position=(1, 0, 0)),
        td.Cone("cone", radius=0.2, height=0.5, position=(2, 0, 0)),
        td.Particle("particle", position=(4, 0, 0)),
        td.Mesh(
            "mesh",
            vertices=[(0, 0, 0), (0.3, 0, 0), (0, 0.2, 0), (0.1, 0.1, 0.4)],
            faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)],
        ),
    )
    assert write_model(folder / "shapes.glb", shapes) == []
    write_model(folder / "shapes.gltf", shapes, recording=shapes.record(0.1, every=0.02))
    write_model(folder / "empty.gltf", td.World())
    for name in SCENES:
        world = gallery.load(name).build()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is left out is another test's affair
            write_model(folder / f"{name}.glb", world, recording=world.record(0.1, every=0.02))
    return sorted(folder.iterdir())


def test_files_are_valid(page, files):
    reports = validated(*files)
    assert [one["path"] for one in reports] == [path.name for path in files]
    for one in reports:
        assert (one["numErrors"], one["numWarnings"]) == (0, 0), one
    moving = {one["path"]: one["animationCount"] for one in reports}
    assert all(
        count == (name not in ("shapes.glb", "empty.gltf", "troid_flag.glb"))
        for name, count in moving.items()
    ), str(moving)


def test_what_does_not_show_is_told(tmp_path):
    with pytest.warns(UserWarning, match="jelly.glb lacks troid 'cube 0': it has no surface; .* and 2 more"):
        left = write_model(tmp_path / "jelly.glb", gallery.load("jelly_tower").build())
    assert len(left) == 5
    with pytest.warns(UserWarning, match="wavy_wire .* it has no surface"):
        write_model(tmp_path / "wire.glb", gallery.load("bead_on_wire").build())


def test_the_validator_would_notice(page, tmp_path):
    write_model(tmp_path / "world.gltf", gallery.load("four_bar").build())
    document = json.loads((tmp_path / "world.gltf").read_text())
    document["accessors"][0]["count"] += 1
    (tmp_path / "world.gltf").write_text(json.dumps(document))
    assert validated(tmp_path / "world.gltf")[0]["numErrors"] > 0
