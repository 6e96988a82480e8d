"""A term written as compliant constraints: V = 1/2 sum over elements of C(x)^T K C(x), up to a constant.

    kind              C(x), over the corners of one element                    parameters of an element
    combination       |sum_a c_a x_a - p| - r of any number of vertices        c (k), p (3), r
    length            l - r of a pair of vertices                              r
    squared-length    l^2 - r^2 of a pair of vertices                          r
    area, volume      A - A0 of a triangle, V - V0 of a tet (V signed)         A0, V0
    dihedral          theta - theta0 across the edge of corners 0 and 1        theta0
    triangle-strain   E11, E22, 2 E12 of Green's strain                        shape (2, 2)
    tet-strain        E11, E22, E33, 2 E23, 2 E13, 2 E12                       shape (3, 3)
    neo-hookean       sqrt(tr C), J - c                                        shape (3, 3), c
    neo-hookean-log   sqrt(tr C), log J - c                                    shape (3, 3), c
    neo-hookean-soft  sqrt(tr C - log(tr C + 1)), J - c                        shape (3, 3), c
Row a - 1 of `shape` is the gradient of corner a's shape function. K is a scalar, or a matrix where C has several
entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from supple.types import Array, Ints

Kind: TypeAlias = Literal[
    "combination", "length", "squared-length", "area", "volume", "dihedral", "triangle-strain", "tet-strain",
    "neo-hookean", "neo-hookean-log", "neo-hookean-soft",
]  # fmt: skip


@dataclass(frozen=True)
class Compliance:
    """Constraints of one kind."""

    kind: Kind
    vertices: Ints
    """(m, k) corners."""
    parameters: Array
    """(m, p), see above."""
    stiffness: Array
    """(m,) or (m, q, q): K, the inverse of the compliance, positive semidefinite."""
    live: bool = False
    """Whether parameters and stiffness may change in the next step."""


def combinations(vertices: Ints, c: Array, rest: Array, stiffness: Array) -> Compliance:
    """Points that are combinations of vertices (m, k) with coefficients c (m, k), at a distance `rest` (m,) from each other."""
    parameters = np.concatenate([c, np.zeros((len(c), 3)), rest[:, None]], axis=1)
    return Compliance("combination", vertices, parameters, stiffness)
