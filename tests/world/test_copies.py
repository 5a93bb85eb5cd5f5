"""Copies of worlds, worlds in several threads, and worlds in a process that was forked."""

import copy
import os
import pickle
import subprocess
import sys
import textwrap
import threading

import pytest

import tinkerdyne as td
from tests.world.worlds import chain


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))]
)
def test_a_copy_is_a_world_of_its_own_that_goes_on_alike(copied):
    world = chain(3)
    world.run(0.1)
    other = copied({"it": [world]}["it"][0])
    assert other.to_json() == world.to_json() and other.engine is not world.engine
    world.run(0.1)
    assert other.time == 0.1 and other.run(0.1) and other.to_json() == world.to_json()
    other["rod0"].mass = 7.0
    assert world["rod0"].mass == 1.0


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_item_by_itself_is_not_copied_and_the_message_says_what_to_do(copied):
    rod = chain(2)["rod1"]
    for item in (rod, td.Rod("free"), rod.end1):
        with pytest.raises(TypeError, match=r"cannot be copied.*copy\.deepcopy\(world\)"):
            copied(item)


def test_threads_that_edit_step_and_read_one_world_leave_it_whole():
    world = chain(3)
    problems, rounds = [], 25

    def edit(k):
        for _ in range(rounds):
            ball = world.add(td.Particle(position=(k, 0.0, 1.0)))
            world.add(td.spring(ball, world["rod0"].end1))
            ball.mass = 2.0
            world.remove(ball)

    def plan(k):
        for j in range(rounds):
            world.at(1000.0 + k, td.Change("rod0", "mass", float(j + 1)))

    def step(_k):
        for _ in range(rounds):
            assert world.step(1e-3)

    def read(_k):
        for _ in range(rounds):
            assert len(world["rod2"].position) == 3 and world.energy < 1e3
            td.World.from_json(world.to_json())

    def guarded(work, k):
        try:
            work(k)
        except Exception as problem:
            problems.append(problem)

    works = [(work, k) for k, work in enumerate((edit, edit, plan, plan, step, step, read))]
    threads = [threading.Thread(target=guarded, args=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert world.time == pytest.approx(2 * rounds * 1e-3) and len(world.timeline) == 2 * rounds
    assert {item.type.name for item in world.items} == {"rod", "point", "place", "connect", "gravity"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_beside_a_stepping_thread_works_or_says_why_not():
    script = """
        import os, threading, time
        import tinkerdyne as td

        def falling():
            world = td.World()
            world.add(td.Particle("ball"), td.gravity())
            world.run(0.01)
            return world

        held, free = falling(), falling()
        stop = threading.Event()

        def work():
            with held.lock:  # as within a step
                begun.set()
                stop.wait()

        begun = threading.Event()
        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        child = os.fork()
        if child == 0:
            assert free.run(0.01) and falling().run(0.01)
            for use in (lambda: held.run(0.01), lambda: held["ball"].position, held.to_json, held.undo):
                try:
                    use()
                except RuntimeError as problem:
                    assert "forked" in str(problem) and "spawn" in str(problem)
                else:
                    os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        stop.set()
        thread.join()
        assert held.run(0.01)
        print(os.waitstatus_to_exitcode(status))
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "0\n", done.stderr
