"""What a kind of damping makes of the bodies that it acts on."""

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
    times: ClassVar[tuple[str, ...]] = ()
    """Fields that are damping over stiffness [s]."""
    rates: ClassVar[tuple[str, ...]] = ()
    """Fields that are damping over mass [1/s]."""
    viscosities: ClassVar[tuple[str, ...]] = ()
    """Fields that are damping itself: force, or stress, over a rate."""
    constant_names: ClassVar[Mapping[str, str]] = {}
    """Constants of the terms that are called otherwise than the option that they come from."""

    def acts_on(self, body: str) -> bool:
        """Whether a body of that name is damped."""
        return self.bodies is None or body in ((self.bodies,) if isinstance(self.bodies, str) else self.bodies)

    @property
    def damps_strain(self) -> bool:
        """Whether it takes energy from strain, and so from vibration at the scale of the mesh; air does not."""
        return True

    def reaches(self, bodies: Damped) -> bool:
        """Whether moving air acts on these bodies through it."""
        return False

    def in_air(self, air: Wind) -> Damping:
        """The same in air that moves, beside any wind of its own; kinds without air stay as they are."""
        return self

    def on(self, bodies: Damped) -> Dampers:
        """The dampers of these bodies."""
        raise TypeError(f"{type(self).__name__} does not define its dampers")

    @property
    def can_scale(self) -> bool:
        """Whether it has a strength of its own; air is a matter of the surroundings."""
        return bool(self.times or self.rates or self.viscosities)

    def scaled(self, factor: float) -> Self:
        """The same, so many times stronger."""
        return self._multiplied(dict.fromkeys((*self.times, *self.rates, *self.viscosities), factor))

    def suited(self, stiffness: float, mass: float) -> Self:
        """The damping with the same damping ratios for bodies so many times stiffer and heavier."""
        faster = (stiffness / mass) ** 0.5
        ratios = dict.fromkeys(self.times, 1.0 / faster) | dict.fromkeys(self.rates, faster)
        return self._multiplied(ratios | dict.fromkeys(self.viscosities, stiffness / faster))

    def _multiplied(self, factors: dict[str, float]) -> Self:
        given = {key: times(factor, getattr(self, key)) for key, factor in factors.items() if factor != 1.0}
        return with_values(self, **given) if given else self
