"""Derivatives of random formulas are those of differences; domains and degrees are correct."""

import numpy as np
import pytest
from graphs import LANES, POINTS, SMOOTH, X, Y, anything, smooth, untimed
from hypothesis import given

from supple.formulas.degree import degree
from supple.formulas.differentiate import Derivatives, derivative
from supple.formulas.domain import domain
from supple.formulas.graph import ONE, ZERO, Node, apply, leaf, number
from supple.formulas.parse import parse
from supple.formulas.walk import evaluate

STEP = 1e-5


def at(node: Node, points: np.ndarray) -> np.ndarray:
    return evaluate([node], dict(zip("xy", points, strict=True)), points.shape[1])[0]


@untimed
@given(smooth)
def test_derivatives_are_those_of_differences(node: Node) -> None:
    compare_with_differences(node)


@pytest.mark.parametrize("rule", range(len(SMOOTH)))
def test_every_rule(rule: int) -> None:
    compare_with_differences(SMOOTH[rule](X * Y, X + Y))


def compare_with_differences(node: Node) -> None:
    derivatives = Derivatives()
    for first in (node, derivatives.of(node, X)):
        for axis, by in enumerate((X, Y)):
            shift = STEP * np.eye(2)[axis][:, None]
            values = [at(first, POINTS + k * shift) for k in (-2, -1, 1, 2)]
            slope = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * STEP)
            exact = at(derivatives.of(first, by), POINTS)
            scale = 1.0 + np.abs(exact).max() + np.abs(values[0]).max()
            np.testing.assert_allclose(exact, slope, atol=1e-7 * scale**2)


@untimed
@given(anything)
def test_mixed_derivatives_commute(node: Node) -> None:
    derivatives = Derivatives()
    xy = at(derivatives.of(derivatives.of(node, X), Y), POINTS)
    yx = at(derivatives.of(derivatives.of(node, Y), X), POINTS)
    np.testing.assert_allclose(xy, yx, atol=1e-9 * (1.0 + np.abs(xy).max()))


@pytest.mark.parametrize(
    ("text", "slope"),
    [
        ("x^2", "2 * x"),
        ("x^3", "3 * x^2"),
        ("5 + y", "0"),
        ("exp(x)", "exp(x)"),
        ("log(x)", "1 / x"),
        ("x * y", "y"),
        ("where(x < y, x, y)", "where(x < y, 1, 0)"),
        ("max(x, y)", "where(x >= y, 1, 0)"),
        ("abs(x)", "where(x < 0, -1, 1)"),
        ("2^x", "2^x * log(2)"),
    ],
)
def test_derivatives_as_in_a_textbook(text: str, slope: str) -> None:
    assert derivative(parse(text, "xy", {}), X) is parse(slope, "xy", {})


def test_derivatives_are_remembered() -> None:
    derivatives = Derivatives()
    assert derivatives.of(X * X, X) is derivatives.of(X * X, X)
    assert derivatives.of(X, X) is ONE
    assert derivatives.of(X, Y) is ZERO


def test_a_derivative_that_is_nowhere_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="the derivative by x has a part that is -inf"):
        derivative(number(0.0) ** X, X)


def test_domain() -> None:
    node = parse("log(x) + sqrt(y - 1) + z^0.5 + 1 / w + v^-2 + 2 / x + u^2 + log(2) + 3^u", "xyzwvu", {})
    found = domain([node, apply("log1p", leaf("s"))])
    assert found.positive == (X, Y - 1.0, leaf("z"), 1.0 + leaf("s"))
    assert found.nonzero == (leaf("w"), leaf("v"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a * x + b", 2),
        ("x * y - 3 * x^2", 5),
        ("(x + y)^3 / exp(a)", 9),
        ("log(a) * y", 3),
        ("where(a < 1, x, y)", 3),
        ("x / y", None),
        ("x^a", None),
        ("x^-1", None),
        ("x^0.5", None),
        ("exp(x)", None),
        ("where(x < 1, x, y)", None),
        ("n * a", None),
        ("7", 0),
        ("0 * exp(x)", 0),
    ],
)
def test_degree(text: str, expected: int | None) -> None:
    assert degree(parse(text, "abnxy", {}), {"x": 2, "y": 3, "n": None}) == expected


@untimed
@given(anything)
def test_the_degree_bounds_that_of_derivatives(node: Node) -> None:
    """Differentiated once more often than its degree, a polynomial is zero."""
    if (n := degree(node, {"x": 1})) is not None:
        derivatives = Derivatives()
        for _ in range(n + 1):
            node = derivatives.of(node, X)
        np.testing.assert_allclose(at(node, POINTS), np.zeros(LANES), atol=1e-12)
