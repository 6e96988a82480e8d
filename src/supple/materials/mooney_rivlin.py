"""Mooney-Rivlin in isochoric invariants, and its special case c2 = 0, the modified neo-Hookean of Kharevych's thesis.

psi = c1 (J^-2/3 I1 - 3) + c2 (J^-4/3 I2 - 3) + bulk/2 (J - 1)^2,  I1 = tr C, I2 = (I1^2 - tr C^2)/2
Moduli at rest: shear 2 (c1 + c2), bulk `bulk`. With A = F^-T, D1 = 2F, D2 = 2 (I1 F - B F), B = F F^T, each isochoric
part J^p I has gradient J^p (D + p I A). Where J <= 0 the density is +inf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple, Self

import numpy as np
from annotated_types import Ge, Gt
from numba import njit

from supple.materials import MATERIALS
from supple.materials.cofactor import cofactors
from supple.materials.kernel import FAST, LANES, pair, response_for, tangent_for
from supple.materials.lame import bulk_and_shear
from supple.materials.material import Material, Modulus


class MooneyParameters(NamedTuple):
    c1: object
    c2: object
    bulk: object


@MATERIALS("mooney-rivlin")
@dataclass(frozen=True)
class MooneyRivlin(Material):
    """Mooney-Rivlin rubber; from Young and Poisson c2 is a quarter of c1."""

    c1: Annotated[float, Gt(0)]
    """Weight of the first isochoric invariant [Pa]."""
    c2: Annotated[float, Ge(0)]
    """Weight of the second isochoric invariant [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""

    Parameters: ClassVar[type] = MooneyParameters

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, shear = bulk_and_shear(young, poisson)
        return cls(c1=0.4 * shear, c2=0.1 * shear, bulk=bulk)


@MATERIALS("modified-neo-hookean")
@dataclass(frozen=True)
class ModifiedNeoHookean(Material):
    """psi = mu (J^-2/3 tr C - 3) + kappa/2 (J - 1)^2; mu is HALF the shear modulus at rest."""

    mu: Annotated[float, Gt(0)]
    """Half the shear modulus [Pa]."""
    kappa: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""

    Parameters: ClassVar[type] = MooneyParameters

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        kappa, shear = bulk_and_shear(young, poisson)
        return cls(mu=shear / 2, kappa=kappa)

    def constants(self) -> tuple[Modulus, ...]:
        return self.mu, 0.0, self.kappa


@njit(cache=True, nogil=True, **FAST)
def _invariants(F, A, J, B, D2, I1, I2):
    """F^-T, J, F F^T, dI2/dF, I1, I2 of a batch; lanes with J <= 0 get A = 0."""
    W = LANES
    cofactors(F, A, J)
    for ij in range(9):
        for q in range(W):
            A[ij * W + q] = A[ij * W + q] / J[q] if J[q] > 0.0 else 0.0
    for i in range(3):
        for k in range(3):
            for q in range(W):
                B[(3 * i + k) * W + q] = (
                    F[3 * i * W + q] * F[3 * k * W + q]
                    + F[(3 * i + 1) * W + q] * F[(3 * k + 1) * W + q]
                    + F[(3 * i + 2) * W + q] * F[(3 * k + 2) * W + q]
                )
    for q in range(W):
        I1[q] = B[q] + B[4 * W + q] + B[8 * W + q]
        square = 0.0
        for ij in range(9):
            square += B[ij * W + q] * B[ij * W + q]
        I2[q] = 0.5 * (I1[q] * I1[q] - square)
    for i in range(3):
        for j in range(3):
            for q in range(W):
                bf = (
                    B[3 * i * W + q] * F[j * W + q]
                    + B[(3 * i + 1) * W + q] * F[(3 + j) * W + q]
                    + B[(3 * i + 2) * W + q] * F[(6 + j) * W + q]
                )
                D2[(3 * i + j) * W + q] = 2.0 * (I1[q] * F[(3 * i + j) * W + q] - bf)


@response_for(MooneyParameters)
def response(p, elements, F, psi, P):
    W = LANES
    A, B, D2 = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W)
    J, I1, I2 = np.empty(W), np.empty(W), np.empty(W)
    _invariants(F, A, J, B, D2, I1, I2)
    for q in range(W):
        e = elements[q]
        alive = J[q] > 0.0
        root = J[q] ** (-2.0 / 3.0) if alive else 0.0
        w1, w2 = p.c1[e] * root, p.c2[e] * root * root
        grow = J[q] - 1.0
        press = p.bulk[e] * grow * J[q] - 2.0 / 3.0 * w1 * I1[q] - 4.0 / 3.0 * w2 * I2[q]
        for ij in range(0, 9 * W, W):
            P[ij + q] = 2.0 * w1 * F[ij + q] + w2 * D2[ij + q] + press * A[ij + q]
        iso = w1 * I1[q] + w2 * I2[q] - 3.0 * (p.c1[e] + p.c2[e])
        psi[q] = iso + 0.5 * p.bulk[e] * grow * grow if alive else np.inf


@tangent_for(MooneyParameters)
def tangent(p, elements, F, C):
    # J^p I: J^p [I'' + p (D A + A D) + p^2 I A A - p I (A_il A_kj)];  volume: bulk J [(2J-1) A A - (J-1) A_il A_kj]
    # I1'' = 2 d_ik d_jl;  I2'' = 2 [2 F_ij F_kl + I1 d_ik d_jl - d_ik C_jl - F_il F_kj - B_ik d_jl]
    W = LANES
    A, B, D2 = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W)
    J, I1, I2 = np.empty(W), np.empty(W), np.empty(W)
    w1, w2, square, cross = np.empty(W), np.empty(W), np.empty(W), np.empty(W)
    _invariants(F, A, J, B, D2, I1, I2)
    for q in range(W):
        e = elements[q]
        root = J[q] ** (-2.0 / 3.0) if J[q] > 0.0 else 0.0
        w1[q], w2[q] = p.c1[e] * root, p.c2[e] * root * root
        volume = p.bulk[e] * J[q]
        square[q] = 4.0 / 9.0 * w1[q] * I1[q] + 16.0 / 9.0 * w2[q] * I2[q] + volume * (2.0 * J[q] - 1.0)
        cross[q] = 2.0 / 3.0 * w1[q] * I1[q] + 4.0 / 3.0 * w2[q] * I2[q] - volume * (J[q] - 1.0)
    for r in range(9):
        for c in range(r, 9):
            i, j, k, n = r // 3, r % 3, c // 3, c % 3
            unit = 1.0 if r == c else 0.0
            same_row = 1.0 if i == k else 0.0
            same_column = 1.0 if j == n else 0.0
            at = pair(r, c) * W
            for q in range(W):
                fr, fc, ar, ac = F[r * W + q], F[c * W + q], A[r * W + q], A[c * W + q]
                gram = F[j * W + q] * F[n * W + q] + F[(3 + j) * W + q] * F[(3 + n) * W + q]
                gram += F[(6 + j) * W + q] * F[(6 + n) * W + q]
                second = 2.0 * fr * fc + unit * I1[q] - same_row * gram - same_column * B[(3 * i + k) * W + q]
                second -= F[(3 * i + n) * W + q] * F[(3 * k + j) * W + q]
                C[at + q] = (
                    w1[q] * (2.0 * unit - 4.0 / 3.0 * (fr * ac + ar * fc))
                    + w2[q] * (2.0 * second - 4.0 / 3.0 * (D2[r * W + q] * ac + ar * D2[c * W + q]))
                    + square[q] * ar * ac
                    + cross[q] * A[(3 * i + n) * W + q] * A[(3 * k + j) * W + q]
                )
