"""What pointer Python computes when translated is what it computes as Python."""

from __future__ import annotations

import ctypes
import inspect
import math
import re
import time
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tinkerdyne.compiler import core, machine
from tinkerdyne.compiler.core import at
from tinkerdyne.compiler.records import FloatRecord, Floats, IntRecord, Ints, cells, place_of
from tinkerdyne.compiler.translate import TranslationError, translate

SIZE = 16
STRIDE = -2
HALF = 0.5
NOWHERE = math.inf
_SCALE, _OFFSET = 3, -7


class Memory:
    """An array as compiled code sees it: elements are plain numbers, `at` makes views."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __getitem__(self, index: Any) -> Any:
        return Memory(self.data[index]) if isinstance(index, slice) else self.data[index].item()

    def __setitem__(self, index: int, value: Any) -> None:
        self.data[index] = value


# --- functions under test: (double*, int64*) → int -----------------------------------------------------


def integers(x: Any, n: Any) -> Any:
    a, b = n[0], n[1]
    if b == 0:
        b = 1
    n[2], n[3] = a // b, a % b
    n[4], n[5], n[6] = a // 4, a % 4, a // -3
    n[7] = a % -8
    n[8], n[9], n[10] = a & b, a | b, a ^ b
    n[11], n[12] = a << 3, a >> 2
    n[13] = ~a + -b
    n[14] = a**3
    x[0] = a / b
    n[15] = abs(a) - min(a, b, 5) + max(a, b)
    return a * b - (+a)


def floats(x: Any, n: Any) -> Any:
    a, b = x[0], x[1]
    if b == 0.0:
        b = 1.5
    x[2], x[3], x[4] = a + b, a - b, a * b
    x[5], x[6], x[7] = a / b, a // b, a % b
    x[8], x[9], x[10] = a**2, b**-1, abs(a) ** HALF
    x[11], x[12] = max(a, n[0]), min(n[1], b, 2)
    x[13] = -a
    x[14] = a * 0 + n[0]
    n[2], n[3], n[4] = int(a), math.floor(a), math.ceil(a)
    n[5] = int(a < b) + (a <= b) + (a > b) + (a >= b) + (a == b) + (a != b)
    return n[0] < a


def functions(x: Any, n: Any) -> Any:
    a = x[0]
    x[1], x[2], x[3] = math.sin(a), math.cos(a), math.tan(a)
    x[4], x[5] = math.atan(a), math.atan2(a, 2)
    x[6], x[7] = math.exp(a / 1e6), math.log(math.fabs(a) + 1)
    x[8], x[9] = math.sqrt(abs(a)), math.hypot(a, 1.0)
    x[10] = math.pi if math.isinf(NOWHERE) else 0.0
    n[0] = math.isnan(math.inf - NOWHERE) and math.isfinite(a) and not math.isinf(a)
    return bool(a) + bool(n[0])


def not_a_number(x: Any, n: Any) -> Any:
    """NaN is unequal to itself and not ordered; max and min keep what came first."""
    a, b = NOWHERE - NOWHERE, x[0]
    n[0] = (a != a) + 2 * (a == a) + 4 * (a < b) + 8 * (not a <= b) + 16 * (b != a) + 32 * bool(a)
    x[1], x[2], x[3], x[4] = max(a, b), max(b, a), min(a, b), min(b, a)
    x[5], x[6] = max(1.5, a, 2.5), a if a > b else -b
    return math.isnan(a) and not math.isinf(a)


def short_circuit(x: Any, n: Any) -> Any:
    n[3] = 0
    seen = n[0] > 0 and _touch(n) > 0 and n[1] > 0
    either = n[0] > 0 or _touch(n) > 0 or n[1] > 0
    n[4] = n[0] or n[1] or 7
    x[0] = n[0] and 2.5
    if not seen and (n[1] < 0 or _touch(n) > 3):
        n[5] = 1
    return seen + 2 * either


def _touch(n: Any) -> Any:
    n[3] += 1
    return n[3]


def chained(x: Any, n: Any) -> Any:
    n[3] = 0
    inside = -5 < n[0] <= n[1] < 100 != n[2]
    late = n[0] < n[1] < _touch(n)
    mixed = n[0] < x[0] <= n[1] + HALF
    return inside + 2 * late + 4 * mixed


def tuples(x: Any, n: Any) -> Any:
    q, r, f = _divide(n[0], max(abs(n[1]), 1))
    n[2], n[3] = r, q
    a = b = q
    a, b = b + 1, a
    x[0], n[4] = f, a - b
    p, left = _halves(x, n[5] & 1)
    p[0] += left
    n[5], n[6] = n[6], n[5]
    return _forwarded(n[0], 3)


def _divide(a: int, b: int) -> Any:
    return a // b, a % b, a / b


def _halves(x: Any, k: int) -> Any:
    if k == 1:
        return at(x, 8), 1
    return at(x, 4), k


def _forwarded(a: int, b: int) -> Any:
    q, r, _ = _pass_on(a, b)
    return q + 10 * r


def _pass_on(a: int, b: int) -> Any:
    return _divide(a, b)


def loops(x: Any, n: Any) -> Any:
    total = 0
    last = abs(n[0]) % 9
    for i in range(last):
        last = 100  # the bound was taken already
        total += i
        i = i * 10
        n[4] = i
    for i in range(n[1] % 7, 12, 3):
        total += 100 * i
    n[5] = i
    for i in range(9, n[1] % 7, STRIDE):
        n[6] = i
        for j in range(i):
            if j == 3:
                continue
            if j > 5:
                break
            total += j * i
        else:
            total += 1000
    else:
        total += 10000
    i = 77
    for i in range(0):  # noqa: B007
        total = -1
    n[7] = i
    for i in range(5):
        for i in range(2):
            total += i
        n[8] = i
    return total


def whiles(x: Any, n: Any) -> Any:
    k = abs(n[0]) % 20
    steps = 0
    while k > 0:
        k -= 1
        if k == n[1]:
            break
        if k % 3 == 0:
            continue
        steps += 1
    else:
        steps += 100
    while True:
        steps += 1
        if steps > 200:
            return k
        if steps % 7 == 0:
            break
    return steps


def collatz(x: Any, n: Any) -> Any:
    k = abs(n[0]) + 1
    count = 0
    while 1:
        if k == 1:
            return count
        elif k % 2 == 0:
            k //= 2
        else:
            k = 3 * k + 1
        count += 1


def widened(x: Any, n: Any) -> Any:
    value: Any = 1
    flag = n[0] > 0
    for i in range(3):
        if i == 1 and flag:
            value = value + 0.25
        late = value * 2 if i > 0 else i
        x[i] = late
    flag = flag + 1
    x[4], x[5] = _sometimes_float(n[0]), _sometimes_float(n[1])
    x[6] = 1 if n[0] > n[1] else 0.5
    x[7] = n[1]
    count: int = 3
    count += n[0] > 1
    x[8] = _change(count)
    n[2] = n[0] > 1
    return flag


def _sometimes_float(k: int) -> Any:
    if k > 10:
        return k
    if k < -10:
        return k > -20
    return k / 2


def _change(k: float) -> Any:
    k += 0.5
    return k


def waits(x: Any, n: Any) -> Any:
    """`before` is read above the line that assigns it."""
    total = 0
    for i in range(5):
        if i > 0:
            total += before  # type: ignore[has-type]  # noqa: F821
            x[i] = total * scale  # type: ignore[has-type]  # noqa: F821
        before = i * i  # noqa: F841
        scale = 0.5 if i < 3 else 2  # noqa: F841
    return total


def pointers(x: Any, n: Any) -> Any:
    middle = at(x, 4)
    here = middle if n[0] > 0 else x
    where = at(n, 2 + (n[0] > 0))
    for i in range(4):
        here[i] *= 2
        where[i] += _SCALE
    at(at(x, 1), 2)[0] -= 1
    where[0], where[1] = where[1], where[0]
    return _sum(n, 4) + _sum(at(n, 8), _SCALE) + int(_sum(x, 3)) + _OFFSET


def _sum(p: Any, n: int) -> Any:
    s = p[0]
    for i in range(1, n):
        s += p[i]
    return s


UNDER_TEST: list[Any] = [
    integers,
    floats,
    functions,
    not_a_number,
    short_circuit,
    chained,
    tuples,
    loops,
    whiles,
    collatz,
    widened,
    waits,
    pointers,
]
HELPERS: list[Any] = [_touch, _divide, _halves, _forwarded, _pass_on, _sometimes_float, _change, _sum]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return loaded(UNDER_TEST, HELPERS, tmp_path_factory.mktemp("cache"))


def loaded(entries: list[Any], others: list[Any], folder: Any) -> dict[str, Any]:
    """Functions of doubles and integers, compiled."""
    text = translate([*entries, *others], {f"test_{f.__name__}": (f, "FI") for f in entries})
    names = [f"tk_test_{f.__name__}" for f in entries]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TINKERDYNE_CACHE", str(folder))
        addresses = machine.load(machine.key_of(text), names, lambda: machine.compile_ir(text, loops=True))
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    return {f.__name__: kind(address) for f, address in zip(entries, addresses, strict=True)}


small = st.integers(-30, 30) | st.integers(-(10**5), 10**5)
real = st.integers(-20, 20).map(lambda k: k / 4) | st.floats(-1e6, 1e6, allow_subnormal=False)


@pytest.mark.parametrize("function", UNDER_TEST, ids=lambda f: f.__name__)
@settings(max_examples=60, deadline=None)
@given(ints=st.lists(small, min_size=SIZE, max_size=SIZE), reals=st.lists(real, min_size=SIZE, max_size=SIZE))
def test_translated_code_does_what_python_does(
    function: Callable[..., int], ints: list[int], reals: list[float], compiled: dict[str, Any]
) -> None:
    x, n = np.array(reals), np.array(ints, np.int64)
    x1, n1 = x.copy(), n.copy()
    expected = int(function(Memory(x), Memory(n)))
    assert compiled[function.__name__](x1.ctypes.data, n1.ctypes.data) == expected
    assert n1.tolist() == n.tolist()
    # `contract` may fuse a product and a sum, and pow and sin may differ by a rounding.
    np.testing.assert_allclose(x1, x, rtol=1e-13, atol=1e-13)


def optimised(module: Any) -> str:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine.target(), options)
    builder.getModulePassManager().run(module, builder)
    return str(module)


def spread(x: Any, n: Any) -> int:
    for i in range(n[0]):
        x[i] = x[i] + n[1]
    return 0


def test_a_store_of_a_double_leaves_table_entries_in_registers() -> None:
    text = translate([spread], {"spread": (spread, "FI")})
    loads = [line for line in optimised(llvm.parse_assembly(text)).splitlines() if "load i64" in line]
    assert len(loads) == 2  # n[0] and n[1], once each: the loop stores doubles and reads no table
    assert all("!tbaa" in line for line in loads)
    blind = optimised(llvm.parse_assembly(re.sub(r", !tbaa !\d", "", text)))
    assert blind.count("load i64") > 2


def test_only_entries_are_visible() -> None:
    module = llvm.parse_assembly(translate([tuples, *HELPERS], {"tuples": (tuples, "FI")}))
    module.verify()
    visible = [f.name for f in module.functions if not f.is_declaration and f.linkage.name == "external"]
    assert visible == ["tk_tuples"]


def kernels(I: Any, S: Any, address: int) -> int:
    core.call(address, I[0], at(I, 1), S)
    return 0


def test_a_kernel_is_called_by_its_address(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    kind = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    kernel = kind(lambda n, off, S: seen.append((n, off, S)))
    monkeypatch.setenv("TINKERDYNE_CACHE", str(tmp_path))
    text = translate([kernels], {"test_kernels": (kernels, "IFi")})
    (address,) = machine.load(machine.key_of(text), ["tk_test_kernels"], lambda: machine.compile_ir(text))
    I, S = np.array([5, 6], np.int64), np.zeros(1)
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(address)
    call(I.ctypes.data, S.ctypes.data, ctypes.cast(kernel, ctypes.c_void_p).value)
    assert seen == [(5, I.ctypes.data + 8, S.ctypes.data)]


# --- records -------------------------------------------------------------------------------------------


class Head(IntRecord):
    """A header that says where a table of links begins."""

    count: int
    links: int


class Link(IntRecord):
    """A row with several cells under one name."""

    table = "links"
    weight: int
    ends: Ints = cells(2)
    mark: int


class Motion(FloatRecord):
    """A row of numbers."""

    time: float
    place: Floats = cells(3)
    speed: float


def record_load(x: Floats, n: Ints) -> int:
    head, motion = Head(n), Motion(at(x, 2))
    n[15] = head.links
    x[15] = motion.speed + 2.0 * motion.time
    return head.count


def record_store(x: Floats, n: Ints) -> int:
    link, motion = Link(at(n, 4)), Motion(x)
    link.weight, link.mark = link.mark, 7
    motion.time = link.weight
    motion.speed = motion.time / 2
    return 0


def record_augmented(x: Floats, n: Ints) -> int:
    link, motion = Link(n), Motion(x)
    link.mark += 3
    link.weight *= link.mark
    motion.speed -= 0.5 * link.mark
    Motion(at(x, 8)).time += 1.0
    return link.weight


def record_cells(x: Floats, n: Ints) -> int:
    link, motion = Link(n), Motion(x)
    place = motion.place
    for i in range(3):
        place[i] = motion.place[i] * 2.0 + i
    link.ends[1], link.ends[0] = link.ends[0], link.ends[1]
    at(motion.place, 2)[0] += 1.0
    return link.ends[1]


def record_of(x: Floats, n: Ints) -> int:
    head = Head(n)
    head.links = 3
    links = Link(at(n, 3))
    total = 0
    for k in range(3):
        Link.of(head, k).mark = 10 * k
        total += Link.of(links, k).mark + Link.of(Link.of(links, k), 0).weight
    return total


def record_sizes(x: Floats, n: Ints) -> int:
    n[MARK] = Link.size
    n[Link.size] = Motion.size
    return Head(n).count


MARK = place_of(Link, "mark")


def record_decay(x: Floats, n: Ints) -> int:
    """A row is a pointer again where no one asks for its names."""
    link = Link(at(n, 2))
    return int(_first(link) + _total(link) + _first(at(link, 1)))


def _first(p: Any) -> Any:
    p[0] += 1
    return p[0]


def _total(p: Ints) -> int:
    return p[0] + p[3]


def record_result(x: Floats, n: Ints) -> int:
    _heavier(Link(n), Link(at(n, 4))).mark = 5
    return _heavier(Link(n), Link(at(n, 4))).weight


def _heavier(one: Link, other: Link) -> Link:
    if one.weight > other.weight:
        return one
    return other


class Elsewhere:
    """What another file would be: it has a record of the same name."""

    class Link(IntRecord):
        """Cells in another order."""

        mark: int
        weight: int


OtherLink = Elsewhere.Link


def record_namesakes(x: Floats, n: Ints) -> int:
    link = Link(n)
    other = OtherLink(at(n, 4))
    other.mark = link.mark
    link.weight = other.weight + 1
    return other.mark - link.weight


RECORDS: list[Any] = [
    record_namesakes,
    record_load,
    record_store,
    record_augmented,
    record_cells,
    record_of,
    record_sizes,
    record_decay,
    record_result,
]


@pytest.fixture(scope="module")
def compiled_records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return loaded(RECORDS, [_first, _total, _heavier], tmp_path_factory.mktemp("cache"))


@pytest.mark.parametrize("function", RECORDS, ids=lambda f: f.__name__)
@settings(max_examples=30, deadline=None)
@given(ints=st.lists(small, min_size=SIZE, max_size=SIZE), reals=st.lists(real, min_size=SIZE, max_size=SIZE))
def test_records_do_in_compiled_code_what_they_do_over_arrays(
    function: Callable[..., int], ints: list[int], reals: list[float], compiled_records: dict[str, Any]
) -> None:
    x, n = np.array(reals), np.array(ints, np.int64)
    x1, n1 = x.copy(), n.copy()
    expected = function(Floats(x), Ints(n))
    assert compiled_records[function.__name__](x1.ctypes.data, n1.ctypes.data) == expected
    assert n1.tolist() == n.tolist()
    np.testing.assert_allclose(x1, x, rtol=1e-13, atol=1e-13)


def test_the_cells_of_a_record_follow_each_other() -> None:
    assert (Head.size, Link.size, Motion.size) == (2, 4, 5)
    assert [place_of(Link, name) for name in ("weight", "ends", "mark")] == [0, 1, 3]
    n = np.arange(12)
    link = Link.of(Head(np.array([0, 1, *n[2:]])), 1)
    assert (link.weight, link.ends[1], link.mark) == (5, 7, 8)
    assert Link.of(link, 0).mark == 8 and Link.of(Link(n), 2).weight == 8


def as_annotated(x: Any, n: Any) -> int:
    return _named(n, x) + _named(at(n, 4), at(x, 5))


def _named(link: Link, motion: Motion) -> int:
    motion.speed = link.weight + link.mark
    return link.ends[1]


def test_an_annotation_gives_names_to_what_a_pointer_points_to(tmp_path: Any) -> None:
    x, n = np.zeros(10), np.arange(10, 18)
    call = loaded([as_annotated], [_named], tmp_path)["as_annotated"]
    assert call(x.ctypes.data, n.ctypes.data) == 12 + 16
    assert x[[4, 9]].tolist() == [10 + 13, 14 + 17]


def by_name(x: Any, n: Any) -> int:
    link = Link(at(n, 2))
    link.mark += link.weight * link.ends[1]
    return link.mark


def by_number(x: Any, n: Any) -> int:
    link = at(n, 2)
    link[3] += link[0] * link[2]
    return int(link[3])


def test_a_name_costs_nothing() -> None:
    texts = [
        optimised(llvm.parse_assembly(translate([f], {"entry": (f, "FI")}))) for f in (by_name, by_number)
    ]
    bare = [re.sub(r"by_\w+|%t\d+", "", text) for text in texts]
    assert bare[0] == bare[1]


def calls_a_part(x: Any, n: Any) -> int:
    return int(_part(n, 1) + _part(n, 2))


def _part(n: Any, k: int) -> Any:
    for i in range(n[0]):
        n[k] += n[i]
    return n[k]


@pytest.mark.parametrize("marked", [set(), {_part}], ids=["a function", "a part"])
def test_an_inlined_part_is_written_out_where_it_is_called(
    marked: set[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "_inlined", marked)
    monkeypatch.setattr("tinkerdyne.compiler.translate._LARGE", 0)  # every other function counts as large
    text = translate([calls_a_part, _part], {"entry": (calls_a_part, "FI")})
    calls = re.findall(r"call .*@_part\b", optimised(llvm.parse_assembly(text)))
    assert len(calls) == (0 if marked else 2)


# --- what is refused -----------------------------------------------------------------------------------


def has_list(x: Any, n: Any) -> Any:
    return len([n[0]])


def has_with(x: Any, n: Any) -> Any:
    with n:
        return 0


def has_recursion(x: Any, n: Any) -> Any:
    return has_recursion(x, n)


def has_variable_step(x: Any, n: Any) -> Any:
    for i in range(0, 10, n[0]):
        n[i] = 0
    return 0


def has_stranger(x: Any, n: Any) -> Any:
    return inspect.currentframe(n[0])  # type: ignore[call-arg]


def has_two_meanings(x: Any, n: Any) -> Any:
    p = n[0]
    p = at(n, p)
    return p[0]


def has_no_value(x: Any, n: Any) -> Any:
    return missing  # type: ignore[name-defined]  # noqa: F821


def has_unset(x: Any, n: Any) -> Any:
    k = unset + 1  # type: ignore[has-type, used-before-def]  # noqa: F821
    unset = k
    return unset


def has_open_end(x: Any, n: Any) -> Any:
    if n[0] > 0:
        return 1


def has_float_index(x: Any, n: Any) -> Any:
    return n[x[0]]


def has_lost_fraction(x: Any, n: Any) -> Any:
    n[0] = x[0]
    return 0


def has_float_result(x: Any, n: Any) -> Any:
    return x[0]


def has_keyword(x: Any, n: Any) -> Any:
    return _touch(n=n)


def has_no_such_field(x: Any, n: Any) -> Any:
    link = Link(n)
    return link.wait  # type: ignore[attr-defined]


def has_no_names(x: Any, n: Any) -> Any:
    row = at(n, 3)
    row.mark = 2
    return 0


def has_other_numbers(x: Any, n: Any) -> Any:
    return Link(x).mark


def has_other_argument(x: Any, n: Any) -> Any:
    return _total(x)


def has_one_for_several(x: Any, n: Any) -> Any:
    link = Link(n)
    link.ends = 4  # type: ignore[assignment]
    return 0


def has_no_table(x: Any, n: Any) -> Any:
    motions = Motion(x)
    return Link.of(motions, 1).mark  # type: ignore[arg-type]


def has_fraction_in_a_cell(x: Any, n: Any) -> Any:
    link = Link(n)
    link.mark = x[0]
    return 0


def has_two_sorts_of_rows(x: Any, n: Any) -> Any:
    row = Link(n)
    row = Head(n)  # type: ignore[assignment]
    return row.count  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        (has_list, 1, "List"),
        (has_with, 1, "With"),
        (has_recursion, 1, "recursion"),
        (has_variable_step, 1, "step of a range"),
        (has_stranger, 1, "not compiled"),
        (has_two_meanings, 2, "`p` was an int and is a pointer to int64"),
        (has_no_value, 1, "`missing` is not a global name"),
        (has_unset, 1, "`unset` is read before"),
        (has_open_end, 0, "without returning"),
        (has_float_index, 1, "a float stands where an int is wanted"),
        (has_lost_fraction, 1, "a float stands where an int is wanted"),
        (has_float_result, 0, "must return an int"),
        (has_keyword, 1, "Call"),
        (has_no_such_field, 2, "Link has no field `wait`"),
        (has_no_names, 2, "a pointer to int64 has no field `mark`"),
        (has_other_numbers, 1, "a pointer to double stands where a row of Link is wanted"),
        (has_one_for_several, 2, "`link.ends` is not one cell of a row"),
        (has_no_table, 2, "Motion has no field `links`"),
        (has_fraction_in_a_cell, 2, "a float stands where an int is wanted"),
        (has_two_sorts_of_rows, 2, "`row` was a row of Link and is a row of Head here"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_cannot_be_translated_is_named_with_its_place(function: Any, line: int, message: str) -> None:
    with pytest.raises(TranslationError) as caught:
        translate([function, _touch], {"entry": (function, "FI")})
    assert str(caught.value).startswith(f"{__file__}:{function.__code__.co_firstlineno + line}: ")
    assert message in str(caught.value)


def test_a_pointer_of_the_wrong_sort_is_refused_by_the_function_that_names_it() -> None:
    with pytest.raises(TranslationError, match="_total wants a pointer to int64 as `p`, not a pointer to d"):
        translate([has_other_argument, _total], {"entry": (has_other_argument, "FI")})


def test_the_whole_engine_translates(record_property: Callable[[str, object], None]) -> None:
    import tinkerdyne.world.world  # noqa: F401

    begin = time.perf_counter()
    text = translate(core._functions, core._entries)
    record_property("seconds", time.perf_counter() - begin)
    module = llvm.parse_assembly(text)
    module.verify()
    defined = {f.name for f in module.functions if not f.is_declaration}
    assert {f"tk_{name}" for name in core._entries} <= defined
