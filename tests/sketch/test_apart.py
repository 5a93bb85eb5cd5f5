"""Bodies that fly do not pass through each other (M1)."""

import inspect

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import tinkerdyne as td
from scenes.sketch.acted.hat import HAT, hat_and_box, hat_body
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch.problem.clearance import motions
from tinkerdyne.sketch.problem.overlap import overlaps
from tinkerdyne.sketch.problem.separation import Moving, separation
from tinkerdyne.sketch.show.solution import Solution
from tinkerdyne.sketch.solve import start as solver
from tinkerdyne.sketch.solve.guess import guess
from tinkerdyne.sketch.solve.starts import start
from tinkerdyne.sketch.tell.document import document_of
from tinkerdyne.sketch.tell.file import sketch_of
from tinkerdyne.sketch.tell.pieces import pieces_of
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch

SOLIDS = {
    "box": td.Box("box", size=(0.3, 0.2, 0.1)),
    "card": td.Card("card", width=0.3, height=0.2),
    "cylinder": td.Cylinder("cylinder", radius=0.08, length=0.3),
    "cone": td.Cone("cone", radius=0.1, height=0.25),
}


def have_a_common_point(A, B):
    """Whether convex combinations of the rows of A and of B meet: a linear programme, which knows nothing of
    planes or axes."""
    n, m = len(A), len(B)
    sums = np.block([[A.T, -B.T], [np.ones((1, n)), np.zeros((1, m))], [np.zeros((1, n)), np.ones((1, m))]])
    return linprog(np.zeros(n + m), A_eq=sums, b_eq=[0, 0, 0, 1, 1], bounds=(0, None)).status == 0


def moments_inside(solution, a, b, *, shrunk=0.99):
    """Those of 151 moments at which two bodies, a hundredth smaller, have a point in common."""
    found = []
    for when in np.linspace(0, solution.seconds, 151):
        places = []
        for body in (a, b):
            now = solution.at(body, float(when))
            places.append(
                now["position"]
                + shrunk * shape_of(body).tips.sides(24) @ rotation_matrix(now["orientation"]).T
            )
        centres, reach = [one.mean(axis=0) for one in places], sum(shape_of(body).radius for body in (a, b))
        if np.linalg.norm(centres[0] - centres[1]) < reach and have_a_common_point(*places):
            found.append(float(when))
    return found


def meeting(a, b, *, spin, aside=0.0):
    """Two bodies that fly through each other from left and right."""
    sketch, t, u = Sketch(a, b), np.linspace(0, 0.5, 9), np.linspace(-0.5, 0.5, 9)
    rise = np.outer(t, (0, 0, 2.4)) - np.outer(t**2, (0, 0, 4.905))
    for body, way, axis, y in ((a, 1, (0.6, 0, 0.8), 0.0), (b, -1, (0, -1, 0), aside)):
        turns = np.array([(np.cos(w), *(np.sin(w) * np.array(axis))) for w in spin * t / 2])
        sketch.follow(body, rise + np.outer(way * u, (1, 0, 0)) + np.array((0, y, 0)), turns, times=t)
    return sketch


@pytest.mark.mission("M1")
@pytest.mark.parametrize(
    ("size", "spin", "aside"),
    [((0.1, 0.1, 0.1), 0.0, 0.0), ((0.1, 0.1, 0.1), 3.0, 0.02), ((0.3, 0.05, 0.05), 12.0, 0.03)],
    ids=["straight", "turning", "stick"],
)
def test_bodies_that_would_pass_through_each_other_stay_apart(size, spin, aside, monkeypatch):
    a, b = td.Box("a", size=size, mass=0.1), td.Box("b", size=(0.1, 0.1, 0.1), mass=0.2)
    through = meeting(a, b, spin=spin, aside=aside)
    through.let_overlap(a, b)
    ghost = through.solve(restarts=1)
    assert len(moments_inside(ghost, a, b)) > 10 and ghost.is_met  # nobody minds
    with monkeypatch.context() as careless:
        careless.setattr(solver, "MOST_LOOKS", 0)
        told = meeting(a, b, spin=spin, aside=aside).solve(restarts=1)
        assert not told.is_met and "a inside b at 0.2" in str(told)
    apart = meeting(a, b, spin=spin, aside=aside).solve()
    assert apart.is_met and not apart.depths and apart.cost < 0.5
    assert not moments_inside(apart, a, b)
    again = meeting(a, b, spin=spin, aside=aside + 0.002).solve(near=apart)
    assert again.is_met and not moments_inside(again, a, b)


@pytest.mark.mission("M1")
def test_round_bodies_are_kept_apart_by_their_radii():
    ball, bar = td.Sphere("ball", radius=0.06, mass=0.1), td.Capsule("bar", radius=0.03, length=0.2, mass=0.1)
    solution = meeting(ball, bar, spin=2.0, aside=0.01).solve()
    assert solution.is_met, str(solution)
    for when in np.linspace(0, solution.seconds, 101):
        x, now = solution.at(ball, float(when))["position"], solution.at(bar, float(when))
        along = rotation_matrix(now["orientation"])[:, 0]
        off = x - now["position"] - np.clip((x - now["position"]) @ along, -0.1, 0.1) * along
        assert np.linalg.norm(off) > 0.09 - 1e-3


def placed(body, x, R):
    return Moving(shape_of(body).hull, x[None], (R @ shape_of(body).axes)[None])


@pytest.mark.parametrize("one", SOLIDS)
@pytest.mark.parametrize("other", SOLIDS)
def test_separation_knows_whether_two_hulls_have_a_common_point(one, other):
    rng = np.random.default_rng(len(one) + 10 * len(other))
    seen = set()
    for _ in range(25):
        turns = Rotation.random(2, rng=rng).as_matrix()
        a, b = (
            placed(SOLIDS[one], np.zeros(3), turns[0]),
            placed(SOLIDS[other], rng.uniform(0.05, 0.25) * turns[1][0], turns[1]),
        )
        far, way, _ = separation(a, b)
        seen.add(bool(far[0] < 0))
        sides = (m.x + m.hull.tips.sides(96) @ m.R[0].T for m in (a, b))
        assert (far[0] < 0) == have_a_common_point(*sides) or abs(far[0]) < (
            1e-4 if "cylinder" in (one, other) else 1e-9
        )
        assert np.linalg.norm(way[0]) == pytest.approx(1.0)
    assert seen == {True, False}


def test_separation_of_a_ball_from_a_box_is_the_distance_to_its_nearest_point():
    box, ball, rng = (
        td.Box("box", size=(0.3, 0.2, 0.1)),
        td.Sphere("ball", radius=0.05),
        np.random.default_rng(3),
    )
    for _ in range(40):
        turn, x = Rotation.random(rng=rng).as_matrix(), rng.uniform(-0.4, 0.4, size=3)
        nearest = np.clip(x, (-0.15, -0.1, -0.05), (0.15, 0.1, 0.05))
        if np.linalg.norm(x - nearest) < 0.05:
            continue
        far, _, _ = separation(placed(box, np.zeros(3), turn), placed(ball, turn @ x, np.eye(3)))
        # Gilbert's method is not run to its end
        assert far[0] == pytest.approx(np.linalg.norm(x - nearest) - 0.05, abs=2e-3)


def test_bodies_are_kept_apart_unless_one_goes_into_the_other():
    a, b = td.Box("a", size=(0.1,) * 3), td.Box("b", size=(0.1,) * 3)
    assert Sketch(a, b)._pairs() == [(0, 1)]
    assert hat_and_box(0)._pairs() == [(0, 1)]  # the box is to lie in the hat, which is hollow
    for origin, pairs in (((0, 0, 0.05), [(0, 1)]), ((0, 0, 0.0), [])):  # its top, and a bottom inside of it
        sketch = Sketch(a, b)
        sketch.collide(a, a.left_front_bottom, b, origin=origin, normal=(0, 0, 1))
        assert sketch._pairs() == pairs
    sketch.keep_apart(a, b)
    sketch.want(a, position=(0, 0, 1))
    assert sketch._pairs() == sketch_of(document_of(sketch))._pairs() == [(0, 1)]
    sketch.let_overlap(b, a)
    assert sketch._pairs() == sketch_of(document_of(sketch))._pairs() == []
    with pytest.raises(ValueError, match="one body"):
        sketch.keep_apart(a, a)


# --- hollow bodies ------------------------------------------------------------------------------
SIDES = 12  # of the hat


def in_the_felt(places):
    """How deep places (n, 3), in the axes in which the hat was made, lie in its felt [m]: from its profile
    alone."""
    x, sector = (
        places[:, 0],
        np.pi * (np.floor(np.arctan2(places[:, 2], places[:, 1]) / (2 * np.pi / SIDES)) + 0.5) / (SIDES / 2),
    )
    r = (places[:, 1] * np.cos(sector) + places[:, 2] * np.sin(sector)) / np.cos(np.pi / SIDES)
    R, H, B, t = HAT.values()
    # wall, top, brim: least and most of x and r
    parts = [(0, H, R - t, R), (0, t, -1, R), (H - t, H, R - t, B)]
    return np.max([np.minimum.reduce([x - a, b - x, r - c, d - r]) for a, b, c, d in parts], axis=0)


def box_in_hat(solution, share, flight):
    """Points on the edges of the box in the axes of the hat, and how many of its corners lie in the crown."""
    hat, box = solution.sketch.bodies
    corners = shape_of(box).corners
    edges = [
        (a, b)
        for i, a in enumerate(corners)
        for b in corners[:i]
        if np.count_nonzero(np.abs(a - b) > 1e-9) == 1
    ]
    points = np.concatenate([corners, *(np.linspace(a, b, 15)[1:-1] for a, b in edges)])
    (x, q), (y, p) = (
        tuple(one[0] for one in solution.states(body, flight, np.array([share]))[:2]) for body in (hat, box)
    )
    there = (y + points @ rotation_matrix(p).T - x) @ rotation_matrix(q) + np.array(hat.offset)
    inner = (HAT["radius"] - HAT["felt"]) * np.cos(np.pi / SIDES)
    is_in = (there[:8, 0] < HAT["depth"]) & (there[:8, 0] > 0) & (np.hypot(*there[:8, 1:].T) < inner + 1e-3)
    return there, int(is_in.sum())


def found_within_the_usual_starts(sketch):
    """The first motion in which nothing overlaps, of as many starts as `solve` takes by itself."""
    statement, usual = sketch.statement(), inspect.signature(Sketch.solve).parameters["restarts"].default
    outcomes = (start(statement, seed, has_gaps=True) for seed in range(usual))
    first = next(outcome for outcome in outcomes if outcome.is_sound)
    return Solution(sketch, statement, first, [first])


@pytest.mark.mission("M1", "M9")
@pytest.mark.parametrize("seed", [1, 5, 16])
def test_the_box_flies_into_the_hat_through_its_opening(seed):
    solution = found_within_the_usual_starts(hat_and_box(seed))
    assert solution.is_plausible and not solution.depths
    was_in = 0
    for share in np.linspace(0, 1, 201):
        there, count = box_in_hat(solution, share, 0)
        assert in_the_felt(there).max() < 1e-3
        assert count == 0 or there[:8, 0].min() > 0  # none comes in from the side of the crown's top
        outside = np.hypot(*there[:8, 1:].T) > HAT["radius"]
        assert not (count and (outside & (there[:8, 0] < HAT["depth"] - HAT["felt"])).any()), (
            "half in and half out below the brim"
        )
        was_in = max(was_in, count)
    assert was_in == 8  # all corners are in the crown when it strikes
    assert (
        max(in_the_felt(box_in_hat(solution, share, 1)[0]).max() for share in np.linspace(0, 1, 201)) < 1e-3
    )


@pytest.mark.mission("M1", "M5")
def test_a_box_that_passes_through_the_wall_of_a_hat_is_told(monkeypatch):
    monkeypatch.setattr(solver, "MOST_LOOKS", 0)
    hat, box = hat_body(), td.Box("box", size=(0.06,) * 3, mass=0.08)
    sketch, t = Sketch(hat, box), np.linspace(0, 0.3, 9)
    fall = np.outer(t * (0.3 - t), (0, 0, 4.905))
    sketch.follow(hat, fall, np.tile((1.0, 0, 0, 0), (9, 1)), times=t)
    sketch.follow(
        box, fall + np.outer(np.linspace(0.4, 0.0, 9), (0, 1, 0)), np.tile((1.0, 0, 0, 0), (9, 1)), times=t
    )
    sketch.inside(box, hat, (-0.02, -0.02, -0.02), (0.02, 0.02, 0.02))
    solution = sketch.solve(restarts=1)
    assert (
        not solution.is_met
        and "box through the wall of hat at 0." in str(solution)
        and "m deep" in str(solution)
    )
    assert "obeys physics" not in str(solution)


def test_the_pieces_of_a_body_are_convex_and_make_up_its_surface():
    hat = hat_body()
    shape = shape_of(hat)
    pieces = pieces_of(hat, shape)
    assert pieces.is_hollow and not pieces_of(SOLIDS["box"], shape_of(SOLIDS["box"])).is_hollow
    vertices, faces = td.surface(hat)
    corners = vertices[faces]
    area = (
        np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()
        / 2
    )
    own = 0.0
    for hull in pieces.hulls:
        middle = hull.points - hull.points.mean(axis=0)
        _, sizes, axes = np.linalg.svd(middle)
        assert sizes[2] < 1e-9  # each is flat
        own += ConvexHull(middle @ axes[:2].T).volume  # an area: it is a hull in a plane
    assert own == pytest.approx(area, rel=1e-6)
    hammer = td.Compound("hammer")
    assert len(pieces_of(hammer, shape_of(hammer))) == 2


def test_a_fast_ball_is_seen_to_pass_a_thin_wall():
    """Sketched at 20 m/s through a wall of 2 cm: it would be beyond it between two of the usual moments."""
    t = np.linspace(0, 0.4, 30)
    places = np.column_stack([20 * t - 4, 0 * t, 0.5 + 2 * t - 9.81 * t * t / 2])
    ball = td.Sphere("ball", radius=0.03, mass=0.1)
    wall = td.Box("wall", size=(0.02, 50, 50), mass=1, position=(0.2, 0, 0.5), is_fixed=True)
    sketch = Sketch(ball, wall)
    sketch.follow(ball, places, times=t)
    solution = sketch.solve(restarts=1)
    beyond = solution.at(ball, 0.4)["position"][0] > 0.2
    assert not beyond or (not solution.is_plausible and "inside wall" in str(solution))


@pytest.mark.mission("M1")
@pytest.mark.parametrize("timed", [True, False], ids=["times", "no times"])
@pytest.mark.parametrize(("size", "passes"), [(1.0, True), (10.0, False)], ids=["over it", "stopped"])
def test_what_is_sketched_through_a_wall_flies_over_it_or_stays_on_one_side(size, passes, timed):
    ball, t = td.Sphere("ball", radius=0.05, mass=0.1), np.linspace(0, 0.5, 12)
    wall = td.Box("wall", size=(0.04, size, size), is_fixed=True, position=(0.5, 0, 0.5))
    sketch = Sketch(ball, wall)
    sketch.follow(
        ball,
        np.outer(t, (2, 0, 2.4525)) - np.outer(t**2, (0, 0, 4.905)) + (0, 0, 0.5),
        times=t if timed else None,
    )
    solution = sketch.solve()
    assert solution.is_met and solution.is_plausible and not solution.depths
    path = np.array([solution.at(ball, when)["position"] for when in np.linspace(0, solution.seconds, 400)])
    over = np.maximum(np.abs(path - wall.position) - np.array(wall.size) / 2, 0)
    assert np.linalg.norm(over, axis=1).min() > 0.05 - 1e-3  # as far from the box as the ball is thick
    assert (path[0, 0] < 0.5 < path[-1, 0]) == passes
    # and it is thrown no harder than it must
    assert np.linalg.norm(np.diff(path[:2], axis=0)) / (solution.seconds / 399) < 5


@pytest.mark.mission("M5")
def test_an_exact_motion_through_a_wall_is_worth_less_than_one_with_gaps():
    """A ball that is dropped bounces into a wall as it must; a jump of its velocity takes it over."""
    ball = td.Sphere("ball", radius=0.03, mass=0.1)
    wall = td.Box("wall", size=(0.04, 4.0, 0.2), is_fixed=True, position=(0.65, 0, 0.1))

    def told():
        sketch, s = Sketch(ball, wall), np.linspace(0, 1, 10)
        sketch.want(ball, position=(0, 0, 0.5), velocity=(1.5, 0, 0), spin=(0, 0, 0), when="start")
        sketch.bounce(ball, restitution=0.5)
        sketch.follow(ball, np.stack([0.46 + 0.4 * s, 0 * s, 0.03 + 1.8 * s * (1 - s)], axis=1))
        sketch.lasts(0.25, 0.8)
        sketch.gap_weight = 3.0
        return sketch

    exact, found = (told().solve(gaps=gaps) for gaps in (False, None))
    assert exact.depths and "ball inside wall" in str(exact) and not exact.is_plausible
    assert not found.depths and 0 < found.widest_gap < 3 and "plausible, not exact" in str(found)
    path = np.array([found.states(ball, 1, np.array([share]))[0][0] for share in np.linspace(0, 1, 201)])
    assert (
        path[0, 0] < 0.63
        and path[-1, 0] > 0.67
        and path[np.abs(path[:, 0] - 0.65) < 0.02, 2].min() > 0.23 - 1e-3
    )


def window(seed):
    """A box that is sketched through a window of four beams, askew."""
    rng = np.random.default_rng(seed)
    t, w, h = rng.uniform(0.008, 0.03), rng.uniform(0.2, 0.3), rng.uniform(0.2, 0.3)
    lying = [(0, 0, 0.5 + sign * (h + t) / 2) for sign in (-1, 1)]
    upright = [(0, sign * (w + t) / 2, 0.5) for sign in (-1, 1)]
    beams = [((t, w + 2 * t, t), at) for at in lying] + [((t, t, h), at) for at in upright]
    frame = [td.Box(f"beam{i}", size=size, position=at, is_fixed=True) for i, (size, at) in enumerate(beams)]
    box = td.Box("box", size=tuple(rng.uniform(0.05, 0.12, size=3)), mass=0.1)
    sketch, u = Sketch(box, *frame), np.linspace(0, 1, 9)
    begin, end = rng.uniform(-0.12, 0.12, 2)
    rise = 0.5 + rng.uniform(-0.1, 0.1) - 0.9 * (u - 0.5) ** 2
    axis = rng.normal(size=3)
    half = rng.uniform(2, 9) * u[:, None] / 2
    turns = np.concatenate([np.cos(half), np.sin(half) * axis / np.linalg.norm(axis)], axis=1)
    sketch.follow(box, np.stack([u - 0.5, begin + (end - begin) * u, rise], axis=1), turns)
    return sketch


@pytest.mark.mission("M1")
@pytest.mark.parametrize("seed", [5, *(pytest.param(k, marks=pytest.mark.long) for k in range(30, 42))])
def test_what_is_called_plausible_lies_in_no_beam_at_any_moment(seed):
    solution = window(seed).solve(restarts=2)
    shares, deepest = np.linspace(0, 1, 8001), 0.0
    for beam in range(1, 5):
        box, other = (motions(solution.statement, solution.outcome.point, 0, b, shares) for b in (0, beam))
        deepest = max(deepest, float(-separation(box, other)[0].min()))
    promised = 2.2e-4 * solution.statement.units.length  # 2e-4, and what lies between two looks
    assert deepest <= promised or not solution.is_plausible


def tumbling(seed):
    """Two bodies, one of them perhaps a hat or a hammer, that fly past each other or through, as no solver
    would have it: sketched so, and not solved."""
    rng = np.random.default_rng(seed)
    kinds = [
        lambda name: td.Box(name, size=tuple(rng.uniform(0.003, 0.2, size=3)), mass=0.1),
        lambda name: td.Cylinder(
            name, radius=rng.uniform(0.005, 0.1), length=rng.uniform(0.005, 0.3), mass=0.1
        ),
        lambda name: td.Capsule(name, radius=rng.uniform(0.005, 0.05), length=0.2, mass=0.1),
        lambda name: td.Compound(name),
        lambda name: td.Mesh(name, **{k: hat_body().values[k] for k in ("vertices", "faces")}, mass=0.12),
    ]
    a, b = (kinds[k](name) for k, name in zip(rng.integers(len(kinds), size=2), "ab", strict=True))
    s, sketch = np.linspace(0, 1, 9), Sketch(a, b)
    way = Rotation.random(rng=rng).as_matrix()
    passing = rng.uniform(0, 0.2) * way[1]
    for body, sign in ((a, 1), (b, -1)):
        speed, spin = (
            rng.uniform(0.5, 4) * sign * way[0],
            rng.uniform(0, 15) * Rotation.random(rng=rng).as_matrix()[0],
        )
        t = 0.4 * (s - 0.5)
        turns = Rotation.from_rotvec(np.outer(t, spin)).as_quat(scalar_first=True)
        rise = np.outer(t, (0, 0, 2.0)) - np.outer(t**2, (0, 0, 4.905))
        sketch.follow(body, np.outer(t, speed) + rise + (sign > 0) * passing, turns, times=0.4 * s)
    return sketch


@pytest.mark.mission("M1")
@pytest.mark.parametrize("seed", [1, 9, *(pytest.param(k, marks=pytest.mark.long) for k in range(20, 50))])
def test_no_overlap_stays_unseen_between_two_moments(seed):
    """Against a look at all pieces at 1501 moments, which knows nothing of bounds on speeds."""
    statement = tumbling(seed).statement()
    point, allowed = guess(statement), 2e-4 * statement.units.length
    found = overlaps(statement, point)

    def depth_at(shares):
        a, b = (motions(statement, point, 0, body, shares) for body in (0, 1))
        A, B = statement.pieces
        return np.max(
            [
                -separation(Moving(one, a.x, a.R), Moving(two, b.x, b.R))[0]
                for one in A.hulls
                for two in B.hulls
            ],
            axis=0,
        )

    shares = np.linspace(0, 1, 1501)
    depth = depth_at(shares)
    for share in shares[depth > 1.05 * allowed]:
        assert any(one.shares[0] - 1 / 128 <= share <= one.shares[-1] + 1 / 128 for one in found)
    for one in found:
        assert one.depth > allowed and one.depth == pytest.approx(
            depth_at(np.array([one.share]))[0], rel=1e-6
        )
    assert (
        max((one.depth for one in found), default=0.0) >= 0.98 * depth.max() or depth.max() < 1.05 * allowed
    )
