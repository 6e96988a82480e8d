"""The matrix of one Newton iteration: blocks of a pattern, parts that couple all vertices, and equalities."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from supple.dynamics.linear.outer_products import OuterProducts
from supple.linalg.krylov import symmetric_product
from supple.linalg.pattern import SymmetricPattern
from supple.types import Array


class Matrix:
    """Phi'' over the scalar unknowns."""

    def __init__(self, pattern: SymmetricPattern, mass: Array) -> None:
        self.pattern = pattern
        self.mass = mass
        self.normals: Array | None = None
        """(k, N) equalities that a solution must satisfy."""
        self.products: OuterProducts | None = None
        self.places = np.zeros((pattern.n, 3))
        """Positions of the free vertices."""

    @cached_property
    def values(self) -> Array:
        """Entries of the upper triangle."""
        return np.empty(self.pattern.nnz)

    @property
    def diagonal(self) -> Array:
        return self.values[self.pattern.diagonal]

    @property
    def is_plain(self) -> bool:
        """Whether conjugate gradients may solve with it: there are no equalities."""
        return self.normals is None

    def shifted(self, shift: float) -> Array:
        """A copy of the entries, with a multiple of the mass added."""
        values = self.values.copy()
        if shift:
            values[self.pattern.diagonal] += shift * self.mass
        return values

    def times(self, p: Array, shift: float = 0.0) -> Array:
        """(Phi'' + shift M) p."""
        out = symmetric_product(self.pattern.indptr, self.pattern.indices, self.values, p)
        if shift:
            out += shift * (self.mass * p)
        return out if self.products is None else out + self.products.times(p)
