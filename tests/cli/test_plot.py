"""Pictures: files of the right kind, drawn where things are."""

import numpy as np
import pytest
from typer.testing import CliRunner

import tinkerdyne as td
from tinkerdyne import cli, drawing
from tinkerdyne.cli import look
from tinkerdyne.drawing.picture import _faces
from tinkerdyne.drawing.stage import Stage
from tinkerdyne.drawing.view import View, lifted

HEADS = {"png": b"\x89PNG\r\n", "svg": b"<?xml", "pdf": b"%PDF-"}


def run(*arguments):
    return CliRunner().invoke(cli.app, [str(a) for a in arguments])


@pytest.mark.parametrize("ending", HEADS)
def test_a_scene_is_drawn_as_a_file_of_its_kind(tmp_path, ending):
    out = tmp_path / f"plot.{ending}"
    found = run("plot", "falling_ball", "--seconds", 0.3, "--films", 2, "--out", out)
    assert found.exit_code == 0, found.output
    assert out.read_bytes().startswith(HEADS[ending])
    again = out.read_bytes()
    run("plot", "falling_ball", "--seconds", 0.3, "--films", 2, "--out", out)
    assert out.read_bytes() == again


def test_what_cannot_be_drawn_is_said_in_one_line(tmp_path, monkeypatch):
    found = run("plot", "falling_ball", "--out", tmp_path / "plot.gif")
    assert found.exit_code == 2 and "must end in .png, .svg or .pdf" in found.stderr
    monkeypatch.setattr(look.importlib.util, "find_spec", lambda _: None)
    found = run("plot", "falling_ball", "--out", tmp_path / "plot.png")
    assert found.exit_code == 1 and "pip install 'tinkerdyne[plot]'" in found.stderr
    assert not list(tmp_path.iterdir())


@td.curve(span=(0.0, 1.0))
def plotted_line(u, *, a=0.0, b=1.0):
    """The line from (0, a) to (1, b)."""
    return u, a + (b - a) * u


@td.lagrangian
def plotted_pair(length=1.0, *, x=0.0):
    """Two particles on a rail, `length` apart."""
    return (x, 0.0), (x + length, 0.0)


def zoo():
    """One of every sort of object, with links, nails and a spring."""
    world = td.World(method="runge_kutta")
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.nail(rod.end1, at=(0, 0, 0), name="hook"), td.gravity())
    ball = world.add(td.Particle("ball", position=(1, 1, 0)))
    world.add(
        td.distance(rod.end2, ball, length=1.0, name="link"), td.spring(ball, td.Nail(2, 2, 2), name="spring")
    )
    world.add(
        td.RigidBody("body", position=(0, 3, 0), inertia=(1, 2, 2.5)), td.Troid("blob", position=(3, 0, 0))
    )
    world.add(
        td.PlanarBody("plate", position=(1.0, 1.0)),
        plotted_line("line"),
        plotted_pair("pair"),
        td.Variable("u"),
    )
    return world


def test_everything_that_has_a_place_is_on_the_stage_where_it_is():
    world = zoo()
    recording = world.record(0.3, every=0.1, of=drawing.readings_for_plot(world))
    stage = Stage(world, recording)
    assert [body.item.name for body in stage.bodies] == [
        "rod",
        "ball",
        "body",
        "blob",
        "plate",
        "line",
        "pair",
    ]
    rod, ball, line = stage.bodies[0], stage.bodies[1], stage.bodies[5]
    np.testing.assert_allclose(
        rod.places(np.array([(0.5, 0, 0)]), -1)[0], world["rod"].end2.value, atol=1e-12
    )
    np.testing.assert_allclose(ball.trail[-1], world["ball"].position)
    a, b = world["line"].a, world["line"].b
    np.testing.assert_allclose(line.lines(-1)[0][[0, -1]], [(0, 0, a), (1, 0, b)], atol=1e-12)
    np.testing.assert_allclose(stage.nails, [(0, 0, 0), (2, 2, 2)])
    (link,) = stage.links(-1)
    np.testing.assert_allclose(link, [world["rod"].end2.value, world["ball"].position], atol=1e-12)
    (spring,) = stage.springs(-1)
    np.testing.assert_allclose(spring, [world["ball"].position, (2, 2, 2)], atol=1e-12)
    for body in stage.bodies:
        if body.kind != "curve":
            faces = body.faces(-1, stage)
            assert len(faces) > 0 and np.isfinite(faces).all()
    # All of it lies in the window, at every moment.
    (left, right), (low, high) = stage.window(1.5)
    x, y = stage.view.flat(stage.seen).T
    assert left < x.min() and x.max() < right and low < y.min() and y.max() < high
    assert (right - left) / (high - low) == pytest.approx(1.5)


def test_the_picture_shows_what_was_recorded():
    world = zoo()
    recording = world.record(0.3, every=0.1, of=drawing.readings_for_plot(world))
    figure = drawing.picture(world, recording, title="zoo", films=4)
    films, measured = figure.subfigs
    assert [ax.get_title(loc="left") for ax in films.axes] == ["0.00 s", "0.10 s", "0.20 s", "0.30 s"]
    assert films.axes[0].get_title(loc="right") == "g ↓"
    energy, gaps, forces = measured.axes
    total = next(line for line in energy.lines if line.get_label() == "total")
    np.testing.assert_allclose(total.get_ydata(), recording.kinetic_energy + recording.potential_energy)
    assert gaps.get_yscale() == "log"
    hook = next(line for line in forces.lines if line.get_label() == "hook")
    np.testing.assert_allclose(hook.get_ydata(), np.linalg.norm(recording["hook.force"], axis=1))


def test_worlds_with_nothing_to_see_or_nothing_held_are_drawn_too(tmp_path):
    world = td.World()
    drawing.plot(world, world.record(0.1), tmp_path / "empty.png")
    world.add(td.Variable("u", rate=1.0))
    drawing.plot(world, world.record(0.1), tmp_path / "variable.png")
    world = td.World()
    world.add(td.gravity(g=(0.0, -9.81)))
    for k in range(12):
        world.add(td.nail(world.add(td.Particle(f"p{k}", position=(k, 0))), at=(k, 0)))
    figure = drawing.picture(world, world.record(0.1), films=1)
    assert len(figure.subfigs[1].axes[2].get_legend_handles_labels()[1]) == 3  # of many lines three are named
    assert drawing.picture(world, world.record(0.1), films=0).subfigs == []


def test_what_was_not_recorded_is_left_out():
    world = zoo()
    recording = world.record(0.1, of=[world["ball"], world["hook"]])
    stage = Stage(world, recording)
    assert [body.item.name for body in stage.bodies] == ["ball"]
    assert stage.links(0) == [] and len(stage.springs(0)) == 1
    drawing.picture(world, recording)


def test_planar_bodies_lie_over_each_other_in_the_order_they_were_added():
    world = td.World()
    for k in range(4):
        world.add(td.PlanarBody(f"plate{k}", position=(-0.3 * k, 0.1 * k)))
    stage = Stage(world, world.record(0))
    depths = [depth for depth, *_ in _faces(stage, 0)]
    assert depths == sorted(depths) and len(set(depths)) == 1


@pytest.mark.parametrize(
    ("flat_in", "towards"),
    [("y", (0, -1, 0)), ("x", (1, 0, 0)), ("z", (0, 0, 1))],
    ids=["upright", "sideways", "level"],
)
def test_a_flat_scene_is_seen_face_on_and_up_is_up(flat_in, towards):
    rng = np.random.default_rng(3)
    places = rng.normal(size=(20, 3))
    places[:, "xyz".index(flat_in)] = 0.5
    view = View.of(places, places)
    np.testing.assert_allclose(view.towards, towards, atol=1e-12)
    if flat_in != "z":
        np.testing.assert_allclose(view.flat(np.array([(0.0, 0.0, 1.0)])), [(0.0, 1.0)], atol=1e-12)


def test_a_view_is_a_right_handed_frame_and_the_plane_lies_upright():
    view = View.of(np.eye(3), np.eye(3))
    axes = np.stack([view.right, view.up, view.towards])
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    np.testing.assert_allclose(lifted(np.array([(1.0, 2.0)])), [(1.0, 0.0, 2.0)])


def test_a_world_of_curves_alone_is_drawn(tmp_path):
    """There are no centres to choose a view by; the curves' own points do it."""
    world = td.World(order=1)
    world.add(plotted_line("line"))
    recording = world.record(0.1)
    drawing.plot(world, recording, tmp_path / "line.png", films=1)
    assert (tmp_path / "line.png").read_bytes().startswith(HEADS["png"])
    # the plane, face on
    np.testing.assert_allclose(Stage(world, recording).view.towards, (0, -1, 0), atol=1e-12)
