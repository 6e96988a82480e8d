"""Machine code agrees with the walk, lane by lane, without fused operations."""

import gc
import pickle

import numpy as np
import pytest
from graphs import LANES, POINTS, X, Y, anything
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.formulas.code.emit import MOST_NODES, emit, module
from supple.formulas.code.machine import target_machine, verified
from supple.formulas.differentiate import Derivatives
from supple.formulas.graph import Node, apply, leaf, number
from supple.formulas.operations import FUNCTIONS
from supple.formulas.parse import parse
from supple.formulas.walk import evaluate

NONE = np.empty((0, LANES))


def walked(nodes: list[Node]) -> np.ndarray:
    return np.array(evaluate(nodes, dict(zip("xy", POINTS, strict=True)), LANES))


@settings(max_examples=40, deadline=None)
@given(st.lists(anything, min_size=1, max_size=3))
def test_code_agrees_with_the_walk(nodes: list[Node]) -> None:
    derivatives = Derivatives()
    nodes = [*nodes, *(derivatives.of(node, by) for node in nodes for by in (X, Y))]
    (found,) = emit((), ("x", "y"), [nodes])(NONE, POINTS)
    expected = walked(nodes)
    # relative to the largest output, because terms may cancel
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14 * (1.0 + np.abs(expected).max()))


@pytest.mark.parametrize("name", [*FUNCTIONS, "log1p", "expm1", "pow", "div"])
def test_every_function_to_the_last_bits(name: str) -> None:
    condition = apply("or", apply("lt", X, Y), apply("eq", X, number(2.0)))
    node = {
        "where": lambda: apply("where", apply("not", condition), X, Y),
        "abs": lambda: apply("abs", X - Y),
    }.get(name, lambda: apply(name, *([X, Y] if name in ("min", "max", "pow", "div") else [X])))()
    (found,) = emit((), ("x", "y"), [[node]])(NONE, POINTS)
    np.testing.assert_allclose(found, walked([node]), rtol=1e-14)


@pytest.mark.parametrize("exponent", [-16.0, -2.0, 0.5, 2.0, 3.0, 7.0, 16.0, 17.0, -0.5])
def test_powers(exponent: float) -> None:
    (found,) = emit((), ("x", "y"), [[X**exponent]])(NONE, POINTS)
    np.testing.assert_allclose(found, walked([X**exponent]), rtol=1e-14)


def test_parameters_groups_and_lanes() -> None:
    node = parse("a * x^2 + b", "abx", {})
    code = emit(("a", "b"), ("x",), [[node], [leaf("b"), leaf("x")]], lanes=8)
    prm, x = np.arange(16.0).reshape(2, 8), np.linspace(1.0, 2.0, 8)[None]
    value, rest = code(prm, x)
    np.testing.assert_array_equal(value[0], prm[0] * x[0] ** 2 + prm[1])
    np.testing.assert_array_equal(rest, [prm[1], x[0]])
    with pytest.raises(ValueError, match=r"shapes \(2, 8\) and \(1, 8\)"):
        code(prm, x[:, :4])


def test_infinity_outside_of_a_domain() -> None:
    """How a law guards itself: where(x > 1, log(x - 1), inf)."""
    node = apply("where", apply("gt", X, number(1.0)), apply("log", X - 1.0), number(np.inf))
    (found,) = emit((), ("x", "y"), [[node]])(NONE, POINTS)
    np.testing.assert_allclose(found, walked([node]), rtol=1e-14)
    assert np.isinf(found).any()


def test_nan_is_not_lost() -> None:
    nodes = [apply("min", X, Y), apply("max", Y, X), apply("where", apply("ne", X, X), number(1.0), number(0.0))]
    x = np.full((2, LANES), 1.0)
    x[0, 3] = np.nan
    (found,) = emit((), ("x", "y"), [nodes])(NONE, x)
    assert np.flatnonzero(np.isnan(found[0])) == np.flatnonzero(np.isnan(found[1])) == 3
    np.testing.assert_array_equal(found[2], np.isnan(x[0]))


def test_nothing_is_fused() -> None:
    text = target_machine().emit_assembly(verified(module((), ("x", "y"), [[X * Y + X, X * X - Y]], LANES)))
    assert "fma" not in text
    assert "mul" in text


def test_the_code_lives_as_long_as_its_object() -> None:
    codes = [emit((), ("x", "y"), [[X + float(k)]]) for k in range(1, 5)]
    last = codes.pop()
    del codes
    gc.collect()
    np.testing.assert_array_equal(last(NONE, POINTS)[0][0], POINTS[0] + 4.0)
    with pytest.raises(TypeError, match="compile the formula there"):
        pickle.dumps(last)


def test_what_cannot_be_compiled_is_refused() -> None:
    with pytest.raises(ValueError, match="depends on y, given neither as parameter nor as input"):
        emit((), ("x",), [[X + Y]])
    with pytest.raises(ValueError, match="multiple of 4, found 6"):
        emit((), ("x",), [[X]], lanes=6)
    with pytest.raises(ValueError, match="a number is needed, found a condition"):
        emit((), ("x", "y"), [[apply("lt", X, Y)]])
    node = X
    for _ in range(MOST_NODES):
        node = apply("sin", node)
    with pytest.raises(ValueError, match=f"at most {MOST_NODES} are compiled"):
        emit((), ("x",), [[node]])
