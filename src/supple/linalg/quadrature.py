"""Quadrature rules on [0, 1]: Gauss-Legendre and Gauss-Lobatto of any size; Simpson is Lobatto with three points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import legendre


@dataclass(frozen=True)
class Rule:
    """Nodes in [0, 1], weights that sum to 1; integrates polynomials up to `exact_degree` without error."""

    nodes: tuple[float, ...]
    weights: tuple[float, ...]
    exact_degree: int

    def __post_init__(self) -> None:
        if abs(sum(self.weights) - 1.0) > 1e-14 or len(self.nodes) != len(self.weights):
            raise ValueError("a quadrature rule needs one weight per node, and weights that sum to 1")


@cache
def gauss(points: int) -> Rule:
    """Gauss-Legendre, exact for degree 2 * points - 1; no node at the ends."""
    nodes, weights = legendre.leggauss(points)
    return _unit_interval(nodes, weights, 2 * points - 1)


@cache
def lobatto(points: int) -> Rule:
    """Gauss-Lobatto, exact for degree 2 * points - 3; both ends are nodes.

    Inner nodes are the roots of P'_{n-1}; weights 2 / (n (n-1) P_{n-1}(x)^2).
    """
    if points < 2:
        raise ValueError("a Lobatto rule has at least its two ends as nodes")
    top = legendre.Legendre.basis(points - 1)
    slope, curvature = top.deriv(), top.deriv(2)
    inner = np.sort(slope.roots().real) if points > 2 else np.empty(0)
    for _ in range(3):  # companion-matrix roots are accurate to about 1e-14: refine
        inner = inner - slope(inner) / curvature(inner)
    nodes = np.concatenate([[-1.0], 0.5 * (inner - inner[::-1]), [1.0]])
    weights = 2.0 / (points * (points - 1) * top(nodes) ** 2)
    return _unit_interval(nodes, weights, 2 * points - 3)


def _unit_interval(nodes: np.ndarray, weights: np.ndarray, exact_degree: int) -> Rule:
    weights = weights / weights.sum()
    return Rule(tuple((0.5 * (nodes + 1.0)).tolist()), tuple(weights.tolist()), exact_degree)
