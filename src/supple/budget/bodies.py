"""Free bodies of a system, connected and without prescribed vertices, and the external forces on them."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from supple.dynamics.contact.connected import connected
from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.instant import Instant
from supple.types import Array, Ints


@dataclass(frozen=True)
class Bodies:
    """Free bodies of a system."""

    label: Ints
    """(n,) body index of each vertex, -1 for vertices of constrained bodies and for single vertices."""
    count: int

    def without(self, vertices: Ints | None) -> Bodies:
        """The bodies that contain none of these vertices."""
        if vertices is None or not len(vertices):
            return self
        return Bodies(*_numbered(self.label, self.label[vertices]))

    def force(self, system: System, old: State, new: State, h: float) -> tuple[Array, Array]:
        """(n, 3) external force at the middle of a step [N], and (b,) whether only uniform potentials act on a body.

        The force is that of all potentials that are not elastic and of all dampers that are not torque free.
        """
        x, v = 0.5 * (old.x + new.x), (new.x - old.x) / h
        instant = Instant(old.x, x, old.t + 0.5 * h, h, v)
        potential = system.potential.timed(instant)
        varying = potential.only(lambda term: term.group != "elastic" and term.degree != 1)
        force = -varying.gradient(x)
        steady = np.full(self.count + 1, True)  # the last entry is for vertices of no body
        steady[self.label[force.any(axis=1)]] = False
        force -= potential.only(lambda term: term.group != "elastic" and term.degree == 1).gradient(x)
        return force - system.dissipation.from_outside(instant).gradient(v), steady[:-1]


def find_bodies(system: System) -> Bodies:
    """The free bodies of a system, found once."""
    if system.potential not in _found:
        _found[system.potential] = _find(system)
    return _found[system.potential]


_found: WeakKeyDictionary[Potential, Bodies] = WeakKeyDictionary()


def _find(system: System) -> Bodies:
    label = connected(system)
    single = np.flatnonzero(np.bincount(label) == 1)
    held = label[system.motion.held(system.n) | held_from_outside(system)]
    return Bodies(*_numbered(label, np.concatenate([single, held])))


def held_from_outside(system: System) -> npt.NDArray[np.bool_]:
    """(n,) vertices under constraints that rigid motion does not preserve: surfaces and wires, but not lengths and
    volumes."""
    found = np.zeros(system.n, dtype=bool)
    for kind in system.constraints.kinds:
        if not kind.internal:
            found[kind.vertices] = True
    return found


def _numbered(label: Ints, dropped: Ints) -> tuple[Ints, int]:
    """Consecutive labels from 0 without the dropped ones, and their count."""
    kept = np.setdiff1d(label, np.append(dropped, -1))
    number = np.full(label.max(initial=-1) + 2, -1, dtype=np.int32)  # the last entry is for -1
    number[kept] = np.arange(len(kept))
    return number[label], len(kept)
