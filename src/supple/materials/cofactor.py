"""Cofactors, shared by the densities that depend on J = det F.

G = dJ/dF = J F^-T;  dG_ij/dF_kl = e_ikm e_jln F_mn: plus or minus one entry of F.
"""

from __future__ import annotations

from numba import njit

from supple.materials.kernel import FAST, LANES


@njit(cache=True, nogil=True, **FAST)
def cofactors(F, G, J):
    """Fill G (9 * LANES) and J (LANES)."""
    W = LANES
    for i in range(3):
        a, b = 3 * ((i + 1) % 3), 3 * ((i + 2) % 3)
        for j in range(3):
            c, d = (j + 1) % 3, (j + 2) % 3
            for q in range(W):
                G[(3 * i + j) * W + q] = (
                    F[(a + c) * W + q] * F[(b + d) * W + q] - F[(a + d) * W + q] * F[(b + c) * W + q]
                )
    for q in range(W):
        J[q] = F[q] * G[q] + F[W + q] * G[W + q] + F[2 * W + q] * G[2 * W + q]


@njit(cache=True, nogil=True)
def cofactor_slope(r, c):
    """(sign, entry of F) of dG_r / dF_c for flat indices r, c; sign 0 where the derivative vanishes."""
    i, j, k, n = r // 3, r % 3, c // 3, c % 3
    if i == k or j == n:
        return 0.0, 0
    rows = 1.0 if (k - i) % 3 == 1 else -1.0
    columns = 1.0 if (n - j) % 3 == 1 else -1.0
    return rows * columns, 3 * (3 - i - k) + (3 - j - n)
