"""Parts of the derivative of the mean stress of strain_form.py for batches of tets, laid out as in strain_lanes.py."""

from __future__ import annotations

from numba import njit

from supple.energies.solids.strain_lanes import COLUMN, PLACE, ROW, TWICE
from supple.materials.address import call_response, call_tangent
from supple.materials.kernel import FAST, LANES, pair


@njit(cache=True, nogil=True, **FAST)
def slopes(V, T, S, spare, slope):
    """slope (6, 6) of 2 W' with respect to C: V T V - V V^T S, symmetric in the last two indices."""
    X, Y = spare[0], spare[1]
    for v in range(6):
        i, j = ROW[v], COLUMN[v]
        for c in range(9):
            for q in range(LANES):
                X[c, q] = 0.0
            for p in range(i, 3):
                row = 3 * p + j
                place = pair(min(row, c), max(row, c))
                w = PLACE[i][p]
                for q in range(LANES):
                    X[c, q] += V[w, q] * T[place, q]
        for k in range(3):
            # (V V^T)_ik
            for q in range(LANES):
                Y[k, q] = 0.0
            for p in range(max(i, k), 3):
                w, u = PLACE[i][p], PLACE[k][p]
                for q in range(LANES):
                    Y[k, q] += V[w, q] * V[u, q]
        for w in range(6):
            for q in range(LANES):
                slope[v, w, q] = 0.0
            for turn in range(2):
                k, m = (ROW[w], COLUMN[w]) if turn == 0 else (COLUMN[w], ROW[w])
                for r in range(k, 3):
                    u = PLACE[k][r]
                    for q in range(LANES):
                        slope[v, w, q] += 0.25 * V[u, q] * X[3 * r + m, q]
                u = PLACE[m][j]
                for q in range(LANES):
                    slope[v, w, q] -= 0.25 * Y[k, q] * S[u, q]


@njit(cache=True, nogil=True, **FAST)
def rest_slopes(response, tangent, constants, U, V, P, psi, T, spare, rest, slope):
    """Stress and slope at the rest state; everything except the constants is overwritten."""
    for r in range(9):
        for q in range(LANES):
            U[r, q] = 1.0 if r % 4 == 0 else 0.0
    call_response(response, constants, U, psi, P)
    call_tangent(tangent, constants, U, T)
    for v in range(6):
        for q in range(LANES):
            V[v, q] = 1.0 if v < 3 else 0.0
            rest[v, q] = P[3 * ROW[v] + COLUMN[v], q]
    slopes(V, T, rest, spare, slope)


@njit(cache=True, nogil=True, **FAST)
def alpha_slopes(F1, P1, mid, D, slope, alpha, weight, spare):
    """spare[0] = d alpha/dF1 = [P1 - F1 (2 W'(C_m) + D : slope/2 + 4 alpha D)] / (D : D)."""
    A, change = spare[0], spare[1]
    for w in range(6):
        for q in range(LANES):
            change[w, q] = mid[w, q] + 4.0 * alpha[q] * D[w, q]
        for v in range(6):
            half = 0.5 * TWICE[v]
            for q in range(LANES):
                change[w, q] += half * D[v, q] * slope[v, w, q]
    for p in range(3):
        for m in range(3):
            a, b, c = PLACE[0][m], PLACE[1][m], PLACE[2][m]
            for q in range(LANES):
                A[3 * p + m, q] = weight[q] * (
                    P1[3 * p + m, q]
                    - F1[3 * p, q] * change[a, q]
                    - F1[3 * p + 1, q] * change[b, q]
                    - F1[3 * p + 2, q] * change[c, q]
                )


@njit(cache=True, nogil=True, **FAST)
def strain_matrices(F, g, B):
    for v in range(6):
        k, m = ROW[v], COLUMN[v]
        for a in range(3):
            for i in range(3):
                if v < 3:
                    for q in range(LANES):
                        B[v, 3 * a + i, q] = F[3 * i + k, q] * g[3 * a + k, q]
                else:
                    for q in range(LANES):
                        B[v, 3 * a + i, q] = F[3 * i + k, q] * g[3 * a + m, q] + F[3 * i + m, q] * g[3 * a + k, q]


@njit(cache=True, nogil=True, **FAST)
def stiffen(slope, B, out):
    for v in range(6):
        for c in range(9):
            for q in range(LANES):
                out[v, c, q] = (
                    slope[v, 0, q] * B[0, c, q]
                    + slope[v, 1, q] * B[1, c, q]
                    + slope[v, 2, q] * B[2, c, q]
                    + slope[v, 3, q] * B[3, c, q]
                    + slope[v, 4, q] * B[4, c, q]
                    + slope[v, 5, q] * B[5, c, q]
                )


@njit(cache=True, nogil=True, **FAST)
def add_slopes(D, spare, g, HB):
    """HB += 2 D (A g)^T."""
    A = spare[0]
    for b in range(3):
        for p in range(3):
            for q in range(LANES):
                along = 2.0 * (
                    A[3 * p, q] * g[3 * b, q] + A[3 * p + 1, q] * g[3 * b + 1, q] + A[3 * p + 2, q] * g[3 * b + 2, q]
                )
                for v in range(6):
                    HB[v, 3 * b + p, q] += D[v, q] * along


@njit(cache=True, nogil=True, **FAST)
def contract(B0, HB, S, g, K):
    """K of corners 1..3."""
    for r in range(9):
        for c in range(9):
            for q in range(LANES):
                K[r, c, q] = g[9, q] * (
                    B0[0, r, q] * HB[0, c, q]
                    + B0[1, r, q] * HB[1, c, q]
                    + B0[2, r, q] * HB[2, c, q]
                    + B0[3, r, q] * HB[3, c, q]
                    + B0[4, r, q] * HB[4, c, q]
                    + B0[5, r, q] * HB[5, c, q]
                )
    for a in range(3):
        for b in range(3):
            for q in range(LANES):
                x, y, z = g[3 * b, q], g[3 * b + 1, q], g[3 * b + 2, q]
                pull = (
                    g[3 * a, q] * (S[0, q] * x + S[3, q] * y + S[4, q] * z)
                    + g[3 * a + 1, q] * (S[3, q] * x + S[1, q] * y + S[5, q] * z)
                    + g[3 * a + 2, q] * (S[4, q] * x + S[5, q] * y + S[2, q] * z)
                )
                pull *= 0.5 * g[9, q]
                K[3 * a, 3 * b, q] += pull
                K[3 * a + 1, 3 * b + 1, q] += pull
                K[3 * a + 2, 3 * b + 2, q] += pull
