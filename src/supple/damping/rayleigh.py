"""Rayleigh damping: force -(eta M + delta K(x)) v, D(v) = 1/2 v^T (eta M + delta K) v.

A motion of angular frequency omega has the damping ratio eta/(2 omega) + delta omega/2. K is the stiffness, made
positive semidefinite element by element and frozen in the step: at its predicted middle or end, whichever preserves
the order of the method. With AVF and the implicit midpoint rule the law H1 - H0 = -h vbar^T (eta M + delta K) vbar,
vbar = (x1 - x0)/h, holds exactly.

Limits: eta M is drag relative to space and removes momentum from free bodies. The term delta K conserves linear
momentum, but K of a stressed body resists rotation, so angular momentum is not conserved. Viscosity and
structure-preserving damping conserve it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.damping import DAMPINGS
from supple.damping.damper import Damped, Dampers, Damping
from supple.damping.drag import Drag
from supple.damping.elastic import ELASTIC, ElasticDamper
from supple.damping.quadratic import FrozenQuadratic
from supple.damping.stiffness_pull import product_along, pull_along, rest_corners, resting_on, summed
from supple.energies import pulls
from supple.energies.differences import SHORT, by_corners
from supple.energies.frozen_pulls import by_constants, by_instant
from supple.energies.instant import Instant
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.formulas.curves import NotNegativeChanging, positive
from supple.types import Array

ROUNDING = 1e-11
"""Difference between element matrices, relative to the largest entry, below which no eigenvalue was clamped."""


@DAMPINGS("rayleigh")
@dataclass(frozen=True)
class Rayleigh(Damping):
    """Damping proportional to mass and stiffness: the classical engineering model."""

    constant_names: ClassVar[Mapping[str, str]] = {"mass": "rate"}
    mass: NotNegativeChanging = 0.0
    """Rate eta of the part proportional to mass; it also damps free flight [1/s]."""
    stiffness: NotNegativeChanging = 0.0
    """Time delta of the part proportional to stiffness [s]."""

    times: ClassVar[tuple[str, ...]] = ("stiffness",)
    rates: ClassVar[tuple[str, ...]] = ("mass",)

    def __post_init__(self) -> None:
        if not (positive(self.mass) or positive(self.stiffness)):
            raise SuppleError(
                f"rayleigh: found mass = {self.mass:g} and stiffness = {self.stiffness:g}, which damp nothing; "
                "give stiffness > 0 [s], mass > 0 [1/s], or both"
            )

    @property
    def damps_strain(self) -> bool:
        return positive(self.stiffness)

    def on(self, bodies: Damped) -> Dampers:
        if self.stiffness > 0.0 and not bodies.elastic:
            raise SuppleError("rayleigh: stiffness damps elastic bodies, but there are none; give mass only")
        terms: list[EnergyTerm] = [Drag(bodies.mass, self.mass)] if self.mass > 0.0 else []
        if self.stiffness > 0.0:
            terms += [StiffnessDamping(term, self.stiffness) for term in bodies.elastic]
        return Dampers(tuple(terms))


class StiffnessDamping(ElasticDamper):
    """delta/2 v^T K(x) v of one elastic term."""

    degree = 2
    number = "stiffness"
    reach = SHORT

    def freeze(self, instant: Instant) -> EnergyTerm:
        return FrozenQuadratic(self.elements, self._value * self._stiffness(instant))

    def constants(self) -> dict[str, Array]:
        """(1,) `stiffness`, delta, and those of the elastic term as `elastic.<name>`."""
        return {"stiffness": np.array([self._value]), **pulls.prefixed(self._elastic.constants(), ELASTIC, ())}

    def pull_place_is_exact(self, instant: Instant) -> bool:
        K, found = self._elastic.element_hessians(instant.place), self._stiffness(instant)
        return bool(np.abs(K - found).max(initial=0.0) <= ROUNDING * np.abs(found).max(initial=0.0))

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        if self.pull_place_is_exact(instant):
            return self._value * product_along(self._elastic, instant.place, summed(samples), lam)
        return by_instant(self, "place", instant, samples, lam, SHORT)

    def pull_start(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        lost = not np.isfinite(self._elastic.element_values(instant.place)).all()
        return by_instant(self, "x0", instant, samples, lam) if lost else np.zeros_like(lam)

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        own = {"stiffness": self.freeze(instant).element_works(samples, lam).sum(keepdims=True) / self._value}
        if self.pull_place_is_exact(instant):
            found = pull_along(self._elastic, instant.place, summed(samples), lam)
            return own | pulls.prefixed({name: self._value * value for name, value in found.items()}, ELASTIC)
        others = {name: value for name, value in self.constants().items() if name != "stiffness"}
        own |= by_constants(self, others, instant, samples, lam)
        if (corners := rest_corners(self._elastic)) is not None:

            def worked(moved: Array) -> Array:
                other = StiffnessDamping(resting_on(self._elastic, moved), self._value)
                return other.freeze(instant).element_works(samples, lam)

            own["rest"] = pulls.at_vertices(self.elements, by_corners(worked, corners, reach=SHORT), len(lam))
        return own

    def _stiffness(self, instant: Instant) -> Array:
        """K of every element at the given positions, or at the start of the step for elements without finite energy
        there: a prediction may invert them."""
        K = self._elastic.projected_hessians(instant.place)
        lost = ~(np.isfinite(self._elastic.element_values(instant.place)) & np.isfinite(K).all(axis=(1, 2)))
        if lost.any():
            K[lost] = self._elastic.projected_hessians(instant.x0)[lost]
        return K
