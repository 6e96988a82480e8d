"""Stress and tangent from derivatives with respect to the stretches, as nodes; u_a and v_a are the columns of U and V.

    P = sum_a psi_a u_a v_a^T
    dP/dF = sum_ab psi_ab D_a D_b + sum_a<b (x_ab/2 S_ab S_ab + y_ab/2 T_ab T_ab)
with D_a = u_a v_a^T, S_ab = u_a v_b^T + u_b v_a^T, T_ab = u_a v_b^T - u_b v_a^T,
    x_ab = (psi_a - psi_b)/(l_a - l_b),  y_ab = (psi_a + psi_b)/(l_a + l_b).
D_a, S_ab/sqrt(2) and T_ab/sqrt(2) are orthonormal: x_ab and y_ab are eigenvalues of dP/dF, and the others are those
of the 3x3 matrix psi_ab. The tangent can therefore be made positive semidefinite before assembly (Stomakhin et al.
2012).
"""

from __future__ import annotations

from supple.formulas.graph import ONE, ZERO, Node, apply, leaf
from supple.materials.principal.decomposition import AXES, NEGLIGIBLE, TINY, UPPER, entries, packed, symmetric

PAIRS = UPPER[3:]
"""Pairs of stretches."""
COEFFICIENTS = 12
"""psi_ab in the order of `UPPER`, then x_ab and y_ab of the `PAIRS`."""


def stress() -> list[Node]:
    """The nine entries of P; from U, V and the slopes G0 ... G2 = psi_a."""
    U, V = entries("U"), entries("V")
    pulled = [[U[i][a] * leaf(f"G{a}") for a in AXES] for i in AXES]
    return [sum((pulled[i][a] * V[j][a] for a in AXES), ZERO) for i in AXES for j in AXES]


def tangent() -> list[Node]:
    """The upper half of dP/dF, row by row; from U, V and the coefficients K0 ... K11."""
    U, V, bend = entries("U"), entries("V"), symmetric("K")
    parts = [[[U[i][a] * V[j][b] for i in AXES for j in AXES] for b in AXES] for a in AXES]
    stretches = [parts[a][a] for a in AXES]
    turned, weights = [], []
    for n, (a, b) in enumerate(PAIRS):
        for sign, k in ((1.0, 6 + n), (-1.0, 9 + n)):
            turned.append([m + sign * other for m, other in zip(parts[a][b], parts[b][a], strict=True)])
            weights.append(0.5 * leaf(f"K{k}"))
    found = []
    for r in range(9):
        rows = [sum((bend[a][b] * stretches[a][r] for a in AXES), ZERO) for b in AXES]
        rows += [weight * matrix[r] for weight, matrix in zip(weights, turned, strict=True)]
        for c in range(r, 9):
            columns = [matrix[c] for matrix in (*stretches, *turned)]
            found.append(sum((a * b for a, b in zip(rows, columns, strict=True)), ZERO))
    return found


def bends() -> list[Node]:
    """psi_ab, packed, with its threshold for negligible entries, and I; from the coefficients."""
    bend = [leaf(f"K{k}") for k in range(6)]
    size = sum((apply("abs", a) for a in bend), ZERO)
    return [*bend, NEGLIGIBLE * size + TINY, *(ONE if i == j else ZERO for i in AXES for j in AXES)]


def clamped() -> list[Node]:
    """The coefficients without negative eigenvalues; from the coefficients and the eigenvalues A0 ... A2 of psi_ab along V."""
    V, sizes = entries("V"), [apply("max", leaf(f"A{a}"), ZERO) for a in AXES]
    scaled = [[V[i][a] * sizes[a] for a in AXES] for i in AXES]
    bend = [[sum((scaled[i][a] * V[j][a] for a in AXES), ZERO) for j in AXES] for i in AXES]
    return [*packed(bend), *(apply("max", leaf(f"K{k}"), ZERO) for k in range(6, COEFFICIENTS))]
