"""Quadrature rules on [0, 1]."""

import numpy as np
import pytest

from supple.linalg.quadrature import Rule, gauss, lobatto

RULES = {f"gauss-{s}": gauss(s) for s in (1, 2, 3, 4, 7, 16, 24)} | {
    f"lobatto-{s}": lobatto(s) for s in (2, 3, 4, 5, 6, 12)
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_exact_up_to_the_claimed_degree_and_no_further(rule: Rule) -> None:
    nodes, weights = np.array(rule.nodes), np.array(rule.weights)
    for degree in range(rule.exact_degree + 1):
        assert weights @ nodes**degree == pytest.approx(1 / (degree + 1), rel=1e-13)
    if rule.exact_degree < 15:  # the error of larger rules on monomials drowns in round-off
        degree = rule.exact_degree + 1
        assert abs(weights @ nodes**degree - 1 / (degree + 1)) > 1e-12


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_symmetric_positive_and_inside(rule: Rule) -> None:
    nodes, weights = np.array(rule.nodes), np.array(rule.weights)
    assert (weights > 0).all()
    assert (np.diff(nodes) > 0).all()
    assert nodes[0] >= 0
    np.testing.assert_allclose(nodes + nodes[::-1], 1.0, rtol=0, atol=1e-15)
    np.testing.assert_allclose(weights, weights[::-1], rtol=1e-14)


def test_simpson_is_lobatto_with_three_points() -> None:
    assert lobatto(3).nodes == (0.0, 0.5, 1.0)
    assert lobatto(3).weights == pytest.approx((1 / 6, 2 / 3, 1 / 6), rel=1e-15)


def test_lobatto_needs_both_ends() -> None:
    with pytest.raises(ValueError, match="two ends"):
        lobatto(1)


def test_a_rule_checks_itself() -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        Rule((0.0, 1.0), (0.5, 0.6), 1)
