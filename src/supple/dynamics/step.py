"""Interface between an integrator and the loop."""

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
"""Memory of a method between steps: a flat set of arrays that can be saved, wrapped and compared."""


class Solve(Protocol):
    """A factorised matrix."""

    def __call__(self, rhs: Array) -> Array:
        """Solution for (n, 3), or for each of (k, n, 3); prescribed rows are neither read nor set."""


@dataclass(frozen=True)
class Solution:
    """Result of a stage."""

    x: Array
    reaction: Array | None = None
    """(n, 3) sum of lam_j grad g_j of the constraints; None if the stage had none [N]."""
    move: Array | None = None
    """(n, 3) h v1 of a conserving step under constraints [m]."""
    worked: float = 0.0
    """Work of scripted vertices that `reaction` times their displacement does not contain [J]."""


@dataclass(frozen=True)
class Arrival:
    """State at the end of the step itself, before impulses and collisions."""

    system: System
    """The system as used in the step."""
    state: State


class Tools(Protocol):
    """Tools available to a step; they provide solutions, however they are found."""

    def during(self, system: System) -> Tools:
        """Tools for the same system frozen at another point of the step."""

    def minimise(self, stage: Stage) -> Solution:
        """Minimiser of a stage; raises StageNotConverged."""

    def conserve(self, stage: Stage, reactions: Reactions) -> Solution:
        """Positions and h times velocities of a conserving step under constraints, both of which satisfy them."""

    def hold(self, equation: Equation, reactions: Reactions) -> Solution:
        """The same for a step whose equation, apart from the constraint forces, is not a gradient."""

    def tangent(self, x: Array, v: Array, h: float) -> tuple[Array, Array]:
        """The nearest velocities that satisfy the constraints at x, the end of a step of h [s], and the mean forces
        (n, 3) required over the step [N]."""

    def root(self, equation: Equation, patience: int = 0) -> Array:
        """Root of an equation that is not a gradient; raises StageNotConverged. `patience`: iterations without
        progress after which the search stops, if an alternative exists; 0: any number."""

    def coupled(self, stages: CoupledStages) -> Array:
        """(s, n, 3) positions of all stages of a fully implicit method; raises StageNotConverged."""

    def linearise(self, state: State, project: bool = False) -> Linearised:
        """Stiffness and damping matrices at a state; `project`: made positive semidefinite element by element."""

    def factor(self, values: Array, definite: bool = False) -> Solve:
        """A solver for a symmetric matrix given by its entries in the system's pattern, valid until the next call of
        this or of `modes`. `definite`: raises NotPositiveDefinite if it is not positive definite."""

    def modes(self, linearised: Linearised, count: int) -> Modes:
        """The lowest modes; at most as many as there are unknowns."""

    def energies(self, state: State) -> Energies:
        """Energies of a state, cached for the last states [J]."""

    def remember(self, state: State, energies: Energies) -> None:
        """Register the energies of a state, known from another state at the same positions."""

    def beside(self, system: System) -> AbstractContextManager[Tools]:
        """Tools for a separate system, such as the nodes of a grid; their work counts in the same report."""

    @property
    def energy_tolerance(self) -> float:
        """Permitted energy error of a conserving step, relative to the total [-]."""


@dataclass(frozen=True)
class GridParts:
    """Energy changes in a step of material points, each computed by a separate formula [J]."""

    transfer: float = 0.0
    """By the transfers between particles and nodes; never positive except for asflip and blends."""
    force: float = 0.0
    """By an explicit force along the step instead of its mean, including the part that symplectic Euler recovers. For
    an implicit step: the energy residual of the method on the grid."""
    collided: float = 0.0
    """By obstacles that stop nodes."""
    plastic: float = 0.0
    """By plastic flow; never positive. It is part of the dissipated energy."""
    hardening: float = 0.0
    """By a stiffness that changes at fixed deformation."""
    restored: float = 0.0
    """By a budget."""

    def __add__(self, other: GridParts) -> GridParts:
        return GridParts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True)
class StepReport:
    """Report of a step, read by the ledger and by wrappers."""

    h: float
    """Step taken [s]."""
    mean_gradient: Array | None = None
    """(n, 3) mean of grad V used in the position update, if the method has a better one than a rule along the chord [N]."""
    mean_dissipation: Array | None = None
    """(n, 3) mean of grad D used in the position update, if known more accurately than the mean of both ends [N]."""
    reaction: Array | None = None
    """(n, 3) mean of the constraint forces added to grad V; None without constraints [N]."""
    dissipated: float | None = None
    """Dissipated energy, if the step sums it up itself (a step made of substeps) [J]."""
    external_work: float | None = None
    """Work of scripted vertices and of the wind, if the step sums it up itself [J]."""
    contacts: Ints | None = None
    """Vertices that touched something outside their own body in this step, in any order; None without contact."""
    self_contacts: Ints | None = None
    """Vertices in self-contact in this step, in any order; None without contact."""
    arrival: Arrival | None = None
    """System and state on which the energies above are based; None: the system and the new state themselves."""
    taken_after: tuple[float, ...] = ()
    """Energies dissipated by impulses and by friction of projections at the end of the step, not yet in `dissipated` [J]."""
    timed: Mapping[str, float] | None = None
    """Part of `external_work` done by time-dependent parameters, by column [J]; None if not measured yet."""
    worked_after: float = 0.0
    """Work of moving shapes in projections, and of scripts through changes of velocity, not yet in `external_work` [J]."""
    collided: float = 0.0
    """Energy gained (positive) or lost by pushing bodies out of obstacles, without friction [J]."""
    springs: float = 0.0
    """Energy added (positive) or removed by activating or removing temporary springs of obstacles at its end [J]."""
    grid: GridParts | None = None
    """Energy changes of a step on a grid; None for methods without a grid."""
    held: float | None = None
    """Energy stored by a budget for a later rebound after the step [J]; None: unchanged."""
    note: str = ""
    """Remark about this step for the user."""
    rejected: int = 0
    """Attempts rejected before this step."""


Conserved: TypeAlias = Literal["energy", "energy of linear bodies", "linear momentum", "angular momentum"]
"""Quantities that a method may conserve to round-off. The tests verify each claim."""


@dataclass(frozen=True)
class Facts:
    """Properties for the choice of a method; the table in the docs is generated from them."""

    order: int
    solves: int
    """Minimisations per step; 0 for explicit methods."""
    stability: str
    damping: str
    """Numerical damping of the method."""
    choose: str
    """When to choose it."""
    conserves: tuple[Conserved, ...]
    """Quantities of free bodies conserved to round-off with any step at which the method works."""
    symmetric: bool = False
    """Whether a step of -h reverses a step of h: such methods can be composed to higher order."""


class Integrator(Protocol):
    """An immutable description of a method; memory is explicit, so a step can be retried and a run resumed."""

    name: ClassVar[str]

    @property
    def facts(self) -> Facts: ...

    @property
    def adapts(self) -> bool:
        """Whether the step length may differ from the requested one."""

    @property
    def relaxed(self) -> Integrator | None:
        """The same method without a limit on the energy error, for steps that must be taken; None if there is none."""

    def promises(self, system: System) -> float | None:
        """Guaranteed bound on the energy error of a step, relative to the energy in play [-]; None without guarantee."""

    def refuses(self, system: System) -> str:
        """Why the method cannot advance this system; empty if it can."""

    def refuses_step(self, h: float) -> str:
        """Why the method cannot take steps of a run with time step h [s]; empty if it can."""

    def start(self, system: System, state: State) -> Memory:
        """Memory before the first step."""

    def restarted(self, system: System, state: State, memory: Memory) -> Memory:
        """Memory after a substep taken by another method, from the memory before it."""

    def energies(self, system: System, state: State, memory: Memory, tools: Tools) -> Energies:
        """Energies of a state, including the part in the memory [J]."""

    def momenta(self, system: System, state: State, memory: Memory) -> tuple[Array, Array]:
        """Linear [kg m/s] and angular [kg m^2/s] momentum about the origin, including the part in the memory."""

    def densities(self, system: System, memory: Memory) -> Array | None:
        """(n,) elastic energy densities stored in the memory, else None [J/m^3]."""

    def deformations(self, memory: Memory) -> Array | None:
        """(n, 3, 3) deformation gradients stored in the memory, else None [-]."""

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """Advance by h; the arguments are not modified."""

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """`step` with everything around it: terms frozen for the step, impulses and collisions after it."""
