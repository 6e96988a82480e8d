"""Difference quotients under an exchange of two variables, against 50 digits and against derivatives."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from supple.formulas.differentiate import derivative
from supple.formulas.graph import ZERO, Node, leaf
from supple.formulas.parse import parse
from supple.formulas.quotient import exchange_quotient
from supple.formulas.walk import evaluate

X, Y = leaf("x"), leaf("y")
TEXTS = [
    "x", "-x", "x + 2*y", "x*y + x", "x/y", "(x + 3)/(y^2 + 1)", "x^5 - y^2", "x^-3", "1/x", "sqrt(x + 2*y)",
    "log(x)", "log(3*x + y)",
    "exp(x)", "exp(3*x - y)*log(y)", "x^1.7", "(x + 2*y)^0.3", "x^(y + 1)", "where(z > 0, x^2, y^3)", "x^z",
]  # fmt: skip


def value(node: Node, x: float, y: float, z: float = 0.4) -> float:
    return float(evaluate([node], {"x": np.array([x]), "y": np.array([y]), "z": np.array([z])}, 1)[0][0])


def exact(text: str, x: Decimal, y: Decimal, z: Decimal) -> Decimal:
    """The text evaluated with the digits of the decimal context."""
    functions = {"log": Decimal.ln, "exp": Decimal.exp, "sqrt": Decimal.sqrt, "where": lambda c, a, b: a if c else b}
    whole = text.replace("^", "**")
    for number in ("1.7", "0.3"):
        whole = whole.replace(number, f"D('{number}')")
    return eval(whole, {"D": Decimal, "x": x, "y": y, "z": z, **functions})


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("apart", [0.5, 3e-2, 1e-2, 1e-4, 1e-7, 1e-11, 1e-15])
def test_no_digits_are_lost(text: str, apart: float) -> None:
    x, y, z = 1.3 + apart, 1.3, 0.4
    found = value(exchange_quotient(parse(text, ("x", "y", "z"), {}), X, Y), x, y, z)
    with localcontext(prec=50):
        a, b, c = Decimal(x), Decimal(y), Decimal(z)
        wanted = float((exact(text, a, b, c) - exact(text, b, a, c)) / (a - b))
    assert found == pytest.approx(wanted, rel=3e-14)


@pytest.mark.parametrize(
    "text", [*TEXTS, "sin(x)*y", "tanh(x)", "abs(x - 2)", "max(x, 1)^2", "min(x, y)*x", "where(x > 1, x^2, y)"]
)
def test_at_equal_values_it_is_the_derivative(text: str) -> None:
    node = parse(text, ("x", "y", "z"), {})
    wanted = value(derivative(node, X), 1.3, 1.3) - value(derivative(node, Y), 1.3, 1.3)
    assert value(exchange_quotient(node, X, Y), 1.3, 1.3) == pytest.approx(wanted, rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("text", ["sin(x)*y", "tanh(x)", "abs(x - 2)", "max(x, 1)^2", "where(x > 1, x^2, y)"])
@pytest.mark.parametrize("apart", [0.3, 1e-3, 1.1e-5, 0.9e-5, 1e-9])
def test_functions_without_a_rule_lose_few(text: str, apart: float) -> None:
    node, x, y = parse(text, ("x", "y", "z"), {}), 1.3 + apart, 1.3
    found = value(exchange_quotient(node, X, Y), x, y)
    middle = (value(derivative(node, X), 1.3, 1.3) - value(derivative(node, Y), 1.3, 1.3)) if apart < 1e-4 else None
    plain = (value(node, x, y) - value(node, y, x)) / (x - y)
    if middle is None:
        assert found == pytest.approx(plain, rel=1e-15)
    else:
        assert found == pytest.approx(middle, rel=2 * apart + 1e-10)


@pytest.mark.parametrize("text", ["x + y", "x*y", "z", "exp(x*y)/(x + y)^2", "3"])
def test_what_does_not_change_has_no_quotient(text: str) -> None:
    assert exchange_quotient(parse(text, ("x", "y", "z"), {}), X, Y) is ZERO
