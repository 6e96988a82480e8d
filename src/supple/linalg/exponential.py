"""t phi_1(t A) b = integral_0^t exp(s A) b ds for a large matrix given by its products: Krylov subspaces of bounded size.

The solution of y' = A y + b, y(0) = 0, is advanced in substeps: with w = A y + b and an orthonormal Arnoldi basis V of
span{w, A w, ...}, A V = V H + g v e_m^T,
    y(t + s) = y(t) + |w| V s phi_1(s H) e_1,   error about g |w| s^2 |e_m^T phi_2(s H) e_1|
(Saad 1992). The basis grows until the rest of the interval fits the tolerance; when it is full, the substep is
shortened instead, which needs no new products. Only matrices of the size of the basis are exponentiated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from supple.errors import StepRejected
from supple.types import Array

CHECK_EVERY = 4
"""Vectors added between two error estimates."""
MAX_PIECES = 1_000


@dataclass(frozen=True)
class KrylovResult:
    """The integral, and its cost."""

    value: Array
    products: int
    pieces: int


def phi1_integral(
    product: Callable[[Array], Array], b: Array, t: float, tolerance: float, basis_limit: int
) -> KrylovResult:
    """t phi_1(t A) b of a vector b, to |error| <= tolerance |b| t; raises StepRejected instead of iterating forever."""
    y = np.zeros_like(b)
    left, products, pieces = t, 0, 0
    rate = tolerance * float(np.linalg.norm(b))  # permitted error per unit of time
    _require_finite(b)
    w = b
    while left != 0.0:
        if pieces == MAX_PIECES:
            raise StepRejected(
                f"the exponential needs more than {MAX_PIECES} substeps of {basis_limit} vectors; use a smaller time.step"
            )
        basis = _Basis(w, basis_limit)
        s, found = _piece(product, basis, left, rate)
        y = y + basis.norm * (found @ basis.vectors[: len(found)])
        _require_finite(y)
        left -= s
        if abs(left) <= 1e-14 * abs(t):
            left = 0.0
        products += basis.size + (left != 0.0)
        pieces += 1
        if left != 0.0:
            w = product(y) + b
    return KrylovResult(y, products, pieces)


def _require_finite(values: Array) -> None:
    if not np.isfinite(values).all():
        raise StepRejected("the exponential is not finite; use a smaller time.step")


class _Basis:
    """Arnoldi's vectors, one at a time, each orthogonalised twice."""

    def __init__(self, w: Array, limit: int) -> None:
        self.limit = min(limit, w.size)
        self.norm = float(np.linalg.norm(w))
        self.vectors = np.empty((self.limit + 1, w.size))
        self.vectors[0] = w / self.norm if self.norm > 0.0 else 0.0
        self.H = np.zeros((self.limit + 1, self.limit))
        self.size = 0
        self.complete = self.norm == 0.0
        """Whether the space is invariant: no error is left."""

    def grow(self, product: Callable[[Array], Array]) -> None:
        k = self.size
        w = product(self.vectors[k])
        before = float(np.linalg.norm(w))
        V = self.vectors[: k + 1]
        for _ in range(2):
            c = V @ w
            w -= c @ V
            self.H[: k + 1, k] += c
        left = float(np.linalg.norm(w))
        self.size = k + 1
        self.complete = left <= 1e-14 * before or left == 0.0
        self.H[k + 1, k] = 0.0 if self.complete else left
        if not self.complete:
            self.vectors[k + 1] = w / left

    def integral(self, s: float) -> tuple[Array, float]:
        """Coefficients of s phi_1(s H) e_1, and the error estimate, for a start of length 1."""
        from scipy.linalg import expm

        m = self.size
        # exp of [[sH, s e1, 0], [0, 0, 1], [0, 0, 0]] has s phi_1(sH) e1 and s phi_2(sH) e1 in its last columns
        big = np.zeros((m + 2, m + 2))
        big[:m, :m] = s * self.H[:m, :m]
        big[0, m] = s
        big[m, m + 1] = 1.0
        _require_finite(big)
        e = expm(big)
        return e[:m, m], abs(self.H[m, m - 1] * s * e[m - 1, m + 1])


def _piece(product: Callable[[Array], Array], basis: _Basis, left: float, rate: float) -> tuple[float, Array]:
    """The longest substep of one basis, and its coefficients."""
    if basis.norm == 0.0:
        return left, np.zeros(0)
    while not basis.complete and basis.size < basis.limit:
        for _ in range(CHECK_EVERY):
            if basis.complete or basis.size == basis.limit:
                break
            basis.grow(product)
        found, error = basis.integral(left)
        if basis.norm * error <= rate * abs(left):
            return left, found
    s = left
    while True:
        found, error = basis.integral(s)
        if basis.complete or basis.norm * error <= rate * abs(s):
            return s, found
        if abs(s) < 1e-9 * abs(left):
            raise StepRejected("the exponential does not converge; use a smaller time.step")
        shrink = (rate * abs(s) / (basis.norm * error)) ** (1.0 / basis.size) if np.isfinite(error) else 0.1
        s *= min(0.8, max(0.1, 0.9 * shrink))
