"""Whatever cuts an edit short, the world is as it was before it, or as it is after it, and goes on."""

import gc
import random
import subprocess
import sys
import textwrap

import pytest

import tinkerdyne as td
from benchmarks.fuzz import interrupts
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.structure import Structure
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.edit import Add, Description


@pytest.mark.parametrize("seed", [*range(40), 794, 3240, 4094, 4959])  # the last ones failed once
def test_an_interrupt_at_any_place_leaves_the_world_before_or_after(seed):
    """A sample of what the bar truth-interrupts does ten thousand times."""
    interrupts.case(random.Random(seed))


@pytest.mark.parametrize("where", [(Contents, "put_back"), (Structure, "add"), (Engine, "configure")])
@pytest.mark.parametrize("what", [KeyboardInterrupt, MemoryError])
def test_what_cuts_the_taking_back_short_is_mended_before_anything_else_happens(monkeypatch, where, what):
    world = td.World()
    rod = world.add(td.Rod("rod"))
    world.add(td.nail(rod.end1), td.gravity())
    world.step(0.01)
    count = interrupts.Countdown()
    with count.running():
        world.remove(rod)
    world.undo()
    before, energy = world.to_json(), world.energy
    plain = getattr(*where)
    for k in range(20, count.count * 6 // 10, count.count // 15):
        with monkeypatch.context() as patched, pytest.raises((KeyboardInterrupt, MemoryError)):
            patched.setattr(*where, failing_once(plain, what))
            with interrupts.Countdown(k).running():
                world.remove(rod)
        if k % 2:
            assert world.to_json() == before
        else:
            assert world.energy == energy
        assert world.to_json() == before and rod in world and world.history.can_undo


def failing_once(plain, what):
    """A function that is cut short at its first call."""
    calls = []

    def fails(*given, **options):
        calls.append(1)
        if len(calls) == 1:
            raise what
        return plain(*given, **options)

    return fails


def test_a_refused_add_leaves_nothing():
    """X7: a memory of the wrong length, as a timeline of a file may hold it."""
    world = td.World()
    ball = world.add(td.Particle("ball"))
    world.run(0.01)
    before, steps = world.to_json(), world.history.mark()
    hook = Description("nail", "hook", ("ball",), (("at", (0.0, 0.0, 0.0)),), memory=(1.0, 2.0))
    with pytest.raises(ValueError, match=r"memory of nail 'hook' must have \d+ numbers, not 2"):
        world.apply(Add((Description("particle", "other"), hook)))
    assert world.to_json() == before and world.history.mark() == steps and not ball.fate
    world.at(world.time + 0.01, Add((hook,)))
    with pytest.warns(UserWarning, match="memory of nail 'hook'"):
        assert world.run(0.05)
    assert "hook" not in world and world.undo() and world.run(0.05)


def test_real_interrupts_leave_worlds_whole():
    """SIGINT a hundred times in a process that edits; it ends by itself, with a world that still works."""
    script = """
        import os, signal, threading, time
        import tinkerdyne as td

        world, is_armed, pressed = td.World(), False, 0
        world.add(td.gravity())

        def raise_when_armed(*_):
            global is_armed, pressed
            if is_armed:
                is_armed, pressed = False, pressed + 1
                raise KeyboardInterrupt

        def press():
            while pressed < 100:
                time.sleep(0.004)
                os.kill(os.getpid(), signal.SIGINT)

        def work():
            global is_armed
            k = 0
            while pressed < 100:
                is_armed = True  # also after an interrupt that Python dropped, in a callback of its own
                k += 1
                rod = world.add(td.Rod(position=(k, 0, 0)))
                world.add(td.nail(rod.end1, at=rod.end1.value))
                world.step(0.002)
                if len(world.items) > 12:
                    world.remove(world.items[1])
                    world.undo(), world.redo()

        signal.signal(signal.SIGINT, raise_when_armed)
        thread = threading.Thread(target=press)
        thread.start()
        while pressed < 100:
            try:
                work()
            except KeyboardInterrupt:
                pass
        thread.join()
        assert world.step(0.01)
        td.World.from_json(world.to_json())
        print("whole", len(world.items) > 0)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and done.stdout == "whole True\n", done.stderr[-2000:]


@pytest.mark.parametrize("method", ["stormer", "rattle"])
def test_an_interrupt_while_a_world_gets_ready_leaves_it_as_it_was(method):
    """Approaches that begin and go on, and bodies that were fixed in flight: before or after, not between."""

    def edited():
        world = td.World(method=method)
        rod, ball = world.add(td.Rod("rod"), td.Particle("ball", position=(1, 1, 0), velocity=(1, 2, 0)))
        world.add(td.connect(rod.end1, td.Nail(-0.5, 0, 0)), td.gravity())
        world.run(0.1)
        ball.is_fixed = True
        world.add(td.connect(rod.end2, ball))
        return world

    twin = edited()
    before, count = twin.to_json(), interrupts.Countdown(each_instruction=True)
    with count.running():
        twin.engine.ready()
    after = twin.to_json()
    for k in range(count.count, 0, -max(1, count.count // 25)):
        world = edited()
        with pytest.raises(KeyboardInterrupt), interrupts.Countdown(k, each_instruction=True).running():
            world.engine.ready()
        assert world.to_json() in (before, after), k
        world.engine.ready()
        assert world.to_json() == after, k


def test_an_undo_that_was_interrupted_is_done_again_while_its_error_is_still_at_hand(monkeypatch):
    world = td.World()
    rod = world.add(td.Rod("rod"))
    hook = world.add(td.nail(rod.end1))
    world.remove(rod)
    del rod, hook
    gc.collect()  # what comes back is made anew
    before = world.to_json()
    plain = Structure.add

    def fails_at_the_nail(structure, item, memory):
        if item.type.family == "constraint":
            raise KeyboardInterrupt
        plain(structure, item, memory)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt) as kept:
        patched.setattr(Structure, "add", fails_at_the_nail)
        world.undo()
    assert world.to_json() == before
    assert world.undo() and kept.value is not None
    assert len({item.key for item in world.items}) == len(world.items)
    assert set(world.contents.dependents(["rod"])) == {item.name for item in world.items}
    assert world.step(0.01)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_group_that_failed_is_taken_back_wherever_its_end_is_interrupted():
    def group(world):
        with world.history.one_step():
            world.add(td.nail(world["rod"].end2))
            world.add(td.nail(td.Rod("elsewhere").end1, name="rod"))  # the name is taken

    world = td.World()
    world.add(td.Rod("rod"))
    before = world.to_json()
    count = interrupts.Countdown()
    with pytest.raises(ValueError, match="rod"), count.running():
        group(world)
    for k in range(1, count.count):
        with pytest.raises((KeyboardInterrupt, ValueError)), interrupts.Countdown(k).running():
            group(world)
        assert world.to_json() == before, f"interrupted at {k} of {count.count}"
    assert world.step(0.01)
