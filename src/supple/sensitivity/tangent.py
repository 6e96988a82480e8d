"""Tangent sweep of one step: from changes of its inputs and parameters to changes of its results.

A dot is a derivative along a direction. For a stage with H = dR/dx:
    H xd = inertia M yd - sum_q s_q V''(p_q) (bd_q + c_q xd_held) - dR/dtheta thetad on free vertices, xd_held from the script
and for a force ad = M^-1 V''(p) pd + da/dtheta thetad.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.dynamics.system import System
from supple.energies.samples import Samples, one_sample
from supple.integrators.method import Method
from supple.sensitivity.bordered import BorderedStage
from supple.sensitivity.equations import EquationStep
from supple.sensitivity.frozen import Places, pushed_places
from supple.sensitivity.instants import frozen_in_step, instant_of
from supple.sensitivity.linear import StageMatrix
from supple.sensitivity.looking import View, views
from supple.sensitivity.rehearsal.program import Drive, EquationSolve, Force, Free, Instruction, Place, Row, Solve
from supple.sensitivity.replay import Played, averaged, chosen, during
from supple.sensitivity.rounds import settled
from supple.sensitivity.twins import Twin
from supple.types import Array

SETTLED = 1e-12
"""Change per round, relative to the largest entry, at which a repeated solve has converged."""


class StepAlong:
    """The tangent sweep of one step, for several directions that share its matrices."""

    def __init__(self, played: Played, method: Method, matrix: StageMatrix) -> None:
        self.played, self._method, self._matrix = played, method, matrix
        self._neighbours: dict[int, System] = {}

    def take(self, inputs: list[dict[str, Array]], twins: list[Twin | None]) -> list[dict[str, Array]]:
        """Changes of the results by name, for each direction."""
        program = self.played.step.program
        dots = [[given[name] for name in program.inputs] for given in inputs]
        for k, instruction in enumerate(program.instructions):
            value = self.played.values[len(program.inputs) + k]
            if isinstance(instruction, Solve) and not instruction.constrained:
                self._matrix.at(self.played.stage(instruction, value), value)
            for dot, twin in zip(dots, twins, strict=True):
                dot.append(self._along(instruction, value, dot, twin))
        return [{name: _combined(row, dot) for name, row in program.outputs.items()} for dot in dots]

    def _along(self, instruction: Instruction, value: Array, dots: list[Array], twin: Twin | None) -> Array:
        t, free = self.played.t, self.played.system.on_free
        match instruction:
            case Solve():
                return self._solve(instruction, value, dots, twin)
            case EquationSolve():
                return self._equation(instruction, value, dots, twin)
            case Force():
                return self._force(instruction, dots, twin)
            case Free(row):
                return free(_combined(row, dots))
            case Place(row, time):
                return free(_combined(row, dots)) + self._script(twin, lambda s, x: s.motion.place(x, t + time))
            case Drive(row, time):
                return free(_combined(row, dots)) + self._script(twin, lambda s, x: s.motion.drive(x, t + time))
        raise TypeError(f"unknown instruction {instruction!r}")

    def _script(self, twin: Twin | None, moved: Callable[[System, Array], Array]) -> Array:
        """Derivative of prescribed rows with respect to a parameter."""
        still = np.zeros_like(self.played.values[0])
        return still if twin is None else twin.derivative(lambda s: moved(s, still))

    def _solve(self, asked: Solve, x: Array, dots: list[Array], twin: Twin | None) -> Array:
        played = self.played
        held = self._script(twin, lambda s, still: s.motion.place(still, played.t + asked.time))
        rhs = asked.inertia * played.system.mass[:, None] * _combined(asked.target, dots)
        found = views(played, asked, x)
        for view in found:
            rhs -= self._view(view, x, dots, held)
            if view.velocities:
                rhs -= self._frozen(
                    view.weighted(view.weights), dots, following=None if asked.middle is None else False
                )
        if twin is not None:
            rhs -= twin.derivative(lambda s: played.stage(asked, x, self._near(s)).evaluate(x).gradient)
        if asked.constrained:
            return self._bordered(asked, x, rhs, held, twin)
        xd = self._matrix.solve(rhs) + held
        if asked.middle is None or not any(view.velocities for view in found):
            return xd
        return self._following(asked, next(v for v in found if v.velocities), rhs, held, xd, dots)

    def _bordered(self, asked: Solve, x: Array, rhs: Array, held: Array, twin: Twin | None) -> Array:
        """A stage under constraints, whose tangents satisfy them too."""
        stage = BorderedStage(self.played.system, self.played.stage(asked, x), x)
        moved, off = stage.along(held)
        if twin is not None:
            moved = moved + twin.derivative(stage.forces)
            off = off + twin.derivative(stage.values)
        return stage.solve(rhs - moved, -off)[0] + held

    def _view(self, view: View, x: Array, dots: list[Array], held: Array) -> Array:
        """sum_q s_q V''(p_q) (bd_q + c_q xd_held), and the change of closed means with the start of the step."""
        total = np.zeros_like(held)
        for symbol, factors in view.symbols().items():
            total += view.product(view.weights * factors, dots[symbol])
        if held.any():
            total += view.product(view.weights * view.scales, held)
        if view.closed is not None:
            at = one_sample(self.played.of(view.start))
            total += view.weights.sum() * averaged(view.closed, x).product(at, _combined(view.start, dots))
        return total

    def _following(self, asked: Solve, view: View, rhs: Array, held: Array, xd: Array, dots: list[Array]) -> Array:
        """The stage with damping that follows its own solution, iteratively."""
        system, at = self.played.system, instant_of(self.played, asked.middle)
        assert asked.middle is not None
        own = len(dots)
        share = dict(asked.middle).get(own, 0.0)
        rest = _combined(tuple((k, c) for k, c in asked.middle if k != own), dots)
        samples = view.weighted(view.weights)

        def again(y: Array) -> Array:
            middle = Places(rest + share * y, dots[0], dots[1])
            return self._matrix.solve(rhs - pushed_places(system, at, samples, middle, following=True)) + held

        return settled(xd, again, SETTLED)

    def _frozen(self, samples: Samples, dots: list[Array], following: bool | None) -> Array:
        """Change of dissipative forces with the configuration at which the whole step freezes them."""
        if not frozen_in_step(self.played):
            return np.zeros_like(dots[0])
        f, free = self._method.freezes_at or 0.0, self.played.system.on_free
        place = free(dots[0] + f * self.played.h * dots[1])
        along = Places(place, dots[0], dots[1])
        return pushed_places(self.played.system, instant_of(self.played, None), samples, along, following)

    def _force(self, asked: Force, dots: list[Array], twin: Twin | None) -> Array:
        played = self.played
        samples, moved = one_sample(played.of(asked.point)), _combined(asked.point, dots)
        if asked.terms is not None:
            change = chosen(played.system.potential, asked.terms).product(samples, moved)
        else:
            change = played.dissipation_at(asked).product(samples, moved) + self._moved_place(asked, samples, dots)
        change = change / played.system.mass[:, None]
        return change if twin is None else change + twin.derivative(lambda s: played.force(asked, self._near(s)))

    def _moved_place(self, asked: Force, samples: Samples, dots: list[Array]) -> Array:
        if asked.place is None:
            return self._frozen(samples, dots, following=None)
        system, at = self.played.system, instant_of(self.played, asked.place, asked)
        along = Places(_combined(asked.place, dots), dots[0], _combined(asked.point, dots))
        if not asked.middle:
            return pushed_places(system, at, samples, along, None)
        return pushed_places(system, at, samples, along, True) + self._frozen(samples, dots, following=False)

    def _equation(self, asked: EquationSolve, x: Array, dots: list[Array], twin: Twin | None) -> Array:
        step = EquationStep(self.played, asked, x)
        held = self._script(twin, lambda s, still: s.motion.place(still, self.played.t + asked.time))
        change = np.zeros_like(x) if twin is None else twin.derivative(lambda s: step.residual(self._near(s)))
        if step.dissipation_samples is not None:
            change = change + self._frozen(step.dissipation_samples, dots, following=False if step.follows else None)
        return step.tangent(_combined(asked.target, dots), _combined(asked.x0, dots), held, change)

    def _near(self, system: System) -> System:
        """A neighbouring system during this step."""
        if id(system) not in self._neighbours:
            self._neighbours[id(system)] = during(system, self._method, self.played.step)
        return self._neighbours[id(system)]


def _combined(row: Row, dots: list[Array]) -> Array:
    total = np.zeros_like(dots[0])
    for symbol, factor in row:
        total += factor * dots[symbol]
    return total
