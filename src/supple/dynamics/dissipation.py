"""Dissipation potentials D(v; x) of velocities, which may depend on the configuration.

While a step is solved, the configuration in D is frozen at one point of the step, so D is a plain potential of
velocities. Explicit methods, which evaluate forces only at given states, use those states.
"""

from __future__ import annotations

from dataclasses import replace

from supple.dynamics.potential import Potential
from supple.energies.drive import in_step
from supple.energies.instant import Instant
from supple.energies.roles.driven import DrivenByAir
from supple.energies.roles.frozen import FrozenAgain, TorqueFree, frozen
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.types import Array


class Dissipation:
    """A sum of dissipation terms, and the point at which they are frozen."""

    def __init__(self, live: Potential, instant: Instant | None = None, frozen: Potential | None = None) -> None:
        """`instant`: the current step; `frozen`: the terms frozen in it, if the method freezes them."""
        self._live, self._instant, self._frozen = live, instant, frozen

    @property
    def terms(self) -> tuple[EnergyTerm, ...]:
        return self._live.terms

    @property
    def instant(self) -> Instant | None:
        """The current step, with the point at which terms were last frozen; None outside steps."""
        return self._instant

    @property
    def changes(self) -> bool:
        """Whether any term changes from step to step."""
        return self._live.changes

    @property
    def follows(self) -> bool:
        """Whether a term would be torque free if frozen at the actual middle of the step."""
        return bool(self._live.roles.torque_free)

    @property
    def freezes_again(self) -> bool:
        """Whether the step must be solved again with a term frozen at the resulting configuration."""
        return bool(self._live.roles.frozen_again)

    def during(self, instant: Instant, freeze: bool) -> Dissipation:
        """The same for one step, frozen or not."""
        if not self.changes:
            return self
        return Dissipation(self._live, instant, self._at(instant) if freeze else None)

    def moved(self, place: Array, end: Array | None = None) -> Dissipation:
        """The same with torque-free or refrozen terms evaluated at another point of the step, which leads to `end`."""
        if self._frozen is None or self._instant is None or not (self.follows or self.freezes_again):
            return self
        instant = replace(self._instant, place=place, found=True, end=end)
        terms = [
            frozen(in_step(live, instant), instant) if isinstance(live, TorqueFree | FrozenAgain) else old
            for live, old in zip(self.terms, self._frozen.terms, strict=True)
        ]
        return Dissipation(self._live, instant, self._live.replaced(terms))

    def from_outside(self, instant: Instant) -> Potential:
        """D of velocities at an instant, of the terms that may change the momentum of a free body."""
        terms = self._live.only(lambda term: not isinstance(term, TorqueFree))
        return terms.during(instant)

    @property
    def meets_air(self) -> bool:
        """Whether any term is driven by moving air."""
        return bool(self._live.roles.driven)

    def driven(self, x: Array, t: float, v: Array) -> Potential:
        """D of velocities of the terms driven by moving air, as frozen, or else at a state."""
        if self._frozen is not None:
            return self._frozen.only(lambda term: isinstance(term, DrivenByAir))
        terms = self._live.only(lambda term: isinstance(term, DrivenByAir))
        return terms.during(Instant(x, x, t, 0.0, v))

    @property
    def frozen(self) -> Potential:
        """D of velocities alone."""
        if self._frozen is not None:
            return self._frozen
        if self.changes:
            raise SuppleError(
                "dissipation that depends on the configuration must be frozen first: take steps with `advance`"
            )
        return self._live

    def at(self, x: Array, t: float, v: Array | None = None) -> Potential:
        """D of velocities, as frozen, or else at a configuration, a time and, if known, velocities."""
        if self._frozen is not None or not self.changes:
            return self.frozen
        if self._instant is None:
            return self._at(Instant(x, x, t, 0.0, v))
        return self._at(Instant(self._instant.x0, x, t, self._instant.h, v))

    def _at(self, instant: Instant) -> Potential:
        return self._live.during(instant)
