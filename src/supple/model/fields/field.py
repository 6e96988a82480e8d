"""Base of all fields, and what limits them: some bodies, a time, a region.

A field acts in one of three ways. Air fields move the air, which bodies feel through their drag. Fields of force are terms of the
potential. Drag in a region is a term of the dissipation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.model.fields.region import FieldRegion
from supple.model.placed import Placed
from supple.registry import Registry
from supple.types import Array
from supple.values import Names, NotNegative

Per = Literal["mass", "body", "vertex"]


@dataclass(frozen=True)
class Reached:
    """The bodies that a field acts on, as parts of one system."""

    mass: Array
    """(n,) masses of all vertices of the system, zero for those of other bodies [kg]."""
    parts: Sequence[Placed]

    def weights(self, per: Per) -> Array:
        """(n,) what a field of force is multiplied with at each vertex: its mass, its part of its body's mass, or 1."""
        if per == "mass":
            return self.mass
        weight = np.zeros_like(self.mass)
        for part in self.parts:
            own = self.mass[part.span]
            weight[part.span] = own / own.sum() if per == "body" else 1.0
        return weight


@dataclass(frozen=True)
class ForceField:
    """Base of the kinds; subclasses are frozen dataclasses of their options, registered in FIELDS."""

    bodies: Names | None = field(default=None, kw_only=True)
    """Names of the bodies that it acts on; all if absent."""
    start: NotNegative = field(default=0.0, kw_only=True)
    """When it begins [s]."""
    stop: NotNegative | None = field(default=None, kw_only=True)
    """When it ends; never if absent [s]."""
    fade: NotNegative = field(default=0.0, kw_only=True)
    """Time in which it grows to its full strength after `start`, and falls to nothing before `stop` [s]."""

    name: ClassVar[str]
    moves_air: ClassVar[bool] = False
    """Whether it is a velocity of the air."""
    dissipates: ClassVar[bool] = False
    """Whether bodies feel it through dissipation, which material points have none of."""

    def __post_init__(self) -> None:
        if self.stop is not None and self.stop <= self.start:
            raise SuppleError(f"{self.name}: stop must be after start, found {self.stop:g} s and {self.start:g} s")
        if self.stop is not None and self.start + 2 * self.fade > self.stop:
            raise SuppleError(
                f"{self.name}: fade fits twice between start and stop, found {self.fade:g} s from {self.start:g} s to "
                f"{self.stop:g} s"
            )

    def acts_on(self, body: str) -> bool:
        """Whether a body of that name feels it."""
        return self.bodies is None or body in self.bodies

    @property
    def lasts(self) -> bool:
        """Whether it is there at all times."""
        return self.start == 0.0 == self.fade and self.stop is None

    def presence(self, t: float) -> float:
        """Factor from 0 to 1 by which it is there at a time [s]."""
        if self.lasts:
            return 1.0  # before the run too, where methods that go back in time may ask
        if (t < self.start and self.start > 0.0) or (self.stop is not None and t > self.stop):
            return 0.0
        if self.fade == 0.0:
            return 1.0
        since, left = t - self.start, np.inf if self.stop is None else self.stop - t
        s = max(min(since / self.fade, left / self.fade, 1.0), 0.0)
        return float(s * s * (3.0 - 2.0 * s))

    def velocity(self, x: Array, t: float) -> Array:
        """(n, 3) velocity of the air at the places x (n, 3) and the time t [m/s]; air fields define it."""
        raise TypeError(f"{type(self).__name__} does not move the air")

    def terms(self, reached: Reached, column: str) -> Iterable[EnergyTerm]:
        """Its terms of the potential; fields of force define them. `column`: name of its work in the ledger."""
        return ()

    def dampers(self, reached: Reached) -> Iterable[EnergyTerm]:
        """Its terms of the dissipation; drag defines them."""
        return ()


@dataclass(frozen=True)
class LocalField(ForceField):
    """A field that may be limited to a region."""

    region: FieldRegion | None = field(default=None, kw_only=True)
    """Where it acts; everywhere if absent."""

    def share(self, x: Array, t: float) -> Array | float:
        """Factors from 0 to 1 by which it is there at the places x (n, 3) and the time t [s]."""
        there = self.presence(t)
        return there if self.region is None or there == 0.0 else there * self.region.weights(x, t)


FIELDS: Registry[ForceField] = Registry("field", "supple.model.fields", variable="FIELDS")
