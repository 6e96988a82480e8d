"""A user-defined constraint: g and its gradient as functions, checked against each other before a run starts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from supple.constraints.holonomic import Holonomic, checked_vertices
from supple.types import Array

STEP = 1e-6
"""Increment for finite differences, relative to the largest distance between the corners, or to 1 m for single vertices."""
AGREES = 1e-5
"""Difference attributed to round-off, relative to the largest entry of the gradient."""


class OwnConstraint(Holonomic):
    """g(corners) = 0 for corners (m, k, 3) of equations over vertices (m, k).

    `function` gives (m,), `gradient` (m, k, 3), `hessian` (m, 3k, 3k); without a Hessian it is computed from
    differences of the gradient, which slows the solver slightly and does not change results.
    """

    def __init__(
        self,
        vertices: npt.ArrayLike,
        function: Callable[[Array], Array],
        gradient: Callable[[Array], Array],
        hessian: Callable[[Array], Array] | None = None,
        name: str = "own",
        degree: int | None = None,
    ) -> None:
        self.name = name
        self.vertices = checked_vertices(vertices, name, np.atleast_2d(np.asarray(vertices)).shape[-1])
        self.degree = degree
        self._function, self._gradient, self._hessian = function, gradient, hessian

    def values(self, x: Array) -> Array:
        return np.asarray(self._function(x[self.vertices]), dtype=np.float64)

    def gradients(self, x: Array) -> Array:
        return np.asarray(self._gradient(x[self.vertices]), dtype=np.float64)

    def hessians(self, x: Array) -> Array:
        if self._hessian is not None:
            return np.asarray(self._hessian(x[self.vertices]), dtype=np.float64)
        m, k = self.vertices.shape
        H = _differences(self._gradient, x[self.vertices]).reshape(m, 3 * k, 3 * k)
        return 0.5 * (H + H.transpose(0, 2, 1))

    def problems(self, x: Array) -> list[str]:
        """Check the shapes, and the gradient against the function."""
        corners, (m, k) = x[self.vertices], self.vertices.shape
        for what, found, wanted in (
            ("values", np.shape(self._function(corners)), (m,)),
            ("gradients", np.shape(self._gradient(corners)), (m, k, 3)),
        ):
            if found != wanted:
                return [
                    f"{self.name}: its {what} have the shape {found}; for corners {corners.shape} it must be {wanted}"
                ]
        given = self.gradients(x)
        missed = np.abs(given - _differences(self._function, corners)).max(axis=(1, 2))
        bad = np.flatnonzero(~(missed <= AGREES * np.abs(given).max(axis=(1, 2))))
        if not bad.size:
            return []
        return [
            f"{self.name}: its gradient is not the derivative of its function for {bad.size} of {m} equations; for "
            f"{self.label(bad[0])} differences of the function are off by {missed[bad[0]]:.2g} where the gradient has "
            f"{np.abs(given[bad[0]]).max():.2g}"
        ]


def _differences(f: Callable[[Array], Array], corners: Array) -> Array:
    """Central differences of f (m, ...) with respect to each coordinate of its corners: (m, ..., k, 3)."""
    m, k, _ = corners.shape
    spread = np.ptp(corners, axis=1).max(axis=1)
    step = STEP * np.where(spread > 0.0, spread, 1.0)
    columns = []
    for c in range(3 * k):
        move = np.zeros((m, 3 * k))
        move[:, c] = step
        move = move.reshape(corners.shape)
        difference = np.asarray(f(corners + move)) - np.asarray(f(corners - move))
        columns.append(difference / (2.0 * step.reshape(m, *[1] * (difference.ndim - 1))))
    return np.stack(columns, axis=-1).reshape(*np.shape(columns[0]), k, 3)
