"""Frames that rotate with their elements: for each the rotation nearest to A = F J (Numba).

F is the deformation gradient and J a symmetric matrix of the rest shape: J = I gives the polar rotation of F, and
J = sum_a (X_a - b0)(X_a - b0)^T the rotation that leaves the smallest displacements of the corners (Kabsch 1976). The
frame of an element with two pinned corners rotates only about the axis a through them; with three it does not rotate.
With S = R^T A, a change dF rotates the frame by

    dR = R [w]x,   w = -Q^-1 ax(R^T dF J),   Q = tr(S) I - S,   ax(B)_k = sum_ij eps_ijk B_ij,   [w]x y = w x y
A frame with an axis has a a^T / rho in place of Q^-1, rho = tr(S) - a . S a; a fixed frame has zero. Matrices are
row-major 9-vectors.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit, prange

from supple.linalg.small import svd3
from supple.linalg.threads import calm_workers
from supple.types import Array, Ints

calm_workers()

FREE, ABOUT_AXIS, FIXED = 0, 1, 2
SMALLEST_SUM = 1e-6
"""Lower bound on the eigenvalues of Q, which vanish where an element inverts through a rotation by pi [-]."""


class FramedParameters(NamedTuple):
    """Elements whose frames follow them."""

    stiffness: Array
    """(m, 6, 6) C over (e11, e22, e33, sqrt2 e23, sqrt2 e13, sqrt2 e12) [Pa]."""
    metric: Array
    """(m, 9) J [-]."""
    kind: Ints
    """(m,) FREE, ABOUT_AXIS or FIXED."""
    axis: Array
    """(m, 3) a, in the rest shape."""
    start: Array
    """(m, 9) the frame itself if fixed; the frame from which a frame with an axis rotates."""


@njit(cache=True, nogil=True)
def times(a: Array, b: Array, out: Array) -> None:
    """out = a b of row-major 3x3 matrices."""
    for i in range(0, 9, 3):
        for j in range(3):
            out[i + j] = a[i] * b[j] + a[i + 1] * b[3 + j] + a[i + 2] * b[6 + j]


@njit(cache=True, nogil=True)
def transposed_times(a: Array, b: Array, out: Array) -> None:
    """out = a^T b."""
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j]


@njit(cache=True, nogil=True)
def _nearest(f: Array, J: Array, R: Array, S: Array, Q: Array, work: Array) -> None:
    """R nearest to A = f J, S = R^T A, and Q^-1 in Q; with A = U diag(s) V^T, Q has the eigenvalues s_j + s_k along V."""
    A, u, v, s, sums = work[0], work[1], work[2], work[3, :3], work[3, 3:6]
    times(f, J, A)
    svd3(A, u, s, v)
    for m in range(3):
        sums[m] = s[(m + 1) % 3] + s[(m + 2) % 3]
        if abs(sums[m]) < SMALLEST_SUM:
            sums[m] = SMALLEST_SUM if sums[m] >= 0.0 else -SMALLEST_SUM
    for i in range(3):
        for j in range(3):
            r = a = q = 0.0
            for m in range(3):
                r += u[3 * i + m] * v[3 * j + m]
                both = v[3 * i + m] * v[3 * j + m]
                a += both * s[m]
                q += both / sums[m]
            R[3 * i + j], S[3 * i + j], Q[3 * i + j] = r, a, q


@njit(cache=True, nogil=True)
def _about_axis(f: Array, J: Array, a: Array, start: Array, R: Array, S: Array, Q: Array, work: Array) -> None:
    """R = start times the rotation about a nearest to B = start^T f J; also S and Q^-1."""
    g, B = work[0], work[1]
    transposed_times(start, f, g)
    times(g, J, B)
    sine = -(a[0] * (B[5] - B[7]) + a[1] * (B[6] - B[2]) + a[2] * (B[1] - B[3]))
    cosine = B[0] + B[4] + B[8]
    for i in range(3):
        cosine -= a[i] * (B[3 * i] * a[0] + B[3 * i + 1] * a[1] + B[3 * i + 2] * a[2])
    rho = max(math.hypot(sine, cosine), SMALLEST_SUM)
    sine, cosine = sine / rho, cosine / rho
    for i in range(3):
        for j in range(3):
            g[3 * i + j] = (1.0 - cosine) * a[i] * a[j] + (cosine if i == j else 0.0)
            Q[3 * i + j] = a[i] * a[j] / rho
    g[1] -= sine * a[2]
    g[2] += sine * a[1]
    g[3] += sine * a[2]
    g[5] -= sine * a[0]
    g[6] -= sine * a[1]
    g[7] += sine * a[0]
    transposed_times(g, B, S)
    times(start, g, R)


@njit(cache=True, nogil=True)
def frame(p: FramedParameters, e: int, f: Array, R: Array, S: Array, Q: Array, work: Array) -> None:
    """R, S and Q^-1 of element e; `work` (4, 9) is overwritten."""
    if p.kind[e] == FREE:
        _nearest(f, p.metric[e], R, S, Q, work)
    elif p.kind[e] == ABOUT_AXIS:
        _about_axis(f, p.metric[e], p.axis[e], p.start[e], R, S, Q, work)
    else:
        for r in range(9):
            R[r], S[r], Q[r] = p.start[e, r], 0.0, 0.0


@njit(cache=True, parallel=True)
def rotations(p: FramedParameters, x: Array, tets: Ints, shape: Array, parts: int, out: Array) -> None:
    """out (m, 9) = the frames of tets (m, 4) at x (n, 3); F = sum_a (x_a - x_0) g_a^T with the rows g of `shape`."""
    m = tets.shape[0]
    for part in prange(parts):
        k = np.int64(part)
        F, S, Q, work = np.empty(9), np.empty(9), np.empty(9), np.empty((4, 9))
        for e in range(k * m // parts, (k + 1) * m // parts):
            for i in range(3):
                x0 = x[tets[e, 0], i]
                d1, d2, d3 = x[tets[e, 1], i] - x0, x[tets[e, 2], i] - x0, x[tets[e, 3], i] - x0
                for j in range(3):
                    F[3 * i + j] = d1 * shape[e, 0, j] + d2 * shape[e, 1, j] + d3 * shape[e, 2, j]
            frame(p, e, F, out[e], S, Q, work)
