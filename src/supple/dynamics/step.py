"""What passes between an integrator and its surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, Protocol, TypeAlias

from supple.dynamics.coupled import CoupledStages
from supple.dynamics.equation import Equation
from supple.dynamics.invariants import Energies
from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.linear.modes import Modes
from supple.dynamics.reactions import Reactions
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.types import Array, Ints

Memory: TypeAlias = dict[str, Array]
"""What a method remembers between steps: a flat set of arrays, so that it can be saved, wrapped and compared."""


class Solve(Protocol):
    """A factorised matrix."""

    def __call__(self, rhs: Array) -> Array:
        """Solution for (n, 3), or for each of (k, n, 3); prescribed rows are neither read nor set."""


@dataclass(frozen=True)
class Solution:
    """Where a stage ends."""

    x: Array
    reaction: Array | None = None
    """(n, 3) sum of lam_j grad g_j of the constraints; None if the stage had none [N]."""
    move: Array | None = None
    """(n, 3) h v1 of a conserving step under constraints [m]."""


@dataclass(frozen=True)
class Arrival:
    """Where the step itself led, before impulses and collisions."""

    system: System
    """As it was in the step."""
    state: State


class Tools(Protocol):
    """What a step may use; it asks for solutions, however they are found."""

    def during(self, system: System) -> Tools:
        """Tools for the same system as it is frozen elsewhere in the step."""

    def minimise(self, stage: Stage) -> Solution:
        """Minimiser of a stage; raises StageNotConverged."""

    def conserve(self, stage: Stage, reactions: Reactions) -> Solution:
        """Positions and h times velocities of a step of a conserving method under constraints, which both obey them."""

    def hold(self, equation: Equation, reactions: Reactions) -> Solution:
        """The same for a step that solves an equation that is no gradient, but for the forces of constraints."""

    def tangent(self, x: Array, v: Array, h: float) -> tuple[Array, Array]:
        """The nearest velocities that the constraints allow at x, where a step of h [s] ends, and the forces (n, 3) that this
        takes over the step [N]."""

    def root(self, equation: Equation, patience: int = 0) -> Array:
        """Root of an equation that is no gradient; raises StageNotConverged. `patience`: iterations without progress after which
        the search ends, where there is another way; 0: any number."""

    def coupled(self, stages: CoupledStages) -> Array:
        """(s, n, 3) positions of all stages of a fully implicit method; raises StageNotConverged."""

    def linearise(self, state: State, project: bool = False) -> Linearised:
        """Stiffness and damping matrices at a state; `project`: made positive semidefinite element by element."""

    def factor(self, values: Array, definite: bool = False) -> Solve:
        """Solves with a symmetric matrix given by its entries in the system's pattern, until the next call of this or of
        `modes`. `definite`: raises NotPositiveDefinite if it is not."""

    def modes(self, linearised: Linearised, count: int) -> Modes:
        """The lowest modes; as many as there are unknowns if `count` is larger."""

    def energies(self, state: State) -> Energies:
        """Energies of a state; those of the last states asked about are remembered [J]."""

    def remember(self, state: State, energies: Energies) -> None:
        """The energies of a state are known already, as those of one at the same positions."""

    def beside(self, system: System) -> AbstractContextManager[Tools]:
        """Tools for a system of its own, such as the nodes of a grid; what is done with them counts in the same report."""

    @property
    def energy_tolerance(self) -> float:
        """Energy that a conserving step may miss, relative to the total [-]."""


@dataclass(frozen=True)
class GridParts:
    """Changes of the energy in a step of material points, each by a formula of its own [J]."""

    transfer: float = 0.0
    """By the transfers between particles and nodes; never positive but for asflip and blends."""
    force: float = 0.0
    """By an explicit force along the step in the place of its mean, with what symplectic Euler takes back of it; of an
    implicit step the residue of the method on the grid."""
    collided: float = 0.0
    """By obstacles that stop nodes."""
    plastic: float = 0.0
    """By flow; never positive. It is part of what was dissipated."""
    hardening: float = 0.0
    """By a stiffness that changes at fixed deformation."""
    restored: float = 0.0
    """By a budget."""

    def __add__(self, other: GridParts) -> GridParts:
        return GridParts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True)
class StepReport:
    """What a step did besides moving: the ledger and wrappers read it."""

    h: float
    """Step taken [s]."""
    mean_gradient: Array | None = None
    """(n, 3) mean of grad V that the position update saw, if the method has a better one than a rule along the chord [N]."""
    mean_dissipation: Array | None = None
    """(n, 3) mean of grad D that the position update saw, if known better than the mean of both ends [N]."""
    reaction: Array | None = None
    """(n, 3) mean of what constraints added to grad V; None without constraints [N]."""
    dissipated: float | None = None
    """Energy dissipated, if the step adds it up itself (a step made of pieces) [J]."""
    external_work: float | None = None
    """Work of scripted vertices and of the wind, likewise [J]."""
    contacts: Ints | None = None
    """Vertices that touched something outside their own body in this step, in any order; None without contact."""
    self_contacts: Ints | None = None
    """Vertices that touched their own body, likewise."""
    arrival: Arrival | None = None
    """What the energies above are taken over; None: the system and the new state themselves."""
    taken_after: tuple[float, ...] = ()
    """Energies that impulses and the friction of projections took at the end of the step, not yet in `dissipated` [J]."""
    timed: Mapping[str, float] | None = None
    """Part of `external_work` that numbers did which change with time, by column [J]; None if that is not measured yet."""
    worked_after: float = 0.0
    """Work of moving shapes in projections, not yet in `external_work` [J]."""
    collided: float = 0.0
    """Energy that putting bodies out of obstacles made (positive) or took, without that of friction [J]."""
    springs: float = 0.0
    """Energy that temporary springs of obstacles brought (positive) or took when they came or went at its end [J]."""
    grid: GridParts | None = None
    """What a step on a grid did to the energy; None for methods without one."""
    held: float | None = None
    """Energy that a budget keeps for a later rebound after the step [J]; None: as much as before."""
    note: str = ""
    """What the user should know about this step."""
    rejected: int = 0
    """Steps that were tried and thrown away before this one."""


Conserved: TypeAlias = Literal["energy", "energy of linear bodies", "linear momentum", "angular momentum"]
"""What a method may keep to rounding error. The tests measure each claim."""


@dataclass(frozen=True)
class Facts:
    """What users compare when they choose a method; the docs table is made of these."""

    order: int
    solves: int
    """Minimisations per step; 0 for explicit methods."""
    stability: str
    damping: str
    """What the method does to the energy of its own accord."""
    choose: str
    """When to take it."""
    conserves: tuple[Conserved, ...]
    """What free bodies keep to rounding error at any step at which the method works."""
    symmetric: bool = False
    """Whether a step of -h undoes a step of h: such methods can be composed to higher order."""


class Integrator(Protocol):
    """A frozen description of a method; memory is explicit, so that a step can be retried and a run resumed."""

    name: ClassVar[str]

    @property
    def facts(self) -> Facts: ...

    @property
    def adapts(self) -> bool:
        """Whether steps have another length than the one that is asked for."""

    @property
    def relaxed(self) -> Integrator | None:
        """The same method with no limit to what a step may miss, for steps that must be taken; None if there is none."""

    def promises(self, system: System) -> float | None:
        """Energy that a step may miss at most, relative to the energy in play [-]; None if it promises nothing."""

    def refuses(self, system: System) -> str:
        """Why the method cannot advance this system; empty if it can."""

    def start(self, system: System, state: State) -> Memory:
        """Memory before the first step."""

    def restarted(self, system: System, state: State, memory: Memory) -> Memory:
        """Memory after a piece that another method took, from what was remembered before it."""

    def energies(self, system: System, state: State, memory: Memory, tools: Tools) -> Energies:
        """Energies of a state, with those that live in the memory [J]."""

    def momenta(self, system: System, state: State, memory: Memory) -> tuple[Array, Array]:
        """Linear [kg m/s] and angular [kg m^2/s] momentum about the origin, likewise."""

    def densities(self, system: System, memory: Memory) -> Array | None:
        """(n,) elastic energy densities that live in the memory, else None [J/m^3]."""

    def deformations(self, memory: Memory) -> Array | None:
        """(n, 3, 3) deformation gradients that live in the memory, else None [-]."""

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """Advance by h; the arguments are left as they are."""

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """`step` and all that surrounds it: what changes frozen in the step, impulses and collisions after it."""
