"""Neo-Hookean with logarithm: the textbook solid, infinite energy at zero volume.

psi = mu/2 (Ic - 3) - mu log J + lam/2 log(J)^2;  P = mu (F - A) + lam log(J) A,  A = F^-T
dA_ij/dF_kl = -A_il A_kj. Where J <= 0 the density is +inf, and line searches stay away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.cofactor import cofactors
from supple.materials.kernel import LANES, pair, response_for, tangent_for
from supple.materials.material import Material


class NeoHookeanParameters(NamedTuple):
    mu: object
    lam: object


@MATERIALS("neo-hookean")
@dataclass(frozen=True)
class NeoHookean(Material):
    """Neo-Hookean solid with log(J); elements can never invert."""

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    Parameters: ClassVar[type] = NeoHookeanParameters


@response_for(NeoHookeanParameters)
def response(p, elements, F, psi, P):
    W = LANES
    G, J = np.empty(9 * W), np.empty(W)
    cofactors(F, G, J)
    for q in range(W):
        mu, lam = p.mu[elements[q]], p.lam[elements[q]]
        alive = J[q] > 0.0
        log = np.log(J[q]) if alive else 0.0
        pull = (lam * log - mu) / J[q] if alive else 0.0
        square = 0.0
        for ij in range(0, 9 * W, W):
            square += F[ij + q] * F[ij + q]
            P[ij + q] = mu * F[ij + q] + pull * G[ij + q]
        psi[q] = 0.5 * mu * (square - 3.0) - mu * log + 0.5 * lam * log * log if alive else np.inf


@tangent_for(NeoHookeanParameters)
def tangent(p, elements, F, C):
    # C_ijkl = mu d_ik d_jl + lam A_ij A_kl + (mu - lam log J) A_il A_kj
    W = LANES
    A, J = np.empty(9 * W), np.empty(W)
    mu, lam, turn = np.empty(W), np.empty(W), np.empty(W)
    cofactors(F, A, J)
    for q in range(W):
        mu[q], lam[q] = p.mu[elements[q]], p.lam[elements[q]]
        turn[q] = mu[q] - lam[q] * np.log(J[q]) if J[q] > 0.0 else 0.0
    for ij in range(9):
        for q in range(W):
            A[ij * W + q] = A[ij * W + q] / J[q] if J[q] > 0.0 else 0.0
    for r in range(9):
        for c in range(r, 9):
            i, j, k, n = r // 3, r % 3, c // 3, c % 3
            unit = 1.0 if r == c else 0.0
            at = pair(r, c) * W
            for q in range(W):
                C[at + q] = (
                    unit * mu[q]
                    + lam[q] * A[r * W + q] * A[c * W + q]
                    + turn[q] * A[(3 * i + n) * W + q] * A[(3 * k + j) * W + q]
                )
