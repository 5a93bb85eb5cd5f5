"""The comparison of two commits: what it calls equal, and how it names what is not."""

import llvmlite.binding as llvm
import numpy as np
import pytest

from benchmarks.same import core_object, difference
from benchmarks.same.__main__ import is_meant

PLACE, SPEED = (0.1, -0.0, 3.0), (1.0, 2.0)


def moments(*, place=PLACE, name="ball.position", saved="a ball"):
    """A run of two moments, as a worker tells it."""
    numbers = [[name, np.array(place).tobytes().hex()], ["ball.velocity", np.array(SPEED).tobytes().hex()]]
    start = [["time", np.zeros(1).tobytes().hex()]]
    return [
        {"moment": "the start", "numbers": start, "words": {}},
        {"moment": "step 10", "numbers": numbers, "words": {"saved": saved}},
    ]


def test_two_equal_runs_are_equal_and_counted():
    same = difference.compare("random 3 net", moments(), moments())
    assert same.is_equal and not same.words and same.numbers == 6


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ((np.nextafter(0.1, 1), -0.0, 3.0), "ball.position by 1.4e-17"),
        ((0.1, 0.0, 3.0), "ball.position in the sign of a zero"),
        ((0.1, -0.0, np.nan), "ball.position is not finite on one side, or on both and not alike"),
        ((0.1, -0.0), "ball.position has 3 numbers in the old tree and 2 in the new"),
    ],
)
def test_one_changed_byte_is_named_with_its_world_moment_and_quantity(place, said):
    found = difference.compare("random 3 net", moments(), moments(place=place))
    assert not found.is_equal
    assert str(found) == f"random 3 net, step 10: {said}"


def test_numbers_that_are_not_finite_alike_are_equal():
    place = (np.nan, np.inf, 1.0)
    assert difference.compare("a", moments(place=place), moments(place=place)).is_equal


def test_another_name_or_text_is_told_and_is_no_difference_of_numerics():
    found = difference.compare("a", moments(), moments(name="sphere.position", saved="a sphere"))
    assert found.is_equal and found.words == ("names of quantities", "saved")


def test_a_quantity_or_moment_that_is_missing_is_a_difference():
    less = moments()
    del less[1]["numbers"][0]
    assert (
        str(difference.compare("a", moments(), less)) == "a, step 10: ball.position is only in the old tree"
    )
    early = difference.compare("a", moments(), moments()[:1])
    assert not early.is_equal and "2 moments in the old tree, 1 in the new" in str(early)


def test_only_a_whole_number_is_meant():
    assert is_meant("random 17 net", "random 17") and is_meant("scene jansen", "jansen")
    assert not is_meant("random 17 net", "random 1") and is_meant("run snake_cell", "snake")


# --- object code ---
def compiled(*, names=("twice", "third"), factor="3.0", turned=False):
    """The object code of an entry that calls two functions, for one machine whatever this one is."""
    functions = [
        f"define internal double @{name}(double %x) noinline {{ %y = {what} ret double %y }}"
        for name, what in zip(names, ("fmul double %x, 1.7", f"fdiv double %x, {factor}"), strict=True)
    ]
    calls = "%a = call double @{}(double %x) %b = call double @{}(double %a)".format(*names)
    entry = f"define double @tk_step(double %x) {{ {calls} ret double %b }}"
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple = "x86_64-unknown-linux-gnu"
    target = llvm.Target.from_triple(triple).create_target_machine(cpu="x86-64-v2", codemodel="large", opt=2)
    order = reversed(functions) if turned else functions
    module = llvm.parse_assembly(f'target triple = "{triple}"\n' + "\n".join([*order, entry]))
    return core_object.fingerprints(target.emit_object(module))


def test_names_do_not_count_in_object_code():
    assert core_object.compare(compiled(), compiled(names=("double_it", "a_third"))) == []


def test_another_order_of_functions_runs_the_same_code():
    said = core_object.compare(compiled(), compiled(turned=True))
    assert said[-1].startswith("every entry runs the same code")
    assert not any("functions only" in one for one in said)


def test_another_constant_is_named_with_the_function_and_the_entries_that_use_it():
    said = core_object.compare(compiled(), compiled(factor="3.5"))
    assert "functions only in the new object: third" in said
    assert said[-1] == "entries whose code differs, with all they call: step"
