"""Second derivatives of w m f(D) of one pair, unmodified or with negative eigenvalues set to zero.

    w [ m (f' D'' + f'' D' D'^T) + f' (D' M^T + M D'^T) + f m'' ]
A pair under pressure has f' < 0. With two free parameters D'' has no entries along c (x) t, t across r, but entries
beside them: such a block is never definite, so a test before the projection would not save any. But it acts in at most
five directions (see pairs.py),
    c (x) n,  c (x) t_1,  c (x) t_2,  S_1 (x) n,  S_2 (x) n,    n = r/|r|
and is projected there. Where m < 1 it acts in the nine directions without rigid translation of the four corners.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.mollifier import add_mollifier_hessian
from supple.contact.surfaces.pairs import ALIKE, add_distance_hessian, closest
from supple.linalg.psd import diagonalise

APART = 0.5 * np.array([[1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0], [1.0, -1.0, -1.0, 1.0]])
"""Orthonormal motions of four corners without their mean."""


@njit(cache=True, nogil=True)
def room():
    """Scratch of a loop over pairs: c, S, r, e, B, and for projections A, V, the frame of r and motions of the corners."""
    return (
        np.empty(4), np.empty((4, 2)), np.empty(3), np.empty((2, 3)), np.empty((12, 2)),
        np.empty((9, 9)), np.empty((9, 9)), np.empty((3, 3)), np.empty((3, 4)), np.empty(12),
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def set_block(kind, y, threshold, w, law, m, G, M, project, scratch, H):
    """H (12, 12) = the formula above at y (4, 3); law: f, f', f''; G = D' and, where m < 1, M = m'."""
    value, slope, curvature = law
    c, S, r, e, B = scratch[:5]
    H[:] = 0.0
    if project and m == 1.0:
        _set_projected(kind, y, w * slope, w * curvature, scratch, H)
        return
    add_distance_hessian(kind, y, w * m * slope, c, S, r, e, B, H)
    _add_products(w * m * curvature, G, w * slope, M, m < 1.0, H)
    if m < 1.0:
        add_mollifier_hessian(y, threshold, w * value, H)
        if project:
            _project(scratch, H)


@njit(cache=True, nogil=True, error_model="numpy")
def _add_products(bend, G, cross, M, mollified, H):
    """H (12, 12) += bend D' D'^T and, where pairs are `mollified`, cross (D' M^T + M D'^T)."""
    g, t = G.ravel(), M.ravel()
    for i in range(12):
        for j in range(12):
            H[i, j] += bend * g[i] * g[j]
    if mollified:
        for i in range(12):
            for j in range(12):
                H[i, j] += cross * (g[i] * t[j] + t[i] * g[j])


@njit(cache=True, nogil=True, error_model="numpy")
def _set_projected(kind, y, slope, curvature, scratch, H):
    """H (12, 12) += slope D'' + curvature D' D'^T without its negative part."""
    c, S, r, e, B, A, V, frame, q, v = scratch
    free = closest(kind, y, c, S)
    for i in range(3):
        r[i] = c[0] * y[0, i] + c[1] * y[1, i] + c[2] * y[2, i] + c[3] * y[3, i]
        for k in range(free):
            e[k, i] = S[0, k] * y[0, i] + S[1, k] * y[1, i] + S[2, k] * y[2, i] + S[3, k] * y[3, i]
    length = _frame(r, frame)
    size = _motions(free, c, S, q)
    for k in range(free):
        for p in range(3):
            B[p, k] = 2.0 * size * _dot(e[k], frame[p])
        B[0, k] += 2.0 * length * _along(S, k, q[0])
        for p in range(free):
            B[3 + p, k] = 2.0 * length * _along(S, k, q[1 + p])
    for i in range(3 + free):
        for j in range(3 + free):
            A[i, j] = 2.0 * slope * size * size if i == j and i < 3 else 0.0
    A[0, 0] += 4.0 * curvature * (length * size) ** 2
    _eliminate(3 + free, slope, B, e, free, A)
    diagonalise(3 + free, A, V)
    for p in range(3 + free):
        if A[p, p] > 0.0:
            _set_motion(free, V[p], frame, q, v)
            _add_square(A[p, p], v, H)


@njit(cache=True, nogil=True, error_model="numpy")
def _frame(r, frame):
    """Orthonormal rows, the first one along r; returns |r|."""
    length = np.sqrt(_dot(r, r))
    n, t, b = frame[0], frame[1], frame[2]
    least = 0
    for i in range(3):
        n[i] = r[i] / length
        if abs(n[i]) < abs(n[least]):
            least = i
    for i in range(3):
        t[i] = (1.0 if i == least else 0.0) - n[least] * n[i]
    across = np.sqrt(_dot(t, t))
    for i in range(3):
        t[i] /= across
    b[0], b[1], b[2] = n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]
    return length


@njit(cache=True, nogil=True, error_model="numpy")
def _motions(free, c, S, q):
    """Orthonormal rows that span c and the free S; returns |c|. Independent: c moves the two sides apart."""
    size = np.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3])
    for a in range(4):
        q[0, a] = c[a] / size
    for k in range(free):
        row = q[1 + k]
        for a in range(4):
            row[a] = S[a, k]
        for p in range(1 + k):
            share = row[0] * q[p, 0] + row[1] * q[p, 1] + row[2] * q[p, 2] + row[3] * q[p, 3]
            for a in range(4):
                row[a] -= share * q[p, a]
        norm = np.sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3])
        for a in range(4):
            row[a] /= norm
    return size


@njit(cache=True, nogil=True, error_model="numpy")
def _eliminate(k, factor, B, e, free, A):
    """A -= factor B (D_uu)^-1 B^T over k rows, as in pairs.py."""
    if free == 0:
        return
    a, b, d = 2.0 * _dot(e[0], e[0]), 0.0, 0.0
    if free == 2:
        b, d = 2.0 * _dot(e[0], e[1]), 2.0 * _dot(e[1], e[1])
    if free == 1 or a * d - b * b <= ALIKE * a * d:
        for i in range(k):
            for j in range(k):
                A[i, j] -= factor / a * B[i, 0] * B[j, 0]
        return
    f = factor / (a * d - b * b)
    for i in range(k):
        left, right = f * (d * B[i, 0] - b * B[i, 1]), f * (a * B[i, 1] - b * B[i, 0])
        for j in range(k):
            A[i, j] -= left * B[j, 0] + right * B[j, 1]


@njit(cache=True, nogil=True, error_model="numpy")
def _set_motion(free, own, frame, q, v):
    """v (12,): the motion of the corners with components `own` along the directions of a block."""
    for a in range(4):
        out = q[0, a] * own[0]
        for k in range(free):
            out += q[1 + k, a] * own[3 + k]
        for i in range(3):
            v[3 * a + i] = out * frame[0, i] + q[0, a] * (own[1] * frame[1, i] + own[2] * frame[2, i])


@njit(cache=True, nogil=True, error_model="numpy")
def _project(scratch, H):
    """H (12, 12) without its negative part; it does not act on translations of all corners."""
    A, V, v = scratch[5], scratch[6], scratch[9]
    A[:] = 0.0
    for p in range(3):
        for k in range(p, 3):
            for a in range(4):
                for b in range(4):
                    share = APART[p, a] * APART[k, b]
                    for i in range(3):
                        for j in range(3):
                            A[3 * p + i, 3 * k + j] += share * H[3 * a + i, 3 * b + j]
    for i in range(9):
        for j in range(i):
            A[i, j] = A[j, i]
    diagonalise(9, A, V)
    H[:] = 0.0
    for p in range(9):
        if A[p, p] > 0.0:
            for a in range(4):
                for i in range(3):
                    v[3 * a + i] = APART[0, a] * V[p, i] + APART[1, a] * V[p, 3 + i] + APART[2, a] * V[p, 6 + i]
            _add_square(A[p, p], v, H)


@njit(cache=True, nogil=True, error_model="numpy")
def _add_square(factor, v, H):
    for i in range(12):
        left = factor * v[i]
        for j in range(12):
            H[i, j] += left * v[j]


@njit(cache=True, nogil=True, inline="always")
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, nogil=True, inline="always")
def _along(S, k, row):
    return S[0, k] * row[0] + S[1, k] * row[1] + S[2, k] * row[2] + S[3, k] * row[3]
