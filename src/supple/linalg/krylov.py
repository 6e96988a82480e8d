"""Products with a symmetric matrix stored as its upper triangle; conjugate gradients, and GMRES for nonsymmetric
matrices, preconditioned by an old factorisation.

An old factorisation is an excellent preconditioner while the matrix has changed little and useless once it has changed
much. So the iteration stops early instead of continuing: a new factorisation then costs less.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit

from supple.linalg.pool import in_parts
from supple.linalg.reduce import dot, inner
from supple.linalg.threads import threads
from supple.types import Array, Ints

SHARED = 1_000_000
"""Entries from which a product is worth several threads."""


@njit(cache=True, nogil=True)
def _product_part(first, last, indptr, indices, values, x, out):
    """Products of a range of rows and of their transposes; these touch no rows before the first."""
    out[first:] = 0.0
    for i in range(first, last):
        start, stop = indptr[i], indptr[i + 1]
        xi = x[i]
        total = values[start] * xi  # the diagonal is first
        for s in range(start + 1, stop):
            j = indices[s]
            a = values[s]
            total += a * x[j]
            out[j] += a * xi
        out[i] += total


@njit(cache=True, nogil=True)
def _gather(first, part, out):
    for i in range(first, out.size):
        out[i] += part[i]


def symmetric_product(indptr: Ints, indices: Ints, values: Array, x: Array) -> Array:
    """A x from the upper triangle of A, diagonal first in every row. Large products are split among the active threads,
    each with its own vector, summed in a fixed order."""
    out = np.empty_like(x)
    n, count = len(indptr) - 1, threads() if len(values) > SHARED else 1
    if count == 1:
        _product_part(0, n, indptr, indices, values, x, out)
        return out
    bounds = np.searchsorted(indptr, np.arange(count + 1) * (int(indptr[-1]) / count))
    bounds[0], bounds[-1] = 0, n
    parts = [out, *(np.empty_like(x) for _ in range(1, count))]
    in_parts(lambda k: _product_part(bounds[k], bounds[k + 1], indptr, indices, values, x, parts[k]), count)
    for k in range(1, count):
        _gather(bounds[k], parts[k], out)
    return out


@njit(cache=True, nogil=True)
def _block_product(blocks, x, out):
    for i in range(blocks.shape[0]):
        for j in range(3):
            out[3 * i + j] = (
                blocks[i, j, 0] * x[3 * i] + blocks[i, j, 1] * x[3 * i + 1] + blocks[i, j, 2] * x[3 * i + 2]
            )


def block_product(blocks: Array, x: Array) -> Array:
    """A x (3n,) of a matrix that has blocks (n, 3, 3) on its diagonal, and nothing else."""
    out = np.empty_like(x)
    _block_product(blocks, x, out)
    return out


@njit(cache=True, nogil=True)
def _advance(alpha, p, ap, x, r):
    """x += alpha p, r -= alpha ap; r . r."""
    for i in range(x.size):
        x[i] += alpha * p[i]
        r[i] -= alpha * ap[i]
    return inner(r, r)


@njit(cache=True, nogil=True)
def _turn(beta, z, p):
    """p = z + beta p."""
    for i in range(p.size):
        p[i] = z[i] + beta * p[i]


@dataclass(frozen=True)
class CgResult:
    """`x` is None if the iteration stopped early (negative curvature, or too slow to be worthwhile)."""

    x: Array | None
    iterations: int
    indefinite: bool = False
    """Whether it stopped because of a direction of negative curvature."""


def preconditioned_cg(
    product: Callable[[Array], Array],
    precondition: Callable[[Array], Array],
    rhs: Array,
    tolerance: float,
    max_iterations: int,
) -> CgResult:
    """Solve A x = rhs to |residual| <= tolerance * |rhs| (2-norm), or stop early.

    Stops on p.Ap <= 0, at `max_iterations`, and after a third of them if the reduction so far, continued at the same
    rate, would not converge in time.
    """
    x = np.zeros_like(rhs)
    r = rhs.copy()
    norm0 = np.sqrt(dot(rhs, rhs))
    if norm0 == 0.0:
        return CgResult(x, 0)
    z = precondition(r)
    p = z.copy()
    rz = dot(r, z)
    check = max(3, max_iterations // 3)
    for k in range(1, max_iterations + 1):
        ap = product(p)
        curvature = dot(p, ap)
        if not curvature > 0.0 or not rz > 0.0:
            return CgResult(None, k, indefinite=True)
        norm = np.sqrt(_advance(rz / curvature, p, ap, x, r))
        if norm <= tolerance * norm0:
            return CgResult(x, k)
        if k == check and (norm / norm0) ** (max_iterations / k) > tolerance:
            return CgResult(None, k)
        z = precondition(r)
        rz, old = dot(r, z), rz
        _turn(rz / old, z, p)
    return CgResult(None, max_iterations)


@njit(cache=True, nogil=True)
def _take_out(v, w):
    """w -= v (v . w); returns v . w."""
    along = inner(v, w)
    for i in range(w.size):
        w[i] -= along * v[i]
    return along


def preconditioned_gmres(
    product: Callable[[Array], Array],
    precondition: Callable[[Array], Array],
    rhs: Array,
    tolerance: float,
    max_iterations: int,
) -> CgResult:
    """Solve A x = rhs to |residual| <= tolerance * |rhs| (2-norm), or stop early; A need not be symmetric.

    Right-preconditioned, so its residual is the residual of the equation. Stops at `max_iterations`,
    and after a third of them if the reduction so far, continued at the same rate, would not converge in time.
    """
    norm0 = np.sqrt(dot(rhs, rhs))
    if norm0 == 0.0:
        return CgResult(np.zeros_like(rhs), 0)
    basis, moves = [rhs / norm0], []
    H = np.zeros((max_iterations + 1, max_iterations))
    rest = np.zeros(max_iterations + 1)
    rest[0] = norm0
    turns: list[tuple[float, float]] = []
    check = max(3, max_iterations // 3)
    for k in range(max_iterations):
        moves.append(precondition(basis[k]))
        w = product(moves[k])
        for j in range(k + 1):
            H[j, k] = _take_out(basis[j], w)
        beyond = np.sqrt(dot(w, w))
        for j, (c, s) in enumerate(turns):
            H[j, k], H[j + 1, k] = c * H[j, k] + s * H[j + 1, k], c * H[j + 1, k] - s * H[j, k]
        length = np.hypot(H[k, k], beyond)
        if not (np.isfinite(length) and length > 0.0):
            return CgResult(None, k + 1)
        c, s = H[k, k] / length, beyond / length
        turns.append((c, s))
        H[k, k], rest[k], rest[k + 1] = length, c * rest[k], -s * rest[k]
        left = abs(rest[k + 1]) / norm0
        if left <= tolerance:
            return CgResult(_combined(H[: k + 1, : k + 1], rest[: k + 1], moves), k + 1)
        if k + 1 == check and left ** (max_iterations / check) > tolerance:
            break
        basis.append(w / beyond)
    return CgResult(None, len(moves))


def _combined(H: Array, rest: Array, moves: list[Array]) -> Array:
    """The combination of basis vectors whose coefficients solve the triangular H."""
    x = np.zeros_like(moves[0])
    factors = np.zeros(len(moves))
    for k in reversed(range(len(moves))):
        factors[k] = (rest[k] - float(H[k, k + 1 :] @ factors[k + 1 :])) / H[k, k]
    for factor, move in zip(factors, moves, strict=True):
        x += factor * move
    return x
