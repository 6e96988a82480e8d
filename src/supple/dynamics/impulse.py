"""Impulses: changes of velocities at fixed positions, between two steps of any method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from supple.errors import StepRejected
from supple.types import Array

if TYPE_CHECKING:
    from supple.dynamics.state import State
    from supple.dynamics.step import Tools
    from supple.dynamics.system import System
    from supple.energies.term import EnergyTerm


class Impulse(Protocol):
    """A damper that exerts impulses instead of forces."""

    def impulse(self, system: System, old: State, new: State, h: float, tools: Tools) -> Array:
        """(n, 3) impulse at the end of a step of h [s] from `old` to `new`; ignored on prescribed vertices [N s]."""


@dataclass(frozen=True)
class IncrementImpulse:
    """-tau dW_inc(x0, x1)/dx1, W_inc the energy of elastic terms at x1 with x0 as their rest configuration: the data
    with which a loop over many steps can apply an impulse itself."""

    STABLE: ClassVar[float] = 1.5
    """Largest tau omega^2 h, for motion with omega h up to 1 [-]."""
    NOISE: ClassVar[float] = 3e-8
    """Increment, relative to the size of all bodies, below which its energy may be lost in round-off [-]."""

    terms: tuple[EnergyTerm, ...]
    tau: float

    def too_strong(self, t: float) -> StepRejected:
        """Why a step that ends at t [s] is rejected."""
        return StepRejected(
            f"structure-preserving: at t = {t:g} s the explicit form would drive the motion instead of damping it: "
            f'tau omega^2 h is above {self.STABLE:g}; take form = "implicit", a smaller tau or a smaller time.step'
        )
