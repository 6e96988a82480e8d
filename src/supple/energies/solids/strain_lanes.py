"""The mean stress of strain_form.py for batches of tets, lane innermost (see materials/kernel.py).

Symmetric matrices have six rows, in the order 00, 11, 22, 01, 02, 12; deformation gradients and stresses nine. Upper
triangles (U with U^T U = C, and V = U^-1) have six as well. `flat` lanes have no mean strain.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.energies.chord import REACH, WEIGHT
from supple.energies.solids.strain_form import NEGLIGIBLE, SMALL
from supple.materials.address import call_response
from supple.materials.kernel import FAST, LANES

ROW = (0, 1, 2, 0, 0, 1)
COLUMN = (0, 1, 2, 1, 2, 2)
PLACE = ((0, 3, 4), (3, 1, 5), (4, 5, 2))
TWICE = (1.0, 1.0, 1.0, 2.0, 2.0, 2.0)
"""Multiplicity of an entry in its matrix."""


@njit(cache=True, nogil=True, **FAST)
def strains(F0, F1, middle, change):
    """C_m and D."""
    for v in range(6):
        i, j = ROW[v], COLUMN[v]
        for q in range(LANES):
            before = F0[i, q] * F0[j, q] + F0[3 + i, q] * F0[3 + j, q] + F0[6 + i, q] * F0[6 + j, q]
            after = F1[i, q] * F1[j, q] + F1[3 + i, q] * F1[3 + j, q] + F1[6 + i, q] * F1[6 + j, q]
            middle[v, q] = 0.5 * (before + after)
            change[v, q] = after - before


@njit(cache=True, nogil=True, **FAST)
def _determinant(F, q):
    return (
        F[0, q] * (F[4, q] * F[8, q] - F[5, q] * F[7, q])
        - F[1, q] * (F[3, q] * F[8, q] - F[5, q] * F[6, q])
        + F[2, q] * (F[3, q] * F[7, q] - F[4, q] * F[6, q])
    )


@njit(cache=True, nogil=True, **FAST)
def orientations(F0, F1, sign):
    """-1 where an element is inverted before and after."""
    for q in range(LANES):
        sign[q] = -1.0 if _determinant(F0, q) < 0.0 and _determinant(F1, q) < 0.0 else 1.0


@njit(cache=True, nogil=True, **FAST)
def factor(C, sign, U, V):
    """U (9 rows) and V; returns how many lanes are flat."""
    flat = 0
    for q in range(LANES):
        a = C[0, q]
        ra = np.sqrt(a) if a > 0.0 else 1.0
        b, c = C[3, q] / ra, C[4, q] / ra
        d = C[1, q] - b * b
        rd = np.sqrt(d) if d > 0.0 else 1.0
        e = (C[5, q] - b * c) / rd
        f = C[2, q] - c * c - e * e
        rf = np.sqrt(f) if f > 0.0 else 1.0
        if not (a > 0.0 and d > 0.0 and f > 0.0):
            flat += 1
        s = sign[q]
        U[0, q], U[1, q], U[2, q] = s * ra, s * b, s * c
        U[3, q], U[4, q], U[5, q] = 0.0, s * rd, s * e
        U[6, q], U[7, q], U[8, q] = 0.0, 0.0, s * rf
        V[0, q], V[1, q], V[2, q] = s / ra, s / rd, s / rf
        V[3, q], V[5, q] = -s * b / (ra * rd), -s * e / (rd * rf)
        V[4, q] = s * (b * e - c * rd) / (ra * rd * rf)
    return flat


@njit(cache=True, nogil=True, **FAST)
def _second(V, P, S):
    """The symmetric part of V P."""
    for q in range(LANES):
        a, b, c, d, e, f = V[0, q], V[1, q], V[2, q], V[3, q], V[4, q], V[5, q]
        S[0, q] = a * P[0, q] + d * P[3, q] + e * P[6, q]
        S[1, q] = b * P[4, q] + f * P[7, q]
        S[2, q] = c * P[8, q]
        S[3, q] = 0.5 * (a * P[1, q] + d * P[4, q] + e * P[7, q] + b * P[3, q] + f * P[6, q])
        S[4, q] = 0.5 * (a * P[2, q] + d * P[5, q] + e * P[8, q] + c * P[6, q])
        S[5, q] = 0.5 * (b * P[5, q] + f * P[8, q] + c * P[7, q])


@njit(cache=True, nogil=True, **FAST)
def _relative_changes(D, V, relative):
    """|D| |C_m^-1|."""
    for q in range(LANES):
        a, b, c, d, e, f = V[0, q], V[1, q], V[2, q], V[3, q], V[4, q], V[5, q]
        # V V^T
        xx, yy, zz = a * a + d * d + e * e, b * b + f * f, c * c
        xy, xz, yz = d * b + e * f, e * c, f * c
        inverse = xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + xz * xz + yz * yz)
        size = D[0, q] ** 2 + D[1, q] ** 2 + D[2, q] ** 2 + 2.0 * (D[3, q] ** 2 + D[4, q] ** 2 + D[5, q] ** 2)
        relative[q] = np.sqrt(size * inverse)


@njit(cache=True, nogil=True, **FAST)
def _inner(A, B, out):
    for q in range(LANES):
        out[q] = (
            A[0, q] * B[0, q]
            + A[1, q] * B[1, q]
            + A[2, q] * B[2, q]
            + 2.0 * (A[3, q] * B[3, q] + A[4, q] * B[4, q] + A[5, q] * B[5, q])
        )


@njit(cache=True, nogil=True, **FAST)
def same_constants(table, ids, known):
    """Whether the elements of a batch have the same constants as the previous batch, `known` (-1: none), which is
    updated: most bodies have one material."""
    alike = known[0] >= 0
    for q in range(LANES):
        for k in range(table.shape[1]):
            alike = alike and table[ids[q], k] == table[known[q], k]
        known[q] = ids[q]
    return alike


@njit(cache=True, nogil=True, **FAST)
def exact_stress(Cm, rest, slope, S):
    """2 W'(C_m) of laws that are quadratic in C, from stress and slope at the rest state: S = S(I) + slope : (C_m - I)."""
    for v in range(6):
        for q in range(LANES):
            S[v, q] = rest[v, q] + (
                slope[v, 0, q] * (Cm[0, q] - 1.0)
                + slope[v, 1, q] * (Cm[1, q] - 1.0)
                + slope[v, 2, q] * (Cm[2, q] - 1.0)
                + 2.0 * (slope[v, 3, q] * Cm[3, q] + slope[v, 4, q] * Cm[4, q] + slope[v, 5, q] * Cm[5, q])
            )


@njit(cache=True, nogil=True, **FAST)
def midpoint_stress(response, constants, Cm, sign, U, V, P, psi, S):
    """2 W'(C_m), U and V; returns how many lanes are flat."""
    flat = factor(Cm, sign, U, V)
    call_response(response, constants, U, psi, P)
    _second(V, P, S)
    return flat


@njit(cache=True, nogil=True, **FAST)
def corrections(response, constants, F0, F1, Cm, D, sign, V, mid, spare, P, psi, alpha, weight):
    """alpha and 1/(D : D), zero where no correction is needed; `spare` (4, 9, lanes) and `psi` (2, lanes) are overwritten."""
    C, U, other, relative = spare[0], spare[1], spare[2], spare[3, 0]
    sampled, along, size = spare[3, 1], spare[3, 2], spare[3, 3]
    _relative_changes(D, V, relative)
    any_small = any_large = False
    for q in range(LANES):
        any_small |= relative[q] <= SMALL
        any_large |= not relative[q] <= SMALL
        sampled[q] = 0.0
    _inner(mid, D, along)
    if any_small:
        for way in (1.0, -1.0):
            for v in range(6):
                for q in range(LANES):
                    C[v, q] = Cm[v, q] + (way * REACH * D[v, q] if relative[q] <= SMALL else 0.0)
            factor(C, sign, U, other)
            call_response(response, constants, U, psi[0], P)
            _second(other, P, C)
            for v in range(6):
                for q in range(LANES):
                    sampled[q] += TWICE[v] * (C[v, q] - mid[v, q]) * D[v, q]
    if any_large:
        call_response(response, constants, F0, psi[0], P)
        call_response(response, constants, F1, psi[1], P)
    _inner(D, D, size)
    for q in range(LANES):
        weight[q] = 1.0 / size[q] if relative[q] > NEGLIGIBLE else 0.0
        if relative[q] <= SMALL:
            alpha[q] = weight[q] * 0.5 * WEIGHT * sampled[q]
        else:
            missing = psi[1, q] - psi[0, q] - 0.5 * along[q]
            # infinite energy: NaN, so the solver backtracks
            alpha[q] = weight[q] * missing if np.isfinite(missing) else np.nan
