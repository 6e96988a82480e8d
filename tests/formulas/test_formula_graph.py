"""Equal formulas are one node, constants fold, and rewriting does not change values."""

import copy
import pickle

import numpy as np
import pytest
from graphs import LANES, POINTS, X, Y, anything, smooth, untimed
from hypothesis import given

from supple.formulas.graph import ONE, ZERO, Node, apply, leaf, leaves, number, order, substitute
from supple.formulas.walk import CHUNK, evaluate

VALUES = dict(zip("xy", POINTS, strict=True))


def test_equal_subexpressions_are_one_node() -> None:
    assert X * Y + 1.0 is 1.0 + Y * X
    assert X - Y is not Y - X
    assert apply("sin", X + Y) is apply("sin", Y + X)
    assert len(order([(X + Y) * (X + Y)])) == 4


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (X + 0.0, X),
        (0.0 - X, -X),
        (X * 0.0, ZERO),
        (1.0 * X, X),
        (-1.0 * X, -X),
        (X / 1.0, X),
        (X**1.0, X),
        (X**0.0, ONE),
        (-apply("neg", X), X),
        (X + -Y, X - Y),
        (X - -Y, X + Y),
        (-(X - Y), Y - X),
        ((-X) * (-Y), X * Y),
        ((-X) / Y, -(X / Y)),
        (number(2.0) + number(3.0) * number(4.0), number(14.0)),
        (apply("sqrt", number(9.0)), number(3.0)),
        (apply("where", apply("lt", X, Y), X, X), X),
    ],
)
def test_identities(found: Node, expected: Node) -> None:
    assert found is expected


def test_terms_are_not_reordered() -> None:
    """(x + 0.1) + 0.2 rounds differently from x + 0.3."""
    x = np.array([0.1, 1.7, 3.3])
    np.testing.assert_array_equal(evaluate([X + 0.1 + 0.2], {"x": x}, 3)[0], (x + 0.1) + 0.2)


@pytest.mark.parametrize("make", [lambda: X / 0.0, lambda: 1.0 / ZERO, lambda: apply("log", number(-1.0))])
def test_constants_that_are_not_finite_are_refused(make) -> None:
    with pytest.raises(ValueError, match=r"divides by zero|not a finite number"):
        make()


def test_copies_are_the_same_node() -> None:
    node = apply("exp", X * Y) / 3.0
    assert pickle.loads(pickle.dumps(node)) is node
    assert copy.deepcopy(node) is node


def test_long_chains_need_no_recursion() -> None:
    node = X
    for _ in range(5000):
        node = apply("sin", node)
    assert len(order([node])) == 5001
    assert np.isfinite(evaluate([node], {"x": 1.0}, 1)[0][0])


@untimed
@given(anything)
def test_substitution_is_evaluation_elsewhere(node: Node) -> None:
    moved = substitute(node, {"x": leaf("u") * 0.5, "y": leaf("u") + 0.25})
    assert leaves([moved]) <= {"u"}
    u = POINTS[0]
    direct = evaluate([node], {"x": u * 0.5, "y": u + 0.25}, LANES)[0]
    np.testing.assert_allclose(evaluate([moved], {"u": u}, LANES)[0], direct, rtol=1e-13, atol=1e-13)


@untimed
@given(smooth)
def test_chunks_do_not_show(node: Node) -> None:
    many = np.tile(POINTS, CHUNK // 4)
    whole = evaluate([node], dict(zip("xy", many, strict=True)), many.shape[1])[0]
    np.testing.assert_array_equal(whole, np.tile(evaluate([node], VALUES, LANES)[0], CHUNK // 4))
