"""The material point method (Sulsky 1994) around a one-step method, as steps of particles.

One step: particles transfer mass and velocity to the nodes of a grid, the nodes take one step of the inner method, and
particles follow. A particle is a quadrature point in a cell with 27 (or 64) nodes, so the inner method works on an
ordinary system. It has masses m_i, energies sum V_p psi(F_p + (grad u) F_p) and the forces on particles, through the weights
(energies/points). `of = symplectic-euler` uses special kernels, in substeps h <= courant dx/(c + |v|), c the speed of
sound.

The ledger has a formula for each part: E' - E = transfer + force + collided - plastic - friction + hardening + work of moving
obstacles. Transfers lose energy in each step, regardless of the inner method; a budget (budget/points.py) restores it.

The memory holds the deformation gradients F, the affine velocities C and the plastic history of materials.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt, Le

from supple.dynamics.invariants import Energies
from supple.dynamics.invariants import momenta as rigid_momenta
from supple.dynamics.needs import Need, Objection, needs_of, unmet
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.method import Method
from supple.integrators.points.cut_step import cut_step
from supple.integrators.points.explicit_step import explicit_step
from supple.integrators.points.grid_step import Around, grid_step
from supple.integrators.points.refusals import objection_to
from supple.integrators.points.riders import bodies, longest_edge
from supple.integrators.wrapper import Wrapper, inside, outside
from supple.points import TRANSFERS
from supple.points.cloud import default_cell
from supple.points.limit import Limit
from supple.points.matter import Matter, matter_of
from supple.points.nearness import check_places, notes
from supple.points.spline import Degree, Gradient, Spline
from supple.points.transfer import APIC, Transfer
from supple.types import Array

ONE_STEP = ("avf", "midpoint", "backward-euler", "simo-tarnow", "symplectic-euler")
"""Permitted inner methods: the nodes of a step do not persist, and neither does the memory of a method."""


@INTEGRATORS("mpm")
@dataclass(frozen=True)
class Mpm(Wrapper):
    """Bodies without a mesh: solids, sand, snow and fluids that interact on a grid."""

    moves_points: ClassVar[bool] = True

    of: Method = field(default_factory=SymplecticEuler)
    """The method that takes the steps of the nodes."""
    cell: Annotated[float, Gt(0)] | None = None
    """Cell size; if not given, the size for which particles were placed [m]."""
    transfer: Transfer = field(default_factory=APIC)
    """Transfer of velocities between particles and nodes."""
    degree: Degree = 2
    """Degree of the splines: 2, or 3 for smoother forces at 2.4 times the nodes."""
    gradient: Gradient = "mls"
    """Gradient of the weights: moving least squares, or the derivative of the splines, which has no fast kernels."""
    courant: Annotated[float, Gt(0), Le(1)] = 0.5
    """Explicit steps: fraction of a cell that sound and matter may cross in one substep; up to 0.8 with pic and flip [-]."""
    most_substeps: Annotated[int, Gt(0), Le(1_000_000)] = 10_000
    """Explicit steps: largest number of substeps per step before the run aborts."""

    def __post_init__(self) -> None:
        if self.of.name not in ONE_STEP:
            known = f"{', '.join(ONE_STEP[:-1])} or {ONE_STEP[-1]}"
            raise SuppleError(f"mpm.of: found '{self.of.name}'; mpm takes one-step methods: {known}")
        if isinstance(self.transfer, str):
            object.__setattr__(self, "transfer", TRANSFERS.find(self.transfer)())
        most = self.transfer.largest_courant
        if not 0.0 < self.courant <= most:
            raise SuppleError(
                f"mpm.courant: found {self.courant!r}; with {self.transfer.name} allowed are numbers above 0 up to {most:g}, "
                "above which explicit steps blow up"
            )

    @property
    def explicit(self) -> bool:
        """Whether the fast kernels are used."""
        return isinstance(self.of, SymplecticEuler) and self.gradient == "mls"

    @property
    def facts(self) -> Facts:
        inner = self.of.facts
        return Facts(
            order=1,
            solves=inner.solves,
            stability="by substeps within the limit" if isinstance(self.of, SymplecticEuler) else inner.stability,
            damping=f"{self.transfer.name} transfer in each step, plus {self.of.name}",
            choose="for sand, snow, fluids and solids under deformations too large for a mesh",
            conserves=("linear momentum",),
        )

    @property
    def asks_at_states(self) -> bool:
        return False  # its kernels support forces that depend on positions only

    @property
    def meets(self) -> frozenset[Need]:
        return (self.of.meets & {Need.BARRIER, Need.CURVED_CONTACT, Need.WHOLE_BODY}) | {Need.POINTS}

    def objection(self, system: System) -> Objection | None:
        found = objection_to(
            system, isinstance(self.of, SymplecticEuler), self.explicit, self.of.name, self.cell is not None
        )
        return found or unmet(self.name, self.meets, needs_of(system))

    def promises(self, system: System) -> float | None:
        return None  # transfers lose energy

    def spline(self, system: System) -> Spline:
        return Spline(self.degree, self.cell or default_cell(system.clouds))

    def start(self, system: System, state: State) -> Memory:
        check_places(system.clouds, state.x, self.spline(system))
        return matter_of(system.clouds, system.n).memory() | {"told": np.array(0.0)}

    def energies(self, system: System, state: State, memory: Memory, tools: Tools) -> Energies:
        matter, outer = Matter.of(memory), tools.energies(state)
        kinetic = self.transfer.kinetic(system.mass, state.v, matter.C, self.spline(system).D)
        return replace(outer, kinetic=kinetic, elastic=outer.elastic + matter.stored(system.clouds))

    def momenta(self, system: System, state: State, memory: Memory) -> tuple[Array, Array]:
        P, L = rigid_momenta(system, state)
        return P, L + self.transfer.spin(system.mass, Matter.of(memory).C, self.spline(system).D)

    def densities(self, system: System, memory: Memory) -> Array | None:
        matter, found = Matter.of(memory), np.zeros(system.n)
        for cloud in system.clouds:
            own = cloud.vertices
            found[own] = cloud.responses(matter.F[own], matter.history[own])[0]
        return found

    def deformations(self, memory: Memory) -> Array | None:
        return Matter.of(memory).F

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        matter, around = Matter.of(memory), Around(self.spline(system), self.transfer, self.gradient)
        limit = Limit(around.spline.dx, self.courant, self.most_substeps)
        inner: Memory = {}
        if self.explicit:
            new, matter, report = explicit_step(system, state, matter, h, around, limit)
        elif isinstance(self.of, SymplecticEuler):
            new, matter, report = cut_step(system, self.of, state, matter, h, around, limit, tools)
        else:
            new, matter, inner, report = grid_step(system, self.of, state, matter, inside(memory), h, around, tools)
        if not memory["told"]:
            report = replace(report, note=_notes(system, state.x, around.spline))
        return new, matter.memory() | {"told": np.array(1.0)} | outside(inner), report


def _notes(system: System, x: Array, spline: Spline) -> str:
    """Warning at the start of a run; empty if there is none."""
    found = [notes(system.clouds, bodies(system), x, spline)]
    if longest_edge(system, x) > spline.dx:
        found.append(
            f"mpm: a mesh embedded in the grid has edges of {longest_edge(system, x):.3g} m, longer than its cells of "
            f"{spline.dx:g} m: other bodies pass between its vertices; use larger cells or a finer mesh"
        )
    return "; ".join(text for text in found if text)
