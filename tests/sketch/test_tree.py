"""Articulated trees against the engine, sketches of chains, and what is no tree (M7)."""

import dataclasses

import casadi as ca
import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.sketch.articulated import TreeSketch
from tinkerdyne.sketch.examples import chain, chain_tree
from tinkerdyne.sketch.tree import Tree

G = np.array((0, 0, -9.81))


def links(kind, *, clamped):
    bodies = [td.Rod(f"l{i}", length=0.3, radius=0.02, mass=0.2 + 0.1 * i, position=(0.15 + 0.3 * i, 0, 1)) for i in range(3)]
    joints = [
        td.join(kind, bodies[i], bodies[i + 1], at=(0.3 * (i + 1), 0, 1), axis=(0, 1, 0.3), toward=(1, 0.2, 0)) for i in range(2)
    ]
    return bodies, joints + ([td.join(kind, None, bodies[0], at=(0, 0, 1), axis=(0, 1, 0))] if clamped else [])


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
        assert np.abs((np.array(link.item.velocity) - v[:, i]) / dt - a[:, i]).max() < 0.05 * max(1.0, np.abs(a[:, i]).max())


@pytest.mark.mission("M7")
def test_two_hinged_rods_answer_a_blow_as_b20_says():
    """Uniform rods on [0, 1] and [1, 2], hinged at x = 1, struck by (0, 1) at x = 0: rational answers of BENCHMARKS B20."""
    rods = [td.RigidBody(f"rod {k}", mass=1.0, inertia=(1e-3, 1 / 12, 1 / 12), position=(0.5 + k, 0, 0)) for k in range(2)]
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
    edited.holds[0] = dataclasses.replace(edited.holds[0], low=edited.holds[0].low + 0.005, high=edited.holds[0].high + 0.005)
    again = edited.solve(near=solution)
    assert again.is_met and again.iterations < solution.iterations


@pytest.mark.mission("M7")
def test_a_clamped_pendulum_is_swung_through_a_point():
    """A rod on a pin: energy is kept, so the found start tells the speed where the point is reached."""
    rod = td.Rod("rod", length=1.0, radius=0.02, mass=1.0, position=(0, 0, -0.5), orientation=(np.sqrt(0.5), 0, np.sqrt(0.5), 0))
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
    assert energy(start) == pytest.approx(energy(end), rel=1e-3)  # a thick rod's inertia is a little more than 1/3
    assert np.abs(np.array(end.end2.value) - target).max() < 2e-3


def test_a_tree_that_begins_in_a_region_uses_it():
    tree = chain_tree()
    sketch = chain(4, tree=tree)
    sketch.begin(within=0.1, angle=0.3)
    solution = sketch.solve()
    moved = np.abs(solution.nodes.c[0][:3] - tree.configuration()[0][:3]).max()
    assert solution.is_met and 1e-3 < moved < 0.1 + 1e-6


@pytest.mark.mission("M7")
def test_what_is_no_tree_is_refused_in_words():
    bodies, joints = links(td.pin, clamped=False)
    loop = td.join(td.pin, bodies[2], bodies[0], at=(0, 0, 1))
    cases = [
        (bodies, [*joints, loop], "closes a loop"),
        (bodies, joints[:1], "joined to nothing"),
        (bodies[:2], joints, "not among the bodies"),
        (bodies, [td.join(td.weld, bodies[0], bodies[1], at=(0, 0, 1)), joints[1]], "pin, universal and ball"),
        ([td.Particle("p")], [], "rigid bodies"),
    ]
    for some, held, says in cases:
        with pytest.raises((TypeError, ValueError), match=says):
            Tree(some, held)
    with pytest.raises(ValueError, match="asks for nothing"):
        TreeSketch(chain_tree()).solve()
    with pytest.raises(ValueError, match="not a link"):
        TreeSketch(chain_tree()).want(td.Rod("other"), (0, 0, 0))
