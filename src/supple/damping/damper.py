"""Dissipation terms and impulses that a kind of damping creates for its bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from supple.damping.air import Wind
from supple.dynamics.impulse import Impulse
from supple.energies.term import EnergyTerm
from supple.formulas.curves import times
from supple.materials.options import with_values
from supple.types import Array, Ints
from supple.values import Names


@dataclass(frozen=True)
class Damped:
    """The damped bodies, as parts of one system."""

    mass: Array
    """(n,) masses of all vertices of the system, zero for other bodies [kg]."""
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
    """Names of the damped bodies; all if absent."""

    name: ClassVar[str]
    times: ClassVar[tuple[str, ...]] = ()
    """Fields for damping over stiffness [s]."""
    rates: ClassVar[tuple[str, ...]] = ()
    """Fields for damping over mass [1/s]."""
    viscosities: ClassVar[tuple[str, ...]] = ()
    """Fields for absolute damping: force or stress over a rate."""
    constant_names: ClassVar[Mapping[str, str]] = {}
    """Constants of the terms whose names differ from their option."""

    def acts_on(self, body: str) -> bool:
        """Whether a body of that name is damped."""
        return self.bodies is None or body in ((self.bodies,) if isinstance(self.bodies, str) else self.bodies)

    @property
    def damps_strain(self) -> bool:
        """Whether it dissipates energy of strain, and thus vibration at the scale of the mesh; air does not."""
        return True

    def reaches(self, bodies: Damped) -> bool:
        """Whether it couples these bodies to moving air."""
        return False

    def in_air(self, air: Wind) -> Damping:
        """The same in moving air, in addition to its own wind; kinds without air are unchanged."""
        return self

    def on(self, bodies: Damped) -> Dampers:
        """The dampers of these bodies."""
        raise TypeError(f"{type(self).__name__} does not define its dampers")

    @property
    def can_scale(self) -> bool:
        """Whether it has a strength parameter; air is a property of the surroundings."""
        return bool(self.times or self.rates or self.viscosities)

    def scaled(self, factor: float) -> Self:
        """The same, scaled by a factor."""
        return self._multiplied(dict.fromkeys((*self.times, *self.rates, *self.viscosities), factor))

    def suited(self, stiffness: float, mass: float) -> Self:
        """The damping with the same damping ratios for bodies with scaled stiffness and mass."""
        faster = (stiffness / mass) ** 0.5
        ratios = dict.fromkeys(self.times, 1.0 / faster) | dict.fromkeys(self.rates, faster)
        return self._multiplied(ratios | dict.fromkeys(self.viscosities, stiffness / faster))

    def _multiplied(self, factors: dict[str, float]) -> Self:
        given = {key: times(factor, getattr(self, key)) for key, factor in factors.items() if factor != 1.0}
        return with_values(self, **given) if given else self
