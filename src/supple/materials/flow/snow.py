"""Snow (Stomakhin 2013): corotated elasticity within narrow limits of stretch, harder after compression.

k = exp(xi (1 - Jp)) within exp(+-5),   psi = k [mu |s - 1|^2 + lam/2 (J - 1)^2]
s clipped to [1 - compression, 1 + stretch],   Jp *= prod s_old / prod s_new
Hardening changes psi at fixed F: it adds or removes energy, which the ledger shows in a separate column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt, Lt
from numba import njit

from supple.materials.flow import FLOWS
from supple.materials.flow.flow import ExplicitLaw, PrincipalReturn, Return, largest_stretch
from supple.materials.flow.hencky import PlasticHencky, recompose
from supple.materials.kernel import LANES
from supple.materials.law import Law
from supple.materials.material import Modulus
from supple.types import Array

BOUND = 5.0
"""Largest logarithm of the hardening."""


@FLOWS("snow")
@dataclass(frozen=True)
class Snow(PlasticHencky):
    """Packs under compression and breaks apart under tension."""

    remembers: ClassVar[int] = 1

    compression: Annotated[float, Gt(0), Lt(1)] = 0.025
    """Largest elastic shortening [-]."""
    stretch: Annotated[float, Gt(0)] = 0.0075
    """Largest elastic elongation [-]."""
    hardening: Annotated[float, Ge(0)] = 10.0
    """xi: rate of stiffening by packing [-]."""

    def constants(self) -> dict[str, Modulus]:
        mu, lam = self.lame
        return {
            "mu": mu, "lam": lam, "low": 1.0 - self.compression, "high": 1.0 + self.stretch, "xi": self.hardening, "Jp": 1.0,
        }  # fmt: skip

    @property
    def law(self) -> Law:
        return LAW

    @property
    def returns(self) -> Return:
        return RETURN

    def stiffening(self, F: Array, history: Array) -> float:
        hardest = np.clip(np.max(self.hardening) * (1.0 - history[:, 0].min(initial=1.0)), -BOUND, BOUND)
        return largest_stretch(F) * float(np.exp(0.5 * hardest))


@njit(cache=True, nogil=True)
def harder(xi, Jp):
    """k."""
    return np.exp(min(max(xi * (1.0 - Jp), -BOUND), BOUND))


@njit(cache=True, nogil=True)
def soft(mu, lam, s):
    """psi/k."""
    J = s[0] * s[1] * s[2]
    return mu * ((s[0] - 1.0) ** 2 + (s[1] - 1.0) ** 2 + (s[2] - 1.0) ** 2) + 0.5 * lam * (J - 1.0) ** 2


def density(constants, e, psi, slopes):
    W = LANES
    s = np.empty(3)
    for q in range(W):
        mu, lam, k = constants[q], constants[W + q], harder(constants[4 * W + q], constants[5 * W + q])
        for a in range(3):
            s[a] = 1.0 + e[a * W + q]
        psi[q] = k * soft(mu, lam, s)
        J = s[0] * s[1] * s[2]
        for a in range(3):
            slopes[a * W + q] = k * (2.0 * mu * (s[a] - 1.0) + lam * (J - 1.0) * s[(a + 1) % 3] * s[(a + 2) % 3])


def flow(constants, e, U, V, F, taken):
    W = LANES
    s, before = np.empty(3), np.empty(3)
    for q in range(W):
        taken[q] = taken[W + q] = 0.0
        mu, lam, low, high = constants[q], constants[W + q], constants[2 * W + q], constants[3 * W + q]
        xi, Jp = constants[4 * W + q], constants[5 * W + q]
        if not e[q] < np.inf:  # F is NaN
            continue
        for a in range(3):
            s[a] = 1.0 + e[a * W + q]
        flows = False
        for a in range(3):
            before[a] = s[a]
            s[a] = min(max(s[a], low), high)
            flows = flows or s[a] != before[a]
        if flows:
            k = harder(xi, Jp)
            kept = soft(mu, lam, s)
            taken[q] = k * (soft(mu, lam, before) - kept)
            Jp *= before[0] * before[1] * before[2] / (s[0] * s[1] * s[2])
            constants[5 * W + q] = Jp
            taken[W + q] = (harder(xi, Jp) - k) * kept
            recompose(U, s, V, F, q)


LAW = ExplicitLaw(density)
RETURN = PrincipalReturn(flow)
