"""AVF steps with contact.

A minimisation accounts neither for the normal forces of its own step nor for the rotation of normals. So it is repeated
with the previous result, with a loose tolerance at first. For flat faces this suffices. Curved contact is exact only as
the solution of an equation, started from the last minimiser. Where no solution is found nearby, for example past the
edges of shapes, the minimised step is taken, and an impulse corrects its energy error (dynamics/contact/kick.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from supple.dynamics.contact.kick import kicked
from supple.dynamics.contact.polish import PolishedStep, touches
from supple.dynamics.path import Path, curved
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.step import Tools
from supple.dynamics.system import System
from supple.energies.roles.averages import OwnRule
from supple.errors import StageNotConverged, StepRejected
from supple.types import Array

ROUGH = 1e-3
"""Relative gradient at which a minimum is a sufficient start for the equation of an exact step."""
PATIENCE = 8
"""Iterations without progress after which that equation is abandoned."""


@dataclass(frozen=True)
class End:
    """The result of a step."""

    x: Array
    system: System
    """The system with the friction of the step."""
    means: Path | PolishedStep
    """Gives the mean of grad V over the step."""
    v: Array | None = None
    """Velocities, if they differ from the midpoint rule."""
    reaction: Array | None = None
    """(n, 3) mean contribution of constraints to grad V [N]."""
    worked: float = 0.0
    """Work of scripted vertices beyond that of the mean forces [J]."""


@dataclass(frozen=True)
class TouchingStep:
    """A step of h [s] from a state, and the stage that it minimises first."""

    state: State
    h: float
    tools: Tools
    stage: Stage
    passes: int
    polish: bool

    def taken(self, system: System, path: Path) -> End:
        """The step; raises StageNotConverged."""
        x0 = self.state.x
        x1 = self.tools.during(system).minimise(replace(self.stage, rough=ROUGH)).x
        for _ in range(1, self.passes if system.dissipation.freezes_again else 1):
            system, _, x1 = self._pass(system, path, x1)
        if system.potential.passes(x0, x1):
            raise StepRejected(f"in {self.h:g} s a body would pass through a contact barrier")
        if not touches(curved(system.potential), x0, x1):
            x1 = self.tools.during(system).minimise(replace(self.stage, origin=x1, start=x1)).x
            if not touches(curved(system.potential), x0, x1):
                return End(x1, system, path)
        if not self.polish:
            system, path, x1 = self._pass(system, path, x1, rough=None)
            return End(x1, system, path)
        return self._exact(system, path, x1)

    def _exact(self, system: System, path: Path, x1: Array) -> End:
        equation = PolishedStep(system, self.state, self.h, path, x1)
        try:
            x1 = self.tools.root(equation, PATIENCE)
            return End(x1, equation.system(x1), equation)
        except StageNotConverged:
            if any(isinstance(term, OwnRule) for term in curved(system.potential).terms):
                raise
            system, path, x1 = self._pass(system, path, x1, rough=None)
            x0, v0 = self.state.x, self.state.v
            v1 = kicked(system, path, x0, x1, 2 * (x1 - x0) / self.h - v0)
            if v1 is None:
                raise
            return End(x1, system, path, v1)

    def _pass(self, system: System, path: Path, x1: Array, rough: float | None = ROUGH) -> tuple[System, Path, Array]:
        """The system with the normal forces of a step to x1, the path corrected for that step (its normals rotate), and
        the step taken with both."""
        state, h = self.state, self.h
        if system.dissipation.freezes_again:
            system = system.moved(0.5 * (state.x + x1), x1)
        path = path.corrected(x1)
        target = state.x + h * state.v - h * h / 2 * path.at_start() / system.mass[:, None]
        stage = replace(self.stage, target=target, origin=x1, start=x1, rough=rough)
        return system, path, self.tools.during(system).minimise(stage).x
