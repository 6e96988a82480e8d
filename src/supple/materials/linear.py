"""Linear elasticity: small strains only, not rotation invariant.

psi = mu e:e + lam/2 tr(e)^2,  e = (F + F^T)/2 - I;  P = 2 mu e + lam tr(e) I
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.kernel import LANES, pair, response_for, tangent_for
from supple.materials.material import Material


class LinearParameters(NamedTuple):
    mu: object
    lam: object


@MATERIALS("linear")
@dataclass(frozen=True)
class Linear(Material):
    """Hooke's law for small strains; the fastest, but it swells when it rotates."""

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    Parameters: ClassVar[type] = LinearParameters
    degree: ClassVar[int | None] = 2


@response_for(LinearParameters)
def response(p, elements, F, psi, P):
    for q in range(LANES):
        psi[q] = 0.0
        trace = F[q] + F[4 * LANES + q] + F[8 * LANES + q] - 3.0
        mu, lam = p.mu[elements[q]], p.lam[elements[q]]
        for i in range(3):
            for j in range(3):
                e = 0.5 * (F[(3 * i + j) * LANES + q] + F[(3 * j + i) * LANES + q]) - (1.0 if i == j else 0.0)
                P[(3 * i + j) * LANES + q] = 2.0 * mu * e + (lam * trace if i == j else 0.0)
                psi[q] += mu * e * e
        psi[q] += 0.5 * lam * trace * trace


@tangent_for(LinearParameters)
def tangent(p, elements, F, C):
    for r in range(9):
        for c in range(r, 9):
            i, j, k, n = r // 3, r % 3, c // 3, c % 3
            shear = (1.0 if i == k and j == n else 0.0) + (1.0 if i == n and j == k else 0.0)
            bulk = 1.0 if i == j and k == n else 0.0
            for q in range(LANES):
                C[pair(r, c) * LANES + q] = p.mu[elements[q]] * shear + p.lam[elements[q]] * bulk
