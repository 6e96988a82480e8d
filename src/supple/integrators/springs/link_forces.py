"""Forces F of links that act through a whole step along frozen directions, such that each link conserves its own energy.

In a step of h the length of link s changes by D_s = b_s - (h^2/2) sum_t T_st F_t, T_st = (u_s . u_t) sum_i c_si c_ti/m_i,
its share of the kinetic energy by -F_s D_s and, while no direction rotates, its potential by kappa D_s (a - l0 +
D_s/2), a the length before. The sum vanishes for F = kappa (a - l0 + D/2), the force of the midpoint, and for D = 0,
which freezes the length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba as nb
import numpy as np

from supple.energies.springs.links import Links
from supple.linalg.factors.plain import sparse_lu
from supple.types import Array

FEW = 64
"""Links up to which dense matrices are faster than sparse ones."""
SWEEPS = 30
SETTLED = 1e-14
"""Largest change of a force per sweep, relative to the largest force, at which sweeping stops."""


@dataclass(frozen=True)
class Rows:
    """A sparse matrix by rows, or a dense one in the same form."""

    start: np.ndarray
    column: np.ndarray
    value: Array

    def times(self, F: Array) -> Array:
        return _times(self.start, self.column, self.value, F)


def coupling(links: Links, inverse_mass: Array) -> Rows:
    """T [1/kg]."""
    s, k = links.c.shape
    number = np.repeat(np.arange(s), 3 * k)
    place = (3 * links.vertices[:, :, None] + np.arange(3)).ravel()
    value = ((np.sqrt(inverse_mass)[links.vertices] * links.c)[:, :, None] * links.u[:, None, :]).ravel()
    if s <= FEW:
        G = np.zeros((s, 3 * len(inverse_mass)))
        np.add.at(G, (number, place), value)
        return Rows(np.arange(s + 1) * s, np.tile(np.arange(s), s), (G @ G.T).ravel())
    from scipy.sparse import coo_array

    G = coo_array((value, (number, place)), shape=(s, 3 * len(inverse_mass))).tocsr()
    T = (G @ G.T).tocsr()
    T.sort_indices()
    return Rows(T.indptr.astype(np.int64), T.indices.astype(np.int64), T.data)


def midpoint_forces(links: Links, T: Rows, b: Array, h: float) -> Array:
    """F = kappa (a - l0 + D/2) of all links at once: (I + diag(kappa) h^2/4 T) F = kappa (a - l0 + b/2).

    With F = sqrt(kappa) y the matrix is I + h^2/4 sqrt(kappa) T sqrt(kappa), symmetric and positive definite.
    """
    root, s = np.sqrt(links.kappa), len(b)
    rhs = root * (links.length - links.rest + 0.5 * b)
    row = np.repeat(np.arange(s), np.diff(T.start))
    value = 0.25 * h * h * root[row] * root[T.column] * T.value
    if len(value) == s * s:
        return root * np.linalg.solve(np.eye(s) + value.reshape(s, s), rhs)
    from scipy.sparse import csc_array, eye_array

    A = csc_array((value, T.column, T.start), shape=(s, s)) + eye_array(s, format="csc")
    symmetric = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
    return root * sparse_lu(A, "springs", permc_spec="MMD_AT_PLUS_A", **symmetric).solve(rhs)


def published_forces(links: Links, T: Rows, b: Array, speed: Array, h: float, F: Array) -> Array:
    """Of both roots of each link, the one whose relative velocity is closer to the free motion of the spring.

    `speed`: relative velocities (s,) before the step. Sweeps over the links start from F.
    """
    F = F.copy()
    _sweep_published(
        T.start, T.column, T.value, b, speed, links.length - links.rest, links.kappa, h, F, SWEEPS, SETTLED
    )
    return F


def velocity_forces(T: Rows, b: Array, constant: Array, h: float, F: Array) -> Array:
    """(h^2/2) T_ss F'^2 - (b_s - (h^2/2) sum_{t != s} T_st F'_t) F' + constant_s = 0 for each link, by Gauss-Seidel sweeps.

    The root nearest to F, the force that moved the link; where there is none, the smallest residual that F' can leave.
    """
    out = F.copy()
    _sweep_velocity(T.start, T.column, 0.5 * h * h * T.value, b, constant, F, out, SWEEPS, SETTLED)
    return out


@nb.njit(cache=True)
def _times(start, column, value, F):
    out = np.zeros_like(F)
    for s in range(len(F)):
        total = 0.0
        for j in range(start[s], start[s + 1]):
            total += value[j] * F[column[j]]
        out[s] = total
    return out


@nb.njit(cache=True)
def _others(start, column, value, F, s):
    """Diagonal entry of row s, and the rest of the row times F."""
    own, others = 0.0, 0.0
    for j in range(start[s], start[s + 1]):
        if column[j] == s:
            own = value[j]
        else:
            others += value[j] * F[column[j]]
    return own, others


@nb.njit(cache=True)
def _sweep_velocity(start, column, value, b, constant, near, F, sweeps, settled):
    for _ in range(sweeps):
        change, size = 0.0, 0.0
        for s in range(len(F)):
            own, others = _others(start, column, value, F, s)
            if own <= 0.0:
                continue
            linear = b[s] - others
            square = linear * linear - 4.0 * own * constant[s]
            if square < 0.0:
                found = 0.5 * linear / own
            else:
                q = 0.5 * (linear + np.copysign(np.sqrt(square), linear))
                found = q / own
                if q != 0.0 and abs(constant[s] / q - near[s]) < abs(found - near[s]):
                    found = constant[s] / q
            change, size = max(change, abs(found - F[s])), max(size, abs(found))
            F[s] = found
        if change <= settled * size:
            break


@nb.njit(cache=True)
def _sweep_published(start, column, value, b, speed, stretch, kappa, h, F, sweeps, settled):
    for _ in range(sweeps):
        change, size = 0.0, 0.0
        for s in range(len(F)):
            own, others = _others(start, column, value, F, s)
            if own <= 0.0 or kappa[s] <= 0.0:
                continue
            ahead = b[s] - 0.5 * h * h * others
            push = (
                2.0 * (ahead - h * speed[s]) / (h * h)
            )  # relative acceleration by everything except the spring itself
            omega = np.sqrt(kappa[s] * own)
            swing = stretch[s] - push / omega**2
            wanted = -swing * omega * np.sin(omega * h) + speed[s] * np.cos(omega * h)
            found = kappa[s] * (stretch[s] + 0.5 * ahead) / (1.0 + 0.25 * kappa[s] * h * h * own)
            frozen = 2.0 * ahead / (h * h * own)
            drift = speed[s] + h * push - wanted
            if abs(drift - h * own * frozen) < abs(drift - h * own * found):
                found = frozen
            change, size = max(change, abs(found - F[s])), max(size, abs(found))
            F[s] = found
        if change <= settled * size:
            break
