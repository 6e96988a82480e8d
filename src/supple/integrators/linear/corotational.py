"""Time-reversible corotational steps, order 2: Kharevych 2010, section 3.4. One linear solve per step, no iteration.

V_k(x) is the energy with the frames of x_k: quadratic, with the gradient K_k x - f_k. The first half of a step
evaluates the midpoint x_m = x_k + h v/2 in the frames of its start, the second half in those of its end:

    M v = M v_k - h/2 [V_k'(x_m) + D'(v)],   x_k+1 = x_k + h v,   M v_k+1 = M v - h/2 [V_k+1'(x_m) + D'(v)]
    (M + h/2 D'' + h^2/4 K_k)(v - v_k) = -h/2 [V_k'(x_k + h/2 v_k) + D'(v_k)]
The second half is the first half reversed, so a step of -h undoes a step of h. With constant K it is the implicit
midpoint rule.

Limits: valid only where the force at given frames is the gradient of the energy at those frames, as for polar frames
and isotropic elements. With other frames the forces do work in rotations, and the energy grows without bound. Angular
momentum is not conserved exactly: the midpoint is not evaluated in its own frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.needs import SMOOTH, Need, Objection
from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.energies.corotational.term import Corotational
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.samples import Samples
from supple.energies.springs.aligned import AlignedSprings
from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.types import Array


@INTEGRATORS("corotational-reversible")
@dataclass(frozen=True)
class CorotationalReversible(Method):
    """Large steps of stiff, rotating bodies at the cost of one linear solve."""

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH - {Need.WHOLE_BODY}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="linear problems; violent motion may overshoot",
            damping="none; the energy oscillates within narrow bounds",
            choose="for long oscillation and rotation of corotational bodies, at a known cost per step",
            conserves=("energy of linear bodies", "linear momentum"),
            symmetric=True,
        )

    def objection(self, system: System) -> Objection | None:
        odd = [_described(term) for term in system.potential.terms if not _fits(term)]
        odd += [
            type(term).__name__
            for term in system.dissipation.terms
            if term.degree != 2 or isinstance(term, ChangingCouplings)
        ]
        if not odd:
            return super().objection(system)
        return Objection(
            f"{self.name} is for corotational bodies with polar frames and isotropic stiffness, Hooke springs, quadratic "
            f"energies and linear damping; found {', '.join(odd)}",
            ("give the body material = { name = 'corotational' } with young and poisson",),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        x0, t1 = state.x, state.t + h
        inverse_mass = np.zeros((system.n, 1))
        inverse_mass[system.free, 0] = 1.0 / system.mass[system.free]
        # scripted vertices move straight to their scripted positions
        v0 = state.v.copy()
        held = inverse_mass[:, 0] == 0.0
        v0[held] = (system.motion.place(x0, t1)[held] - x0[held]) / h

        V0 = _framed(system.potential, x0, _known_frames(system, x0, memory))
        solve = tools.factor(_matrix(system, V0, x0, v0, h))
        v = v0 - solve(0.5 * h * _total(V0.gradient(x0 + 0.5 * h * v0), self.dissipative_force(system, v0)))
        middle, x1 = x0 + 0.5 * h * v, system.motion.place(x0 + h * v, t1)
        frames, dissipative = _frames(system, x1), self.dissipative_force(system, v)
        last = _framed(system.potential, x1, frames).gradient(middle)
        v1 = v - 0.5 * h * inverse_mass * _total(last, dissipative)
        mean = 0.5 * (V0.gradient(middle) + last) if system.motion.moves else None
        report = StepReport(h, mean_gradient=mean, mean_dissipation=dissipative)
        return self.arrived(system, t1, x1, v1), {"x": x1, "frames": frames}, report


def _fits(term: EnergyTerm) -> bool:
    if isinstance(term, Corotational):
        return term.plain
    return isinstance(term, HookeSprings) or (term.midpoint_is_exact and not isinstance(term, ChangingCouplings))


def _described(term: EnergyTerm) -> str:
    """Corotational (kabsch frames)."""
    if not isinstance(term, Corotational):
        return type(term).__name__
    if term.frame != "polar":
        return f"Corotational ({term.frame} frames)"
    return "Corotational (frames about an axis)" if term.isotropic else "Corotational (anisotropic)"


def _frames(system: System, x: Array) -> Array:
    """(m, 3, 3) frames of all corotational elements, one term after the other."""
    bodies = [term for term in system.potential.terms if isinstance(term, Corotational)]
    return np.concatenate([np.empty((0, 3, 3)), *(body.frames(x) for body in bodies)])


def _known_frames(system: System, x: Array, memory: Memory) -> Array:
    """The frames at the end of the last step, if nothing has moved the body since."""
    return memory["frames"] if memory and np.array_equal(memory["x"], x) else _frames(system, x)


def _framed(potential: Potential, x: Array, frames: Array) -> Potential:
    """The same with the frames of x."""
    terms: list[EnergyTerm] = []
    for term in potential.terms:
        if isinstance(term, Corotational):
            terms.append(term.with_frames(frames[: len(term.elements)]))
            frames = frames[len(term.elements) :]
        else:
            terms.append(AlignedSprings(term, x) if isinstance(term, HookeSprings) else term)
    return potential.replaced(terms)


def _matrix(system: System, V: Potential, x: Array, v: Array, h: float) -> Array:
    """Entries of M + h/2 D'' + h^2/4 K."""
    values = np.zeros(system.pattern.nnz)
    values[system.pattern.diagonal] = system.unknown_mass
    V.add_hessian(_weighted(x, 0.25 * h * h), values)
    if system.dissipation.terms:
        system.dissipation.frozen.add_hessian(_weighted(v, 0.5 * h), values)
    return values


def _weighted(x: Array, weight: float) -> Samples:
    weights = np.array([weight])
    return Samples(x[None], weights, weights, weights)


def _total(gradient: Array, dissipative: Array | None) -> Array:
    return gradient if dissipative is None else gradient + dissipative
