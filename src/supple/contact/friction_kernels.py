"""Energies, forces and second derivatives of frozen friction, contact by contact in the order of the list (see friction.py)."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, inline="always")
def _law(y, e):
    """f0, s/y and s' at a speed y, with the creep speed e."""
    if y < e:
        return y * y / e - y**3 / (3.0 * e * e), 2.0 / e - y / (e * e), 2.0 / e - 2.0 * y / (e * e)
    return y - e / 3.0, 1.0 / y, 0.0


@njit(cache=True, nogil=True, inline="always")
def _sliding(v, corners, c, n, factor, shift, u):
    """u = factor (I - n n^T) sum_a c_a v_a - shift; returns its length."""
    for i in range(3):
        u[i] = 0.0
        for a in range(len(corners)):
            u[i] += c[a] * v[corners[a], i]
    along = u[0] * n[0] + u[1] * n[1] + u[2] * n[2]
    square = 0.0
    for i in range(3):
        u[i] = factor * (u[i] - along * n[i]) - shift[i]
        square += u[i] * u[i]
    return np.sqrt(square)


@njit(cache=True, nogil=True)
def slips(v, corners, c, normal, strength, factor, shift):
    """u (m, 3) and |u| (m,) at velocities v (n, 3)."""
    u, y = np.empty((len(corners), 3)), np.empty(len(corners))
    for e in range(len(corners)):
        y[e] = _sliding(v, corners[e], c[e], normal[e], factor[e], shift[e], u[e])
    return u, y


@njit(cache=True, nogil=True)
def endings(v, corners, c, normal, strength, factor, shift, stopped):
    """factor (m,) and shift (m, 3) with which contacts slower than `stopped` at velocities v (n, 3) are evaluated at 2 v' - v."""
    m = len(corners)
    twice, own, u = np.ones(m), np.zeros((m, 3)), np.empty(3)
    for e in range(m):
        if _sliding(v, corners[e], c[e], normal[e], factor[e], shift[e], u) < stopped[e]:
            twice[e], own[e] = 2.0, u
    return twice, own


@njit(cache=True, nogil=True)
def mean_coefficients(mu, corners, c):
    """(m,) coefficients of contacts, from those of vertices mu (n,): the means of their two sides."""
    out = np.empty(len(corners))
    for e in range(len(corners)):
        total = share = 0.0
        for a in range(corners.shape[1]):
            total += abs(c[e, a]) * mu[corners[e, a]]
            share += abs(c[e, a])
        out[e] = total / max(share, 1e-300)
    return out


@njit(cache=True, nogil=True, error_model="numpy")
def stopped_speeds(mass, corners, c, strength, h, creep):
    """(m,) speeds that friction can stop within a step, at least the creep speed."""
    out = np.empty(len(corners))
    for e in range(len(corners)):
        lightness = 0.0
        for a in range(corners.shape[1]):
            lightness += c[e, a] * c[e, a] / mass[corners[e, a]]
        out[e] = max(creep, h * strength[e] * lightness)
    return out


@njit(cache=True, nogil=True)
def end_matrices(v, corners, c, normal, strength, factor, shift, creep, mu, slope):
    """(m, 3k, 3k) derivatives of forces at velocities v (n, 3) through the normal forces, with derivatives `slope` (m, k, 3)."""
    m, k = corners.shape
    out, u = np.empty((m, 3 * k, 3 * k)), np.empty(3)
    for e in range(m):
        ratio = _law(_sliding(v, corners[e], c[e], normal[e], factor[e], shift[e], u), creep)[1]
        for a in range(k):
            for i in range(3):
                pull = mu[e] * ratio * c[e, a] * u[i]
                for b in range(k):
                    for j in range(3):
                        out[e, 3 * a + i, 3 * b + j] = pull * slope[e, b, j]
    return out


@njit(cache=True, nogil=True)
def add_friction(v, corners, c, normal, strength, factor, shift, creep, force, gradient):
    """Sum of the energies at velocities v (n, 3); `gradient` (n, 3) += force times theirs."""
    u, total = np.empty(3), 0.0
    for e in range(len(corners)):
        y = _sliding(v, corners[e], c[e], normal[e], factor[e], shift[e], u)
        f0, ratio, _ = _law(y, creep)
        total += strength[e] / factor[e] * f0
        pull = force * strength[e] * ratio
        for a in range(corners.shape[1]):
            for i in range(3):
                gradient[corners[e, a], i] += pull * c[e, a] * u[i]
    return total


@njit(cache=True, nogil=True)
def pulls(v, corners, c, normal, strength, factor, shift, creep):
    """(m, 3) s u/y at velocities v (n, 3)."""
    out, u = np.empty((len(corners), 3)), np.empty(3)
    for e in range(len(corners)):
        ratio = _law(_sliding(v, corners[e], c[e], normal[e], factor[e], shift[e], u), creep)[1]
        for i in range(3):
            out[e, i] = ratio * u[i]
    return out


@njit(cache=True, nogil=True)
def predicted_pulls(v0, v, corners, c, normal, strength, factor, shift, creep, w):
    """(m, 3) w at v (n, 3) after Newton's step from v0, where it was w, for the equation w y/s = u; never longer than 1."""
    out, u0, u = np.empty_like(w), np.empty(3), np.empty(3)
    for e in range(len(corners)):
        y = _sliding(v0, corners[e], c[e], normal[e], factor[e], shift[e], u0)
        _sliding(v, corners[e], c[e], normal[e], factor[e], shift[e], u)
        _, ratio, along = _law(y, creep)
        turn = u0[0] * (u[0] - u0[0]) + u0[1] * (u[1] - u0[1]) + u0[2] * (u[2] - u0[2])
        turn *= (along - ratio) / (ratio * max(y * y, 1e-300))
        square = 0.0
        for i in range(3):
            out[e, i] = ratio * u[i] + turn * w[e, i]
            square += out[e, i] * out[e, i]
        if square > 1.0:
            for i in range(3):
                out[e, i] /= np.sqrt(square)
    return out


@njit(cache=True, nogil=True)
def friction_hessians(v, corners, c, normal, strength, factor, shift, creep, curvature, w):
    """(m, 3k, 3k) second derivatives times `curvature` where w (m, 3) is s u/y, otherwise as in friction.py."""
    m, k = corners.shape
    out, u, inner = np.empty((m, 3 * k, 3 * k)), np.empty(3), np.empty((3, 3))
    for e in range(m):
        y = _sliding(v, corners[e], c[e], normal[e], factor[e], shift[e], u)
        _, ratio, along = _law(y, creep)
        bent = 0.5 * (along - ratio) / (ratio * max(y * y, 1e-300))
        scale = curvature * strength[e] * factor[e]
        for i in range(3):
            for j in range(3):
                plane = (1.0 if i == j else 0.0) - normal[e, i] * normal[e, j]
                inner[i, j] = scale * (ratio * plane + bent * (w[e, i] * u[j] + u[i] * w[e, j]))
        for a in range(k):
            for b in range(k):
                both = c[e, a] * c[e, b]
                for i in range(3):
                    for j in range(3):
                        out[e, 3 * a + i, 3 * b + j] = both * inner[i, j]
    return out
