"""The rigid part of the motion of particles that carry affine velocities.

    P = sum m v,  L = sum m (r x v + D axial(C)),  I = sum m [(|r|^2 + 2 D) 1 - r r^T],  r = x - centre of mass
    v_r = P/M + omega x r,  C_r = [omega]x,  omega = I^-1 L
This is the projection onto rigid motions in the norm m (|v|^2 + D |C|^2): kinetic energy splits into a rigid part and
the rest, and scaling the rest conserves P and L. Without affine velocities D is 0 here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.types import Array, Ints

THIN = 1e-12
"""Moment of inertia, relative to the largest, below which rotation about an axis is ignored: a row of particles."""


@dataclass(frozen=True)
class Rigid:
    """Groups of particles at one configuration."""

    label: Ints
    """(n,) group of each particle."""
    mass: Array
    arm: Array
    """(n, 3) from the centre of its group [m]."""
    centre: Array
    """(b, 3) [m]."""
    total: Array
    """(b,) [kg]"""
    inverse: Array
    """(b, 3, 3) inverse moments of inertia."""
    D: float

    def momenta(self, v: Array, C: Array) -> tuple[Array, Array]:
        """P and L (b, 3) of each group, L about its centre of mass."""
        spin = np.stack([C[:, 2, 1] - C[:, 1, 2], C[:, 0, 2] - C[:, 2, 0], C[:, 1, 0] - C[:, 0, 1]], axis=1)
        p = self.mass[:, None] * v
        return self._sum(p), self._sum(np.cross(self.arm, p) + self.D * self.mass[:, None] * spin)

    def motion(self, P: Array, L: Array) -> tuple[Array, Array]:
        """v_r (n, 3) and C_r (n, 3, 3) of rigid groups with these momenta."""
        omega = np.einsum("bij,bj->bi", self.inverse, L)
        turn = np.zeros((len(omega), 3, 3))
        turn[:, 2, 1], turn[:, 0, 2], turn[:, 1, 0] = omega.T
        turn -= np.swapaxes(turn, 1, 2)
        each = turn[self.label]
        return (P / self.total[:, None])[self.label] + np.einsum("pij,pj->pi", each, self.arm), each

    def _sum(self, values: Array) -> Array:
        return summed(self.label, values, len(self.total))


def rigid(label: Ints, mass: Array, x: Array, D: float) -> Rigid:
    """Groups with these indices (n,) of particles at x (n, 3)."""
    count = int(label.max()) + 1
    total = np.asarray(np.bincount(label, mass, count), dtype=np.float64)
    centre = summed(label, mass[:, None] * x, count) / total[:, None]
    arm = x - centre[label]
    moment = summed(label, (mass[:, None, None] * arm[:, :, None] * arm[:, None, :]).reshape(-1, 9), count)
    moment = moment.reshape(-1, 3, 3)
    sizes = np.trace(moment, axis1=1, axis2=2) + 2.0 * D * total
    inertia = sizes[:, None, None] * np.eye(3) - moment
    return Rigid(label, mass, arm, centre, total, np.linalg.pinv(inertia, rcond=THIN, hermitian=True), D)


def summed(label: Ints, values: Array, count: int) -> Array:
    """(b, c) sums of values (n, c) in each group."""
    return np.stack([np.bincount(label, column, count) for column in values.T], axis=1)
