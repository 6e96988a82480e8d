"""Sweeps over constraints with several entries: C (q) with a stiffness matrix K (q, q) over the corners of one element.

The Gauss-Newton step of the element's own problem, min 1/2 |x - y|_M^2 + h^2/2 C^T K C with y the corners without the last
push P of this element, is, with G = dC/dx at the present x and W = M^-1,
    (1 + h^2 K G W G^T) lam = h^2 K (G W P - C),   new push G^T lam
For constant G it is the minimum itself, and the published update of XPBD. The arguments are those of pbd_kernels.py.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from supple.integrators.position_based.measures import measure
from supple.linalg.threads import calm_workers

calm_workers()

RIGID = 1e-9
"""Compliance of plain PBD, relative to G W G^T: avoids division by zero at constrained corners."""


@njit(cache=True, nogil=True)
def _solve(A, b):
    """x of A x = b in place of b, by elimination with pivots."""
    q = b.size
    for c in range(q):
        p = c
        for r in range(c + 1, q):
            if abs(A[r, c]) > abs(A[p, c]):
                p = r
        if A[p, c] == 0.0:
            b[:] = 0.0
            return
        if p != c:
            b[c], b[p] = b[p], b[c]
            for k in range(c, q):
                A[c, k], A[p, k] = A[p, k], A[c, k]
        for r in range(c + 1, q):
            f = A[r, c] / A[c, c]
            b[r] -= f * b[c]
            for k in range(c + 1, q):
                A[r, k] -= f * A[c, k]
    for r in range(q - 1, -1, -1):
        for k in range(r + 1, q):
            b[r] -= A[r, k] * b[k]
        b[r] /= A[r, r]


@njit(cache=True, nogil=True)
def _multipliers(K, e, h2, share, A, c, S, lam):
    """lam from A = G W G^T and c = G W P - C."""
    q = c.size
    if share > 0.0:
        trace = 0.0
        for a in range(q):
            trace += A[a, a]
        for a in range(q):
            lam[a] = share * c[a]
            for b in range(q):
                S[a, b] = A[a, b] + (RIGID * trace if a == b else 0.0)
    else:
        for a in range(q):
            lam[a] = 0.0
            for b in range(q):
                lam[a] += h2 * K[e, a, b] * c[b]
                S[a, b] = 1.0 if a == b else 0.0
                for d in range(q):
                    S[a, b] += h2 * K[e, a, d] * A[d, b]
    _solve(S, lam)


@njit(cache=True, nogil=True)
def _blocks_part(low, high, kind, q, vertices, parameters, K, base, u, w, h2, share, first, keep, pushes):
    k = vertices.shape[1]
    y, F, C, c, lam = np.empty(3 * k), np.empty(9), np.empty(q), np.empty(q), np.empty(q)
    G, A, S, weight, old = np.empty((q, 3 * k)), np.empty((q, q)), np.empty((q, q)), np.empty(3 * k), np.zeros(3 * k)
    for e in range(low, high):
        total = 0.0
        for a in range(k):
            v = vertices[e, a]
            total += w[v]
            for i in range(3):
                y[3 * a + i], weight[3 * a + i] = base[v, i] + u[v, i], w[v]
                if not first:
                    old[3 * a + i] = pushes[e, 3 * a + i]
        if total == 0.0 or K[e, 0, 0] == 0.0:
            continue
        measure(kind, y, parameters, e, F, C, G)
        for a in range(q):
            c[a] = -C[a]
            for j in range(3 * k):
                c[a] += G[a, j] * weight[j] * old[j]
            for b in range(a, q):
                A[a, b] = 0.0
                for j in range(3 * k):
                    A[a, b] += G[a, j] * weight[j] * G[b, j]
                A[b, a] = A[a, b]
        _multipliers(K, e, h2, share, A, c, S, lam)
        for j in range(3 * k):
            push = 0.0
            for a in range(q):
                push += G[a, j] * lam[a]
            if keep:
                pushes[e, j] = push
            u[vertices[e, j // 3], j % 3] += weight[j] * (push - old[j])


@njit(cache=True, parallel=True)
def sweep_blocks(start, threads, least, kind, q, vertices, parameters, K, base, u, w, h2, share, first, keep, pushes):
    """Constraints of one kind (pbd_measures.py) with q entries; K (m, q, q)."""
    for c in range(start.size - 1):
        low, high = np.int64(start[c]), np.int64(start[c + 1])
        if high - low < least or threads == 1:
            _blocks_part(low, high, kind, q, vertices, parameters, K, base, u, w, h2, share, first, keep, pushes)
        else:
            for part in prange(threads):
                a = low + (high - low) * np.int64(part) // threads
                b = low + (high - low) * (np.int64(part) + 1) // threads
                _blocks_part(a, b, kind, q, vertices, parameters, K, base, u, w, h2, share, first, keep, pushes)
