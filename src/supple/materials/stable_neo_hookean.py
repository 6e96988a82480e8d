"""Neo-Hookean solids that stay finite when elements collapse or invert.

log-free:    psi = mu/2 (Ic - 3) - mu (J - 1) + (lam + mu)/2 (J - 1)^2, a polynomial of degree 6: exact under AVF
Smith et al. 2018:
             psi = a/2 (Ic - 3) + b/2 (J - c)^2 - a/2 log(Ic + 1) + const,
             a = 4/3 mu, b = lam + 5/6 mu, c = 1 + 3 a / (4 b), so that mu and lam are the moduli at rest
Both: P = f F + g G with G = dJ/dF.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.cofactor import cofactor_slope, cofactors
from supple.materials.kernel import LANES, pair, response_for, tangent_for
from supple.materials.material import Material, Modulus


class LogFreeParameters(NamedTuple):
    mu: object
    lam: object


class SmithParameters(NamedTuple):
    a: object
    b: object
    c: object


@MATERIALS("stable-neo-hookean")
@dataclass(frozen=True)
class StableNeoHookean(Material):
    """Stable neo-Hookean without logarithm: energy exact under AVF with Gauss-3."""

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    Parameters: ClassVar[type] = LogFreeParameters
    degree: ClassVar[int | None] = 6


@MATERIALS("stable-neo-hookean-log")
@dataclass(frozen=True)
class StableNeoHookeanLog(Material):
    """Stable neo-Hookean of Smith, De Goes and Kim (2018)."""

    mu: Annotated[float, Gt(0)]
    """Shear modulus at rest [Pa]."""
    lam: float
    """First Lame constant at rest [Pa]."""

    Parameters: ClassVar[type] = SmithParameters

    def constants(self) -> tuple[Modulus, ...]:
        mu, lam = np.asarray(self.mu), np.asarray(self.lam)
        a, b = 4 / 3 * mu, lam + 5 / 6 * mu
        return a, b, 1 + 0.75 * a / b


@response_for(LogFreeParameters)
def log_free_response(p, elements, F, psi, P):
    W = LANES
    G, J = np.empty(9 * W), np.empty(W)
    cofactors(F, G, J)
    for q in range(W):
        mu, lam, grow = p.mu[elements[q]], p.lam[elements[q]], J[q] - 1.0
        square = 0.0
        volume = (lam + mu) * grow - mu
        for ij in range(0, 9 * W, W):
            square += F[ij + q] * F[ij + q]
            P[ij + q] = mu * F[ij + q] + volume * G[ij + q]
        psi[q] = 0.5 * mu * (square - 3.0) - mu * grow + 0.5 * (lam + mu) * grow * grow


@tangent_for(LogFreeParameters)
def log_free_tangent(p, elements, F, C):
    # C = mu I + (lam + mu) G G + ((lam + mu)(J - 1) - mu) dG/dF
    W = LANES
    G, J = np.empty(9 * W), np.empty(W)
    mu, bulk, slope = np.empty(W), np.empty(W), np.empty(W)
    cofactors(F, G, J)
    for q in range(W):
        mu[q] = p.mu[elements[q]]
        bulk[q] = p.lam[elements[q]] + mu[q]
        slope[q] = bulk[q] * (J[q] - 1.0) - mu[q]
    for r in range(9):
        for c in range(r, 9):
            sign, entry = cofactor_slope(r, c)
            unit = 1.0 if r == c else 0.0
            at = pair(r, c) * W
            for q in range(W):
                C[at + q] = unit * mu[q] + bulk[q] * G[r * W + q] * G[c * W + q] + slope[q] * sign * F[entry * W + q]


@response_for(SmithParameters)
def smith_response(p, elements, F, psi, P):
    W = LANES
    G, J = np.empty(9 * W), np.empty(W)
    cofactors(F, G, J)
    for q in range(W):
        a, b, c = p.a[elements[q]], p.b[elements[q]], p.c[elements[q]]
        square = 0.0
        for ij in range(0, 9 * W, W):
            square += F[ij + q] * F[ij + q]
        soft = a * (1.0 - 1.0 / (square + 1.0))
        volume = b * (J[q] - c)
        for ij in range(0, 9 * W, W):
            P[ij + q] = soft * F[ij + q] + volume * G[ij + q]
        rest = 0.5 * b * (1.0 - c) * (1.0 - c)
        psi[q] = 0.5 * a * (square - 3.0 - np.log((square + 1.0) / 4.0)) + 0.5 * b * (J[q] - c) * (J[q] - c) - rest


@tangent_for(SmithParameters)
def smith_tangent(p, elements, F, C):
    # C = a (1 - 1/(Ic+1)) I + 2a/(Ic+1)^2 F F + b G G + b (J - c) dG/dF
    W = LANES
    G, J = np.empty(9 * W), np.empty(W)
    soft, turn, bulk, slope = np.empty(W), np.empty(W), np.empty(W), np.empty(W)
    cofactors(F, G, J)
    for q in range(W):
        square = 1.0
        for ij in range(0, 9 * W, W):
            square += F[ij + q] * F[ij + q]
        a = p.a[elements[q]]
        soft[q] = a * (1.0 - 1.0 / square)
        turn[q] = 2.0 * a / (square * square)
        bulk[q] = p.b[elements[q]]
        slope[q] = bulk[q] * (J[q] - p.c[elements[q]])
    for r in range(9):
        for c in range(r, 9):
            sign, entry = cofactor_slope(r, c)
            unit = 1.0 if r == c else 0.0
            at = pair(r, c) * W
            for q in range(W):
                C[at + q] = (
                    unit * soft[q]
                    + turn[q] * F[r * W + q] * F[c * W + q]
                    + bulk[q] * G[r * W + q] * G[c * W + q]
                    + slope[q] * sign * F[entry * W + q]
                )
