"""The rigid part of a motion: the velocities of a rigid body with the same momenta.

P = sum m v,  L = sum m r x v,  r = x - centre of mass;  V = P/m,  omega = I^-1 L,  v_rig = V + omega x r
Uniform forces exert no torque about a body's centre of mass.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numba import njit

from supple.budget.bodies import Bodies
from supple.types import Array, Ints

THIN = 1e-12
"""Moment of inertia, relative to the largest, below which rotation about an axis is ignored: a row of particles."""


class Rigid:
    """Some bodies at one configuration."""

    def __init__(self, bodies: Bodies, mass: Array, x: Array) -> None:
        """mass (n,) [kg]; x (n, 3) [m]."""
        self._label, self._mass, self._x = bodies.label, mass, x
        self._total, self.centre = np.zeros((bodies.count, 1)), np.zeros((bodies.count, 3))
        add_centres(self._label, mass, x, self._total, self.centre)
        self.centre /= self._total

    def momenta(self, v: Array) -> tuple[Array, Array]:
        """Linear and angular momentum of each body (b, 3), about its own centre of mass [kg m/s, kg m^2/s]."""
        return self.net(self._mass[:, None] * v)

    def net(self, field: Array) -> tuple[Array, Array]:
        """Sum and moment of a field (n, 3) over each body (b, 3): the net force and torque of a force [N, N m]."""
        total, moment = np.zeros_like(self.centre), np.zeros_like(self.centre)
        add_resultants(self._label, self.centre, self._x, field, total, moment)
        return total, moment

    def velocity(self, P: Array, L: Array) -> Array:
        """(n, 3) velocities of rigid bodies with these momenta, zero elsewhere [m/s]."""
        omega = np.einsum("bij,bj->bi", self._inverse_inertia, L)
        v = np.zeros_like(self._x)
        set_rigid(self._label, self.centre, self._x, P / self._total, omega, v)
        return v

    def path(self, P: Array, h: float) -> Array:
        """(b, 3) displacements of bodies in the time h [s] with these momenta [m]."""
        return h * P / self._total

    def uniform(self, vectors: Array) -> Array:
        """(n, 3) one vector (b, 3) for all vertices of each body, zero elsewhere."""
        field = np.zeros_like(self._x)
        set_rigid(self._label, self.centre, self._x, vectors, np.zeros_like(vectors), field)
        return field

    @cached_property
    def _inverse_inertia(self) -> Array:
        moment = np.zeros((len(self.centre), 3, 3))
        add_moments(self._label, self.centre, self._mass, self._x, moment)
        inertia = np.trace(moment, axis1=1, axis2=2)[:, None, None] * np.eye(3) - moment
        return np.linalg.pinv(inertia, rcond=THIN, hermitian=True)


@njit(cache=True, nogil=True)
def add_centres(label: Ints, mass: Array, x: Array, total: Array, centre: Array) -> None:
    """total (b, 1) += m, centre (b, 3) += m x."""
    for v in range(label.size):
        b = label[v]
        if b >= 0:
            total[b, 0] += mass[v]
            for i in range(3):
                centre[b, i] += mass[v] * x[v, i]


@njit(cache=True, nogil=True)
def add_resultants(label: Ints, centre: Array, x: Array, field: Array, total: Array, moment: Array) -> None:
    """total (b, 3) += field, moment (b, 3) += r x field."""
    for v in range(label.size):
        b = label[v]
        if b >= 0:
            r0, r1, r2 = x[v, 0] - centre[b, 0], x[v, 1] - centre[b, 1], x[v, 2] - centre[b, 2]
            f0, f1, f2 = field[v, 0], field[v, 1], field[v, 2]
            total[b, 0] += f0
            total[b, 1] += f1
            total[b, 2] += f2
            moment[b, 0] += r1 * f2 - r2 * f1
            moment[b, 1] += r2 * f0 - r0 * f2
            moment[b, 2] += r0 * f1 - r1 * f0


@njit(cache=True, nogil=True)
def add_moments(label: Ints, centre: Array, mass: Array, x: Array, moment: Array) -> None:
    """moment (b, 3, 3) += m r r^T."""
    for v in range(label.size):
        b = label[v]
        if b >= 0:
            for i in range(3):
                for j in range(3):
                    moment[b, i, j] += mass[v] * (x[v, i] - centre[b, i]) * (x[v, j] - centre[b, j])


@njit(cache=True, nogil=True)
def set_rigid(label: Ints, centre: Array, x: Array, V: Array, omega: Array, out: Array) -> None:
    """out (n, 3) = V + omega x r on the vertices of bodies."""
    for v in range(label.size):
        b = label[v]
        if b >= 0:
            r0, r1, r2 = x[v, 0] - centre[b, 0], x[v, 1] - centre[b, 1], x[v, 2] - centre[b, 2]
            out[v, 0] = V[b, 0] + omega[b, 1] * r2 - omega[b, 2] * r1
            out[v, 1] = V[b, 1] + omega[b, 2] * r0 - omega[b, 0] * r2
            out[v, 2] = V[b, 2] + omega[b, 0] * r1 - omega[b, 1] * r0
