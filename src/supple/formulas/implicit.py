"""Surfaces g(x, y, z) = 0 given as text: values, gradients and Hessians of g, differentiated exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.formulas.differentiate import SMOOTH, Derivatives
from supple.formulas.expressions import CONSTANTS, PRESENT
from supple.formulas.graph import LEAF, Node, leaf
from supple.formulas.operations import ARITHMETIC
from supple.formulas.parse import parse
from supple.formulas.walk import evaluate
from supple.types import Array

AXES = ("x", "y", "z")
PAIRS = [(i, j) for i in range(3) for j in range(i + 1)]
"""Entries of the lower triangle of a Hessian."""


@dataclass(frozen=True)
class Implicit:
    """The surface on which a smooth expression in x, y, z is zero; a ValueError says what it must not have."""

    text: str

    def __post_init__(self) -> None:
        _ = self._hessian  # which reads the text and differentiates it

    def values(self, points: Array) -> Array:
        """g (p,) at points (p, 3)."""
        return _at([self._graph], points)[:, 0]

    def gradients(self, points: Array) -> Array:
        """dg/dx (p, 3)."""
        return _at(self._gradient, points)

    def hessians(self, points: Array) -> Array:
        """d2g/dx2 (p, 3, 3)."""
        result = np.empty((len(points), 3, 3))
        for (i, j), entry in zip(PAIRS, _at(self._hessian, points).T, strict=True):
            result[:, i, j] = result[:, j, i] = entry
        return result

    @cached_property
    def _graph(self) -> Node:
        return parse(self.text, PRESENT, CONSTANTS, _objection)

    @cached_property
    def _gradient(self) -> list[Node]:
        derivatives = Derivatives()
        return [derivatives.of(self._graph, leaf(axis)) for axis in AXES]

    @cached_property
    def _hessian(self) -> list[Node]:
        derivatives = Derivatives()
        return [derivatives.of(self._gradient[i], leaf(AXES[j])) for i, j in PAIRS]


def _at(outputs: list[Node], points: Array) -> Array:
    points = np.asarray(points, dtype=np.float64)
    return np.stack(evaluate(outputs, dict(zip(AXES, points.T, strict=True)), len(points)), axis=1)


def _objection(node: Node) -> str | None:
    smooth = node.is_number or node.operation in ARITHMETIC or node.operation in SMOOTH
    if smooth or (node.operation == LEAF and node.value in AXES):
        return None
    return (
        "cannot stand in the equation of a surface, which needs smooth functions of x, y, z: "
        f"+ - * / ^, {', '.join(SMOOTH)}"
    )
