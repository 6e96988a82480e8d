"""Transfers of velocities from particles to nodes and back.

    to the grid    m_i = sum_p w m_p,   m_i v_i = sum_p w m_p (v_p + C_p r_ip)            (without C: pic, flip)
    back           v_p' = W v' + a (v_p - W v),   C_p' = B(v') + c (C_p - B(v)),   B(v) = sum w v_i r^T / D
    | pic        | no C, a = 0              | loses all motion that the nodes do not share, and angular momentum          |
    | apic       | a = c = 0                | exact on affine motion, conserves angular momentum (Jiang 2015)             |
    | flip       | no C, a = 1 (or a blend) | loses second-order terms in the change of velocities (Brackbill 1986)       |
    | affine-flip| a = c = 1 (or a blend)   | both                                                                        |
    | asflip     | a = 0.97, c = 0          | particles also move by h a (v_p - W v), off the grid's motion (Fei 2021)    |
Positions follow the grid: x_p' = x_p + W u, with u the displacement of the nodes, except for asflip.

A particle has the kinetic energy m/2 (|v|^2 + D |C|^2) and the angular momentum m (x cross v + D axial(C)). Where a step
moves nodes by u = h (v + v')/2, apic takes the skew part of C' from the nodes at the end of the step (Jiang, Schroeder
and Teran 2017); for u = h v' that is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from supple.linalg.reduce import dot
from supple.points import TRANSFERS
from supple.points.grid import Grid
from supple.types import Array

Share = Annotated[float, Ge(0), Le(1)]
PRESSED = -0.001
"""log J below which asflip particles follow the grid's motion: they are in compression."""


class Transfer:
    """A family defined by four parameters; subclasses are frozen dataclasses of their options."""

    name: ClassVar[str]
    affine: ClassVar[bool] = False
    """Whether particles carry an affine velocity field."""
    keeps_angular_momentum: ClassVar[bool] = False
    """To round-off, in steps with u = h v'."""

    @property
    def largest_courant(self) -> float:
        """Fraction of a cell that sound and matter may cross in an explicit substep. Measured on noise in 3D, 400
        substeps: with affine velocities stable at 1.0 and unstable at 1.2; without them stable at 0.8, flip growing at
        0.9."""
        return 1.0 if self.affine else 0.8

    @property
    def kept(self) -> float:
        """a: fraction of its own velocity that a particle keeps in addition to the grid's [-]."""
        return 0.0

    @property
    def kept_affine(self) -> float:
        """c: the same for its affine velocity [-]."""
        return 0.0

    @property
    def strays(self) -> float:
        """Fraction of its own velocity by which a particle deviates from the grid's motion [-]."""
        return 0.0

    def carried(self, C: Array) -> Array:
        """The affine velocities in use: C (n, 3, 3), or none."""
        return C if self.affine else np.zeros_like(C)

    def kinetic(self, mass: Array, v: Array, C: Array, D: float) -> float:
        """Kinetic energy of particles, with the affine part [J]."""
        C = self.carried(C)
        square = np.einsum("pi,pi->p", v, v) + D * np.einsum("pij,pij->p", C, C)
        return 0.5 * dot(mass, square)

    def spin(self, mass: Array, C: Array, D: float) -> Array:
        """(3,) angular momentum of the affine part: sum m D axial(C) [kg m^2/s]."""
        S = D * np.einsum("p,pij->ij", mass, self.carried(C))
        return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])

    def to_grid(self, grid: Grid, mass: Array, v: Array, C: Array) -> tuple[Array, Array]:
        """Masses (N,) and velocities (N, 3) of the nodes. A node with zero weights gets the smallest mass of all and
        stays at rest: no force acts on it, and matrices stay regular."""
        values = np.concatenate([mass[:, None] * v, mass[:, None]], axis=1)
        sums = grid.tiles.given(values, mass[:, None, None] * C if self.affine else None)
        m = sums[:, 3]
        reached = m > 0.0
        m = np.where(reached, m, m[reached].min())
        return m, sums[:, :3] / m[:, None]

    def to_points(self, grid: Grid, old: Array, new: Array, u: Array, v: Array, C: Array) -> tuple[Array, Array]:
        """Velocities (n, 3) and affine ones (n, 3, 3) of particles that had v and C, after node velocities changed from
        `old` to `new` (N, 3) and nodes moved by u (N, 3)."""
        v1, C1 = grid.seen(new)
        v_old, C_old = grid.seen(old) if self.kept or self.kept_affine else (v, C)
        if self.affine and not self.kept_affine:
            C1 = C1 + _turned(grid, new, v1, u)
        return v1 + self.kept * (v - v_old), C1 + self.kept_affine * (C - C_old)

    def strayed(self, grid: Grid, old: Array, v: Array, J: Array, h: float) -> Array:
        """(n, 3) deviation of particles from the grid's motion in a step of h [s]; J (n,) after the step [m]."""
        if not self.strays:
            return np.zeros_like(v)
        free = np.log(np.maximum(J, 1e-300)) >= PRESSED
        return np.where(free, h * self.strays, 0.0)[:, None] * (v - grid.mean(old))


@TRANSFERS("pic")
@dataclass(frozen=True)
class PIC(Transfer):
    """Particle in cell: smooth, and strongly damped."""


@TRANSFERS("apic")
@dataclass(frozen=True)
class APIC(Transfer):
    """Affine particle in cell: low noise, conserves angular momentum."""

    affine: ClassVar[bool] = True
    keeps_angular_momentum: ClassVar[bool] = True


@TRANSFERS("flip")
@dataclass(frozen=True)
class FLIP(Transfer):
    """Fluid implicit particle: little dissipation, but noisy where particles move relative to each other."""

    blend: Share = 1.0
    """Fraction of flip; the rest is pic [-]."""

    @property
    def kept(self) -> float:
        return self.blend


@TRANSFERS("affine-flip")
@dataclass(frozen=True)
class AffineFLIP(Transfer):
    """Flip with affine velocities: the smallest loss without a budget."""

    affine: ClassVar[bool] = True

    blend: Share = 1.0
    """Fraction of flip; the rest is apic [-]."""

    @property
    def kept(self) -> float:
        return self.blend

    @property
    def kept_affine(self) -> float:
        return self.blend


@TRANSFERS("asflip")
@dataclass(frozen=True)
class ASFLIP(Transfer):
    """Affine and separable: sand and splashes that separate."""

    affine: ClassVar[bool] = True

    blend: Share = 0.97
    """Fraction of its own velocity that a particle keeps [-]."""

    @property
    def kept(self) -> float:
        return self.blend

    @property
    def strays(self) -> float:
        return self.blend


def _turned(grid: Grid, new: Array, mean: Array, u: Array) -> Array:
    """(n, 3, 3) change of the skew part of B(v') if arms end at the displaced nodes, r + u_i - W u: the skew part of
    the matrix sum w v'_i (u_i - W u)^T / D, a cross product. mean (n, 3) = W v'."""
    a, b, c = (grid.mean(np.cross(new, u)) - np.cross(mean, grid.mean(u))).T * (0.5 / grid.spline.D)
    zero = np.zeros_like(a)
    return np.stack([zero, c, -b, -c, zero, a, b, -a, zero], axis=1).reshape(-1, 3, 3)
