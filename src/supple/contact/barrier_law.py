"""The logarithmic barrier of a distance, phi = kappa b(d) with reach dhat (Li et al. 2020, of d instead of its square):

    b   = -(d - dhat)^2 ln(d/dhat)                                    0 < d < dhat;  infinite for d <= 0
    b'  = -2 (d - dhat) ln(d/dhat) - (d - dhat)^2/d                   <= 0
    b'' = -2 ln(d/dhat) - 4 (d - dhat)/d + (d - dhat)^2/d^2           >= 0;  b, b', b'' -> 0 at dhat
Over a step from m0 to m1, both below dhat, with D = m1 - m0 and L = ln(1 + D/m0)/D, every term of

    q      = -kappa [ (m1 - dhat)^2 L + (m0 + m1 - 2 dhat) ln(m0/dhat) ]
    dq/dm1 = -kappa [ 2 (m1 - dhat) L + (m1 - dhat)^2 dL/dD + ln(m0/dhat) ]
has the same sign. q falls without bound as m1 -> 0, but only like ln m1, so Psi stays finite there: penetration is
prevented by limiting the step length, not by the energy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.contact.laws import CLOSE, GAUSS, Law, positive
from supple.types import Array

FAR = 8.0
"""m0/dhat above which Psi is a series in dhat/m0: the closed form would subtract values (m0/dhat)^2 times as large."""
TERMS = 20


@dataclass(frozen=True)
class Barrier(Law):
    """Grows without bound before the surface is reached: surfaces never touch."""

    kappa: float
    """Stiffness of a vertex of weight 1 [N/m]."""
    dhat: float
    """Reach [m]."""
    keeps_apart: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive("barrier.kappa", self.kappa)
        positive("barrier.dhat", self.dhat)

    @property
    def reach(self) -> float:
        return self.dhat

    def value(self, d: Array) -> Array:
        m = self._clipped(d)
        return np.where(d > 0.0, -self.kappa * (m - self.dhat) ** 2 * np.log(m / self.dhat), np.inf)

    def slope(self, d: Array) -> Array:
        m = self._clipped(d)
        e = m - self.dhat
        return -self.kappa * e * (2.0 * np.log(m / self.dhat) + e / m)

    def curvature(self, d: Array) -> Array:
        m = self._clipped(d)
        e = (m - self.dhat) / m
        return self.kappa * (-2.0 * np.log(m / self.dhat) + e * (e - 4.0))

    def quotient(self, m0: Array, m1: Array) -> tuple[Array, Array]:
        m0, m1 = self._clipped(m0), self._clipped(m1)
        L, dL = _logarithmic(m0, m1)
        e0, e1, log0 = m0 - self.dhat, m1 - self.dhat, np.log(m0 / self.dhat)
        q = -self.kappa * (e1 * e1 * L + (e0 + e1) * log0)
        return q, -self.kappa * (e1 * (2.0 * L + e1 * dL) + log0)

    def within(self, d0: Array, d1: Array) -> Array:
        r, t = np.where(d0 > 0.0, d0, self.dhat) / self.dhat, self._clipped(d1) / self.dhat
        psi, far = np.empty_like(t), r > FAR
        for chosen, form in ((far, _series), (~far, _closed)):
            if chosen.any():
                psi[chosen] = form(r[chosen], t[chosen])
        return np.where((d0 > 0.0) & (d1 > 0.0), self.kappa * self.dhat**2 * psi, np.inf)

    def _clipped(self, d: Array) -> Array:
        """d up to dhat; gaps that are not positive are replaced by dhat, where the law vanishes."""
        return np.where(d > 0.0, np.minimum(d, self.dhat), self.dhat)


def _logarithmic(m0: Array, m1: Array) -> tuple[Array, Array]:
    """L = ln(m1/m0)/D = int ds/(m0 + s D) and dL/dD = -int s ds/(m0 + s D)^2, D = m1 - m0."""
    z = m1 / m0 - 1.0
    near = np.abs(z) < CLOSE
    u, far = np.where(near, z, 0.0), np.where(near, 1.0, z)
    nodes = [(c, w, 1.0 / (1.0 + c * u)) for c, w in zip(GAUSS.nodes, GAUSS.weights, strict=True)]
    with np.errstate(divide="ignore", invalid="ignore"):  # m1 = 0: infinite, and the search backtracks
        L = np.where(near, sum(w * f for _, w, f in nodes), np.log1p(far) / far)
        dL = np.where(near, -sum(w * c * f * f for c, w, f in nodes), (1.0 / (1.0 + far) - L) / far)
    return L / m0, dL / m0**2


def _closed(r: Array, t: Array) -> Array:
    """Psi/(kappa dhat^2) = A(t) - A(1) of t = d1/dhat and r = d0/dhat."""
    return _antiderivative(r, t) - _antiderivative(r, np.ones_like(t))


def _antiderivative(r: Array, t: Array) -> Array:
    """A = -[ (t^2/2 + c t) ln t - t^2/4 - c t + (r - 1)^2 (ln(t/min(r, 1)) ln|1 - t/r| + Re Li2(t/r)) ], c = r - 2."""
    from scipy.special import spence  # takes a tenth of a second, which scenes without contact need not spend

    c, y = r - 2.0, t / r
    apart = np.abs(1.0 - y)
    product = np.log(t / np.minimum(r, 1.0)) * np.log(np.where(apart > 0.0, apart, 1.0))
    # Re Li2(y) for y > 1 by the inversion pi^2/3 - ln(y)^2/2 - Li2(1/y)
    low, high = np.minimum(y, 1.0), np.maximum(y, 1.0)
    dilogarithm = np.where(
        y <= 1.0, spence(1.0 - low), np.pi**2 / 3.0 - 0.5 * np.log(high) ** 2 - spence(1.0 - 1.0 / high)
    )
    return -(t * (0.5 * t + c) * np.log(t) - t * (0.25 * t + c) + (r - 1.0) ** 2 * (product + dilogarithm))


def _series(r: Array, t: Array) -> Array:
    """Psi/(kappa dhat^2) = -int_t^1 (s - 1)^2 ln s/(r - s) ds = -sum_k r^(-k-1) int_t^1 (s - 1)^2 s^k ln s ds, r > 1."""
    log_t = np.log(t)
    # I_j = int_t^1 s^j ln s ds = [ t^(j+1) (1 - (j + 1) ln t) - 1 ]/(j + 1)^2
    moments = [(t**j * (1.0 - j * log_t) - 1.0) / j**2 for j in range(1, TERMS + 3)]
    total = np.zeros_like(t)
    for k in reversed(range(TERMS)):
        total = (total + moments[k] - 2.0 * moments[k + 1] + moments[k + 2]) / r
    return -total
