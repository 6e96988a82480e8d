"""Rotation and harmonic combination of coarse tets, R F = I + sum_r S_r D_r, and their rates; see fine_map.py."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from supple.types import Array

Flags = npt.NDArray[np.bool_]

SINGULAR = 1e-13
"""Pivot threshold relative to the largest entry; below it the equations of a tet are singular."""


@njit(cache=True, nogil=True)
def settle(F: Array, D: Array, R: Array, S: Array, iterations: int, tolerance: float) -> Flags:
    """(q,) whether Newton's method reduced the residual of a tet below tolerance max(1, |F|); the initial guesses R
    (q,3,3) and S (q,6) are updated in place."""
    settled = np.zeros(len(F), dtype=np.bool_)
    A, b, M = np.empty((9, 9)), np.empty(9), np.empty((3, 3))
    for e in range(len(F)):
        bound = tolerance * max(1.0, np.abs(F[e]).max())
        for k in range(iterations + 1):
            _product(R[e], F[e], M)
            size = _residual(M, S[e], D[e], b)
            if not size > bound:  # NaN: neither converged nor worth another iteration
                settled[e] = size <= bound
                break
            if k == iterations:
                break
            _equations(M, D[e], A)
            if not _solve(A, b):
                break
            _turn(b, R[e], M)
            for r in range(6):
                S[e, r] += b[3 + r]
    return settled


@njit(cache=True, nogil=True)
def change(F: Array, G: Array, D: Array, R: Array, settled: Flags, w: Array, T: Array) -> None:
    """Rates of R and S if F changes at the rate G: dR/dt = [w] R, dS/dt = T from [w] R F - sum_r T_r D_r = -R G."""
    A, b, M = np.empty((9, 9)), np.empty(9), np.empty((3, 3))
    for e in range(len(F)):
        if not settled[e]:
            continue
        _product(R[e], G[e], M)
        for i in range(9):
            b[i] = -M[i // 3, i % 3]
        _product(R[e], F[e], M)
        _equations(M, D[e], A)
        if _solve(A, b):
            for i in range(3):
                w[e, i] = b[i]
            for r in range(6):
                T[e, r] = b[3 + r]


@njit(cache=True, nogil=True)
def _product(R: Array, F: Array, M: Array) -> None:
    for i in range(3):
        for j in range(3):
            M[i, j] = R[i, 0] * F[0, j] + R[i, 1] * F[1, j] + R[i, 2] * F[2, j]


@njit(cache=True, nogil=True)
def _residual(M: Array, S: Array, D: Array, b: Array) -> float:
    """b = -(M - I - sum_r S_r D_r) row by row; its largest entry."""
    largest = 0.0
    for i in range(3):
        for j in range(3):
            value = M[i, j]
            if i == j:
                value -= 1.0
            for r in range(6):
                value -= S[r] * D[r, i, j]
            b[3 * i + j] = -value
            if not abs(value) <= largest:
                largest = abs(value)
    return largest


@njit(cache=True, nogil=True)
def _equations(M: Array, D: Array, A: Array) -> None:
    """Columns 0 to 2 are [e_x] M, [e_y] M, [e_z] M, columns 3 to 8 are -D_r."""
    for j in range(3):
        A[j, 0], A[3 + j, 0], A[6 + j, 0] = 0.0, -M[2, j], M[1, j]
        A[j, 1], A[3 + j, 1], A[6 + j, 1] = M[2, j], 0.0, -M[0, j]
        A[j, 2], A[3 + j, 2], A[6 + j, 2] = -M[1, j], M[0, j], 0.0
        for i in range(3):
            for r in range(6):
                A[3 * i + j, 3 + r] = -D[r, i, j]


@njit(cache=True, nogil=True)
def _solve(A: Array, b: Array) -> bool:
    """b <- A^-1 b by elimination with row pivoting, A is overwritten; False if A is singular."""
    n = len(b)
    small = SINGULAR * np.abs(A).max()
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        if not abs(A[p, k]) > small:
            return False
        if p != k:
            for j in range(k, n):
                A[k, j], A[p, j] = A[p, j], A[k, j]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= factor * A[k, j]
            b[i] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= A[k, j] * b[j]
        b[k] /= A[k, k]
    return True


@njit(cache=True, nogil=True)
def _turn(w: Array, R: Array, M: Array) -> None:
    """R <- exp([w]) R with the first three entries of w; M is scratch. Rodrigues: I + s [w] + c [w]^2."""
    x, y, z = w[0], w[1], w[2]
    angle = np.sqrt(x * x + y * y + z * z)
    s = 1.0 - angle * angle / 6.0 if angle < 1e-4 else np.sin(angle) / angle
    c = 0.5 - angle * angle / 24.0 if angle < 1e-4 else (1.0 - np.cos(angle)) / (angle * angle)
    for j in range(3):
        u = y * R[2, j] - z * R[1, j], z * R[0, j] - x * R[2, j], x * R[1, j] - y * R[0, j]
        M[0, j] = R[0, j] + s * u[0] + c * (y * u[2] - z * u[1])
        M[1, j] = R[1, j] + s * u[1] + c * (z * u[0] - x * u[2])
        M[2, j] = R[2, j] + s * u[2] + c * (x * u[1] - y * u[0])
    for i in range(3):
        for j in range(3):
            R[i, j] = M[i, j]
