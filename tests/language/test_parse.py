"""Typed-in formulas: they mean what Python means, and every bad one is refused, pointing at a character."""

import math
import pickle
import time
from typing import Any

import casadi
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tinkerdyne.language import FUNCTIONS, FormulaError, parse

NAMES: dict[str, Any] = {
    "x": casadi.SX.sym("x"),
    "y": casadi.SX.sym("y"),
    "t": casadi.SX.sym("t"),
    "mass": casadi.SX.sym("mass"),
    "p": casadi.SX.sym("p", 3),
    "q": casadi.SX.sym("q", 3),
    "flat": casadi.SX.sym("flat", 2),
    "turn": casadi.SX.sym("turn", 4),
}
VALUES = {
    "x": 0.7,
    "y": -1.3,
    "t": 2.5,
    "mass": 3.0,
    "p": [1.0, 2.0, 3.0],
    "q": [-2.0, 0.5, 4.0],
    "flat": [3.0, 4.0],
    "turn": [1.0, 0.0, 0.0, 0.5],
}


def value(text: str, **changed: float) -> float:
    function = casadi.Function("f", list(NAMES.values()), [parse(text, NAMES)])
    return float(function(*(VALUES | changed).values()))


def refused(text: str) -> FormulaError:
    with pytest.raises(FormulaError) as caught:
        parse(text, NAMES)
    error = caught.value
    assert error.text == text and 0 <= error.position <= len(text)
    reason, _, caret = str(error).split("\n")
    assert reason == error.reason and caret.strip() == "^"
    return error


# ── what a formula means ──


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2*x^2 + 1", 2 * 0.7**2 + 1),
        ("2*x**2 + 1", 2 * 0.7**2 + 1),
        ("-x^2", -(0.7**2)),
        ("2^-x", 2**-0.7),
        ("2^3^2", 512.0),
        ("-2^-2^-1", -(2 ** -(2**-1))),
        ("x - y - t", 0.7 + 1.3 - 2.5),
        ("x / y / t", 0.7 / -1.3 / 2.5),
        ("x / y * t", 0.7 / -1.3 * 2.5),
        ("--+-x", -0.7),
        ("2*-x", -1.4),
        (" ( ( x ) )\n", 0.7),
        (".5 + 5. + 1e-1 + 2.5E+1", 30.6),
        ("sin(pi/2) + cos(tau) + log(e)", 3.0),
        ("atan2(y, x)", math.atan2(-1.3, 0.7)),
        ("min(x, y, t) + max(x, y, t, 9)", -1.3 + 9),
        ("abs(y) + sign(y) + floor(y)", 1.3 - 1 - 2),
        ("p.x + 10*p.y + 100*p[2]", 321.0),
        ("1 if x > 0 else 2", 1.0),
        ("1 if y > 0 else 2", 2.0),
        ("x if x < y else y if y < t else t", -1.3),
        ("1 if x > 0 and y > 0 else 2", 2.0),
        ("1 if x > 0 or y > 0 else 2", 1.0),
        ("1 if not x > 0 else 2", 2.0),
        ("1 if not (x > 0 and y > 0) or t > 9 else 2", 1.0),
        ("1 if 0 < x < 1 else 2", 1.0),
        ("1 if 0 < x < 0.5 else 2", 2.0),
        ("1 if 0.7 <= x else 2", 1.0),
        ("1 if x >= 0.7 else 2", 1.0),
        ("2*(1 if y < 0 else 0) + 1", 3.0),
        ("1 + x if x > 0 else y", 1.7),
        ("norm(flat if x > 0 else 2*flat)", 5.0),
        ("max(x if x > y else y, 0)", 0.7),
        ("turn[3]", 0.5),
        ("norm(flat)", 5.0),
        ("norm(2*p - q/2)", float(np.linalg.norm(2 * np.array([1, 2, 3]) - np.array([-2, 0.5, 4]) / 2))),
        ("dot(p, -q)", -11.0),
        ("dot(cross(p, q), p + q)", 0.0),
        ("cross(flat, flat + flat)", 0.0),
        ("1e-999", 0.0),
    ],
)
def test_formula_has_the_value_of_the_mathematics(text: str, wanted: float) -> None:
    assert value(text) == pytest.approx(wanted, rel=1e-14, abs=1e-13)


def test_names_of_the_caller_hide_constants_and_may_be_any_word() -> None:
    names = {"e": casadi.SX(5), "lambda": casadi.SX(7), "sin": casadi.SX(0.5), "_2": casadi.SX(1)}
    assert float(parse("e + lambda + sin(sin) + _2 - 13", names)) == pytest.approx(math.sin(0.5))


def test_result_is_differentiable_symbolically() -> None:
    x = NAMES["x"]
    slope = casadi.Function("f", [x], [casadi.gradient(parse("sin(x)^2 + x^3", NAMES), x)])
    assert float(slope(0.7)) == pytest.approx(math.sin(1.4) + 3 * 0.7**2)


def test_norm_of_a_vanishing_vector_has_a_direction() -> None:
    p = NAMES["p"]
    slope = casadi.Function("f", [p], [casadi.gradient(parse("norm(p)", NAMES), p)])
    np.testing.assert_array_equal(np.array(slope([0, 0, 0]))[:, 0], [1.0, 0.0, 0.0])


@pytest.mark.parametrize("text", ["floor(t)", "sign(t)"])
@pytest.mark.parametrize("at", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_jumping_functions_have_derivative_zero_everywhere(text: str, at: float) -> None:
    t = NAMES["t"]
    assert float(casadi.Function("f", [t], [casadi.jacobian(parse(text, NAMES), t)])(at)) == 0.0


# every number has a point or an exponent: Python's whole numbers would grow without bound in 9**9**9
NUMBERS = st.one_of(st.sampled_from(["2.", "3.", "2e0", ".25"]), st.floats(0.1, 9.0).map("{:.3f}".format))
LEAVES = st.one_of(st.sampled_from(["x", "y", "t", "pi"]), NUMBERS)
OPERATORS = st.sampled_from(["+", "-", "*", "/", "**", " + ", " - ", "*-", "**-", "/+", "--"])
RIGHT_HALF = "atan2({}, 1. + abs({}))"  # left of it, the sign of a zero decides between −π and π


def _branch(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    chain = st.lists(st.tuples(OPERATORS, inner).map("".join), min_size=1, max_size=4).map("".join)
    return st.one_of(
        st.tuples(st.sampled_from(["", "", "-", "+"]), inner, chain).map("".join),
        st.tuples(
            st.sampled_from(["", "sin", "cos", "atan", "tanh", "exp", "sqrt", "log", "abs"]), inner
        ).map(lambda pair: "{}({})".format(*pair)),
        st.tuples(st.sampled_from(["min({}, {})", "max({}, {})", RIGHT_HALF]), inner, inner).map(
            lambda three: three[0].format(*three[1:])
        ),
    )


FORMULAS = _branch(st.recursive(LEAVES, _branch, max_leaves=5))
PYTHON: dict[str, Any] = {"__builtins__": {}, "abs": math.fabs, "min": min, "max": max, "pi": math.pi}
PYTHON |= {
    name: getattr(math, name) for name in ["sin", "cos", "atan", "tanh", "exp", "sqrt", "log", "atan2"]
}


@settings(max_examples=400, deadline=None)
@given(FORMULAS, *[st.integers(-3000, 3000).map(lambda n: n / 1000)] * 3, st.booleans())
def test_formula_means_what_python_means(text: str, x: float, y: float, t: float, with_caret: bool) -> None:
    def by_python(x: float, y: float, t: float) -> float:
        result = eval(text, PYTHON, {"x": x, "y": y, "t": t})
        assume(isinstance(result, int | float) and math.isfinite(result))
        return float(result)

    try:
        wanted = by_python(x, y, t)
        # where a last bit decides (1/(x − x + 1e-17)), Python's own answer is not worth comparing with
        nudged = [by_python(x * (1 + s * 1e-13), y * (1 - s * 1e-13), t + s * 1e-13) for s in (-1, 1)]
    except (ZeroDivisionError, OverflowError, ValueError, TypeError):
        assume(False)
    scale = 1 + abs(wanted)
    assume(max(abs(n - wanted) for n in nudged) < 1e-9 * scale)
    try:
        ours = value(text.replace("**", "^") if with_caret else text, x=x, y=y, t=t)
    except FormulaError as error:
        assume("no finite number" not in error.reason)  # tanh(∞) is 1 in Python, and no formula here
        raise
    assert ours == pytest.approx(wanted, abs=1e-7 * scale)


# ── what is refused, and where the message points ──


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("", 0, "the formula is empty"),
        (" \t\n", 0, "the formula is empty"),
        ("2*mas + 1", 2, "unknown name 'mas'; did you mean 'mass'"),
        ("X + 1", 0, "did you mean 'x'"),
        ("1 + Sine(x)", 4, "unknown function 'Sine'; did you mean 'sin'"),
        ("ln(x)", 0, "did you mean 'log'"),
        ("pow(x, 2)", 0, "did you mean '^'"),
        ("x + zzz", 4, "known are x, y, t, mass, p"),
        ("x + sin", 4, "'sin' is a function; write sin("),
        ("x(y)", 1, "'x' is not a function"),
        # Python that is not mathematics
        ("__import__('os')", 0, "unknown function '__import__'"),
        ("x.__class__", 1, "'x' is a single number"),
        ("p.__class__", 2, "its components are .x, .y, .z"),
        ("p.shape", 2, "its components are .x, .y, .z"),
        ("(p).x", 3, "only a name has components"),
        ("p.x.real", 3, "only a name has components"),
        ("().__class__", 1, "a value is missing before ')'"),
        ("lambda: 1", 0, "unknown name 'lambda'"),
        ("[x for x in p]", 0, "lists have no place"),
        ("(x for x in p)", 3, "an operator is missing before 'for'"),
        ("{x}", 0, "braces have no place"),
        ("x if y else t", 5, "a condition is wanted here, such as x > 0"),
        ("x if y > 0", 2, "this 'if' has no 'else'"),
        ("x if (y > 0) + 1 else t", 5, "a condition is no number"),
        ("if(x > 0, y, t)", 0, "a condition stands between its values: a if x > 0 else b"),
        ("where(x > 0, y, t)", 0, "a condition stands between its values: a if x > 0 else b"),
        ("x > 0", 0, "a condition is no number; write 1 if … else 0"),
        ("sin(x > 0)", 4, "a condition is no number"),
        ("2*(x > 0)", 2, "a condition is no number"),
        ("-(x > 0)", 1, "a condition is no number"),
        ("(x > 0)^2", 0, "a condition is no number"),
        ("1 if p > q else 0", 7, "vectors have no order"),
        ("1 if x > else 0", 9, "a value is missing before 'else'"),
        ("1 if < x else 0", 5, "a value is missing before '<'"),
        ("norm(p if x > 0 else flat)", 7, "a choice between a vector of 3 and a vector of 2"),
        ("1 if x > 0 else", 15, "a value is missing at the end"),
        ("x else y", 2, "'else' does not fit here"),
        ("x ? y : t", 2, "write a if x > 0 else b"),
        ("1 if x > 0 & y > 0 else 0", 11, "a formula has no '&'; write and"),
        ("1 if x + not y > 0 else 0", 9, "a value is missing before 'not'"),
        ("x and y", 6, "a condition is wanted here"),
        ("not x", 4, "a condition is wanted here"),
        ("x := 3", 2, "':' has no meaning"),
        ("x == y", 2, "numbers that move are hardly ever equal; write abs(a - b) < 1e-9"),
        ("x = y", 2, "a formula has no '='"),
        ("x % y", 2, "'%' has no meaning"),
        ("x // y", 3, "a value is missing before '/'"),
        ("x @ y", 2, "'@' has no meaning"),
        ("~x", 0, "'~' has no meaning"),
        ("x; y", 1, "';' has no meaning"),
        ("x # note", 2, "'#' has no meaning"),
        ("sin(*p)", 4, "a value is missing before '*'"),
        ("max(x, key=y)", 7, "unknown name 'key'"),
        ("|x|", 0, "write abs("),
        ("'x'", 0, "text in quotes"),
        ("True", 0, "unknown name 'True'"),
        ("None", 0, "unknown name 'None'"),
        ("...", 0, "'.' has no meaning"),
        # numbers
        ("1e999", 0, "too large"),
        ("x + " + "9" * 400, 4, "too large"),
        ("nan", 0, "unknown name 'nan'"),
        ("inf", 0, "unknown name 'inf'"),
        ("2 + 1j", 5, "complex numbers"),
        ("0x10", 1, "an operator is missing"),
        ("1_000", 1, "an operator is missing"),
        ("2x", 1, "an operator is missing before 'x'; for a product write '*'"),
        ("x y", 2, "an operator is missing"),
        ("2(x)", 1, "an operator is missing"),
        # constants that are no finite real numbers
        ("9**9**9", 1, "'**' gives no finite number"),
        ("9^9^9^9", 3, "'^' gives no finite number"),
        ("1e308*10 + x", 5, "'*' gives no finite number"),
        ("x + 1/0", 5, "division by zero"),
        ("1/(x - x)", 1, "division by zero"),
        ("0^-1", 1, "'^' gives no finite number"),
        ("log(0)", 0, "'log' gives no finite number"),
        ("sqrt(-1)", 0, "'sqrt' gives no real number"),
        ("2*asin(2)", 2, "'asin' gives no real number"),
        ("(-1)^0.5", 4, "'^' gives no real number"),
        ("exp(1000)", 0, "'exp' gives no finite number"),
        # grammar
        ("x +", 3, "a value is missing at the end"),
        ("x + * y", 4, "a value is missing before '*'"),
        ("x***2", 3, "a value is missing before '*'"),
        ("2*(x + 1", 2, "never closed"),
        ("x + 1)", 5, "closes no bracket"),
        ("(x]", 2, "closes no bracket"),
        ("(x, y)", 2, "a comma only stands"),
        ("sin()", 0, "'sin' takes one value between its brackets, not 0"),
        ("sin(x, y)", 0, "'sin' takes one value"),
        ("sin(x,)", 6, "a value is missing"),
        ("atan2(x)", 0, "'atan2' takes two values"),
        ("min(x)", 0, "'min' takes two or more values"),
        # vectors
        ("p", 0, "a vector of 3, and one number is wanted"),
        ("p + 1", 2, "a vector of 3 and a number cannot be added"),
        ("p - flat", 2, "a vector of 3 and a vector of 2 cannot be subtracted"),
        ("p*q", 1, "write dot("),
        ("x/p", 1, "cannot divide"),
        ("p^2", 1, "a vector has no powers"),
        ("2^p", 1, "a vector has no powers"),
        ("sin(p)", 0, "'sin' takes a number, not a vector of 3"),
        ("norm(x)", 0, "'norm' takes a vector, not a number"),
        ("dot(p, flat)", 0, "dot wants two vectors of one length"),
        ("norm(cross(turn, turn))", 5, "cross wants vectors of 2 or 3"),
        ("x[0]", 1, "'x' is a single number"),
        ("flat.z", 5, "its components are .x, .y"),
        ("turn.x", 5, "its components are [0] to [3]"),  # a quaternion begins with w, so .x would mislead
        ("p[3]", 2, "between its brackets goes 0 to 2"),
        ("p[-1]", 2, "between its brackets goes 0 to 2"),
        ("p[1.0]", 2, "between its brackets goes 0 to 2"),
        ("p[x]", 2, "between its brackets goes 0 to 2"),
        ("p[0:1]", 3, "':' has no meaning"),
        ("p[0", 1, "never closed"),
        ("p.", 2, "its components are .x, .y, .z"),
    ],
)
def test_refusal_says_why_and_where(text: str, position: int, reason: str) -> None:
    error = refused(text)
    assert reason in error.reason
    assert error.position == position


@pytest.mark.parametrize(
    ("text", "position", "meant"),
    [
        ("m\u0430ss", 1, "a"),  # Cyrillic а
        ("2*\u03bf", 2, "o"),  # Greek omicron
        ("\u0445 + 1", 0, "x"),  # Cyrillic х
        ("\uff11 + x", 0, "1"),  # fullwidth digit
        ("x + \u0661", 4, None),  # Arabic-Indic digit one
        ("\uff58", 0, "x"),  # fullwidth letter, which Python itself would read as x
        ("x\u22121", 1, "-"),  # minus sign
        ("x \u2013 1", 2, "-"),  # en dash
        ("2\u00d7x", 1, "*"),
        ("2\u00b7x", 1, "*"),
        ("x\u00f72", 1, "/"),
        ("x\u00b2", 1, "^2"),
        ("\u03c0*x", 0, "pi"),
        ("\u221ax", 0, "sqrt"),
        ("\u00bd*x", 0, "1/2"),
        ("\uff08x)", 0, "("),  # fullwidth bracket
        ("\U0001d465", 0, "x"),  # mathematical italic x
        ("\u6f22", 0, None),
    ],
)
def test_look_alike_characters_are_refused_with_the_ascii_one(
    text: str, position: int, meant: str | None
) -> None:
    error = refused(text)
    assert error.position == position
    assert f"U+{ord(text[position]):04X}" in error.reason
    assert ("did you mean" in error.reason) == (meant is not None)
    if meant:
        assert error.reason.endswith(f"did you mean '{meant}'?")


@pytest.mark.parametrize(
    "character", ["\0", "\x07", "\x7f", "\u00a0", "\u200b", "\ufeff", "\u202e", "\ud800"]
)
def test_invisible_characters_are_refused(character: str) -> None:
    error = refused(f"x{character}+ 1")
    assert error.position == 1
    assert "null character" in error.reason or "invisible character" in error.reason
    assert character not in str(error)


def test_limits_are_as_stated() -> None:
    parse("x" + " " * 499, NAMES)
    parse("(" * 32 + "x" + ")" * 32, NAMES)
    parse("+".join("x" * 100), NAMES)  # 199 parts
    assert "at most 500 characters" in refused("x" + " " * 500).reason
    assert refused("(" * 33 + "x" + ")" * 33).position == 32
    assert "32 deep" in refused("x^" * 40 + "x").reason
    assert "32 deep" in refused("abs(" * 40 + "x" + ")" * 40).reason
    assert refused("+".join("x" * 101)).position == 200


@pytest.mark.parametrize("piece", ["-", "(", "[", "sin(", "x^", "9**", "x+", "p.", " ", "\0", "1", "a"])
def test_enormous_texts_are_refused_without_being_read(piece: str) -> None:
    error = refused(piece * 100_000)
    assert "at most 500 characters" in error.reason
    assert len(str(error)) < 300


def test_long_runs_of_signs_are_harmless() -> None:
    assert value("-" * 198 + "x") == pytest.approx(0.7)
    assert "at most 200" in refused("-" * 499 + "x").reason


def test_message_shows_the_text_with_a_caret_under_the_character() -> None:
    assert str(refused("2*sine(x)")) == (
        "unknown function 'sine'; did you mean 'sin'?\n"
        "  2*sine(x)\n"
        "    ^"
    )  # fmt: skip
    long = "x + " * 80 + "wrong"
    _, shown, caret = str(refused(long)).split("\n")
    assert len(shown) < 100 and shown[caret.index("^") :] == "wrong"


def test_caret_stands_right_after_wide_characters() -> None:
    # in a terminal 漢 takes two columns
    error = FormulaError("no", "漢x", 1)
    assert str(error).split("\n")[2] == "    ^"


def test_error_is_a_value_error_and_survives_pickling() -> None:
    error = refused("2*")
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.text, again.position) == (str(error), error.text, error.position)


def test_only_text_is_a_formula() -> None:
    for wrong in (2.0, True, None, b"x"):
        with pytest.raises(TypeError, match="a formula is text"):
            parse(wrong, NAMES)  # type: ignore[arg-type]


def test_a_matrix_has_no_place_among_the_names() -> None:
    with pytest.raises(TypeError, match="'m' stands for a matrix"):
        parse("m", {"m": casadi.SX.sym("m", 2, 2)})


# ── fuzz ──

PIECES = [
    *FUNCTIONS,
    *NAMES,
    *"+-*/^()[].,=!'\"\\ \n\t0123456789",
    "**",
    "1e9",
    "pi",
    "lambda",
    "__class__",
    "\0",
    "а",
]
SOUP = st.one_of(
    st.text(max_size=600),
    st.text(alphabet="xyp+-*/^()[].,0129e \t", max_size=120),
    st.lists(st.sampled_from(PIECES), max_size=150).map("".join),
    st.lists(st.sampled_from([p for p in PIECES if p.isidentifier() or p in "()+-*/^,"]), max_size=60).map(
        " ".join
    ),
)


@settings(max_examples=500, deadline=None)
@given(SOUP)
@example("9" + "**9" * 60)
@example("exp(" * 31 + "x" + ")" * 31)
@example("(" * 250 + ")" * 250)
def test_any_text_gives_an_expression_or_a_formula_error_in_no_time(text: str) -> None:
    began = time.process_time()  # the processor's seconds, which a busy machine does not stretch
    try:
        result = parse(text, NAMES)
    except FormulaError as error:
        assert 0 <= error.position <= len(text)
        assert len(str(error)) < 600
    else:
        assert result.is_scalar()
    assert time.process_time() - began < 1.0


# ── conditions ──


def test_a_choice_has_the_derivatives_of_its_branches():
    x = NAMES["x"]
    slope = casadi.Function("f", [x], [casadi.jacobian(parse("x^2 if x > 1 else 3*x", {"x": x}), x)])
    assert float(slope(2.0)) == 4.0 and float(slope(0.5)) == 3.0


def test_a_branch_that_is_not_taken_may_be_no_number():
    assert value("sqrt(y) if y > 0 else 7") == 7.0


def test_a_name_of_the_caller_hides_a_word_of_the_grammar():
    """Older scenes may have numbers that are called so."""
    assert float(casadi.evalf(parse("or + 1", {"or": casadi.SX(2.0)}))) == 3.0


def test_conditions_keep_to_the_limits():
    inside = "1"
    for _ in range(33):
        inside = f"1 if x>0 else {inside}"
    assert refused(inside).reason.startswith("brackets, powers and conditions may lie 32 deep")
    assert refused(" or ".join(["x > 0"] * 55)).reason.startswith("a formula has at most 200")
    assert refused("not " * 40 + "x > 0").reason.startswith("brackets, powers and conditions may lie 32 deep")


def test_a_condition_of_time_is_known_to_jump():
    """So that a stepper does not look for roots across it."""
    import tinkerdyne as td

    item = td.formula("1 if t > 2 else 0")
    assert item.type.block_of(item).may_jump
