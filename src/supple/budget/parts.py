"""Moving parts of a system: connected, with at least one vertex that is not prescribed. Each has a separate account.

Scenery, with all vertices prescribed, belongs to no part. A part with prescribed vertices cannot be accelerated as a
whole, but it exchanges energy with the parts it touches and therefore has an account too.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from supple.budget.bodies import held_from_outside
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.dynamics.contact.connected import connected
from supple.dynamics.invariants import Energies, kinetic_energy
from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.energies.term import EnergyTerm
from supple.types import Array, Ints


@dataclass(frozen=True)
class Parts:
    """Moving parts of a system."""

    label: Ints
    """(n,) part index of each vertex, -1 for scenery."""
    mass: Array
    """(p,) [kg]"""
    free: npt.NDArray[np.bool_]
    """(p,) whether no vertex of the part is prescribed."""

    @property
    def count(self) -> int:
        return len(self.mass)

    def summed(self, values: Array) -> Array:
        """(p,) or (p, 3) sums of values at vertices (n,) or (n, 3) over each part; scenery is omitted."""
        out = np.zeros((self.count + 1, *values.shape[1:]))  # the last row is for scenery
        np.add.at(out, self.label, values)
        return out[:-1]

    def at_vertices(self, vectors: Array) -> Array:
        """(n, 3) one vector (p, 3) for all vertices of each part, zero on scenery."""
        return np.concatenate([vectors, np.zeros((1, 3))])[self.label]

    def kinetic(self, system: System, v: Array) -> Array:
        """(p,) kinetic energies [J]."""
        return self.summed(0.5 * system.mass * np.einsum("ni,ni->n", v, v))

    def energies(self, system: System, state: State) -> tuple[Energies, Array]:
        """Energies of a state, and the potential energies (p, 2) of parts: total including contact, and elastic only
        [J]. The contact energy of two parts is booked with the part of the larger index."""
        sums = {"elastic": 0.0, "gravity": 0.0, "other": 0.0}
        out = np.zeros((self.count + 1, 2))
        for term, value, _ in system.potential.at(state.t).contributions(one_sample(state.x)):
            sums[term.group] += value
            own = np.zeros(self.count + 1)
            self._book(term, value, state.x, own)
            out[:, 0] += own
            if term.group == "elastic":
                out[:, 1] += own
        return Energies(kinetic_energy(system, state.v), **sums), out[:-1]

    def _book(self, term: EnergyTerm, value: float, x: Array, out: Array) -> None:
        if isinstance(term, BarrierContact):
            out += term.energies_by(x, self.label, len(out))
            return
        owner = self.label[term.elements].max(axis=1, initial=-1)
        if len(owner) == 0 or (owner == owner[0]).all():
            out[owner[0] if len(owner) else -1] += value
        else:
            np.add.at(out, owner, term.element_values(x))


def find_parts(system: System) -> Parts:
    """The moving parts of a system, found once."""
    if system.potential not in _found:
        _found[system.potential] = _find(system)
    return _found[system.potential]


_found: WeakKeyDictionary[Potential, Parts] = WeakKeyDictionary()


def _find(system: System) -> Parts:
    label = connected(system)
    held = system.motion.held(system.n)
    moving = np.unique(label[~held])
    number = np.full(label.max(initial=-1) + 1, -1, dtype=np.int32)
    number[moving] = np.arange(len(moving))
    label = number[label]
    free = np.full(len(moving), True)
    free[label[(held | held_from_outside(system)) & (label >= 0)]] = False
    mass = np.zeros(len(moving) + 1)
    np.add.at(mass, label, system.mass)
    return Parts(label, mass[:-1], free)
