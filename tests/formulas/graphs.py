"""Random formulas of two variables: smooth, and of order 1 where x and y are between 0.2 and 2."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from supple.formulas.graph import Node, apply, leaf, number

X, Y = leaf("x"), leaf("y")
untimed = settings(deadline=None)
LANES = 16
POINTS = np.random.default_rng(5).uniform(0.2, 2.0, (2, LANES))
"""Values of x and y."""


def _bounded(a: Node) -> Node:
    return apply("tanh", 0.5 * a)


def _positive(a: Node) -> Node:
    return 1.5 + _bounded(a)


SMOOTH: list[Callable[[Node, Node], Node]] = [
    lambda a, b: a + 0.5 * b,
    lambda a, b: 0.3 * a - b,
    lambda a, b: _bounded(a) * _bounded(b),
    lambda a, b: _bounded(a) / _positive(b),
    lambda a, b: _positive(a) ** _bounded(b),
    lambda a, b: _bounded(a) ** 3.0,
    lambda a, b: -(_positive(a) ** -2.0),
    lambda a, b: _positive(a) ** 1.7,
    lambda a, b: apply("sin", a - b),
    lambda a, b: apply("cos", a),
    lambda a, b: apply("tan", _bounded(a)),
    lambda a, b: apply("exp", _bounded(a)),
    lambda a, b: apply("expm1", _bounded(b)),
    lambda a, b: apply("log", _positive(a)),
    lambda a, b: apply("log1p", _positive(b)),
    lambda a, b: apply("sqrt", _positive(a)),
]
KINKED: list[Callable[[Node, Node], Node]] = [
    lambda a, b: apply("abs", a - b),
    lambda a, b: apply("min", a, b),
    lambda a, b: apply("max", a, b),
    lambda a, b: apply("where", apply("or", apply("lt", a, b), apply("not", apply("ge", b, X))), a, b),
    lambda a, b: apply("where", apply("and", apply("ne", a, b), apply("gt", a, Y)), a, b),
]


def _formulas(operations: list[Callable[[Node, Node], Node]]) -> st.SearchStrategy[Node]:
    """A sequence of operations on earlier results, so that formulas have parts in common."""
    place = st.integers(0, 5)

    def run(steps: list[tuple[Callable[[Node, Node], Node], int, int]]) -> Node:
        made = [number(-1.3), number(0.5), Y, X]
        for operation, first, second in steps:
            made.append(operation(made[-1 - first % len(made)], made[-1 - second % len(made)]))
        return made[-1]

    return st.lists(st.tuples(st.sampled_from(operations), place, place), min_size=2, max_size=12).map(run)


smooth = _formulas(SMOOTH)
"""Formulas without kinks."""
anything = _formulas([*SMOOTH, *KINKED])
"""Formulas with kinks and conditions too."""
