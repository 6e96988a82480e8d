"""Corotated elasticity with the polar rotation R of F = R S, and its special case lam = 0, as-rigid-as-possible.

psi = mu |S - I|^2 + lam/2 tr(S - I)^2;  P = 2 mu (F - R) + lam tr(S - I) R
dR = sum_mn (Q^-1)_mn T_m (T_n : dF),  Q = tr(S) I - S,  T_m = R [e_m]x, hence
dP/dF = 2 mu I + lam R R + (lam tr(S - I) - 2 mu) sum_mn (Q^-1)_mn T_m T_n. With F = U s V^T, Q^-1 has the eigenvalues
1/(s_j + s_k) along V; they blow up where an element inverts through a rotation by pi and are capped there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from annotated_types import Gt

from supple.linalg.small import svd3
from supple.materials import MATERIALS
from supple.materials.kernel import LANES, pair
from supple.materials.lame import bulk_and_shear
from supple.materials.law import CompiledLaw, Law
from supple.materials.material import Material, Modulus

SMALLEST_SUM = 1e-6
"""Cap on 1/(s_j + s_k) [-]."""


@MATERIALS("corotated")
@dataclass(frozen=True)
class Corotated(Material):
    """Corotated linear elasticity with exact derivatives."""

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    @property
    def law(self) -> Law:
        return LAW


@MATERIALS("arap")
@dataclass(frozen=True)
class ARAP(Material):
    """As-rigid-as-possible: psi = mu |F - R|^2."""

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""

    @property
    def law(self) -> Law:
        return LAW

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        return cls(mu=bulk_and_shear(young, poisson)[1])

    def constants(self) -> dict[str, Modulus]:
        return {"mu": self.mu, "lam": 0.0}


def response(constants, F, psi, P):
    W = LANES
    f, u, v, s = np.empty(9), np.empty(9), np.empty(9), np.empty(3)
    for q in range(W):
        mu, lam = constants[q], constants[W + q]
        for ij in range(9):
            f[ij] = F[ij * W + q]
        svd3(f, u, s, v)
        grow = s[0] + s[1] + s[2] - 3.0
        psi[q] = mu * ((s[0] - 1.0) ** 2 + (s[1] - 1.0) ** 2 + (s[2] - 1.0) ** 2) + 0.5 * lam * grow * grow
        for i in range(3):
            for j in range(3):
                rotation = u[3 * i] * v[3 * j] + u[3 * i + 1] * v[3 * j + 1] + u[3 * i + 2] * v[3 * j + 2]
                P[(3 * i + j) * W + q] = 2.0 * mu * (f[3 * i + j] - rotation) + lam * grow * rotation


def tangent(constants, F, C):
    W = LANES
    f, u, v, s = np.empty(9), np.empty(9), np.empty(9), np.empty(3)
    R = np.empty(9)
    T = np.empty((3, 9))  # T_m in the frame of V: U [e_m]x V^T, for which Q^-1 is diagonal
    for q in range(W):
        mu, lam = constants[q], constants[W + q]
        for ij in range(9):
            f[ij] = F[ij * W + q]
        svd3(f, u, s, v)
        for i in range(3):
            for j in range(3):
                R[3 * i + j] = u[3 * i] * v[3 * j] + u[3 * i + 1] * v[3 * j + 1] + u[3 * i + 2] * v[3 * j + 2]
                for m in range(3):
                    a, b = (m + 1) % 3, (m + 2) % 3
                    T[m, 3 * i + j] = u[3 * i + b] * v[3 * j + a] - u[3 * i + a] * v[3 * j + b]
        turn = lam * (s[0] + s[1] + s[2] - 3.0) - 2.0 * mu
        for r in range(9):
            for c in range(r, 9):
                C[pair(r, c) * W + q] = lam * R[r] * R[c] + (2.0 * mu if r == c else 0.0)
        for m in range(3):
            total = s[(m + 1) % 3] + s[(m + 2) % 3]
            if abs(total) < SMALLEST_SUM:
                total = SMALLEST_SUM if total >= 0.0 else -SMALLEST_SUM
            for r in range(9):
                for c in range(r, 9):
                    C[pair(r, c) * W + q] += turn / total * T[m, r] * T[m, c]


LAW = CompiledLaw((response, tangent))
