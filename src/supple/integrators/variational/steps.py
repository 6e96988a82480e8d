"""Variational integrators in Hamilton-Pontryagin form (Kharevych 2010): positions q and momenta p = M v are the state.

The action of a step is a quadrature (rule.py); with nodes a_i, weights w_i and q_i = q0 + a_i h v,
    M v + h sum_i w_i (1 - a_i) grad W(q_i) = p0,  q1 = q0 + h v,  p1 = M v - h sum_i w_i a_i grad W(q_i)
v is the minimiser of the Lilyan
    E(v) = 1/2 v^T M v - p0 . v + sum_i w_i (1 - a_i)/a_i W(q0 + a_i h v)
which a stage minimises as h^2 E over q1. Symplectic, momenta exact; order 2 if the mean node is 1/2, else 1.
    one-point    a = alpha: 1/2 is the implicit midpoint rule, 0 and 1 are explicit
    symmetric    a = alpha and 1 - alpha, half each
    trapezoidal  a = 0 and 1, half each: velocity Verlet, explicit
Dissipative forces enter in discrete d'Alembert form, -(1 - c) D'(v) and -c D'(v) in the two equations with c the mean
node: they are implicit even where the rest is explicit (except for c = 1).

Residual re-injection: with r the residual of the first equation, p1 = p0 - h (sum_i w_i grad W(q_i) + D'(v)) passes r
to the next step instead of losing it. A loose solve then neither adds nor removes energy. Not every loose solve permits
this: the residual of a fixed matrix started at the last velocity is biased and would be fed back, so combination
is rejected.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from supple.dynamics.needs import SMOOTH, Need, Objection
from supple.dynamics.reactions import Reactions
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Conserved, Facts, Memory, Solution, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected, SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.midpoint import ROUNDS, SETTLED
from supple.integrators.method import Method
from supple.integrators.variational.modified import fixed_matrix, modified_newton
from supple.integrators.variational.rule import ActionRule
from supple.linalg.reduce import dot, largest
from supple.types import Array

LOOSE = 1e-6
"""Tolerance above which the residual of a solve is visible in the energy."""


@INTEGRATORS("variational")
@dataclass(frozen=True)
class Variational(Method):
    """Symplectic steps from one discrete action; may solve loosely and still preserve its energy."""

    alpha: Annotated[float, Ge(0), Le(1)] = 0.5
    """Position in the step where the force is evaluated: 0 at its start, 1 at its end [-]."""
    rule: Literal["one-point", "symmetric", "trapezoidal"] = "one-point"
    """Force at alpha, at the mean of alpha and 1 - alpha, or at both ends."""
    reinject: bool = False
    """Whether the next step compensates the residual of this one."""
    tolerance: Annotated[float, Gt(0), Le(0.1)] | None = None
    """Permitted residual of a solve relative to the momentum; if omitted, the solver's own tolerance applies [-]."""
    predictor: Literal["auto", "half-kick", "warm", "momentum"] = "auto"
    """Initial guess of the velocity: momentum and the force at the start, the velocity of the last step, or momentum
    alone; auto uses half-kick with a tolerance and momentum without."""
    solver: Literal["newton", "modified"] = "newton"
    """Newton's method with the Hessian of every iterate, or with one fixed matrix (requires a tolerance)."""
    relaxation: Annotated[float, Gt(0), Le(1)] = 1.0
    """Relaxation factor of the modified solver: less than 1 for bodies that become stiffer than at the start [-]."""

    def __post_init__(self) -> None:
        if self.solver == "modified" and self.tolerance is None:
            raise SuppleError('variational.solver: "modified" needs a tolerance, such as tolerance = 1e-6')
        if self.solver == "modified" and self.reinject and self.predictor == "warm":
            raise SuppleError(
                'variational: reinject = true with solver = "modified" and predictor = "warm" feeds a biased residual back '
                'until the motion blows up; use predictor = "half-kick" or solver = "newton"'
            )
        if self.predictor == "momentum" and self.tolerance is not None and self.tolerance > LOOSE:
            raise SuppleError(
                f'variational.predictor: "momentum" with tolerance = {self.tolerance:g} starts far from the solution, and '
                f'the residual there changes the energy; use predictor = "half-kick", or a tolerance of at most {LOOSE:g}'
            )

    @property
    def quadrature(self) -> ActionRule:
        """Nodes and weights of the rule."""
        if self.rule == "one-point":
            return ActionRule((self.alpha,), (1.0,))
        a = self.alpha if self.rule == "symmetric" else 0.0
        return ActionRule((a, 1.0 - a), (0.5, 0.5))

    @property
    def freezes_at(self) -> float | None:
        return self.quadrature.centre

    @property
    def facts(self) -> Facts:
        rule = self.quadrature
        momenta: tuple[Conserved, ...] = ("linear momentum", "angular momentum")
        return Facts(
            order=2 if rule.centre == 0.5 else 1,
            solves=int(rule.implicit),
            stability="linear problems only" if set(rule.nodes) == {0.5} else "while h omega is small",
            damping="none: energy oscillates; may gain without bound at large steps",
            choose="for long runs at well-resolved steps, and loose solves with reinject = true",
            conserves=("energy of linear bodies", *momenta) if set(rule.nodes) == {0.5} else momenta,
            symmetric=rule.symmetric,
        )

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH | {Need.CONSTRAINTS}

    def objection(self, system: System) -> Objection | None:
        if len(system.constraints) and (self.reinject or self.tolerance is not None):
            return Objection(
                f"{self.name} solves constraints to the last digit",
                ("leave out reinject and tolerance",),
            )
        if self.solver == "modified" and (system.potential.roles.whole_body or system.potential.roles.couplings):
            return Objection(
                f'{self.name} with solver = "modified" uses one sparse matrix, which cannot represent energies of the whole '
                "body and contact between bodies",
                ('give it solver = "newton"',),
            )
        return super().objection(system)

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        stage = self._stage(system, state, memory, h)
        if self.solver == "modified":
            memory = fixed_matrix(stage, state, memory, h, tools)
        system, found = self._settled(system, stage, memory, tools)
        x1, reaction = found.x, found.reaction
        u = (x1 - state.x) / h
        dissipative = self.dissipative_force(system, u)
        v1 = self._velocity(system, state, x1, h, dissipative)
        if (
            system.constraints
        ):  # the impulse h G(q0)^T lam is in u; the impulse at the end makes p1 tangent to the constraints
            v1, at_end = tools.tangent(x1, system.motion.drive(v1, state.t + h), h)
            reaction = at_end if reaction is None else reaction + at_end
        new = self.arrived(system, state.t + h, x1, v1)
        if self.predictor == "warm":
            memory = {**memory, "v": u}
        return new, memory, StepReport(h, mean_dissipation=dissipative, reaction=reaction)

    def kicked(self, memory: Memory, dv: Array) -> Memory:
        return {**memory, "v": memory["v"] + dv} if "v" in memory else memory

    def _stage(self, system: System, state: State, memory: Memory, h: float) -> Stage:
        """h^2 times the Lilyan, over the new positions."""
        x0, rule = state.x, self.quadrature
        momentum = x0 + h * state.v
        fall = np.zeros_like(x0)
        if rule.start_weight or self._predictor == "half-kick":
            fall = -h * h * system.on_free(system.potential.gradient(x0)) / system.mass[:, None]
        predicted = {
            "momentum": momentum,
            "half-kick": momentum + (1.0 - rule.centre) * fall,
            "warm": x0 + h * memory.get("v", state.v),
        }[self._predictor]
        return Stage(
            time=state.t + h,
            target=momentum + rule.start_weight * fall,
            positions=rule.samples(x0, h),
            velocities=(Sample(h * h * (1.0 - rule.centre), 1.0 / h, -x0 / h),) if rule.centre < 1.0 else (),
            origin=x0,
            start=predicted,
            may_start_at_origin=False,  # as for the midpoint rule
            tolerance=self._allowed(system, momentum - x0, predicted - x0),
            reactions=Reactions(h * h, x0, "start") if system.constraints else None,
        )

    @property
    def _predictor(self) -> str:
        if self.predictor != "auto":
            return self.predictor
        return "momentum" if self.tolerance is None else "half-kick"

    def _allowed(self, system: System, *moves: Array) -> float | None:
        """Bound on the stage's gradient h r: the tolerance times h |p|, with p at the start or, for a body at rest, the
        predicted one."""
        if self.tolerance is None:
            return None
        momenta = (system.on_free(system.mass[:, None] * d) for d in moves)
        return self.tolerance * max(math.sqrt(dot(p, p)) for p in momenta)

    def _settled(self, system: System, stage: Stage, memory: Memory, tools: Tools) -> tuple[System, Solution]:
        """New positions. Torque-free dissipation is frozen where its impulses act, at the centre of the rule."""
        found, c = self._solved(system, stage, memory, tools), self.quadrature.centre
        if not system.dissipation.follows:
            return system, found
        for _ in range(ROUNDS):
            before = found.x
            system = system.moved((1.0 - c) * stage.origin + c * before)
            found = self._solved(system, replace(stage, start=before), memory, tools.during(system))
            if largest(found.x - before) <= SETTLED * largest(found.x):
                return system, found
        raise StepRejected(f"damping and motion did not become consistent in {ROUNDS} rounds")

    def _solved(self, system: System, stage: Stage, memory: Memory, tools: Tools) -> Solution:
        if not stage.positions and stage.reactions is None and not (stage.velocities and system.dissipation.terms):
            return Solution(system.motion.place(stage.target, stage.time))
        if self.solver == "modified":
            return Solution(modified_newton(system, stage, memory, tools, self.relaxation))
        return tools.minimise(stage)

    def _velocity(self, system: System, state: State, x1: Array, h: float, dissipative: Array | None) -> Array:
        """M^-1 p1."""
        rule, potential = self.quadrature, system.potential
        if self.reinject:
            base, share, force = state.v, 1.0, rule.mean_gradient(potential, state.x, x1)
        else:
            base, share, force = (x1 - state.x) / h, rule.centre, rule.end_gradient(potential, state.x, x1)
        if dissipative is not None:
            force = force + share * dissipative
        return base - h * system.on_free(force) / system.mass[:, None]
