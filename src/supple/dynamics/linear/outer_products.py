"""Parts of a matrix that couple all vertices: sum_r w_r a_r a_r^T in addition to sparse blocks A.

With the factors of A alone, U = [a_1 a_2 ...] and W = diag(w) (Woodbury):

    (A + U W U^T)^-1 b = p - Z (I + W U^T Z)^-1 W U^T p,   p = A^-1 b,  Z = A^-1 U
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from supple.dynamics.system import System
from supple.types import Array


@dataclass(frozen=True)
class OuterProducts:
    """sum_r left_r right_r^T over the scalar unknowns."""

    left: Array
    """(r, N)"""
    right: Array
    """(r, N)"""

    def times(self, p: Array) -> Array:
        """Their product with p (N,)."""
        return (self.right @ p) @ self.left

    def solve(self, factors: Callable[[Array], Array], rhs: Array) -> Array:
        """(A + these)^-1 rhs for rhs (k, N); `factors` solves with A for several right-hand sides."""
        k = len(rhs)
        both = factors(np.concatenate([rhs, self.left]))
        p, Z = both[:k], both[k:]
        inner = np.eye(len(Z)) + self.right @ Z.T
        return p - np.linalg.solve(inner, self.right @ p.T).T @ Z


def outer_products(found: Sequence[tuple[float, Array]], system: System) -> OuterProducts:
    """w a a^T of fields a (n, 3), over the unknowns of a system."""
    right = np.stack([a[system.free].ravel() for _, a in found])
    return OuterProducts(np.array([w for w, _ in found])[:, None] * right, right)
