"""The four examples of the paper run in the engine, and what they claim holds (M9)."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from scipy.spatial.transform import Rotation

import tinkerdyne as td
from scenes.sketch.acted import thrown
from scenes.sketch.acted.chain import chain
from scenes.sketch.acted.die import DIE, lettered, spelled
from scenes.sketch.acted.pencil import CUP, PENCIL, pencil
from scenes.sketch.acted.thrown import thrown_die
from tinkerdyne import gallery
from tinkerdyne.drawing.bodies import DrawnBody, _letter, draw_bodies
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch.problem.simulate import poses, simulated
from tinkerdyne.sketch.show.panels import looking
from tinkerdyne.sketch.show.picture import picture
from tinkerdyne.sketch.show.tree_picture import tree_picture
from tinkerdyne.sketch.solve import start as solver
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Surface

ROOT = Path(__file__).parents[2]
ROWS = set(re.findall(r"^\| ([A-Z]\d+) \|", (ROOT / "docs" / "mission.md").read_text(), re.M))


@pytest.mark.mission("M9")
@pytest.mark.parametrize(
    "path", sorted((ROOT / "scenes" / "sketch").glob("*.py")), ids=lambda path: path.stem
)
def test_an_example_holds_what_it_claims_and_is_drawn(path, tmp_path):
    scene = gallery.read(path)
    assert set(scene.ids) <= ROWS and scene.title.endswith(".")
    _, recording, claims = scene.run()
    assert recording.is_complete and not [str(claim) for claim in claims if not claim.holds]
    scene._call("picture", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 20_000


@pytest.mark.mission("M9")
@pytest.mark.parametrize("word", ["A", "NOON", "TUMBLE", "BANANA"])
def test_each_letter_has_a_side_of_its_own(word):
    turns = spelled(word)
    sides = {
        letter: tuple(np.round(C.T @ (0, -1, 0)).astype(int)) for letter, C in zip(word, turns, strict=True)
    }
    assert len(turns) == len(word) and len(set(sides.values())) == len(set(word))
    assert all(np.allclose(C @ C.T, np.eye(3)) and np.linalg.det(C) > 0 for C in turns)


@pytest.mark.parametrize("word", ["", "TOOLONG", "A B", 7])
def test_words_that_do_not_fit_a_die_are_refused(word):
    with pytest.raises(ValueError, match="one to six letters"):
        spelled(word)


@pytest.mark.long
@pytest.mark.mission("M1", "M6")
@pytest.mark.parametrize("seed", [0, 1, 9])
def test_a_thrown_die_stays_above_the_table_from_its_first_flight_to_its_last(seed, monkeypatch):
    seen = []
    monkeypatch.setattr(
        thrown, "simulated", lambda *args, **options: seen.append(simulated(*args, **options)) or seen[-1]
    )
    sketch, corners = thrown_die(seed)
    shape, flights = shape_of(sketch.bodies[0]), seen[-1]
    assert len(corners) == 4 and len(flights) == 5 and min(one.T for one in flights) > 0.09
    for one in flights:
        x, q = poses(shape, one, np.linspace(0, 1, 301))
        heights = np.array(
            [(a + shape.corners @ rotation_matrix(b).T)[:, 2].min() for a, b in zip(x, q, strict=True)]
        )
        assert heights.min() > -1e-9, f"{-heights.min():.3f} m below the table"


# --- pictures -----------------------------------------------------------------------------------
def of_kind(ax, kind):
    return [one for one in ax.get_children() if isinstance(one, kind)]


def test_wishes_surfaces_and_obstacles_are_drawn_even_where_nothing_is_followed():
    ball = td.Box("ball", size=(0.1,) * 3)
    post = td.Box("post", size=(0.05, 0.05, 0.4), position=(0.5, 0.4, 0.2), is_fixed=True)
    sketch = Sketch(ball, post)
    sketch.want(ball, position=(0, 0, 0.5), orientation=(1, 0, 0, 0), when="start")
    sketch.want(ball, position=(1, 0, 0.3))
    sketch.keep_above(Surface())
    figure = picture(sketch.solve(restarts=1))
    left, right, residuals = figure.axes  # no gaps, no panel of gaps
    assert [len(of_kind(ax, Polygon)) for ax in (left, right)] == [1, 1]  # the ground
    assert len(of_kind(left, PolyCollection)) == 3  # the pose that is wanted, and the post twice
    (square,) = of_kind(left, PathCollection)
    assert np.allclose(square.get_offsets(), looking().flat((1, 0, 0.3)))
    assert residuals.get_yticklabels()[0].get_text().startswith("position of ball")


def test_a_letter_lies_on_its_side_of_the_die_and_is_seen_only_where_that_is_turned_to_the_viewer():
    view, die_marks = looking(), lettered("MOTION")
    assert [mark.letter for mark in die_marks] == list("MOTIN")
    body = td.Box("die", size=(DIE,) * 3)
    for mark in die_marks:
        for turn in Rotation.random(20, rng=np.random.default_rng(3)):
            pose = DrawnBody(body, np.zeros(3), np.roll(turn.as_quat(), 1), (0.0, 0.0, 1.0))
            path = _letter(pose, mark, view)
            ahead = turn.apply(mark.normal) @ view.towards
            assert (path is None) == (ahead < 0.05)
            if path is not None:
                right, up = (view.flat(turn.apply(way)) for way in (np.cross(mark.up, mark.normal), mark.up))
                own = np.linalg.solve(
                    np.column_stack([right, up]), (path.vertices - view.flat(turn.apply(mark.at))).T
                )
                assert np.abs(own).max() < DIE / 2 and np.ptp(own, axis=1).max() == pytest.approx(0.6 * DIE)


def test_what_is_nearer_is_painted_later():
    ax, view = Figure().subplots(), looking()
    body, near = td.Box("box", size=(0.1,) * 3), view.towards
    draw_bodies(
        ax,
        view,
        [
            DrawnBody(body, near, np.eye(4)[0], (1.0, 0, 0)),
            DrawnBody(body, 0 * near, np.eye(4)[0], (0, 0, 1.0)),
        ],
        1,
    )
    (drawn,) = of_kind(ax, PolyCollection)
    is_red = drawn.get_facecolors()[:, 0] > drawn.get_facecolors()[:, 2]
    is_face = drawn.get_facecolors()[:, [0, 2]].max(axis=1) > 0
    assert (
        is_red[is_face].any()
        and not is_red[is_face].all()
        and (np.diff(is_red[is_face].astype(int)) >= 0).all()
    )


def test_the_picture_of_a_tree_has_its_paths_its_gaps_and_its_residuals():
    solution = chain(3).solve()
    scene, gaps, residuals = tree_picture(solution).axes
    assert len(scene.get_lines()) >= 3  # the sketched path, and those of the two points that are asked for
    assert len(gaps.collections[0].get_offsets()) == solution.sketch.steps
    assert [tick.get_text() for tick in residuals.get_yticklabels()] == ["point of link 3 at the end [m]"]


@pytest.mark.mission("M1", "M9")
@pytest.mark.parametrize(("style", "seed"), [("tip", 0), ("eraser", 1)])
def test_the_pencil_comes_into_the_mug_by_its_opening(style, seed):
    solution = pencil(seed, style=style).solve()
    (body,), (mug,) = solution.sketch.bodies, solution.sketch.obstacles
    assert solution.is_met and not solution.depths
    radius, height, wall = CUP.values()
    along = np.linspace(-PENCIL / 2, PENCIL / 2, 181)
    was_in = 0
    for f, share in itertools.product(range(2), np.linspace(0, 1, 301)):
        x, q = (one[0] for one in solution.states(body, f, np.array([share]))[:2])
        # the middle line, which keeps its radius from the wall
        axis = x + np.outer(along, rotation_matrix(q)[:, 0])
        r, z = np.hypot(axis[:, 0] - mug.position[0], axis[:, 1] - mug.position[1]), axis[:, 2]
        below = z < height
        inside, outside = below & (r < radius * np.cos(np.pi / 12) - wall), below & (r > radius)
        assert not (inside.any() and outside.any()), "half in and half out below the rim"
        assert not (below & ~inside & ~outside & (z < height - 0.004) & (z > 0.004)).any(), "in the wall"
        was_in = max(was_in, int(inside.sum()))
    assert was_in > 80  # half of it


def test_a_pencil_through_the_wall_of_the_mug_is_told(monkeypatch):
    monkeypatch.setattr(solver, "MOST_LOOKS", 0)
    sketch = pencil(0)
    (body,) = sketch.bodies
    low = Sketch(body, *sketch.obstacles)
    low.want(body, position=(0.3, 0, 0.06), velocity=(1.0, 0, 0), when="start")
    low.want(body, position=(0.55, 0, 0.05), orientation=(1, 0, 0, 0))
    says = str(low.solve(restarts=1))
    assert "pencil through the wall of mug at 0." in says and "obeys physics" not in says
