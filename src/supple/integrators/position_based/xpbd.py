"""Position-based dynamics: XPBD (Macklin, Mueller and Chentanez 2016) in small substeps (Macklin et al. 2019), and plain PBD
(Mueller et al. 2007). In each substep of h, with W = M^-1 (zero for prescribed vertices) and the external force f:

    x = x0 + h v0 + h^2 W f,   then every constraint in turn, `iterations` times:
    dlam = (-C - a lam)/(g . W g + a),  a = 1/(k h^2),  g = C'(x),   x += W g dlam;      finally v = (x - x0)/h
No system of equations is solved: constraints are visited one by one, colour by colour (linalg/colouring.py), so the
result is deterministic and independent of the threads. Stiffness k and C are taken from the energies
(energies/compliant.py) that other methods use, V = 1/2 k C^2; contact is in contact.py.

At convergence x is the backward Euler step of h. The published update converges to it only if g is constant, since
impulses of earlier visits remain along outdated gradients. Here a visit first removes the last push P of its
constraint:
    lam = (g . W P - C)/(g . W g + a),   x += W (g lam - P)
which equals the update above while g is unchanged, in particular in the first iteration. Springs have their direction
without their own push and solve exactly; other constraints take one Gauss-Newton step per visit. They may not converge
where stress and h are so large that h^2 K_g > M (K_g: geometric stiffness), but then one iteration in more substeps is
preferable anyway.

Plain PBD removes the fraction k' = 1 - (1 - stiffness)^(1/iterations) of each C, regardless of the material: the
apparent stiffness of a body depends on substeps, iterations and mesh.

Limits: order 1 (PBD: does not converge to the motion of the material at all); damps like backward Euler of the
substep. With few iterations bodies are softer than their material: stiff springs remain stretched, and their energy
appears in the ledger. Air acts explicitly in each substep. Angular momentum is not conserved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt, Le

from supple.dynamics import ledger
from supple.dynamics.contact.collision import collide
from supple.dynamics.needs import MINIMISED, Need, Objection
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import MIDDLE, System
from supple.energies.roles.frozen import FrozenAgain
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.integrators.position_based.contact import Rubbing, rubbings
from supple.integrators.position_based.plan import Block, Plan, Substep, Whole, plan_for
from supple.integrators.position_based.refusal import objection
from supple.types import Array
from supple.work import EVALUATION, spend


@dataclass(frozen=True)
class _Step:
    """Data shared by all substeps of one step."""

    parts: tuple[Block | Whole, ...]
    rubbing: list[Rubbing]
    w: Array
    free: np.ndarray
    weight: Array
    """(n, 3) gradient of the steady terms [N]."""
    share: float


class _PositionBased(Method):
    """The common part of XPBD and PBD."""

    collides: ClassVar[bool] = True
    substeps: int
    iterations: int

    @property
    def freezes_at(self) -> float | None:
        return None

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED - {Need.SURFACES}

    def objection(self, system: System) -> Objection | None:
        return super().objection(system) or objection(self.name, system)

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        step = self._prepared(system, state, h)
        total = StepReport(h, dissipated=0.0, external_work=0.0)
        start = state.t
        for k in range(self.substeps):
            new, report = self._substep(system, state, start + h * (k + 1) / self.substeps, h / self.substeps, step)
            new, report = collide(system, state, new, report, tools)
            total, state = _joined(total, ledger.measured(system, state, new, report)), new
        return state, memory, total

    def _prepared(self, system: System, state: State, h: float) -> _Step:
        plan = plan_for(system.potential)
        w = np.zeros(system.n)
        w[system.free] = 1.0 / system.mass[system.free]
        parts: tuple[Block | Whole, ...] = (*self._blocks(plan), *plan.wholes)
        weight = plan.steady.gradient(state.x)
        return _Step(parts, rubbings(system, plan.obstacles, state.t + MIDDLE * h), w, w > 0.0, weight, self._share)

    def _blocks(self, plan: Plan) -> tuple[Block, ...]:
        return plan.current()

    @property
    def _share(self) -> float:
        return 0.0

    def _substep(self, system: System, state: State, t: float, h: float, step: _Step) -> tuple[State, StepReport]:
        """A substep of h that ends at t."""
        x0, v0 = state.x, state.v
        friction = _friction(system, state)
        u = h * v0 - h * h * step.w[:, None] * (step.weight + friction)
        held = ~step.free
        u[held] = (system.motion.place(x0, t) - x0)[held]
        substep = Substep(x0, step.w, h * h, step.share)
        pushes = [part.pushes(system.n, self.iterations) for part in step.parts]
        saved, touched = np.zeros(system.n), np.zeros(system.n, dtype=bool)
        for k in range(self.iterations):
            spend(EVALUATION)
            first, keep = k == 0, k + 1 < self.iterations
            for part, old in zip(step.parts, pushes, strict=True):
                part.sweep(u, substep, first, keep, old)
            for rubbing in step.rubbing:
                rubbing.push(x0, u, step.free, saved, touched)
        new = self.arrived(system, t, x0 + u, u / h)
        report = ledger.measured(system, state, new, StepReport(h, mean_dissipation=friction))
        rubbed = 0.5 * float(system.mass @ saved) / (h * h)
        contacts = np.flatnonzero(touched).astype(np.int32) if touched.any() else None
        return new, replace(report, dissipated=(report.dissipated or 0.0) + rubbed, contacts=contacts)


@INTEGRATORS("xpbd")
@dataclass(frozen=True)
class XPBD(_PositionBased):
    """Extended position-based dynamics: constraints one by one, a fixed cost per step, no solver."""

    substeps: Annotated[int, Ge(1), Le(10_000)] = 10
    """Substeps per step: more of them give less damping and more stiffness; preferable to more iterations."""
    iterations: Annotated[int, Ge(1), Le(10_000)] = 1
    """Visits of each constraint per substep."""

    @property
    def facts(self) -> Facts:
        return Facts(
            order=1,
            solves=0,
            stability="unconditional with one iteration, but soft",
            damping="as backward Euler at the substep, or less where it is softer",
            choose="for animation at a fixed cost per frame; many vertices, low accuracy",
            conserves=("linear momentum",),
        )


@INTEGRATORS("pbd")
@dataclass(frozen=True)
class PBD(_PositionBased):
    """Position-based dynamics: preserves lengths, angles and volumes, regardless of the material's stiffness."""

    substeps: Annotated[int, Ge(1), Le(10_000)] = 10
    """Substeps per step."""
    iterations: Annotated[int, Ge(1), Le(10_000)] = 1
    """Visits of each constraint per substep."""
    stiffness: Annotated[float, Gt(0), Le(1)] = 1.0
    """Fraction of its error that a constraint removes per substep, 0 to 1."""

    @property
    def facts(self) -> Facts:
        return Facts(
            order=0,
            solves=0,
            stability="unconditional",
            damping="strong",
            choose="for bodies that hardly stretch, when the material does not matter",
            conserves=("linear momentum",),
        )

    def _blocks(self, plan: Plan) -> tuple[Block, ...]:
        return plan.rigid()

    @property
    def _share(self) -> float:
        return 1.0 - (1.0 - self.stiffness) ** (1.0 / self.iterations)


def _friction(system: System, state: State) -> Array:
    """(n, 3) grad D(v) of all dissipation, except friction of obstacles [N]."""
    if all(isinstance(term, FrozenAgain) for term in system.dissipation.terms):
        return np.zeros_like(state.v)
    terms = system.dissipation.at(state.x, state.t, state.v)
    apart = [
        frozen
        for frozen, live in zip(terms.terms, system.dissipation.terms, strict=True)
        if isinstance(live, FrozenAgain)
    ]
    return terms.only(lambda term: all(term is not other for other in apart)).gradient(state.v)


def _joined(total: StepReport, report: StepReport) -> StepReport:
    """The report of a step and of one more substep."""
    contacts = [c for c in (total.contacts, report.contacts) if c is not None]
    return replace(
        total,
        dissipated=(total.dissipated or 0.0) + (report.dissipated or 0.0),
        external_work=(total.external_work or 0.0) + (report.external_work or 0.0),
        contacts=np.unique(np.concatenate(contacts)) if contacts else None,
        collided=total.collided + report.collided,
    )
