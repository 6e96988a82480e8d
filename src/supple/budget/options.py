"""Options of the energy budget, and what follows from them alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le

from supple.budget.parts import find_parts
from supple.dynamics.needs import Need, Objection
from supple.dynamics.step import Conserved, Facts
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.integrators.wrapper import Wrapper

Fraction = Annotated[float, Ge(0), Le(1)]


@dataclass(frozen=True)
class BudgetOptions(Wrapper):
    """Which part of what is lost comes back, when, and how."""

    of: Method
    """The method that takes the steps."""
    restore: Fraction = 1.0
    """How much of all that was lost comes back, the lost momentum included: 0 leaves the method as it is [-]."""
    release: Literal["motion", "rebound"] = "motion"
    """When energy comes back: after every step, into the motion, or held by each body until it bounces off something and then
    released as speed away from it, so that a damped ball returns to its height."""
    integration: Fraction = 1.0
    """Part of the integrator's error in energy that is undone in steps without contact [-]."""
    collision: Fraction = 1.0
    """The same in steps in which a body touched something else [-]."""
    self_collision: Fraction = 1.0
    """The same in steps in which a body touched only itself [-]."""
    dissipation: Fraction | None = None
    """Part of the energy dissipated on request that comes back: 1 is damping without loss of energy; if absent 0, or 1 with
    `release = "rebound"` [-]."""
    momentum: bool = True
    """Whether free bodies get their linear and angular momentum back before the energy is corrected."""
    along: Literal["forces", "motion"] = "forces"
    """What gives energy back: elastic forces (and viscous ones take it), or the motion itself, each vertex becoming faster or
    slower alike; a swing then comes back as a swing, where forces would give vibration."""
    cap: Annotated[float, Gt(0)] | None = None
    """Largest change of the velocities in one step, relative to the velocities, in the mass norm; no limit if not given [-]."""

    def __post_init__(self) -> None:
        if isinstance(self.of, BudgetOptions) or self.of.facts.order == 0:
            why = "keeps a budget itself" if isinstance(self.of, BudgetOptions) else "has no velocities"
            raise SuppleError(f"energy-budget.of: found '{self.of.name}', which {why}; take any other integrator")
        for name in ("restore", "integration", "collision", "self_collision", "dissipation"):
            if not 0.0 <= (getattr(self, name) or 0.0) <= 1.0:
                raise SuppleError(f"energy-budget.{name}: found {getattr(self, name)}; allowed are numbers from 0 to 1")
        if self.cap is not None and not self.cap > 0.0:
            raise SuppleError(f"energy-budget.cap: found {self.cap}; allowed are positive numbers, or none at all")
        if self.release not in ("motion", "rebound"):
            raise SuppleError(f"energy-budget.release: found {self.release!r}; allowed are 'motion' and 'rebound'")
        if self.release == "rebound" and (self.along != "forces" or self.cap is not None):
            key = "along" if self.along != "forces" else "cap"
            raise SuppleError(
                f"energy-budget.{key}: found {getattr(self, key)!r} with release = 'rebound', which moves bodies as a whole; "
                "leave it out"
            )

    @property
    def returned(self) -> float:
        """Part of the energy dissipated on request that comes back [-]."""
        given = float(self.release == "rebound") if self.dissipation is None else self.dissipation
        return self.restore * given

    @property
    def facts(self) -> Facts:
        inner, closes = self.of.facts, self.release == "motion" and self.cap is None
        whole = closes and self.restore == self.integration == 1.0
        energy: tuple[Conserved, ...] = ("energy", "energy of linear bodies") if whole else ()
        kept = tuple(k for k in inner.conserves if not (whole and k.startswith("energy")))
        if self.momentum and self.restore == 1.0:
            kept = ("linear momentum", "angular momentum")
        return Facts(
            order=inner.order,
            solves=inner.solves,
            stability=inner.stability,
            damping="none: what the method loses comes back" if whole else f"part of that of {self.of.name}",
            choose=f"for the steps of {self.of.name} without its loss of energy",
            conserves=(*energy, *kept),
        )

    @property
    def meets(self) -> frozenset[Need]:
        return self.of.meets - {Need.POINTS}

    def objection(self, system: System) -> Objection | None:
        if self.release == "rebound" and not find_parts(system).free.any():
            reason = f"{self.name} with release = 'rebound' throws bodies, and each body here has prescribed vertices"
            return Objection(reason, ("take release = 'motion'",), names_methods=False)
        return super().objection(system)
