"""Implicit midpoint, order 2: x1 = argmin 1/2 |x - x0 - h v0|_M^2 + h^2 V((x0 + x)/2), v1 = 2 (x1 - x0)/h - v0.

Symplectic; conserves quadratic invariants (angular momentum) exactly and the energy of linear systems. The energy of
nonlinear systems is not conserved: stiff bodies at large steps blow up. Constraints act by impulses at both ends of the
step, h G(x0)^T lam and G(x1)^T mu with g(x1) = 0 and G(x1) v1 = 0 (as in RATTLE), which preserve these properties.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from supple.dynamics.needs import SMOOTH, Need
from supple.dynamics.reactions import Reactions
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, Solution, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.linalg.reduce import largest

ROUNDS = 20
SETTLED = 1e-13
"""Change of positions in one round, relative to the largest, at which damping and motion are consistent."""


@INTEGRATORS("midpoint")
@dataclass(frozen=True)
class Midpoint(Method):
    """Conserves angular momentum; energy only in linear or well-resolved motion."""

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH | {Need.FRICTION, Need.CONSTRAINTS}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="linear problems only",
            damping="none; may gain energy without bound",
            choose="for well-resolved motion where angular momentum matters",
            conserves=(
                "energy of linear bodies",
                "linear momentum",
                "angular momentum",
            ),
            symmetric=True,
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        x0, v0 = state.x, state.v
        stage = Stage(
            time=state.t + h,
            target=x0 + h * v0,
            positions=(Sample(h * h / 2, 0.5, x0 / 2),),
            velocities=(Sample(h * h / 2, 1 / h, -x0 / h),),
            origin=x0,
            start=x0 + h * v0,
            # large steps have several stationary points: follow the branch of the prediction, not of the past
            may_start_at_origin=False,
            reactions=Reactions(h * h, x0, "start") if system.constraints else None,
        )
        solution = tools.minimise(stage)
        if system.dissipation.follows:
            system, solution = self._settled(system, stage, solution, tools)
        x1, reaction = solution.x, solution.reaction
        v1 = 2 * (x1 - x0) / h - v0
        if reaction is not None:  # v0 - h M^-1 (forces and the impulse at the start), then the impulse at the end
            v1 = v1 + h * system.on_free(reaction) / system.mass[:, None]
            v1, at_end = tools.tangent(x1, system.motion.drive(v1, state.t + h), h)
            reaction = reaction + at_end
        new = self.arrived(system, state.t + h, x1, v1)
        dissipative = self.dissipative_force(system, (x1 - x0) / h)
        return new, memory, StepReport(h, mean_dissipation=dissipative, reaction=reaction)

    @staticmethod
    def _settled(system: System, stage: Stage, found: Solution, tools: Tools) -> tuple[System, Solution]:
        """The step with torque-free dissipation frozen at its own midpoint: about any other configuration its torque
        would rotate the body. Each round changes positions by O(h^2) times the change of the previous round."""
        for _ in range(ROUNDS):
            before = found.x
            system = system.moved(0.5 * (stage.origin + before))
            found = tools.during(system).minimise(replace(stage, start=before))
            if largest(found.x - before) <= SETTLED * largest(found.x):
                return system, found
        raise StepRejected(f"damping and motion did not become consistent in {ROUNDS} rounds")
