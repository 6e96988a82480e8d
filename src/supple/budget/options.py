"""Options of the energy budget, and quantities that depend on them alone."""

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
    """Which fraction of the lost energy is returned, when, and how."""

    of: Method
    """The method that takes the steps."""
    restore: Fraction = 1.0
    """Fraction of all losses that is returned, including lost momentum; 0 leaves the method unchanged [-]."""
    release: Literal["motion", "rebound"] = "motion"
    """When energy is returned: after every step, into the motion; or on rebound, as speed away from the contact, so
    that a damped ball returns to its height. Each body stores the energy until then."""
    integration: Fraction = 1.0
    """Fraction of the integrator's energy error that is corrected in steps without contact [-]."""
    collision: Fraction = 1.0
    """The same for steps with contact between a body and something else [-]."""
    self_collision: Fraction = 1.0
    """The same for steps with self-contact only [-]."""
    dissipation: Fraction | None = None
    """Fraction of the requested dissipation that is returned: 1 is damping without energy loss; default 0, or 1 with
    `release = "rebound"` [-]."""
    momentum: bool = True
    """Whether the linear and angular momentum of free bodies is restored before the energy is corrected."""
    along: Literal["forces", "motion"] = "forces"
    """Direction of the energy correction: elastic forces (viscous forces remove energy), or the motion itself, which
    scales all velocities alike. The motion restores a swing as a swing, whereas forces would produce vibration."""
    cap: Annotated[float, Gt(0)] | None = None
    """Largest change of the velocities in one step, relative to the velocities, in the mass norm; no limit if not given [-]."""

    def __post_init__(self) -> None:
        if isinstance(self.of, BudgetOptions) or self.of.facts.order == 0:
            why = "already has a budget" if isinstance(self.of, BudgetOptions) else "has no velocities"
            raise SuppleError(f"energy-budget.of: found '{self.of.name}', which {why}; take any other integrator")
        for name in ("restore", "integration", "collision", "self_collision", "dissipation"):
            if not 0.0 <= (getattr(self, name) or 0.0) <= 1.0:
                raise SuppleError(f"energy-budget.{name}: found {getattr(self, name)}; allowed are numbers from 0 to 1")
        if self.cap is not None and not self.cap > 0.0:
            raise SuppleError(f"energy-budget.cap: found {self.cap}; allowed are positive numbers, or leave it out")
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
        """Fraction of the requested dissipation that is returned [-]."""
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
            damping="none: energy losses are restored" if whole else f"part of the damping of {self.of.name}",
            choose=f"for the steps of {self.of.name} without its energy loss",
            conserves=(*energy, *kept),
        )

    @property
    def meets(self) -> frozenset[Need]:
        return self.of.meets - {Need.POINTS}

    def objection(self, system: System) -> Objection | None:
        if self.release == "rebound" and not find_parts(system).free.any():
            reason = f"{self.name} with release = 'rebound' accelerates free bodies, and each body here has prescribed vertices"
            return Objection(reason, ("take release = 'motion'",), names_methods=False)
        return super().objection(system)
