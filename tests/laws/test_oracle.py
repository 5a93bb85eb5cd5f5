"""Law of machine code: every kernel of every type gives what CasADi's own virtual machine gives for the same
formula."""

import ctypes
from unittest import mock

import casadi as ca
import numpy as np
import pytest

from tests.laws.zoo import objects, plain_types, specimens, types
from tinkerdyne.compiler.emit import ABSOLUTE
from tinkerdyne.connectors import curves as curve_connectors
from tinkerdyne.language import force_block as force_module
from tinkerdyne.language import motion_block as motion_module
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.objects import curve as curve_module
from tinkerdyne.objects import fields as fields_module
from tinkerdyne.objects import object as object_module
from tinkerdyne.objects.fields import field_block

KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
INSTANCES = 3
OBJECTS = [t.name for t in types("object")] + ["law_ring2", "law_ring3", "law_linkage2", "law_linkage3"]


class Recorder:
    """Stands in for compile_kernels: compiles as usual and keeps the CasADi functions."""

    def __init__(self):
        self.kernels = []

    def __call__(self, functions, stride):
        addresses = REAL(functions, stride)
        for name, (function, ins, outs) in functions.items():
            self.kernels.append((name, function, ins, outs, stride, addresses[name]))
        return addresses

    def loops(self, loops, stride):
        """Stands in for compile_loops: keeps the whole sums."""
        addresses = REAL_LOOPS(loops, stride)
        for name, loop in loops.items():
            self.kernels.append((name, loop.function(), *loop.places(), stride, addresses[name]))
        return addresses


REAL = motion_module.compile_kernels
REAL_LOOPS = curve_module.compile_loops


def record(build):
    """The kernels that `build` makes, with their formulas."""
    recorder = Recorder()
    name = "compile_kernels"
    with (
        mock.patch.object(motion_module, name, recorder),
        mock.patch.object(force_module, name, recorder),
        mock.patch.object(object_module, name, recorder),
        mock.patch.object(curve_module, name, recorder),
        mock.patch.object(fields_module, name, recorder),
        mock.patch.object(fields_module, "compile_loops", recorder.loops),
        mock.patch.object(curve_module, "compile_loops", recorder.loops),
        mock.patch.object(curve_connectors, "compile_loops", recorder.loops),
    ):
        build()
    assert recorder.kernels
    return recorder.kernels


def row_major(values, shape):
    """A CasADi matrix as the arena holds it."""
    return np.asarray(values).reshape(shape, order="F").ravel()


def check(name, function, ins, outs, stride, address, seed=0, positive=False):
    """Run a kernel over a few instances and compare it with the virtual machine, instance by instance."""
    rng = np.random.default_rng(seed)
    room = 400
    S = rng.uniform(0.2, 1.4, size=1000 + INSTANCES * stride * room) * (
        1 if positive else rng.choice([-1, 1])
    )
    offsets = np.array(
        [[1000 + (i * stride + e) * room for e in range(stride)] for i in range(INSTANCES)], np.int64
    )

    def place(slot, i):
        return slot.displacement + (0 if slot.entry == ABSOLUTE else int(offsets[i, slot.entry]))

    # tables of five spans; the time, at the head of S, falls into each of them and before all
    for k, slot in enumerate(ins):
        for i in range(INSTANCES if slot.is_table else 0):
            S[place(slot, i) : place(slot, i) + 2] = 5, function.size1_in(k)
            S[place(slot, i) + 2 : place(slot, i) + 7] = S[0] + np.arange(5) - i + 0.5
    before = S.copy()

    def start(k, slot, i):
        at = place(slot, i)
        if not slot.is_table:
            return at
        span = max(0, int(np.searchsorted(before[at + 2 : at + 7], before[0], side="right")) - 1)
        return at + 7 + span * function.size1_in(k)

    KERNEL(address)(INSTANCES, offsets.ctypes.data, S.ctypes.data)
    for i in range(INSTANCES):
        arguments = []
        for k, slot in enumerate(ins):
            rows, columns = function.size1_in(k), function.size2_in(k)
            at = start(k, slot, i)
            arguments.append(before[at : at + rows * columns].reshape(rows, columns))
        wanted = [np.array(x.full()) for x in function.call([ca.DM(a) for a in arguments])]
        for k, slot in enumerate(outs):
            at = place(slot, i)
            pattern = ca.DM(function.sparsity_out(k), 1.0).full().astype(bool)
            found = S[at : at + pattern.size].reshape(pattern.shape)
            # The kernel may fuse a product and a sum into one rounding; nothing else differs. Zeros that the
            # formula never has are not written.
            scale = np.abs(wanted[k]).max(initial=1.0)
            message = f"kernel {name!r}, output {k}, instance {i}"
            np.testing.assert_allclose(
                found[pattern], wanted[k][pattern], rtol=1e-11, atol=1e-12 * scale, err_msg=message
            )
            untouched = before[at : at + pattern.size].reshape(pattern.shape)
            assert np.array_equal(found[~pattern], untouched[~pattern]), (
                f"kernel {name!r} writes where its formula has zeros"
            )


def same_places(kernels):
    """Kernels that share a place of the record write the same entries of it, so that none leaves another's
    numbers behind."""
    seen = {}
    for name, function, _, outs, _, _ in kernels:
        for k, slot in enumerate(outs):
            pattern = ca.DM(function.sparsity_out(k), 1.0).full().astype(bool)
            other, first = seen.setdefault((slot.entry, slot.displacement), (pattern, name))
            assert np.array_equal(other, pattern), (
                f"kernels {first!r} and {name!r} share a block but write different entries of it: "
                f"{np.argwhere(other != pattern).tolist()}"
            )


@pytest.mark.parametrize("name", [t.name for t in plain_types("connector", "constraint", "behavior")])
def test_kernels_of_every_block_type_equal_the_virtual_machine(name):
    for specimen in specimens(name):
        item = specimen.item
        item.type.block_of(item)  # its inputs' blocks exist, so only its own are made again
        key = next(k for k, b in item.type._blocks.items() if b is item.type.block_of(item))
        kept = {k: b for k, b in item.type._blocks.items() if k != key}
        with mock.patch.object(item.type, "_blocks", kept):
            kernels = record(lambda i=item: i.type.block_of(i))
        same_places(kernels)
        for kernel in kernels:
            check(*kernel)


@pytest.mark.parametrize("kind", OBJECTS)
def test_kernels_of_every_object_type_equal_the_virtual_machine(kind):
    for prototype in objects(kind):
        what, _ = prototype.type.resolve(prototype)
        for kernel in record(lambda w=what: type(w).kernels.func(w)):
            check(*kernel, positive=True)


@pytest.mark.parametrize("kind", OBJECTS)
@pytest.mark.parametrize("name", [t.name for t in types("field")])
def test_kernels_of_every_field_equal_the_virtual_machine(name, kind):
    item = REGISTRY[name](name="law-field")
    for prototype in objects(kind):
        what, _ = prototype.type.resolve(prototype)
        kernels = record(
            lambda w=what: field_block("law", item.type.formula, w, item.type.layout(item.values))
        )
        same_places(kernels)
        for kernel in kernels:
            check(*kernel, positive=True)


@pytest.mark.parametrize("name", [t.name for t in types("connector", "constraint")])
def test_spatial_kernels_are_the_same_motion_told_in_the_world(name):
    """Df·(ẋ, ω = RΩ) by the spatial formula equals Df·(ẋ, Ω): both describe one motion."""
    for specimen in specimens(name):
        item = specimen.item
        if not any(port.spatial is not None for port in item.type.block_of(item).ports):
            continue
        with mock.patch.object(item.type, "_blocks", {}):
            # its own come after its inputs'
            kernels = {k[0]: k for k in record(lambda i=item: i.type.block_of(i))}
        ports = item.type.block_of(item).ports
        rng = np.random.default_rng(2)
        body, space = [], []
        for port in ports:
            x = rng.normal(size=port.dim)
            v = rng.normal(size=port.width)
            w = v.copy()
            if port.spatial is not None:
                R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
                R[:, 0] *= np.linalg.det(R)
                x[3:] = R.ravel(order="F")
                w[3:] = R @ v[3:]
            body.append((x, v))
            space.append((x, w))
        sizes = [kernels["motion"][1].size1_in(k) for k in range(2 * len(ports), kernels["motion"][1].n_in())]
        rest = [np.abs(rng.normal(size=n)) for n in sizes]
        values = []
        for kernel, inputs in (("motion", body), ("spatial", space)):
            arguments = [*[x for x, _ in inputs], *[v for _, v in inputs], *rest]
            values.append([np.array(y.full()) for y in kernels[kernel][1].call(arguments)])
        # motion writes y, ẏ and Df (and the turn to count from), spatial Df alone; Df of connectors is the
        # same in both
        of_body = sum(Df @ v for Df, (_, v) in zip(values[0][2 : 2 + len(body)], body, strict=True))
        of_space = sum(Df @ w for Df, (_, w) in zip(values[1], space, strict=True))
        np.testing.assert_allclose(of_space, of_body, rtol=1e-11, atol=1e-11, err_msg=str(specimen))
