"""Running against the real-time clock (A3)."""

import time

import pytest

import tinkerdyne as td


@pytest.mark.parametrize("method", ["rattle", "stormer"])
def test_a_live_run_keeps_up_with_the_clock(method):
    world = td.World(method=method, max_step=0.1 if method == "stormer" else 1e-3)
    rod = world.add(td.Rod("rod", position=(0.5, 0.0, 0.0)))
    world.add(td.nail(rod.end1, at=(0.0, 0.0, 0.0)), td.gravity())
    moments: list[float] = []
    start = time.perf_counter()
    assert world.live(0.3, each=lambda w: moments.append(w.time))
    assert time.perf_counter() - start >= 0.3
    # behind the clock only where a step took too long
    assert world.time == pytest.approx(0.3, abs=1e-6) or world.time < 0.3
    assert len(moments) > 2 and moments == sorted(moments)
    assert world.gap < 1e-7


def test_a_world_that_is_too_slow_falls_behind_and_takes_no_giant_step(monkeypatch):
    now = iter([0.0, 0.0, 0.0, 5.0, 5.0, 5.01, 10.0, 10.0, 10.0])  # the machine slept for five seconds
    monkeypatch.setattr("tinkerdyne.world.clock.time.perf_counter", lambda: next(now))
    monkeypatch.setattr("tinkerdyne.world.clock.time.sleep", lambda _: None)
    world = td.World()
    world.add(td.Particle("p", velocity=(1.0, 0.0, 0.0)))
    world.live(5.5)
    assert world.time <= 0.2 + 1e-9


def test_a_negative_time_is_refused():
    with pytest.raises(ValueError, match="seconds must not be negative, not -1"):
        td.World().live(-1.0)
