"""Invariants: energy, linear and angular momentum. Only free vertices count; prescribed ones have no inertia."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.linalg.fields import kinetic
from supple.types import Array


@dataclass(frozen=True)
class Energies:
    """Energies by ledger column [J]."""

    kinetic: float
    elastic: float
    gravity: float
    other: float

    @property
    def total(self) -> float:
        return self.kinetic + self.elastic + self.gravity + self.other

    @property
    def scale(self) -> float:
        """Reference for relative errors: the total, or the energy in play if the total happens to cancel."""
        return max(abs(self.total), self.kinetic + abs(self.elastic) + abs(self.other))


def energies(system: System, state: State) -> Energies:
    """Energies of a state."""
    return Energies(kinetic_energy(system, state.v), **system.potential.at(state.t).by_group(state.x))


def kinetic_energy(system: System, v: Array) -> float:
    """1/2 v^T M v over the free vertices [J]."""
    return float(kinetic(system.mass, v, system.free))


def momenta(system: System, state: State) -> tuple[Array, Array]:
    """Linear [kg m/s] and angular [kg m^2/s] momentum about the origin."""
    p = system.mass[system.free][:, None] * state.v[system.free]
    return p.sum(axis=0), np.cross(state.x[system.free], p).sum(axis=0)
