"""Surfaces g(x, y, z) = 0, or g(x, y, z, t) = 0, given as text: values and derivatives of g, differentiated exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.formulas.differentiate import SMOOTH, Derivatives
from supple.formulas.expressions import CONSTANTS, PRESENT
from supple.formulas.graph import LEAF, Node, leaf, leaves
from supple.formulas.operations import ARITHMETIC
from supple.formulas.parse import parse
from supple.formulas.walk import evaluate
from supple.types import Array

AXES = ("x", "y", "z")
TIME = "t"
PAIRS = [(i, j) for i in range(3) for j in range(i + 1)]
"""Entries of the lower triangle of a Hessian."""


@dataclass(frozen=True)
class Implicit:
    """The surface on which a smooth expression in x, y, z is zero; a ValueError names inadmissible parts."""

    text: str
    timed: bool = False
    """Whether it may contain the time t [s]."""

    def __post_init__(self) -> None:
        _ = self._hessian  # parses and differentiates the text

    @property
    def moves(self) -> bool:
        """Whether the surface changes with time."""
        return TIME in leaves([self._graph])

    @property
    def somewhere(self) -> bool:
        """Whether the expression depends on position at all."""
        return not leaves([self._graph]).isdisjoint(AXES)

    def values(self, points: Array, t: float = 0.0) -> Array:
        """g (p,) at points (p, 3)."""
        return _at([self._graph], points, t)[:, 0]

    def gradients(self, points: Array, t: float = 0.0) -> Array:
        """dg/dx (p, 3)."""
        return _at(self._gradient, points, t)

    def hessians(self, points: Array, t: float = 0.0) -> Array:
        """d2g/dx2 (p, 3, 3)."""
        result = np.empty((len(points), 3, 3))
        for (i, j), entry in zip(PAIRS, _at(self._hessian, points, t).T, strict=True):
            result[:, i, j] = result[:, j, i] = entry
        return result

    def all_at(self, points: Array, t: float = 0.0) -> tuple[Array, Array, Array]:
        """g (p,), its gradients (p, 3) and Hessians (p, 3, 3), at little more than the cost of one of them."""
        found = _at([self._graph, *self._gradient, *self._hessian], points, t)
        H = np.empty((len(points), 3, 3))
        for (i, j), entry in zip(PAIRS, found[:, 4:].T, strict=True):
            H[:, i, j] = H[:, j, i] = entry
        return found[:, 0], found[:, 1:4], H

    def rates(self, points: Array, t: float) -> Array:
        """dg/dt (p,) at fixed positions [1/s]."""
        return _at([self._rate], points, t)[:, 0]

    @cached_property
    def _graph(self) -> Node:
        return parse(self.text, PRESENT, CONSTANTS, _objection_of_moving if self.timed else _objection)

    @cached_property
    def _rate(self) -> Node:
        return Derivatives().of(self._graph, leaf(TIME))

    @cached_property
    def _gradient(self) -> list[Node]:
        derivatives = Derivatives()
        return [derivatives.of(self._graph, leaf(axis)) for axis in AXES]

    @cached_property
    def _hessian(self) -> list[Node]:
        derivatives = Derivatives()
        return [derivatives.of(self._gradient[i], leaf(AXES[j])) for i, j in PAIRS]


def _at(outputs: list[Node], points: Array, t: float) -> Array:
    points = np.asarray(points, dtype=np.float64)
    given = {**dict(zip(AXES, points.T, strict=True)), TIME: np.full(len(points), t)}
    return np.stack(evaluate(outputs, given, len(points)), axis=1)


def _objection(node: Node) -> str | None:
    return _refused(node, AXES)


def _objection_of_moving(node: Node) -> str | None:
    return _refused(node, PRESENT)


def _refused(node: Node, variables: tuple[str, ...]) -> str | None:
    smooth = node.is_number or node.operation in ARITHMETIC or node.operation in SMOOTH
    if smooth or (node.operation == LEAF and node.value in variables):
        return None
    return (
        f"cannot stand in the equation of a surface, which needs smooth functions of {', '.join(variables)}: "
        f"+ - * / ^, {', '.join(SMOOTH)}"
    )
