"""Terms that depend on more than their argument, and are taken as they are at one place of a step while it is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from supple.energies.instant import Instant
from supple.energies.samples import Samples
from supple.errors import SuppleError
from supple.types import Array

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


class FrozenInSteps:
    """A term that is another one in every step. Pulls are derivatives of the number  sum_q force_q lam . D'(u_q), with D the
    term as it is at an instant and u_q the samples, velocities for dissipation."""

    instead: ClassVar[str] = "take viscosity, dashpot, drag or rayleigh instead"
    """What to do where derivatives are asked for that it does not have."""

    reach: ClassVar[float] = 1e-3
    """Distance of neighbouring places in derivatives along a direction, relative to the size of the body: short where the term
    sees a thin layer only."""

    def freeze(self, instant: Instant) -> EnergyTerm:
        """The plain term of one step, over the same elements."""
        raise TypeError(f"{type(self).__name__} does not define freeze")

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        """(n, 3) derivative with respect to `instant.place`."""
        raise self._unknown("the configuration at which it is frozen")

    def pull_start(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        """(n, 3) derivative with respect to `instant.x0`."""
        return np.zeros_like(lam)

    def pull_velocity(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        """(n, 3) derivative with respect to `instant.v`."""
        return np.zeros_like(lam)

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        """Derivatives with respect to the numbers that the live term was built from, as `EnergyTerm.pull`; those of an elastic
        term that it damps are called `elastic.<name>`, but for `rest`."""
        raise self._unknown("its constants")

    def pull_place_is_exact(self, instant: Instant) -> bool:
        """Whether nothing was clamped when it was frozen; else derivatives are those between the kinks, by differences."""
        return True

    def _unknown(self, what: str) -> SuppleError:
        return SuppleError(
            f"{type(self).__name__}: its derivatives with respect to {what} are not known, which gradients of runs need; "
            f"{self.instead}"
        )


class TorqueFree(FrozenInSteps):
    """A dissipation that turns nothing about the configuration at which it was frozen."""


class FrozenAgain(FrozenInSteps):
    """A dissipation that is frozen again where the step went, with the step solved again."""


def frozen(term: EnergyTerm, instant: Instant) -> EnergyTerm:
    """A term as it is during one step: itself, unless it is another one in every step."""
    return term.freeze(instant) if isinstance(term, FrozenInSteps) else term
