"""Densities, stresses and tangents of the shipped membranes, derived by hand: what the formulas must give.

Functions of strains e = (E11, E22, 2 E12) (m, 3) and of the constants of the class, by NumPy.
    quadratic    W = 1/2 e . D e
    logarithmic  W = mu/2 (tr C - 2 - L) + lam/8 L^2,  L = log det C
    rubber       W = mu/2 (tr C + 1/det C - 3)
The last two are mu (e1 + e2) + g(J), J = det C, so that S = mu (1, 1, 0) + g' n with n = dJ/de = 2 (C22, C11, -C12), and
dS/de = g'' n n^T + g' d2J/de2.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from supple.types import Array


class Hand(NamedTuple):
    psi: Array
    S: Array
    D: Array


SECOND = np.array([[0.0, 4.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, -2.0]])


def quadratic(e: Array, p0: float, p1: float, p2: float, p3: float) -> Hand:
    D = np.array([[p0, p1, 0.0], [p1, p2, 0.0], [0.0, 0.0, p3]])
    return Hand(0.5 * np.einsum("mi,ij,mj->m", e, D, e), e @ D, np.broadcast_to(D, (len(e), 3, 3)))


def stvk(e: Array, young: float, poisson: float) -> Hand:
    stiff = young / (1 - poisson**2)
    return quadratic(e, stiff, poisson * stiff, stiff, 0.5 * (1 - poisson) * stiff)


def orthotropic(e: Array, young_warp: float, young_weft: float, shear: float, poisson: float) -> Hand:
    rest = 1 - poisson**2 * young_weft / young_warp
    return quadratic(e, young_warp / rest, poisson * young_weft / rest, young_weft / rest, shear)


def _of_area(e: Array, mu: float, value: Array, slope: Array, curve: Array) -> Hand:
    n = np.stack([2 + 4 * e[:, 1], 2 + 4 * e[:, 0], -2 * e[:, 2]], axis=1)
    D = curve[:, None, None] * n[:, :, None] * n[:, None, :] + slope[:, None, None] * SECOND
    return Hand(mu * (e[:, 0] + e[:, 1]) + value, mu * np.array([1.0, 1.0, 0.0]) + slope[:, None] * n, D)


def _change(e: Array) -> Array:
    return 2 * (e[:, 0] + e[:, 1]) + 4 * e[:, 0] * e[:, 1] - e[:, 2] ** 2


def neo_hookean(e: Array, young: float, poisson: float) -> Hand:
    mu, lam = young / (2 * (1 + poisson)), young * poisson / (1 - poisson**2)
    J, log = 1 + _change(e), np.log1p(_change(e))
    factor = 0.5 * mu - 0.25 * lam * log
    return _of_area(e, mu, -0.5 * mu * log + 0.125 * lam * log**2, -factor / J, (0.25 * lam + factor) / J**2)


def plane_strain_stvk(e: Array, young: float, poisson: float) -> Hand:
    """Lame's constants of the solid: nothing moves across the slice."""
    mu, lam = _lame(young, poisson)
    return quadratic(e, 2 * mu + lam, lam, 2 * mu + lam, mu)


def plane_strain_neo_hookean(e: Array, young: float, poisson: float) -> Hand:
    mu, lam = _lame(young, poisson)
    J, log = 1 + _change(e), np.log1p(_change(e))
    factor = 0.5 * mu - 0.25 * lam * log
    return _of_area(e, mu, -0.5 * mu * log + 0.125 * lam * log**2, -factor / J, (0.25 * lam + factor) / J**2)


def _lame(young: float, poisson: float) -> tuple[float, float]:
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


def rubber(e: Array, young: float) -> Hand:
    mu, change = young / 3, _change(e)
    J = 1 + change
    return _of_area(e, mu, -0.5 * mu * change / J, -0.5 * mu / J**2, mu / J**3)


def fung(e: Array, young_warp: float, young_weft: float, shear: float, poisson: float, stiffening: float) -> Hand:
    """W = c (exp(q/c) - 1), q the quadratic density, c = Yw/(2 b)."""
    q, c = orthotropic(e, young_warp, young_weft, shear, poisson), young_warp / (2 * stiffening)
    grown = np.exp(q.psi / c)
    D = grown[:, None, None] * (q.D + q.S[:, :, None] * q.S[:, None, :] / c)
    return Hand(c * np.expm1(q.psi / c), grown[:, None] * q.S, D)


HANDS: dict[str, Callable[..., Hand]] = {
    "stvk-membrane": stvk,
    "orthotropic-membrane": orthotropic,
    "neo-hookean-membrane": neo_hookean,
    "rubber-membrane": rubber,
    "stvk-plane-strain": plane_strain_stvk,
    "neo-hookean-plane-strain": plane_strain_neo_hookean,
    "fung-membrane": fung,
}
