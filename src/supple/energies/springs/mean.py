"""Feet of a sliding spring for a whole step: theta0 + tau D, D = theta1 - theta0, 0 <= tau <= 1.

With those feet, |d0|^2 = s0 + tau g0 + tau^2 a0 and |d1|^2 = s1 + (1 - tau) g1 + (1 - tau)^2 a1, since theta0 and
theta1 minimise them. Here a = |sum_a D_a e_a|^2, and g is the slope there, zero unless a foot is clamped at the end of
its edge. tau is where |d1|^2 - |d0|^2 = s1 - s0, that is (1 - tau) g1 + (1 - tau)^2 a1 = tau g0 + tau^2 a0.
"""

from __future__ import annotations

import numpy as np

from supple.energies.springs.kinds import Feet, Kind, bent
from supple.types import Array


def between(feet0: Feet, feet1: Feet) -> tuple[Array, Array]:
    """tau (m,) and the coefficients (m, k) there."""
    a0, a1, g0, g1 = _departures(feet0, feet1)
    b = 2.0 * a1 + g0 + g1
    root = b + np.sqrt(np.maximum(b * b - 4.0 * (a1 - a0) * (a1 + g1), 0.0))
    tau = np.where(root > 0.0, 2.0 * (a1 + g1), 1.0) / np.where(root > 0.0, root, 2.0)
    return tau, feet0.c + tau[:, None] * (feet1.c - feet0.c)


def between_slope(kind: Kind, feet0: Feet, feet1: Feet, tau: Array) -> Array:
    """(m, k, k, 3) derivatives of those coefficients with respect to x1."""
    # dtheta = tau dtheta1 + D dtau, dtheta1 = -(e e^T)^-1 B dx1
    dtheta1 = -np.einsum("mab,mbki->maki", feet1.inverse, bent(kind, feet1))
    D = feet1.theta - feet0.theta
    dtau = _tau_slope(kind, feet0, feet1, tau, dtheta1)
    dtheta = tau[:, None, None, None] * dtheta1 + D[:, :, None, None] * dtau[:, None]
    return np.einsum("ak,malj->mklj", np.asarray(kind.slides), dtheta)


def _departures(feet0: Feet, feet1: Feet) -> tuple[Array, Array, Array, Array]:
    """a0, a1, g0, g1."""
    D = feet1.theta - feet0.theta
    y0, y1 = np.einsum("ma,mai->mi", D, feet0.e), np.einsum("ma,mai->mi", D, feet1.e)
    g0 = 2.0 * np.einsum("ma,mai,mi->m", np.where(feet0.free, 0.0, D), feet0.e, feet0.d)
    g1 = -2.0 * np.einsum("ma,mai,mi->m", np.where(feet1.free, 0.0, D), feet1.e, feet1.d)
    return (
        np.einsum("mi,mi->m", y0, y0),
        np.einsum("mi,mi->m", y1, y1),
        np.maximum(g0, 0.0),
        np.maximum(g1, 0.0),
    )


def _tau_slope(kind: Kind, feet0: Feet, feet1: Feet, tau: Array, dtheta1: Array) -> Array:
    """(m, k, 3) dtau/dx1, from the equation of tau."""
    slides, D = np.asarray(kind.slides), feet1.theta - feet0.theta
    y0, y1 = np.einsum("ma,mai->mi", D, feet0.e), np.einsum("ma,mai->mi", D, feet1.e)
    da0 = 2.0 * np.einsum("mi,mai,malj->mlj", y0, feet0.e, dtheta1)
    da1 = 2.0 * np.einsum("mi,mai,malj->mlj", y1, feet1.e, dtheta1) + 2.0 * np.einsum("ma,al,mj->mlj", D, slides, y1)
    dg0 = 2.0 * np.einsum("ma,mai,mi,malj->mlj", np.where(feet0.free, 0.0, 1.0), feet0.e, feet0.d, dtheta1)
    # a foot that is clamped at the end of the step has dtheta1 = 0
    held = np.where(feet1.free, 0.0, D)
    dd1 = np.einsum("mk,ij->mikj", feet1.c, np.eye(3)) + np.einsum("mai,malj->milj", feet1.e, dtheta1)
    dg1 = -2.0 * np.einsum("ma,al,mj->mlj", held, slides, feet1.d)
    dg1 -= 2.0 * np.einsum("ma,mai,milj->mlj", held, feet1.e, dd1)
    a0, a1, g0, g1 = _departures(feet0, feet1)
    steep = g0 + g1 + 2.0 * (1.0 - tau) * a1 + 2.0 * tau * a0
    weight = np.where(steep > 0.0, 1.0, 0.0) / np.where(steep > 0.0, steep, 1.0)
    rest, tau = (1.0 - tau)[:, None, None], tau[:, None, None]
    return weight[:, None, None] * (rest * dg1 + rest**2 * da1 - tau * dg0 - tau**2 * da0)
