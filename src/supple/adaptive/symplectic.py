"""Symplectic step control (Kharevych 2010): dt = h sigma as a constraint of the variational principle, multiplier lam.

adaptive-symplectic, midpoint, order 2, with F = -D'(u) the damping and external forces and w = F . (x1 - x0) their
work:
    M u + dt/2 [grad W(q) - F] + (h lam/2) grad sigma(q) = M v0,  dt = h sigma(q),  q = x0 + dt u/2
    lam = u . M u/2 + W(q) - E - w/2;   x1 = x0 + dt u,  v1 = 2 u - v0;   E <- E + w
adaptive-explicit, order 1, in closed form, F = -D'(v0):
    dt = h sigma(x0),  a = v0 - dt M^-1 [grad W(x0) - F],  G = M^-1 grad sigma(x0)
    (h^2/2) (grad sigma . G) lam^2 - (h [a - dt M^-1 F] . grad sigma + 1) lam + (a . M a/2 + W(x0) - E - dt F . a) = 0
    v1 = a - h lam G,  x1 = x0 + dt v1;   E <- E + dt F . v1
with the root lam that tends to 0 with h. The first step has lam = 0, which gives the level E.

Why E changes: varying the times of the nodes shifts positions along the motion, and a force does virtual work
F . (delta q - q' delta t). The equation of time then reads lam_k - lam_(k-1) = E_(k+1) - E_k - F^+ . (q_k - q_(k-1)) - F^- .
(q_(k+1) - q_k): the multiplier counts the energy that no force accounts for. With a constant level, lam would grow by
the dissipated energy, and the rule would then push the body. An impulse between two steps shifts E by the energy it
removes.

Limits: lam must stay small, or the equations have no solution: h is then too large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.adaptive.adaptive import Ruled
from supple.adaptive.middle import MiddleEquation
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method
from supple.linalg.reduce import dot
from supple.types import Array

LEVEL = "level"
"""E, known after the first step [J]."""


class _Levelled(Ruled):
    """A method that keeps the energy of its steps at a level, which changes with the work of forces."""

    def struck(self, system: System, state: State, memory: Memory, impulse: Array) -> tuple[State, Memory, float]:
        after, memory, taken = super().struck(system, state, memory, impulse)
        return after, {**memory, LEVEL: memory[LEVEL] - taken} if LEVEL in memory else memory, taken


@INTEGRATORS("adaptive-symplectic")
@dataclass(frozen=True)
class AdaptiveSymplectic(_Levelled):
    """The midpoint rule with rule-based step length; symplectic."""

    plain: ClassVar[Method] = Midpoint()

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="as for midpoint, or less if the rule changes much within a step",
            damping="none; energy does not drift while steps resolve the motion",
            choose="to compare with adaptive-reversible, which is cheaper and tolerates larger steps",
            conserves=("linear momentum", "angular momentum"),
            symmetric=not self.adapts,
        )

    def follow(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        level = float(memory[LEVEL]) if LEVEL in memory else None
        equation = MiddleEquation(system, state, self.pace(h), float(memory["energy"]), level)
        x1 = tools.root(equation)
        dt, u, energy = equation.taken(x1)
        work = equation.work(x1)
        level = (energy - work / 2 if level is None else level) + work
        new = self.arrived(system, state.t + dt, x1, 2 * u - state.v)
        report = StepReport(dt, mean_dissipation=self.dissipative_force(system, u))
        return new, {**memory, LEVEL: np.array(level)}, report


@INTEGRATORS("adaptive-explicit")
@dataclass(frozen=True)
class AdaptiveExplicit(_Levelled):
    """Symplectic Euler with rule-based step length; symplectic, one force evaluation per step."""

    plain: ClassVar[Method] = SymplecticEuler()

    @property
    def facts(self) -> Facts:
        return Facts(
            order=1,
            solves=0,
            stability="h omega < 2",
            damping="none: energy oscillates",
            choose="for inexpensive motion of soft bodies with small adaptive steps",
            conserves=("linear momentum", "angular momentum"),
        )

    @property
    def freezes_at(self) -> float | None:
        return None

    def follow(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        place, pace, mass = self.place(system, state, memory), self.pace(h), system.mass[:, None]
        dt, slope = pace.step(place), pace.gradient(place)
        friction = self._friction(system, state)
        drag = np.zeros_like(state.v) if friction is None else system.on_free(friction)  # -F
        a = state.v - dt * (place.acceleration + drag / mass)
        # without the work of F in this step, as lam = 0 implies for the first step
        energy = 0.5 * dot(system.on_free(mass * a), a) + place.potential + dt * dot(drag, a)
        level = float(memory.get(LEVEL, energy))
        G = slope / mass
        # h grad sigma = grad dt, limits of the step included
        lam = _small_root(0.5 * dot(slope, G), -(dot(a + dt * drag / mass, slope) + 1.0), energy - level)
        v1 = a - lam * G
        new = self.arrived(system, state.t + dt, state.x + dt * v1, v1)
        level -= dt * dot(drag, v1)
        return new, {**memory, LEVEL: np.array(level)}, StepReport(dt, mean_dissipation=friction)

    @staticmethod
    def _friction(system: System, state: State) -> Array | None:
        """grad D at the start of the step, None without damping."""
        if not system.dissipation.terms:
            return None
        return system.dissipation.at(state.x, state.t, state.v).gradient(state.v)


def _small_root(A: float, B: float, C: float) -> float:
    """The root of A lam^2 + B lam + C that tends to 0 with C, for B < 0."""
    square = B * B - 4.0 * A * C
    if not (square >= 0.0 and B < 0.0):
        raise StepRejected("the rule changes too much within a step for symplectic control; take a smaller time.step")
    return 2.0 * C / (-B + math.sqrt(square))
