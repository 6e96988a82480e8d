"""What a kind of damping makes of the bodies that it acts on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from supple.dynamics.impulse import Impulse
from supple.energies.term import EnergyTerm
from supple.types import Array, Ints
from supple.values import Names


@dataclass(frozen=True)
class Damped:
    """The bodies that are to be damped, as parts of one system."""

    mass: Array
    """(n,) masses of all vertices of the system, zero for those of other bodies [kg]."""
    elastic: tuple[EnergyTerm, ...]
    """Elastic terms of the bodies."""
    triangles: Ints = field(default_factory=lambda: np.empty((0, 3), np.int32))
    """(f, 3) their surfaces: the boundary of solids, the triangles of sheets."""


@dataclass(frozen=True)
class Dampers:
    """Terms for a system's dissipation, and impulses between its steps."""

    dissipation: tuple[EnergyTerm, ...] = ()
    impulses: tuple[Impulse, ...] = ()


@dataclass(frozen=True)
class Damping:
    """Base of the kinds of damping; subclasses are frozen dataclasses of their options, registered in DAMPINGS."""

    bodies: Names | None = field(default=None, kw_only=True)
    """Names of the bodies that it acts on; all if absent."""

    name: ClassVar[str]
    constant_names: ClassVar[Mapping[str, str]] = {}
    """Constants of the terms that are called otherwise than the option that they come from."""

    def acts_on(self, body: str) -> bool:
        """Whether a body of that name is damped."""
        return self.bodies is None or body in ((self.bodies,) if isinstance(self.bodies, str) else self.bodies)

    @property
    def damps_strain(self) -> bool:
        """Whether it takes energy from strain, and so from vibration at the scale of the mesh; air does not."""
        return True

    def on(self, bodies: Damped) -> Dampers:
        """The dampers of these bodies."""
        raise TypeError(f"{type(self).__name__} does not define its dampers")
