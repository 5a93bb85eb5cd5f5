"""Articulated trees against the engine, sketches of chains, and what is no tree (M7)."""

import dataclasses
import itertools
import json
import re
from concurrent.futures import ThreadPoolExecutor

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tinkerdyne as td
from scenes.sketch.acted.chain import chain, chain_tree
from tinkerdyne.files import SceneError
from tinkerdyne.sketch.tell.document import document_of, save_sketch
from tinkerdyne.sketch.tell.file import load_sketch, sketch_of
from tinkerdyne.sketch.tree.guess import guess
from tinkerdyne.sketch.tree.midpoint import midpoint
from tinkerdyne.sketch.tree.sketch import TreeSketch
from tinkerdyne.sketch.tree.tree import Tree

G = np.array((0, 0, -9.81))


def links(kind, *, clamped):
    bodies = [
        td.Rod(f"l{i}", length=0.3, radius=0.02, mass=0.2 + 0.1 * i, position=(0.15 + 0.3 * i, 0, 1))
        for i in range(3)
    ]
    joints = [
        td.join(
            kind, bodies[i], bodies[i + 1], at=(0.3 * (i + 1), 0, 1), axis=(0, 1, 0.3), toward=(1, 0.2, 0)
        )
        for i in range(2)
    ]
    return bodies, joints + (
        [td.join(kind, None, bodies[0], at=(0, 0, 1), axis=(0, 1, 0))] if clamped else []
    )


@pytest.mark.mission("M7")
@pytest.mark.parametrize("kind", [td.pin, td.universal, td.ball], ids=lambda k: k.name)
@pytest.mark.parametrize("clamped", [False, True], ids=["free", "clamped"])
def test_the_equations_of_motion_are_the_engines_own(kind, clamped):
    bodies, joints = links(kind, clamped=clamped)
    tree = Tree(bodies, joints)
    assert tree.freedoms == {"pin": 1, "universal": 2, "ball": 3}[kind.name] * len(joints) + 6 * (not clamped)
    c, Q = tree.configuration()
    n = tree.freedoms
    u = 2 * np.random.default_rng(0).normal(size=n)
    C, QQ, U = ca.SX.sym("c", n), ca.SX.sym("Q", 4, tree.turns), ca.SX.sym("u", n)
    change = np.array(ca.Function("f", [C, QQ, U], [tree.acceleration(C, QQ, U, G)])(c, Q, u)).ravel()
    v, w = (np.array(one) for one in tree.velocity_function(c, Q, u))
    moved = tree._outwards(C, QQ, U, ca.SX(change))
    a = np.array(ca.Function("a", [C, QQ, U], [ca.horzcat(*[m.a for m in moved])])(c, Q, u))
    world = td.World(method="adaptive", rtol=1e-12, atol=1e-13)
    for i, link in enumerate(tree.links):
        link.item.velocity, link.item.spin = tuple(v[:, i]), tuple(w[:, i])
    world.add(*bodies)
    world.add(*joints)
    world.add(td.gravity(g=tuple(G)))
    dt = 1e-4
    world.step(dt)
    for i, link in enumerate(tree.links):
        # to first order in dt: the velocity changes by a dt
        assert np.abs((np.array(link.item.velocity) - v[:, i]) / dt - a[:, i]).max() < 0.05 * max(
            1.0, np.abs(a[:, i]).max()
        )


@pytest.mark.mission("M7")
def test_two_hinged_rods_answer_a_blow_as_b20_says():
    """Uniform rods on [0, 1] and [1, 2], hinged at x = 1, struck by (0, 1) at x = 0: rational answers, as
    in tests/references (B20)."""
    rods = [
        td.RigidBody(f"rod {k}", mass=1.0, inertia=(1e-3, 1 / 12, 1 / 12), position=(0.5 + k, 0, 0))
        for k in range(2)
    ]
    tree = Tree(rods, [td.join(td.pin, rods[0], rods[1], at=(1, 0, 0), axis=(0, 0, 1))])
    n = tree.freedoms
    c, Q = tree.configuration()
    u, du = ca.SX.sym("u", n), ca.SX.sym("du", n)
    M = np.array(ca.evalf(ca.jacobian(tree.inverse_dynamics(ca.SX(c), ca.SX(Q), 0 * u, du, np.zeros(3)), du)))
    v, w = tree.velocity_function(c, Q, u)
    struck = v[:, 0] + ca.cross(w[:, 0], ca.DM((-0.5, 0, 0)))
    J = np.array(ca.evalf(ca.jacobian(struck, u)))
    answer = np.linalg.solve(M, J.T @ (0, 1, 0))
    v, w = (np.array(one) for one in tree.velocity_function(c, Q, answer))
    assert v[1] == pytest.approx([5 / 4, -1 / 4]) and w[2] == pytest.approx([-9 / 2, 3 / 2])
    assert (J @ answer)[1] == pytest.approx(7 / 2) and answer @ M @ answer / 2 == pytest.approx(7 / 4)


@pytest.mark.mission("M7")
@pytest.mark.parametrize("h", [0.25, 2 / 3, 1.0])
def test_a_pinned_rod_answers_a_blow_as_b20_says(h):
    """Struck across at a distance h from its pin by 1 N s: ω = 3h, and the pin takes 3h/2 − 1, nothing at
    2/3."""
    rod = td.RigidBody("rod", mass=1.0, inertia=(1e-3, 1 / 12, 1 / 12), position=(0.5, 0, 0))
    tree = Tree([rod], [td.join(td.pin, None, rod, at=(0, 0, 0), axis=(0, 0, 1))])
    c, Q = tree.configuration()
    du = ca.SX.sym("du", 1)
    M = float(
        ca.evalf(ca.jacobian(tree.inverse_dynamics(ca.SX(c), ca.SX(Q), ca.SX.zeros(1), du, np.zeros(3)), du))
    )
    omega = h / M
    v, w = (np.array(one).ravel() for one in tree.velocity_function(c, Q, omega))
    assert omega == pytest.approx(3 * h) and w[2] == pytest.approx(3 * h)
    assert v[1] - 1 == pytest.approx(3 * h / 2 - 1)  # momentum less the blow


@pytest.mark.mission("M7", "M9")
def test_a_chain_reaches_its_hook_and_the_engine_agrees():
    tree = chain_tree()
    sketch = chain(3, tree=tree)
    solution = sketch.solve()
    assert solution.is_met, str(solution)
    assert solution.gap < 1e-8 and solution.end_by_rk4(1000) < 1e-6
    assert max(solution.resimulated()) < 1e-6
    world = solution.world()
    world.step(solution.seconds)
    assert np.abs(np.array(world["link 3"].end2.value) - sketch.holds[0].low).max() < 1e-6
    edited = chain(3, tree=tree)
    edited.holds[0] = dataclasses.replace(
        edited.holds[0], low=edited.holds[0].low + 0.005, high=edited.holds[0].high + 0.005
    )
    again = edited.solve(near=solution)
    assert again.is_met and again.iterations < solution.iterations


@pytest.mark.mission("M7")
def test_a_clamped_pendulum_is_swung_through_a_point():
    """A rod on a pin: energy is kept, so the found start tells the speed where the point is reached."""
    rod = td.Rod(
        "rod",
        length=1.0,
        radius=0.02,
        mass=1.0,
        position=(0, 0, -0.5),
        orientation=(np.sqrt(0.5), 0, np.sqrt(0.5), 0),
    )
    tree = Tree([rod], [td.join(td.pin, None, rod, at=(0, 0, 0), axis=(0, 1, 0))])
    sketch = TreeSketch(tree, steps=12)
    target, near = np.array((np.sin(0.8), 0, -np.cos(0.8))), np.array((1e-9, 1e-3, 1e-3))
    sketch.want(rod, [target - near, target + near], at=rod.end2)
    sketch.lasts(0.3, 0.3)
    solution = sketch.solve()
    end = solution.world(12)["rod"]
    start = solution.world(0)["rod"]

    def energy(one):
        return 0.5 * (1 / 3) * np.dot(one.spin, one.spin) + 9.81 * one.position[2]

    assert solution.gap < 1e-8
    # a thick rod's inertia is a little more than 1/3
    assert energy(start) == pytest.approx(energy(end), rel=1e-3)
    assert np.abs(np.array(end.end2.value) - target).max() < 2e-3


def test_a_tree_that_begins_in_a_region_uses_it():
    tree = chain_tree()
    sketch = chain(4, tree=tree)
    sketch.begin(within=0.1, angle=0.3)
    solution = sketch.solve()
    moved = np.abs(solution.nodes.c[0][:3] - tree.configuration()[0][:3]).max()
    assert solution.is_met and 1e-3 < moved < 0.1 + 1e-6


def swung(kind=td.pin, steps=12):
    """A double pendulum whose end must be at a point in the end."""
    rods = [
        td.Rod(f"rod {k}", length=0.4, radius=0.02, mass=0.3, position=(0.2 + 0.4 * k, 0, 1))
        for k in range(2)
    ]
    axis = (0, 1, 0) if kind is td.pin else (1, 0, 0)
    joints = [
        td.join(kind, None, rods[0], at=(0, 0, 1), axis=axis),
        td.join(kind, *rods, at=(0.4, 0, 1), axis=axis),
    ]
    sketch = TreeSketch(Tree(rods, joints), steps=steps)
    sketch.want(rods[1], (0.35, 0.0, 0.45), at=rods[1].end2)
    sketch.lasts(0.2, 0.8)
    return sketch


@pytest.mark.mission("M7")
def test_several_starts_find_the_best_motion_of_a_tree_and_may_be_stopped():
    sketch = swung()
    seen = []
    with ThreadPoolExecutor(1) as executor:  # what is sent is the document of the sketch
        solution = sketch.solve(
            restarts=3, executor=executor, progress=lambda n, of, best: seen.append((n, of))
        )
    assert (
        solution.is_met
        and len(solution.others) == 3
        and seen == [(1, 3), (2, 3), (3, 3)]
        and "3 starts" in str(solution)
    )
    assert solution.cost == min(o.cost for o in solution.others if o.is_met)
    calls = itertools.count()
    stopped = swung().solve(cancel=lambda: next(calls) > 2)
    assert "Cancelled" in str(stopped) and stopped.iterations <= 4 and np.isfinite(stopped.nodes.c).all()
    with pytest.raises(ValueError, match="same tree"):
        swung().solve(near=solution)


@pytest.mark.mission("M7")
@pytest.mark.parametrize("kind", [td.universal, td.ball], ids=lambda k: k.name)
def test_clamped_trees_of_other_joints_are_swung_too_and_play_from_a_file(kind, tmp_path):
    solution = swung(kind, steps=24).solve()
    assert solution.is_met and max(solution.resimulated()) < 1e-6
    solution.world().save(tmp_path / "swung.json")
    world = td.World.load(tmp_path / "swung.json")
    world.step(solution.seconds)
    assert np.abs(np.array(world["rod 1"].end2.value) - (0.35, 0, 0.45)).max() < 1e-6


@pytest.mark.mission("M7")
def test_a_sketch_of_a_tree_comes_back_from_its_file(tmp_path):
    for sketch in (swung(), chain(2)):
        save_sketch(sketch, tmp_path / "tree.json")
        again = load_sketch(tmp_path / "tree.json")
        assert isinstance(again, TreeSketch) and document_of(again) == document_of(sketch)
        shares = [np.linspace(0, 1, len(t.places)) for t in sketch.tracks]
        given = [midpoint(one).vectors(one, guess(one), shares) for one in (sketch, again)]
        assert all(np.allclose(given[0][key], given[1][key], rtol=0, atol=1e-12) for key in given[0])
    told = json.loads((tmp_path / "tree.json").read_text())
    for changes, says in (
        ({"joints": [{"type": "weld", "a": "link 1", "b": "link 2"}]}, "pin, universal or ball"),
        ({"joints": [{"type": "pin", "a": "link 1", "b": "link 9", "at": [0, 0, 0]}]}, "no body 'link 9'"),
        (
            {"joints": [told["joints"][0] | {"frame_b": {"at": [0, 0, 0]}}, told["joints"][1]]},
            "a frame has at and axes",
        ),
        ({"story": [{"bounce": "link 1"}]}, "follow, want, begin, lasts"),
        ({"joints": told["joints"][:1]}, "joined to nothing"),
    ):
        (tmp_path / "bad.json").write_text(json.dumps(told | changes))
        with pytest.raises(SceneError, match=says):
            load_sketch(tmp_path / "bad.json")


@pytest.mark.mission("M7")
def test_what_is_no_tree_is_refused_in_words():
    bodies, joints = links(td.pin, clamped=False)
    loop = td.join(td.pin, bodies[2], bodies[0], at=(0, 0, 1))
    cases = [
        (bodies, [*joints, loop], "closes a loop"),
        (bodies, joints[:1], "joined to nothing"),
        (bodies[:2], joints, "not among the bodies"),
        (
            bodies,
            [td.join(td.weld, bodies[0], bodies[1], at=(0, 0, 1)), joints[1]],
            "pin, universal and ball",
        ),
        ([td.Particle("p")], [], "rigid bodies"),
    ]
    for some, held, says in cases:
        with pytest.raises((TypeError, ValueError), match=says):
            Tree(some, held)
    with pytest.raises(ValueError, match="asks for nothing"):
        TreeSketch(chain_tree()).solve()
    with pytest.raises(ValueError, match="not a link"):
        TreeSketch(chain_tree()).want(td.Rod("other"), (0, 0, 0))


@pytest.mark.mission("M7")
@pytest.mark.parametrize(
    ("place", "most"),
    [
        ((0.1, 0.1, 0.4), 1.5),
        pytest.param((0.3, -0.2, 0.5), 1.5, marks=pytest.mark.long),
        pytest.param((0.0, 0.1, 0.34), 2.5, marks=pytest.mark.long),
    ],
    ids=["below", "aside", "down"],
)
def test_a_hanging_chain_reaches_a_point_whatever_time_it_is_given(place, most):
    b = td.Capsule("b", radius=0.02, length=0.3, mass=0.2, position=(0.17, 0, 1))
    c = td.Capsule("c", radius=0.02, length=0.3, mass=0.15, position=(0.51, 0, 1))
    sketch = TreeSketch(
        Tree([b, c], [td.join(td.ball, None, b, at=(0, 0, 1)), td.join(td.ball, b, c, at=(0.34, 0, 1))])
    )
    sketch.want(c, place, at=c.end2)
    sketch.lasts(0.2, most)
    found = sketch.solve()
    assert found.is_met and found.gap < 1e-8 and 0.2 <= found.seconds <= most
    assert found.end_by_rk4() < 1e-5  # 4000 Runge–Kutta steps from the first node alone
    assert "point of c at the end" in str(found) and "misfit" not in str(found)


def test_what_a_tree_cannot_reach_is_told_in_finite_numbers():
    b = td.Capsule("b", radius=0.02, length=0.3, mass=0.2, position=(0.17, 0, 1))
    sketch = TreeSketch(Tree([b], [td.join(td.ball, None, b, at=(0, 0, 1))]))
    sketch.want(b, (3.0, 0, 1), at=b.end2)
    sketch.lasts(0.2, 0.5)
    says = str(sketch.solve())
    assert "could not be met" in says and "point of b at the end: off by 2." in says
    assert not re.search(r"\b(inf|nan)\b", says)


# --- inverse problems: truths come back from sketches without noise ------------------------------
MASS, ARM, SPIN = 0.3, 0.25, 0.01  # a pendulum on a pin about y: a'' = m g l cos a / (J + m l²)


def pendulum():
    rod = td.RigidBody("rod", mass=MASS, inertia=(0.002, SPIN, SPIN), position=(ARM, 0, 1.0))
    return rod, TreeSketch(Tree([rod], [td.join(td.pin, None, rod, at=(0, 0, 1), axis=(0, 1, 0))]))


def swinging(rate, times):
    """The angles and places of a pendulum that begins at a rate, by scipy."""

    def slope(_t, y):
        return [y[1], MASS * 9.81 * ARM * np.cos(y[0]) / (SPIN + MASS * ARM**2)]

    a = solve_ivp(slope, (0, times[-1]), [0, rate], rtol=1e-12, atol=1e-13, t_eval=times).y[0]
    return a, np.stack([ARM * np.cos(a), 0 * a, 1 - ARM * np.sin(a)], axis=1)


@pytest.mark.mission("M7")
@pytest.mark.parametrize(
    ("rate", "last", "end", "lasts"),
    [
        (-4.0, 0.8, 1.2, (0.5, 2.0)),
        (-4.0, 0.8, 1.2, (1.2, 1.2)),
        (3.0, 0.4, None, (0.2, 0.8)),
        (0.0, 1.0, None, (1.0, 1.0)),
        (12.0, 0.5, None, (0.5, 0.5)),
        (26.0, 0.8, None, (0.1, 3.0)),
    ],
    ids=["end later", "end told", "time free", "released", "a full turn", "three turns"],
)
def test_a_pendulum_that_was_shown_with_its_times_is_found_as_it_was(rate, last, end, lasts):
    times = np.linspace(0, last, 33)
    angles, places = swinging(rate, np.append(times, end or last + 1e-3))
    rod, sketch = pendulum()
    sketch.follow(rod, places[:-1], times=times)
    sketch.lasts(*lasts)
    if end is not None:
        sketch.want(rod, places[-1])
    found = sketch.solve()
    assert (
        found.is_met
        and found.nodes.u[0, 0] == pytest.approx(rate, abs=1e-6)
        and found.seconds == pytest.approx(end or last)
    )
    assert found.shares[0] * found.seconds == pytest.approx(times)
    assert (
        found.nodes.c[-1, 0] == pytest.approx(angles[-1 if end else -2], abs=1e-6)
        and max(found.resimulated()) < 1e-6
    )
    if rate == 3.0:  # shown otherwise, it is solved warm to the same as cold
        again = [TreeSketch(sketch.tree) for _ in range(2)]
        for one in again:
            one.follow(rod, swinging(3.1, times)[1], times=times)
            one.lasts(*lasts)
        assert [one.nodes.u[0, 0] for one in (again[0].solve(), again[1].solve(near=found))] == pytest.approx(
            [3.1, 3.1], abs=1e-6
        )


@pytest.mark.mission("M7")
@pytest.mark.parametrize("timed", [True, False], ids=["times", "no times"])
def test_a_double_pendulum_that_the_engine_swung_is_found_as_it_was(timed):
    tree = swung(td.universal).tree
    bodies, times = [link.item for link in tree.links], np.linspace(0, 0.6, 13)
    u = 2 * np.random.default_rng(1).normal(size=tree.freedoms)
    v, w = (np.array(one) for one in tree.velocity_function(*tree.configuration(), u))
    world = td.World(method="adaptive", rtol=1e-11, atol=1e-13)
    for i, body in enumerate(bodies):
        world.add(
            td.Rod(
                body.name, **body.values, position=body.position, velocity=tuple(v[:, i]), spin=tuple(w[:, i])
            )
        )
    a, b = (world[body.name] for body in bodies)
    world.add(td.join(td.universal, None, a, at=(0, 0, 1), axis=(1, 0, 0)))
    world.add(td.join(td.universal, a, b, at=(0.4, 0, 1), axis=(1, 0, 0)))
    world.add(td.gravity(g=tuple(G)))
    shown = [[np.array(one.end2.value) for one in (a, b)]]
    for dt in np.diff(times):
        world.step(dt)
        shown.append([np.array(one.end2.value) for one in (a, b)])
    sketch = TreeSketch(tree)
    for i, body in enumerate(bodies):
        sketch.follow(body, np.array(shown)[:, i], at=body.end2, times=times if timed else None)
    found = sketch.solve()
    assert found.nodes.u[0] == pytest.approx(u, abs=1e-6) and found.cost < 1e-14
    assert found.seconds == pytest.approx(times[-1], abs=1e-6) and found.shares[
        0
    ] * found.seconds == pytest.approx(times, abs=1e-6)


@pytest.mark.mission("M7")
def test_what_a_fixed_body_carries_is_clamped():
    def told(base):
        rod = td.Rod("rod", length=0.4, radius=0.01, mass=0.2, position=(0.2, 0, 1))
        turned = {"position": (0, 0.1, 1), "orientation": (0.6, 0.8, 0, 0)}
        post = [td.Box("post", size=(0.1, 0.1, 0.1), is_fixed=True, **turned)] if base else []
        joint = td.join(td.pin, post[0] if post else None, rod, at=(0, 0, 1), axis=(0, 1, 0))
        sketch = TreeSketch(Tree([*post, rod], [joint]))
        sketch.want(rod, (0, 0, 0.8))
        sketch.lasts(0.2, 1.0)
        return post, sketch

    post, sketch = told(True)
    found = sketch.solve()
    assert sketch.tree.freedoms == 1 and found.is_met and max(found.resimulated()) < 1e-6
    assert found.nodes.u == pytest.approx(told(False)[1].solve().nodes.u, abs=1e-6)
    world = found.world()
    world.step(found.seconds)
    assert world["post"].position == pytest.approx((0, 0.1, 1)) and world["rod"].position == pytest.approx(
        (0, 0, 0.8), abs=1e-6
    )
    assert document_of(sketch_of(document_of(sketch))) == document_of(sketch)
    with pytest.raises(ValueError, match="is fixed"):
        sketch.want(post[0], (0, 0, 0))
    with pytest.raises(ValueError, match="at least one body that moves"):
        Tree(post, [])


@pytest.mark.mission("M7")
@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda s, b: s.follow(b, [(0, 0, 1)], weight=-1), "weight of rigid_body 'rod' must be positive"),
        (lambda s, b: s.follow(b, [(0, 0, 1)] * 2, times=[-1, 1]), "rise from 0 on"),
        (lambda s, b: s.follow(b, [(0, 0, 1)] * 2, times=[0, 0]), "rise from 0 on"),
        (lambda s, b: s.follow(b, [(0, 0, 1)] * 2, times=[0, 1, 2]), "as many as its places, 2, not 3"),
        (
            lambda s, b: (s.follow(b, [(0, 0, 1)] * 2, times=[5, 10]), s.solve()),
            "up to 10 s, but the motion lasts at most 3 s",
        ),
        (lambda s, b: s.want(b, (np.inf, 0, 0)), r"place\[0\] of rigid_body 'rod' must be finite"),
        (lambda s, b: s.want(b, "up"), "the place of rigid_body 'rod' must be three numbers"),
        (lambda s, b: s.want(b, ((0, 0, 0), (1, 1))), "must be three numbers"),
        (lambda s, b: s.want(b, (True, 0, 0)), r"place\[0\] of rigid_body 'rod' must be a number, not True"),
        (lambda s, b: s.want(b, (0, 0, 1), when=0.51), "say 0.5, or make the sketch with steps=100"),
    ],
)
def test_what_cannot_be_asked_of_a_tree_is_refused_in_words(ask, says):
    rod, sketch = pendulum()
    with pytest.raises((TypeError, ValueError), match=says):
        ask(sketch, rod)
    assert not sketch.holds


def test_bodies_of_a_tree_have_names_of_their_own():
    for names in (("", ""), ("r", "r")):
        rods = [td.Rod(*filter(None, [name]), position=(k, 0, 1)) for k, name in enumerate(names)]
        with pytest.raises(ValueError, match="a name of its own"):
            Tree(rods, [td.join(td.ball, *rods, at=(0.5, 0, 1))])
    with pytest.raises(ValueError, match="at least one body"):
        Tree([], [])


def test_two_places_of_one_point_are_named_and_nothing_is_printed(capfd):
    rod, sketch = pendulum()
    sketch.want(rod, (0, 0, 0.75))
    sketch.want(rod, (0, 0, 1.25))
    sketch.lasts(0.3, 0.3)
    found = sketch.solve()
    assert (
        not found.is_met
        and "two places of the point of rod at the end, (0, 0, 0.75) and (0, 0, 1.25)" in str(found)
    )
    assert capfd.readouterr() == ("", "")


def test_one_free_body_is_a_tree_for_processes_too():
    rod = td.Rod("rod", length=0.4, mass=0.2, position=(0.2, 0, 1))
    sketch = TreeSketch(Tree([rod], []))
    sketch.want(rod, (1, 0, 1))
    with ThreadPoolExecutor(1) as executor:
        assert sketch.solve(executor=executor).is_met


def test_a_motion_that_runs_into_a_bound_says_so():
    rod, sketch = pendulum()
    a = np.linspace(0, 4.0, 24)
    sketch.follow(rod, np.stack([ARM * np.cos(a), 0 * a, 1 - ARM * np.sin(a)], axis=1), weight=100)
    sketch.lasts(0.1, 0.1)  # 40 rad/s
    assert "as fast as is looked for, 30 rad/s" in str(sketch.solve())
