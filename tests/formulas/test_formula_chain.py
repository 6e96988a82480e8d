"""The chain rule gives the derivatives of the substituted formula."""

import numpy as np
from graphs import LANES, POINTS, X, smooth, untimed
from hypothesis import given

from supple.formulas.chain import chained
from supple.formulas.differentiate import Derivatives
from supple.formulas.graph import ZERO, Node, leaf, order, substitute
from supple.formulas.parse import parse
from supple.formulas.walk import evaluate

INNER = {"x": parse("0.5 * u * v + 0.2", "uv", {}), "y": parse("sin(u) + v^2", "uv", {})}
U, V = leaf("u"), leaf("v")


@untimed
@given(smooth)
def test_through_two_variables(node: Node) -> None:
    found = chained(node, INNER, [U, V])
    derivatives, whole = Derivatives(), substitute(node, INNER)
    slopes = [derivatives.of(whole, by) for by in (U, V)]
    bends = [derivatives.of(slopes[0], U), derivatives.of(slopes[1], U), derivatives.of(slopes[1], V)]
    assert found.value is whole
    values = dict(zip("uv", POINTS, strict=True))
    direct = np.array(evaluate([*slopes, *bends], values, LANES))
    by_chain = np.array(evaluate([*found.gradient, *found.hessian], values, LANES))
    np.testing.assert_allclose(by_chain, direct, atol=1e-10 * (1.0 + np.abs(direct).max()))


def test_leaves_that_are_not_inner_are_parameters() -> None:
    found = chained(leaf("mu") * X, INNER, [U, V])
    assert found.gradient[0] is leaf("mu") * (0.5 * V)
    assert chained(leaf("mu"), INNER, [U]).gradient == [ZERO]


def test_fewer_operations_than_by_substitution() -> None:
    outer = parse("log(x) * y + x^1.5 / y", "xy", {})
    found = chained(outer, {"x": INNER["x"] * INNER["y"], "y": INNER["y"]}, [U, V])
    derivatives, whole = Derivatives(), substitute(outer, {"x": INNER["x"] * INNER["y"], "y": INNER["y"]})
    direct = [derivatives.of(derivatives.of(whole, a), b) for a, b in ((U, U), (V, U), (V, V))]
    assert len(order(found.hessian)) < len(order(direct))
