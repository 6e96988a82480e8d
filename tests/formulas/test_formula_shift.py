"""Formulas in deviations from a reference are the same formulas, without loss of digits near it."""

from fractions import Fraction

import numpy as np
import pytest
from graphs import LANES, POINTS, X, Y, anything, untimed
from hypothesis import given

from supple.formulas.degree import degree
from supple.formulas.graph import ZERO, Node, apply, leaf
from supple.formulas.parse import parse
from supple.formulas.shift import shift
from supple.formulas.walk import evaluate

i, j = leaf("i"), leaf("j")
NEAR = {"I": (3.0, i), "J": (1.0, j)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I - 3", i),
        ("log(J)", apply("log1p", j)),
        ("I / 3 - 1", i / 3.0),
        ("I - 3 - 2 * log(J)", i - 2.0 * apply("log1p", j)),
        ("J^2 - 1", j + j * (1.0 + j)),
        ("a * (J - 1)^2", leaf("a") * j**2.0),
        ("exp(J - 1) - 1", apply("expm1", j)),
        ("sqrt(J) - 1", j / (apply("sqrt", 1.0 + j) + 1.0)),
        ("max(J - 1, 0)", apply("max", j, ZERO)),
        ("a * J", leaf("a") * (1.0 + j)),
        ("exp(1000 * J)", apply("exp", 1000.0 + 1000.0 * j)),
        ("1 / (J - 1)", 1.0 / j),
        ("log(J - 2)", apply("log", -1.0 + j)),
        ("a^J", leaf("a") ** (1.0 + j)),
        ("J^a - 1", apply("expm1", leaf("a") * apply("log1p", j))),
        ("log(1 - (I - 3) / a)", apply("log1p", -(i / leaf("a")))),
        ("exp(a * (J - 1)^2) - 1", apply("expm1", leaf("a") * j**2.0)),
        ("exp(-a)", apply("exp", -leaf("a"))),
        ("exp(a * J)", apply("exp", leaf("a") * (1.0 + j))),
        ("log(3 + a)", apply("log", 3.0 + leaf("a"))),
    ],
)
def test_rules(text: str, expected: Node) -> None:
    assert shift(parse(text, "aIJ", {}), NEAR) is expected


@untimed
@given(anything)
def test_values_stay(node: Node) -> None:
    moved = shift(node, {"x": (1.0, leaf("u")), "y": (0.5, leaf("v"))})
    x, y = POINTS
    direct = evaluate([node], {"x": x, "y": y}, LANES)[0]
    found = evaluate([moved], {"u": x - 1.0, "v": y - 0.5}, LANES)[0]
    np.testing.assert_allclose(found, direct, atol=1e-11 * (1.0 + np.abs(direct).max()))


@pytest.mark.parametrize("small", [1e-3, 1e-8, 1e-13])
def test_small_deviations_lose_no_digits(small: float) -> None:
    text = "I * J - 3 + (J^3 - 1) / I + (1 / J - 1)"
    di, dj = Fraction(small), Fraction(-2 * small)
    exact = (3 + di) * (1 + dj) - 3 + ((1 + dj) ** 3 - 1) / (3 + di) + (1 / (1 + dj) - 1)
    found = evaluate([shift(parse(text, "IJ", {}), NEAR)], {"i": float(di), "j": float(dj)}, 1)[0][0]
    assert found == pytest.approx(float(exact), rel=1e-14)


def test_broken_powers_lose_no_digits() -> None:
    found = evaluate([shift(parse("J^(-2/3) * I - 3", "IJ", {}), NEAR)], {"i": 0.0, "j": 1e-12}, 1)[0][0]
    assert found == pytest.approx(-2e-12, rel=1e-11)


def test_polynomials_stay_polynomials() -> None:
    moved = shift(parse("(I - 3) * J^2 + J^3", "IJ", {}), NEAR)
    assert degree(moved, {"i": 2, "j": 3}) == 9  # of j^3: 3 * 3


def test_leaves_without_a_reference_stay() -> None:
    assert shift(X * Y, {}) is X * Y
