"""Curves and surfaces typed in as text: state by name, files, undo, a fresh process, and what is refused."""

import math
import os
import subprocess
import sys
from pathlib import Path

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import quad

import tinkerdyne as td
from tests.patience import HANG
from tinkerdyne.connectors.patches import surface_normal, surface_point, surface_slider
from tinkerdyne.constraints.curves import lock, parameter_of
from tinkerdyne.objects.curves import polyline
from tinkerdyne.objects.patches import surface_grid, typed_surface
from tinkerdyne.objects.typed import typed_curve

ELLIPSE = ("c.x + a*cos(u)", "c.y + b*sin(u)")


def ellipse(**options):
    return typed_curve(*ELLIPSE, span=(0, "2*pi"), c=(0.5, 0.2), a=1.0, b=2.0, name="egg", **options)


def ball():
    text = "c.x + r*cos(u)*cos(v)", "c.y + r*sin(u)*cos(v)", "c.z + r*sin(v)"
    return typed_surface(*text, u=(0, "2*pi"), v=("-pi/2", "pi/2"), c=(0.0, 0.0, 0.0), r=1.0, name="ball")


def test_numbers_are_state_by_their_names():
    world = td.World(order=1)
    egg = world.add(ellipse())
    assert (egg.a, egg.b, egg.c) == (1.0, 2.0, (0.5, 0.2))
    assert td.curve_point(egg, u=math.pi / 2).value == pytest.approx((0.5, 2.2))
    egg.a, egg.c = 3.0, (0.0, 0.0)
    assert egg.numbers == (0.0, 0.0, 3.0, 2.0)
    world.undo()
    assert egg.c == (0.5, 0.2) and egg.a == 3.0
    assert float(td.area_within(egg).value[0]) == pytest.approx(math.pi * 6.0)


def test_a_pulled_typed_curve_is_saved_loaded_and_undone():
    world = td.World(order=1)
    egg = world.add(ellipse())
    start = egg.numbers
    grip = world.grab(td.curve_point(egg, u=0.3))
    grip.move(3.0, 1.0)
    world.run(1.0)
    grip.release()
    pulled = egg.numbers
    assert np.linalg.norm(np.subtract(pulled, start)) > 0.5
    world.undo()
    assert egg.numbers == start
    world.redo()
    world.undo()
    world.undo()
    assert "egg" not in world


def test_a_fresh_process_loads_what_was_typed(tmp_path):
    world = td.World(order=1)
    egg, surface = world.add(ellipse(), ball())
    world.grab(td.curve_point(egg, u=0.3)).move(3.0, 1.0)
    world.add(lock(egg, "c.x"))
    world.run(0.5)
    world.save(tmp_path / "scene.json")
    said = (
        "import tinkerdyne as td, tinkerdyne.objects.typed, tinkerdyne.objects.patches, "
        "tinkerdyne.constraints.curves\n"
        f"world = td.World.load({str(tmp_path / 'scene.json')!r})\n"
        "before = world['egg'].numbers\nworld.run(0.2)\n"
        "print(repr((before, world['egg'].numbers, world['ball'].numbers)))"
    )
    root = str(Path(td.__file__).parents[1])
    path = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run(
        [sys.executable, "-c", said], capture_output=True, text=True, env=path, timeout=HANG, check=True
    )
    before, after, round_ = eval(done.stdout)
    assert (before, round_) == (egg.numbers, surface.numbers)
    world.run(0.2)
    assert after == egg.numbers  # bit for bit


def test_typed_and_library_curves_are_the_same_physics():
    from tinkerdyne.objects.curves import Circle

    found = []
    for make in (
        lambda: Circle("it", position=(0.2, 0.1), radius=1.5),
        lambda: typed_curve(
            "c.x + r*cos(u)", "c.y + r*sin(u)", span=(0, "2*pi"), c=(0.2, 0.1), r=1.5, name="it"
        ),
    ):
        world = td.World(order=1)
        it = world.add(make())
        world.grab(td.curve_point(it, u=1.0)).move(2.0, 3.0)
        world.run(0.5)
        found.append(polyline(it))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12, atol=1e-12)


def test_a_number_can_be_locked_and_measured():
    world = td.World(order=1)
    egg = world.add(ellipse())
    world.add(lock(egg, "a"), td.equal(parameter_of(egg, "b"), parameter_of(egg, "c.y")))
    world.grab(td.curve_point(egg, u=0.3)).move(3.0, 1.0)
    world.run(2.5)  # the second starts unmet, and closes by e^(−t/τ)
    assert egg.a == pytest.approx(1.0, abs=1e-7) and egg.b == pytest.approx(egg.c[1], abs=1e-7)


def test_curves_of_one_text_share_their_type():
    a, b = ellipse(), typed_curve(*ELLIPSE, span=(0, 2 * math.pi), c=(5.0, 5.0), a=3.0, b=3.0)
    assert a.type.resolve(a)[0] is b.type.resolve(b)[0]


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (("a*cos(u)", "a*sn(u)"), {"a": 1}, "did you mean 'sin'"),
        (("", "a*u"), {"a": 1}, "empty"),
        (("a", "a"), {"a": 1}, "must contain u"),
        (("a/u", "u"), {"a": 1}, "no place at u = 0"),
        (("sqrt(a - u)", "u"), {"a": 0.5}, "no place at u = 0.625"),
        (("u",), {}, "two formulas in the plane or three in space, not 1"),
        (("u", "u"), {}, "nothing that could change"),
        (("a*u", "u"), {"a": 1, "b": 2}, "'b' stands in no formula"),
        (("a*u", "u"), {"a": float("nan")}, "NaN"),
        (("a*u", "u"), {"a": "1"}, "must be a number"),
        (("drag*u", "start*u"), {"start": 1}, "cannot be called 'start'"),
        (("a*u", "u"), {"a": 1, "span": (1, 0)}, "begin below its end"),
        (("a*u", "u"), {"a": 1, "span": 3}, "span of a new typed_curve must be two numbers"),
        (("a*u", "u"), {"a": 1, "panels": 0}, "whole number from 1 to 128"),
        (("__import__('os')", "a*u"), {"a": 1}, "unknown function"),
        (("a.real*u", "u"), {"a": 1}, "single number"),
        (("a*u" + "+a" * 400, "u"), {"a": 1}, "at most"),
    ],
)
def test_what_cannot_be_a_curve_is_refused_in_words(text, options, words):
    with pytest.raises((TypeError, ValueError), match=words):
        typed_curve(*text, **options)


def test_a_scene_with_a_spoilt_formula_is_refused_and_names_the_curve(tmp_path):
    world = td.World(order=1)
    world.add(ellipse())
    file = tmp_path / "scene.json"
    world.save(file)
    for old, new in (
        ("a*cos(u)", "a*cos(w)"),
        ('"numbers": [0.5, 0.2, 1.0, 2.0]', '"numbers": [0.5]'),
        ('"c.y", ', ""),
    ):
        spoilt = file.read_text().replace(old, new)
        assert spoilt != file.read_text()
        (tmp_path / "spoilt.json").write_text(spoilt)
        with pytest.raises(td.SceneError, match="typed_curve 'egg'"):
            td.World.load(tmp_path / "spoilt.json")


# --- surfaces -------------------------------------------------------------------------------------
def test_a_surface_is_pulled_at_any_point():
    world = td.World(order=1)
    it = world.add(ball())
    held = surface_point(it, u=0.5, v=0.6)
    grip = world.grab(held)
    grip.move(1.0, 1.0, 1.0)
    world.run(3.0)
    assert held.value == pytest.approx((1.0, 1.0, 1.0), abs=5e-3)
    np.testing.assert_allclose(np.linalg.norm(surface_grid(it) - it.c, axis=2), it.r, rtol=1e-12)
    assert surface_normal(it, u=0.5, v=0.6).value == pytest.approx(
        np.subtract(held.value, it.c) / it.r, abs=1e-9
    )


def test_a_point_slides_on_a_surface():
    world = td.World(order=1)
    it, u, v, bead = world.add(
        ball(),
        td.Variable("u", value=0.3),
        td.Variable("v", value=0.2),
        td.Particle("bead", position=(1.0, 0.0, 0.0)),
    )
    it.is_fixed = True
    world.add(td.connect(bead, surface_slider(it, u, v)))
    world.grab(bead).move(0.0, 3.0, 0.0)
    world.run(4.0)
    assert bead.position == pytest.approx((0.0, 1.0, 0.0), abs=1e-3)


def test_drag_of_a_ball_is_that_of_its_area():
    """Pulled at its centre by symmetric pulls, a sphere moves with F/(drag 4πr²)."""
    world = td.World(order=1)
    it = world.add(ball())
    for v in (-math.pi / 2, math.pi / 2):
        world.add(td.pull(surface_point(it, u=0.0, v=v), by=(0.5, 0.0, 0.0)))
    world.step(1e-6)
    assert it.numbers_rate[0] == pytest.approx(1 / (4 * math.pi), rel=1e-3)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (("a*u+v",), {"a": 1}, "three formulas in space or two in the plane, not 1"),
        (("a*u", "u", "u"), {"a": 1}, "u and v"),
        (("a*u/v", "u", "v"), {"a": 1}, "no place at u = 0, v = 0"),
        (("a*u", "u", "v"), {"a": 1, "u": (0, 0)}, "u_span of a new typed_surface must begin below"),
    ],
)
def test_what_cannot_be_a_surface_is_refused_in_words(text, options, words):
    with pytest.raises((TypeError, ValueError), match=words):
        typed_surface(*text, **options)


def rose(n):
    text = f"c.x + a*cos({n}*u)*cos(u)", f"c.y + a*cos({n}*u)*sin(u)"
    return typed_curve(*text, span=(0, "2*pi"), c=(0.0, 0.0), a=1.0, name="rose")


@pytest.mark.parametrize("n", [2, 4, 5, 8, 16])
def test_a_rose_of_many_petals_has_its_length_area_and_drag(n):
    # Evenly spaced nodes fall on one phase of every petal unless there are many more nodes than petals.
    def speed(u):
        return math.hypot(math.cos(n * u), n * math.sin(n * u))

    petals = np.linspace(0, 2 * math.pi, 4 * n + 1)[1:-1]
    length, drag = (
        quad(f, 0, 2 * math.pi, points=petals, limit=500, epsabs=1e-12, epsrel=1e-10)[0]
        for f in (speed, lambda u: math.cos(n * u) ** 2 * speed(u))
    )
    world = td.World(order=1)
    curve = world.add(rose(n))
    assert float(td.length_of(curve).value[0]) == pytest.approx(length, rel=1e-6)
    assert float(td.area_within(curve).value[0]) == pytest.approx(math.pi / 2, rel=1e-6)
    world.add(td.spring(td.curve_point(curve, u=0.0), td.Nail((1.1, 0.0)), stiffness=1.0))
    world.step(1e-6)
    assert (curve.a - 1) / 1e-6 == pytest.approx(0.1 / drag, rel=1e-4)


def test_panels_are_chosen_once_and_kept_in_the_file(tmp_path):
    world = td.World(order=1)
    curve = world.add(rose(5))
    assert curve.panels > 1
    world.save(tmp_path / "scene.json")
    assert td.World.load(tmp_path / "scene.json")["rose"].panels == curve.panels
    assert typed_curve("a*cos(u)", "b*sin(u)", panels=3, a=1, b=2).panels == 3


def test_a_wavy_curve_in_python_needs_no_panels():
    @td.curve(span=(0.0, 2 * math.pi))
    def star(u, *, c=(0.0, 0.0), a=1.0):
        return c[0] + a * ca.cos(32 * u) * ca.cos(u), c[1] + a * ca.cos(32 * u) * ca.sin(u)

    assert float(td.area_within(td.World(order=1).add(star("star"))).value[0]) == pytest.approx(
        math.pi / 2, rel=1e-6
    )
