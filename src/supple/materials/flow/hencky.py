"""Hencky's energy in principal stretches, on which plastic flow is a projection of logarithms.

F = U diag(s) V^T, e = log s:  psi = mu |e|^2 + lam/2 (sum e)^2,  P = U diag((2 mu e + lam sum e)/s) V^T
Constants of a batch begin with mu and lam. The logarithm is undefined for an inverted element: psi is infinite there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Lt
from numba import njit

from supple.materials.flow.flow import ExplicitLaw, FlowMaterial
from supple.materials.kernel import LANES
from supple.materials.lame import lame
from supple.materials.law import Law


@dataclass(frozen=True)
class PlasticHencky(FlowMaterial):
    """Elastic constants of materials with flow in logarithmic strains."""

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


def density(constants, e, psi, slopes):
    W = LANES
    for q in range(W):
        mu, lam = constants[q], constants[W + q]
        if not (e[2 * W + q] > -1.0 and e[q] < np.inf):
            psi[q] = np.inf
            slopes[q] = slopes[W + q] = slopes[2 * W + q] = 0.0
            continue
        e0, e1, e2 = np.log1p(e[q]), np.log1p(e[W + q]), np.log1p(e[2 * W + q])
        grow = e0 + e1 + e2
        psi[q] = mu * (e0 * e0 + e1 * e1 + e2 * e2) + 0.5 * lam * grow * grow
        slopes[q] = (2.0 * mu * e0 + lam * grow) / (1.0 + e[q])
        slopes[W + q] = (2.0 * mu * e1 + lam * grow) / (1.0 + e[W + q])
        slopes[2 * W + q] = (2.0 * mu * e2 + lam * grow) / (1.0 + e[2 * W + q])


LAW = ExplicitLaw(density)


@njit(cache=True, nogil=True)
def hencky(mu, lam, e):
    """psi of logarithmic strains e (3,)."""
    grow = e[0] + e[1] + e[2]
    return mu * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) + 0.5 * lam * grow * grow


@njit(cache=True, nogil=True)
def logarithms(e, q, out):
    """out (3,) = log(1 + e) of lane q; returns whether they exist: not if F is inverted or NaN."""
    if not (e[2 * LANES + q] > -1.0 and e[q] < np.inf):
        return False
    for a in range(3):
        out[a] = np.log1p(e[a * LANES + q])
    return True


@njit(cache=True, nogil=True)
def recompose(U, s, V, F, q):
    """F of lane q = U diag(s) V^T."""
    W = LANES
    for i in range(3):
        for j in range(3):
            F[(3 * i + j) * W + q] = (
                s[0] * U[3 * i * W + q] * V[3 * j * W + q]
                + s[1] * U[(3 * i + 1) * W + q] * V[(3 * j + 1) * W + q]
                + s[2] * U[(3 * i + 2) * W + q] * V[(3 * j + 2) * W + q]
            )


@njit(cache=True, nogil=True)
def deviation(e):
    """|dev(e)| and tr(e)/3."""
    mean = (e[0] + e[1] + e[2]) / 3.0
    return np.sqrt((e[0] - mean) ** 2 + (e[1] - mean) ** 2 + (e[2] - mean) ** 2), mean


@njit(cache=True, nogil=True)
def yielded(mu, lam, dg, length, mean, e, U, V, F, q):
    """Flow in lane q from e to e - dg dev(e)/|dev(e)|, with |dev(e)| = length and mean = tr(e)/3; returns the
    dissipated energy. e is overwritten."""
    before = hencky(mu, lam, e)
    for a in range(3):
        e[a] -= dg * (e[a] - mean) / length
    taken = before - hencky(mu, lam, e)
    for a in range(3):
        e[a] = np.exp(e[a])
    recompose(U, e, V, F, q)
    return taken
