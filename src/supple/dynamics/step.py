"""What passes between an integrator and its surroundings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias

from supple.dynamics.invariants import Energies
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.types import Array

Memory: TypeAlias = dict[str, Array]
"""What a method remembers between steps: a flat set of arrays, so that it can be saved, wrapped and compared."""


class Tools(Protocol):
    """What a step may use. More kinds of solve (roots, modes, factorisations) join here, so that `step` need not change."""

    def minimise(self, stage: Stage) -> Array:
        """Minimiser of a stage; raises StageNotConverged."""

    def energies(self, state: State) -> Energies:
        """Energies of a state; those of the last states asked about are remembered [J]."""

    @property
    def energy_tolerance(self) -> float:
        """Energy that a conserving step may miss, relative to the total [-]."""


@dataclass(frozen=True)
class StepReport:
    """What a step did besides moving: the ledger and wrappers read it."""

    h: float
    """Step taken [s]."""
    mean_gradient: Array | None = None
    """(n, 3) mean of grad V that the position update saw, if the method knows it better than a rule along the chord [N]."""
    mean_dissipation: Array | None = None
    """(n, 3) mean of grad D that the position update saw, if known better than the mean of both ends [N]."""


@dataclass(frozen=True)
class Facts:
    """What users compare when they choose a method; the docs table is made of these."""

    order: int
    solves: int
    """Minimisations a step; 0 for explicit methods."""
    stability: str
    damping: str
    """What the method does to the energy of its own accord."""
    choose: str
    """When to take it."""


class Integrator(Protocol):
    """A frozen description of a method; memory is explicit, so that a step can be retried and a run resumed."""

    name: ClassVar[str]

    @property
    def facts(self) -> Facts: ...

    def start(self, system: System, state: State) -> Memory:
        """Memory before the first step."""

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """Advance by h; the arguments are left as they are."""
