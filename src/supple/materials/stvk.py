"""St. Venant-Kirchhoff: the simplest rotation-invariant solid, quartic in F, so that AVF conserves its energy exactly.

psi = mu E:E + lam/2 tr(E)^2,  E = (F^T F - I)/2;  P = F S,  S = 2 mu E + lam tr(E) I
Limits: weak in strong compression, elements may invert.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.kernel import LANES, pair, response_for, tangent_for
from supple.materials.material import Material


class StVKParameters(NamedTuple):
    mu: object
    lam: object


@MATERIALS("stvk")
@dataclass(frozen=True)
class StVK(Material):
    """St. Venant-Kirchhoff solid."""

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    Parameters: ClassVar[type] = StVKParameters
    degree: ClassVar[int | None] = 4
    quadratic_in_strain: ClassVar[bool] = True


@response_for(StVKParameters)
def response(p, elements, F, psi, P):
    W = LANES
    for q in range(W):
        mu, lam = p.mu[elements[q]], p.lam[elements[q]]
        f0, f1, f2 = F[q], F[W + q], F[2 * W + q]
        f3, f4, f5 = F[3 * W + q], F[4 * W + q], F[5 * W + q]
        f6, f7, f8 = F[6 * W + q], F[7 * W + q], F[8 * W + q]
        e0 = 0.5 * (f0 * f0 + f3 * f3 + f6 * f6 - 1.0)
        e1 = 0.5 * (f0 * f1 + f3 * f4 + f6 * f7)
        e2 = 0.5 * (f0 * f2 + f3 * f5 + f6 * f8)
        e4 = 0.5 * (f1 * f1 + f4 * f4 + f7 * f7 - 1.0)
        e5 = 0.5 * (f1 * f2 + f4 * f5 + f7 * f8)
        e8 = 0.5 * (f2 * f2 + f5 * f5 + f8 * f8 - 1.0)
        trace = e0 + e4 + e8
        psi[q] = mu * (e0 * e0 + e4 * e4 + e8 * e8 + 2.0 * (e1 * e1 + e2 * e2 + e5 * e5)) + 0.5 * lam * trace * trace
        bulk, shear = lam * trace, 2.0 * mu
        s0, s1, s2 = shear * e0 + bulk, shear * e1, shear * e2
        s4, s5, s8 = shear * e4 + bulk, shear * e5, shear * e8 + bulk
        P[q] = f0 * s0 + f1 * s1 + f2 * s2
        P[W + q] = f0 * s1 + f1 * s4 + f2 * s5
        P[2 * W + q] = f0 * s2 + f1 * s5 + f2 * s8
        P[3 * W + q] = f3 * s0 + f4 * s1 + f5 * s2
        P[4 * W + q] = f3 * s1 + f4 * s4 + f5 * s5
        P[5 * W + q] = f3 * s2 + f4 * s5 + f5 * s8
        P[6 * W + q] = f6 * s0 + f7 * s1 + f8 * s2
        P[7 * W + q] = f6 * s1 + f7 * s4 + f8 * s5
        P[8 * W + q] = f6 * s2 + f7 * s5 + f8 * s8


@tangent_for(StVKParameters)
def tangent(p, elements, F, C):
    # C_ijkl = d_ik S_jl + mu (F_il F_kj + d_jl B_ik) + lam F_ij F_kl,  B = F F^T
    W = LANES
    mu, lam, trace = np.empty(W), np.empty(W), np.empty(W)
    S, B = np.empty(9 * W), np.empty(9 * W)
    for q in range(W):
        mu[q], lam[q] = p.mu[elements[q]], p.lam[elements[q]]
        trace[q] = -3.0
    for ij in range(9):
        for q in range(W):
            trace[q] += F[ij * W + q] * F[ij * W + q]
    for i in range(3):
        for j in range(i, 3):
            unit = 1.0 if i == j else 0.0
            for q in range(W):
                gram = F[i * W + q] * F[j * W + q]
                gram += F[(3 + i) * W + q] * F[(3 + j) * W + q] + F[(6 + i) * W + q] * F[(6 + j) * W + q]
                S[(3 * i + j) * W + q] = mu[q] * (gram - unit) + unit * 0.5 * lam[q] * trace[q]
                S[(3 * j + i) * W + q] = S[(3 * i + j) * W + q]
                outer = F[3 * i * W + q] * F[3 * j * W + q]
                outer += (
                    F[(3 * i + 1) * W + q] * F[(3 * j + 1) * W + q] + F[(3 * i + 2) * W + q] * F[(3 * j + 2) * W + q]
                )
                B[(3 * i + j) * W + q] = outer
                B[(3 * j + i) * W + q] = outer
    for r in range(9):
        for c in range(r, 9):
            i, j, k, n = r // 3, r % 3, c // 3, c % 3
            same_row = 1.0 if i == k else 0.0
            same_column = 1.0 if j == n else 0.0
            at = pair(r, c) * W
            for q in range(W):
                C[at + q] = (
                    lam[q] * F[r * W + q] * F[c * W + q]
                    + mu[q] * (F[(3 * i + n) * W + q] * F[(3 * k + j) * W + q] + same_column * B[(3 * i + k) * W + q])
                    + same_row * S[(3 * j + n) * W + q]
                )
