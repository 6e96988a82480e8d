"""Hencky's energy in principal stretches, on which plastic flow is a projection of logarithms.

F = U diag(s) V^T, e = log s:  psi = mu |e|^2 + lam/2 (sum e)^2,  P = U diag((2 mu e + lam sum e)/s) V^T
Constants of a batch begin with mu and lam. An element that is inverted has no logarithm: psi is infinite there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Lt
from numba import njit

from supple.linalg.small import svd3
from supple.materials.flow.flow import ExplicitLaw, FlowMaterial
from supple.materials.kernel import LANES
from supple.materials.lame import lame
from supple.materials.law import Law


@dataclass(frozen=True)
class PlasticHencky(FlowMaterial):
    """Elastic constants of materials that flow by logarithmic strains."""

    young: Annotated[float, Gt(0)]
    """Young's modulus [Pa]."""
    poisson: Annotated[float, Ge(0), Lt(0.5)]
    """Poisson's ratio [-]."""

    @property
    def law(self) -> Law:
        return LAW

    @property
    def lame(self) -> tuple[float, float]:
        """mu and lam [Pa]."""
        mu, lam = lame(self.young, self.poisson)
        return mu, lam

    @property
    def wave_modulus(self) -> float:
        mu, lam = self.lame
        return float(np.max(np.asarray(lam) + 2.0 * np.asarray(mu)))


def response(constants, F, psi, P):
    W = LANES
    f, u, v, s, t = np.empty(9), np.empty(9), np.empty(9), np.empty(3), np.empty(3)
    for q in range(W):
        mu, lam = constants[q], constants[W + q]
        for ij in range(9):
            f[ij] = F[ij * W + q]
        svd3(f, u, s, v)
        if not s[2] > 0.0:
            psi[q] = np.inf
            for ij in range(9):
                P[ij * W + q] = 0.0
            continue
        e0, e1, e2 = np.log(s[0]), np.log(s[1]), np.log(s[2])
        grow = e0 + e1 + e2
        psi[q] = mu * (e0 * e0 + e1 * e1 + e2 * e2) + 0.5 * lam * grow * grow
        t[0] = (2.0 * mu * e0 + lam * grow) / s[0]
        t[1] = (2.0 * mu * e1 + lam * grow) / s[1]
        t[2] = (2.0 * mu * e2 + lam * grow) / s[2]
        for i in range(3):
            for j in range(3):
                P[(3 * i + j) * W + q] = (
                    t[0] * u[3 * i] * v[3 * j] + t[1] * u[3 * i + 1] * v[3 * j + 1] + t[2] * u[3 * i + 2] * v[3 * j + 2]
                )


LAW = ExplicitLaw(response)


@njit(cache=True, nogil=True)
def hencky(mu, lam, e):
    """psi of logarithmic strains e (3,)."""
    grow = e[0] + e[1] + e[2]
    return mu * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) + 0.5 * lam * grow * grow


@njit(cache=True, nogil=True)
def recompose(u, s, v, F, q):
    """F of lane q = u diag(s) v^T."""
    for i in range(3):
        for j in range(3):
            F[(3 * i + j) * LANES + q] = (
                s[0] * u[3 * i] * v[3 * j] + s[1] * u[3 * i + 1] * v[3 * j + 1] + s[2] * u[3 * i + 2] * v[3 * j + 2]
            )


@njit(cache=True, nogil=True)
def shrink(dg, length, mean, e):
    """e - dg dev(e)/|dev(e)|, with |dev(e)| = length and mean = tr(e)/3."""
    for a in range(3):
        e[a] -= dg * (e[a] - mean) / length
