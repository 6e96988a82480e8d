"""Expressions agree with numpy, and everything except arithmetic is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supple.errors import SceneError
from supple.formulas.expressions import Expression
from supple.formulas.parse import A_CONDITION, A_NUMBER

POINTS = np.random.default_rng(3).uniform(0.1, 2.0, (20, 3))
X, Y, Z = POINTS.T


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.2 * X - Y / 2 + Z", 1.2 * X - Y / 2 + Z),
        ("-X^2", -(X**2)),
        ("2 ^ 3 ** X", 2 ** (3**X)),
        ("X^2 + 1", X**2 + 1),
        ("sin(pi * X) * cos(Y) + tan(Z) * tanh(X)", np.sin(np.pi * X) * np.cos(Y) + np.tan(Z) * np.tanh(X)),
        ("exp(-r^2)", np.exp(-(X**2 + Y**2 + Z**2))),
        ("log(e) + sqrt(abs(-Z))", 1 + np.sqrt(Z)),
        ("min(X, Y, Z) + max(X, 1)", np.minimum(X, np.minimum(Y, Z)) + np.maximum(X, 1)),
        ("where(X < 1 and not Y > 1, X, -Y)", np.where((X < 1) & ~(Y > 1), X, -Y)),
        ("7", np.full(20, 7.0)),
        (" + X ", X),
    ],
)
def test_values(text: str, expected: np.ndarray) -> None:
    values = Expression(text).values(POINTS)
    assert values.shape == (20,)
    np.testing.assert_allclose(values, expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X < 1", X < 1),
        ("0.5 <= X <= 1.5", (X >= 0.5) & (X <= 1.5)),
        ("X < 1 or Y >= 1 and Z != 1", (X < 1) | (Y >= 1)),
        ("not (X < 1)", X >= 1),
        ("1 == 1", np.full(20, True)),
    ],
)
def test_conditions(text: str, expected: np.ndarray) -> None:
    expression = Expression(text)
    assert expression.kind == A_CONDITION
    np.testing.assert_array_equal(expression.holds(POINTS), expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X.real", "not allowed"),
        ("().__class__", "not allowed"),
        ("__import__('os').system('true')", "unknown function"),
        ("open(X)", "unknown function 'open'"),
        ("sine(X)", "did you mean 'sin'"),
        ("sin", "unknown name 'sin'"),
        ("x + 1", "unknown name 'x'; did you mean 'X'"),
        ("time", "unknown name 'time'; known: X, Y, Z, r, pi, e"),
        ("'text'", "not allowed"),
        ("[X]", "not allowed"),
        ("X[0]", "not allowed"),
        ("lambda: 1", "not allowed"),
        ("[y for y in X]", "not allowed"),
        ("X if Y else Z", "not allowed"),
        ("X // 2", "not allowed"),
        ("X is Y", "not allowed"),
        ("(X := 2)", "not allowed"),
        ("1j", "not allowed"),
        ("True", "write a comparison"),
        ("f'{X}'", "not allowed"),
        ("sin(*X)", "plain arguments"),
        ("where(X < 1, X, y=2)", "plain arguments"),
        ("sin(X, Y)", "takes 1 arguments, found 2"),
        ("min(X)", "takes 2 or more"),
        ("where(X, Y, Z)", "'X' is a number, but a condition"),
        ("X + (Y < 1)", "is a condition, but a number"),
        ("X and Y", "'X' is a number, but a condition"),
        ("X < 1 and Y", "'Y' is a number, but a condition"),
        ("X < (Y < 1)", "is a condition, but a number"),
        ("X +", "is not an expression"),
        ("X; Y", "is not an expression"),
        ("", "empty"),
        ("(" * 900, "is not an expression"),
        ("X" * 2000, "at most 1000"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        Expression(text)
    assert message in str(caught.value)


def test_kinds_are_not_mixed() -> None:
    with pytest.raises(ValueError, match="a condition is needed here"):
        Expression("X").holds(POINTS)
    with pytest.raises(ValueError, match="a number is needed here"):
        Expression("X < 1").values(POINTS)


@pytest.mark.parametrize("text", ["log(X - 1)", "1 / (X - X)", "9 ** 9 ** 9 ** X"])
def test_not_finite(text: str) -> None:
    with pytest.raises(SceneError, match="must be finite everywhere"):
        Expression(text).values(POINTS)


numbers = st.floats(0.1, 3.0).map(lambda v: repr(round(v, 3)))
expressions = st.recursive(
    numbers | st.sampled_from(["X", "Y", "Z", "pi"]),
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner)
        | st.builds("{}({})".format, st.sampled_from(["sin", "cos", "tanh"]), inner)
        | st.builds("-{}".format, inner)
    ),
    max_leaves=12,
)


@given(expressions)
def test_agrees_with_float_arithmetic(text: str) -> None:
    names = {"pi": math.pi, "sin": math.sin, "cos": math.cos, "tanh": math.tanh}
    expression = Expression(text)
    assert expression.kind == A_NUMBER
    for point, value in zip(POINTS[:3], expression.values(POINTS[:3]), strict=True):
        direct = eval(text, {"__builtins__": {}}, names | dict(zip("XYZ", map(float, point), strict=True)))
        assert value == pytest.approx(direct, rel=1e-9, abs=1e-9)
