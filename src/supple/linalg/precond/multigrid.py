"""Smoothed-aggregation multigrid: an approximate inverse with iteration counts independent of the body size.

The set-up is in double precision, the cycle in single precision: a preconditioner need not be exact, and reads half the memory.
Smoothing is a Chebyshev polynomial of the matrix scaled by its diagonal blocks: rows are independent, so threads share
the work and results do not depend on the split.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.errors import NotPositiveDefinite
from supple.linalg.announcements import announced
from supple.linalg.factors.factorisation import check_finite
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.pool import in_parts
from supple.linalg.precond.aggregates import MODES, aggregate, gathered, orthonormal, rigid_modes, strong
from supple.linalg.precond.block_kernels import first_smoothing, row_product, smoothing
from supple.linalg.precond.blocks import Blocks
from supple.linalg.reduce import dot
from supple.linalg.threads import threads
from supple.types import Array, Ints

if TYPE_CHECKING:
    from scipy.sparse import bsr_matrix

COARSEST = 1500
"""Unknowns of the dense coarsest matrix."""
MOST_LEVELS = 10
STRONG = 0.02
"""Couplings below this, relative to the diagonal, are ignored in aggregation."""
DEGREE = 2
LOWEST, HIGHEST = 1 / 8, 1.1
"""Range damped by the polynomial, as fractions of the largest eigenvalue."""
TIME = 0.0004
"""Time per entry of a product [us]."""
ARNOLDI = 12
"""Iterations that estimate it."""


@dataclass(frozen=True)
class Rows:
    """A matrix of blocks in single precision."""

    start: Ints
    column: Ints
    data: np.ndarray

    def apply(self, x: np.ndarray, base: np.ndarray, sign: float, out: np.ndarray) -> np.ndarray:
        """out = base + sign A x."""
        kernel = row_product(*self.data.shape[1:])
        rows = self.start, self.column, self.data
        in_ranges(len(self.start) - 1, self.data.size, kernel, *rows, x, base, np.float32(sign), out)
        return out


@dataclass(frozen=True)
class Level:
    """One level except the coarsest."""

    matrix: Rows
    inverse: np.ndarray
    radius: float
    up: Rows
    down: Rows

    def smooth(self, b: np.ndarray, x: np.ndarray | None) -> np.ndarray:
        """DEGREE steps of the Chebyshev iteration for A x = b, from zero if there is no x."""
        size, n = self.inverse.shape[1], len(self.inverse)
        theta, delta = 0.5 * self.radius * (HIGHEST + LOWEST), 0.5 * self.radius * (HIGHEST - LOWEST)
        rho, gamma, beta = delta / theta, 1.0 / theta, 0.0
        d, spare = np.zeros_like(b), np.empty_like(b)
        m = self.matrix
        for k in range(DEGREE):
            if k:
                old, rho = rho, 1.0 / (2.0 * theta / delta - rho)
                beta, gamma = rho * old, 2.0 * rho / delta
            if x is None:
                x = np.empty_like(b)
                in_ranges(n, 9 * n, first_smoothing(size), self.inverse, b, np.float32(gamma), d, x)
                continue
            rows, factors = (m.start, m.column, m.data), (np.float32(beta), np.float32(gamma))
            in_ranges(n, m.data.size, smoothing(size), *rows, self.inverse, b, x, *factors, d, spare)
            x, spare = spare, x
        assert x is not None
        return x


def in_ranges(n: int, entries: int, kernel: Any, *given: Any) -> None:
    """kernel(first, last, *given) over n rows, concurrently; rows are independent, so the split does not change bits."""
    count = threads()
    in_parts(lambda k: kernel(k * n // count, (k + 1) * n // count, *given), count, TIME * entries)


class Multigrid:
    """One cycle per solve."""

    renewal = 40.0
    factorises = may_err = False

    def __init__(self, pattern: SymmetricPattern) -> None:
        self._blocks = Blocks(pattern)
        self._levels: list[Level] = []
        self._scale = 1.0
        self._coarsest = np.empty((0, 0), np.float32)

    def renew(self, values: Array, places: Array) -> None:
        check_finite(values)
        self.close()
        # units must not exceed the range of single precision
        self._scale = float(np.abs(values).max(initial=0.0)) or 1.0
        with announced("coarsening", 3 * self._blocks.n):
            self._set_up(values / self._scale, places)

    def _set_up(self, values: Array, places: Array) -> None:
        from scipy.sparse import bsr_matrix

        data, column, start = self._blocks.whole(values)
        n = 3 * self._blocks.n
        matrix = bsr_matrix((data, column, start), shape=(n, n))
        modes = rigid_modes(places)
        while matrix.shape[0] > COARSEST and len(self._levels) < MOST_LEVELS:
            level, matrix, modes = _coarsened(matrix, modes)
            self._levels.append(level)
        dense = matrix.toarray()
        lowest, vectors = np.linalg.eigh(0.5 * (dense + dense.T))
        if len(lowest) and not lowest[0] > -1e-10 * max(lowest[-1], 0.0):
            raise NotPositiveDefinite("the matrix of the coarsest level is not positive definite")
        lowest = np.maximum(lowest, 1e-13 * max(float(lowest[-1]) if len(lowest) else 0.0, 1e-300))
        self._coarsest = ((vectors / lowest) @ vectors.T).astype(np.float32)

    def solve(self, rhs: Array) -> Array:
        size = float(np.abs(rhs).max(initial=0.0)) or 1.0
        return np.asarray(self._cycle(0, (rhs / size).astype(np.float32)) * np.float64(size / self._scale))

    def close(self) -> None:
        self._levels, self._coarsest = [], np.empty((0, 0), np.float32)

    def _cycle(self, k: int, b: np.ndarray) -> np.ndarray:
        if k == len(self._levels):
            return np.asarray(self._coarsest @ b)
        level = self._levels[k]
        x = level.smooth(b, None)
        residual = level.matrix.apply(x, b, -1.0, np.empty_like(b))
        coarse = np.zeros(MODES * (len(level.down.start) - 1), np.float32)
        e = self._cycle(k + 1, level.down.apply(residual, coarse, 1.0, coarse))
        return level.smooth(b, level.up.apply(e, x, 1.0, x))


def _coarsened(matrix: bsr_matrix, modes: Array) -> tuple[Level, bsr_matrix, Array]:
    """The level of a matrix, and the matrix and the modes of the next one."""
    from scipy.sparse import bsr_matrix

    size, n = matrix.blocksize[0], matrix.shape[0] // matrix.blocksize[0]
    start, column, data = matrix.indptr, matrix.indices, matrix.data
    kept, number = np.empty(len(column), np.bool_), np.empty(n, np.int32)
    strong(start, column, data, STRONG, kept)
    count = aggregate(start, column, kept, number)
    tentative, coarse = np.zeros((n, size, MODES)), np.zeros((count, MODES, MODES))
    orthonormal(*gathered(number, count), modes, tentative, coarse)
    inverse = _inverse(matrix)
    scaled = bsr_matrix(
        (np.matmul(np.repeat(inverse, np.diff(start), axis=0), data), column, start), shape=matrix.shape
    )
    radius = _radius(scaled)
    shape = (matrix.shape[0], MODES * count)
    sheer = bsr_matrix((tentative, number, np.arange(n + 1, dtype=np.int32)), shape=shape)
    up = (sheer - (4.0 / (3.0 * radius)) * (scaled @ sheer)).tobsr((size, MODES))
    down = up.T.tobsr((MODES, size))
    next_ = (down @ (matrix @ up)).tobsr((MODES, MODES))
    next_.sort_indices()
    _enliven(next_)
    level = Level(_rows(matrix), inverse.astype(np.float32), radius, _rows(up), _rows(down))
    return level, next_, coarse


def _inverse(matrix: bsr_matrix) -> Array:
    """Inverses of the diagonal blocks."""
    row = np.repeat(np.arange(len(matrix.indptr) - 1), np.diff(matrix.indptr))
    blocks = matrix.data[row == matrix.indices]
    if not np.isfinite(blocks).all() or not (np.linalg.eigvalsh(blocks)[:, 0] > 0.0).all():
        raise NotPositiveDefinite("a diagonal block is not positive definite")
    return np.asarray(np.linalg.inv(blocks))


def _radius(scaled: bsr_matrix) -> float:
    """Largest eigenvalue of D^-1 A, by Arnoldi's method: a lower estimate, accurate to a few per cent."""
    n, steps = scaled.shape[0], min(ARNOLDI, scaled.shape[0])
    basis, small = np.zeros((steps + 1, n)), np.zeros((steps + 1, steps))
    basis[0] = 1.0 + np.arange(n) % 7 * np.where(np.arange(n) % 2, -1.0, 1.0)
    basis[0] /= np.sqrt(dot(basis[0], basis[0]))
    for k in range(steps):
        y = scaled @ basis[k]
        for i in range(k + 1):
            small[i, k] = dot(basis[i], y)
            y -= small[i, k] * basis[i]
        small[k + 1, k] = np.sqrt(dot(y, y))
        if not small[k + 1, k] > 1e-12:
            steps = k + 1
            break
        basis[k + 1] = y / small[k + 1, k]
    return float(np.abs(np.linalg.eigvals(small[:steps, :steps])).max(initial=1e-300))


def _enliven(matrix: bsr_matrix) -> None:
    """Unit diagonal for coarse unknowns without effect."""
    row = np.repeat(np.arange(len(matrix.indptr) - 1), np.diff(matrix.indptr))
    diagonal = np.flatnonzero(row == matrix.indices)
    k = np.arange(matrix.blocksize[0])
    found = matrix.data[diagonal[:, None], k, k]
    matrix.data[diagonal[:, None], k, k] = np.where(found == 0.0, 1.0, found)


def _rows(matrix: bsr_matrix) -> Rows:
    return Rows(matrix.indptr, matrix.indices, matrix.data.astype(np.float32))
