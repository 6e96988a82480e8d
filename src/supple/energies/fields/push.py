"""A force that depends on position and time and need not be a gradient: f_i = w_i a(x_i, t).

It has no energy. Within a step it is the plain term V_s = -sum_i f_i . (x_i - x0_i) with f frozen at the position and
time of the step. Its work is therefore exactly f . (x1 - x0), which the ledger books in a separate column
(energies/drive.py). Methods that evaluate forces at states evaluate it there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from supple.energies.drive import Drive
from supple.energies.instant import Instant
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.types import Array

Pushing: TypeAlias = Callable[[Array, float], Array]
"""Positions (m, 3) [m] and time [s] -> forces on a weight of 1 (m, 3)."""


class Push(EnergyTerm):
    """Vertices in a force field at one time; as part of a system it requires its drive."""

    degree = 1

    def __init__(self, weights: Array, pushing: Pushing, column: str, t: float = 0.0) -> None:
        """weights (n,) of all vertices, zero for unaffected ones; `column`: name of its work."""
        self.elements = np.flatnonzero(weights).astype(np.int32)[:, None]
        self.weights: Array = np.ascontiguousarray(weights[self.elements[:, 0]], dtype=np.float64)
        self.drive: Drive | None = PushDrive(column)
        self.t = t
        self._pushing = pushing

    def at_time(self, t: float) -> Push:
        """The same term at a given time, without a drive."""
        now = copy.copy(self)
        now.drive, now.t = None, t
        return now

    def frozen_at(self, instant: Instant) -> SteadyPush:
        """The plain term of a step."""
        return SteadyPush(self, self.forces(instant.place, instant.t), instant.x0[self.elements[:, 0]])

    def forces(self, x: Array, t: float) -> Array:
        """(m, 3) [N]"""
        places = x[self.elements[:, 0]]
        a = np.asarray(self._pushing(places, t), dtype=np.float64)
        if a.shape != places.shape or np.isfinite(places).all() > np.isfinite(a).all():
            found = f"shape {a.shape}" if a.shape != places.shape else "values that are not finite"
            raise SuppleError(
                f"a force field must return a finite force at each position; found {found} at t = {t:g} s"
            )
        return np.asarray(self.weights[:, None] * a)

    def element_values(self, x: Array) -> Array:
        return np.zeros(len(self.elements))

    def element_gradients(self, x: Array) -> Array:
        return -self.forces(x, self.t)[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        return np.zeros((len(self.elements), 3, 3))


class SteadyPush(EnergyTerm):
    """Constant forces, with an energy that is zero at the start of the step."""

    degree = 1

    def __init__(self, of: Push, forces: Array, origin: Array) -> None:
        """forces (m, 3) [N], origin (m, 3) [m]."""
        self.elements = of.elements
        self._forces, self._origin = forces, origin

    def element_values(self, x: Array) -> Array:
        return -np.einsum("mi,mi->m", self._forces, x[self.elements[:, 0]] - self._origin)

    def element_gradients(self, x: Array) -> Array:
        return -self._forces[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        return np.zeros((len(self.elements), 3, 3))

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """Nothing to add."""

    def add_product(self, samples: Samples, parts: Parts, move: Array, out: Array) -> None:
        """Nothing to add."""


@dataclass(frozen=True)
class PushDrive(Drive):
    """The effect of a force field within a step."""

    column: str

    def at(self, term: EnergyTerm, t: float) -> EnergyTerm:
        assert isinstance(term, Push)
        return term.at_time(t)

    def during(self, term: EnergyTerm, instant: Instant) -> EnergyTerm:
        assert isinstance(term, Push)
        return term.frozen_at(instant)
