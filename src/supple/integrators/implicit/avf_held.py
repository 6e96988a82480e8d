"""AVF steps under constraints, with or without contact.

As without constraints (avf_contact.py) a stage is solved first, to a loose tolerance, and again with the normal forces
and normals found. The equation of exact contact then has the constraint multipliers among its unknowns, so one solution
conserves energy with contact and constraints together. Where none is found nearby, the step is rejected and halved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from supple.dynamics.contact.polish import PolishedStep, touches
from supple.dynamics.path import Path, curved
from supple.dynamics.reactions import Reactions
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.step import Solution, Tools
from supple.dynamics.system import System
from supple.integrators.implicit.avf_contact import ROUGH, End
from supple.types import Array


@dataclass(frozen=True)
class HeldStep:
    """A step of h [s] from a state, and the stage that it solves first."""

    state: State
    h: float
    tools: Tools
    stage: Stage
    passes: int
    polish: bool

    def taken(self, system: System, path: Path) -> End:
        """The step; raises StageNotConverged."""
        x0, contact = self.state.x, curved(system.potential)
        if not (system.dissipation.freezes_again or contact.terms):
            return self._end(self._solved(system, self.stage), system, path)
        found = self._solved(system, replace(self.stage, rough=ROUGH))
        for _ in range(1, self.passes if system.dissipation.freezes_again else 1):
            system, _, found = self._pass(system, path, found.x)
        if not touches(contact, x0, found.x):
            found = self._solved(system, replace(self.stage, origin=found.x, start=found.x))
            if not touches(contact, x0, found.x):
                return self._end(found, system, path)
        if not self.polish:
            system, path, found = self._pass(system, path, found.x, rough=None)
            return self._end(found, system, path)
        equation = PolishedStep(system, self.state, self.h, path, found.x)
        found = self.tools.during(system).hold(equation, self._reactions(system, found.move))
        ended = equation.system(found.x)
        return End(found.x, ended, equation, self._velocity(found), found.reaction, found.worked)

    def _solved(self, system: System, stage: Stage) -> Solution:
        return self.tools.during(system).conserve(stage, self._reactions(system))

    def _reactions(self, system: System, guess: Array | None = None) -> Reactions:
        v0, h = self.state.v, self.h
        last = h * system.motion.drive(v0, self.state.t + h) if guess is None else guess
        return Reactions(h * h / 2, self.state.x, "mean", (h * v0, last))

    def _pass(
        self, system: System, path: Path, x1: Array, rough: float | None = ROUGH
    ) -> tuple[System, Path, Solution]:
        """The system with the normal forces of a step to x1, the path corrected for that step, and the step with both."""
        state, h = self.state, self.h
        if system.dissipation.freezes_again:
            system = system.moved(0.5 * (state.x + x1), x1)
        path = path.corrected(x1)
        target = state.x + h * state.v - h * h / 2 * path.at_start() / system.mass[:, None]
        stage = replace(self.stage, target=target, origin=x1, start=x1, rough=rough)
        return system, path, self._solved(system, stage)

    def _end(self, found: Solution, system: System, path: Path) -> End:
        return End(found.x, system, path, self._velocity(found), found.reaction, found.worked)

    def _velocity(self, found: Solution) -> Array | None:
        return None if found.move is None else found.move / self.h
