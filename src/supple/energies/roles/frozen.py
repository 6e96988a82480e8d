"""Terms that depend on more than their argument and are frozen at one configuration while a step is solved."""

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
    """A term that changes from step to step. Pulls are derivatives of the scalar sum_q force_q lam . D'(u_q), with D
    the term frozen at an instant and u_q the samples, velocities for dissipation."""

    instead: ClassVar[str] = "take viscosity, dashpot, drag or rayleigh instead"
    """Advice shown where a derivative is requested that the term does not provide."""

    reach: ClassVar[float] = 1e-3
    """Spacing of differences along a direction, relative to the size of the body: short for a term that acts in a thin
    layer only."""

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
        """Derivatives with respect to the input parameters of the live term, as `EnergyTerm.pull`; those of an elastic
        term that it damps are called `elastic.<name>`, except `rest`."""
        raise self._unknown("its constants")

    def pull_place_is_exact(self, instant: Instant) -> bool:
        """Whether nothing was clamped during freezing; otherwise derivatives are taken between the kinks, by differences."""
        return True

    def _unknown(self, what: str) -> SuppleError:
        return SuppleError(
            f"{type(self).__name__}: derivatives with respect to {what} are not available, but gradients of runs require them; "
            f"{self.instead}"
        )


class TorqueFree(FrozenInSteps):
    """A dissipation without torque about the configuration at which it was frozen."""


class FrozenAgain(FrozenInSteps):
    """A dissipation that is frozen again at the result of the step, after which the step is solved again."""


def frozen(term: EnergyTerm, instant: Instant) -> EnergyTerm:
    """The term during one step: the term itself, unless it changes from step to step."""
    return term.freeze(instant) if isinstance(term, FrozenInSteps) else term
