"""The processor that code is made for: this machine's, or one that is chosen, so that others get the same
digits."""

import casadi as ca
import pytest

from tinkerdyne.compiler import machine
from tinkerdyne.compiler.emit import Slot, kernel_ir, module_ir


@pytest.fixture
def choose(monkeypatch):
    """Choose a processor, as a fresh process would."""

    def chosen(name):
        monkeypatch.setenv("TINKERDYNE_CPU", name)
        monkeypatch.setattr(machine, "_target", None)
        machine._host.cache_clear()

    yield chosen
    monkeypatch.undo()
    machine._host.cache_clear()


def scaled_sum():
    """A kernel with x a + b, which becomes one instruction where there are fused multiply-adds."""
    x = ca.SX.sym("x", 8)
    f = ca.Function("f", [x], [x * 1.7 + x**2])
    return module_ir([kernel_ir("scaled", f, [Slot(0)], [Slot(8)], 2)])


def test_code_for_another_processor_has_another_name(choose):
    text, keys = scaled_sum(), {}
    for name in ("native", *list(machine.levels())[:2]):
        choose(name)
        keys[name] = machine.key_of(text)
    assert len(set(keys.values())) == len(keys)
    choose("")
    assert machine.key_of(text) == keys["native"]


def test_a_named_processor_has_the_features_of_its_name_alone(choose):
    """Nothing of this machine's: no vectors of AVX, no fused multiply-adds before the third level."""
    for name in list(machine.levels())[:2]:
        choose(name)
        module = machine.library().parse_assembly(scaled_sum())
        assembly = machine.target().emit_assembly(module)
        assert "mul" in assembly and "vfmadd" not in assembly and "ymm" not in assembly, assembly


def test_a_processor_that_is_unknown_or_not_this_ones_is_refused_in_words(choose, monkeypatch):
    choose("x86-64-v9")
    with pytest.raises(
        ValueError, match=r"TINKERDYNE_CPU is 'x86-64-v9'; on this machine it can be native, \w"
    ):
        machine.target()
    monkeypatch.setattr(machine, "levels", lambda: {"later": ("telepathy",)})
    choose("later")
    with pytest.raises(ValueError, match="this machine lacks telepathy; choose a lower level, or native"):
        machine.target()
