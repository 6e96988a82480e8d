"""Rods of fixed length between two vertices.

    g = (|d|^2 - l^2)/(2 l),  d = x_j - x_i      about |d| - l if it is small [m]
    dg/dx_j = d/l = -dg/dx_i,  so the multiplier is the tension of the rod [N]
g is quadratic: its gradient in the middle of a step is a discrete gradient, along which forces do no work.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.constraints.holonomic import Holonomic, checked_vertices
from supple.errors import MeshError
from supple.types import Array


class FixedLengths(Holonomic):
    """Rods along edges (m, 2) with their lengths in the positions `rest`, or with `lengths` (a number or (m,)) [m]."""

    degree, internal = 2, True

    def __init__(
        self, rest: Array, edges: npt.ArrayLike, lengths: npt.ArrayLike | None = None, name: str = "rods"
    ) -> None:
        self.name = name
        self.vertices = checked_vertices(edges, name, 2)
        d = rest[self.vertices[:, 1]] - rest[self.vertices[:, 0]]
        given = np.linalg.norm(d, axis=1) if lengths is None else np.asarray(lengths, dtype=np.float64)
        self.length = np.broadcast_to(given, len(self.vertices)).copy()
        bad = np.flatnonzero(~(np.isfinite(self.length) & (self.length > 0.0)))
        if bad.size:
            raise MeshError(
                f"{name}: {bad.size} of {len(self.length)} rods have no positive length, the first is {self.label(bad[0])} "
                f"with {self.length[bad[0]]:g} m; merge vertices at the same position"
            )

    def values(self, x: Array) -> Array:
        d = self._d(x)
        return ((d * d).sum(axis=1) - self.length**2) / (2.0 * self.length)

    def gradients(self, x: Array) -> Array:
        u = self._d(x) / self.length[:, None]
        return np.stack([-u, u], axis=1)

    def hessians(self, x: Array) -> Array:
        # d2g/dx2 = [[I, -I], [-I, I]] / l
        block = np.kron(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.eye(3))
        return block / self.length[:, None, None]

    def _d(self, x: Array) -> Array:
        d: Array = x[self.vertices[:, 1]] - x[self.vertices[:, 0]]
        return d
