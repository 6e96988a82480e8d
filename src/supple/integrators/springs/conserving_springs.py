"""Energy-conserving springs: Su, Sheth and Fedkiw 2013, sections 2 and 3. For bodies made of springs, with gravity.

    x1 = x0 + h v0 + h^2/2 M^-1 (f + f_s(F)),   v1 = v0 + h M^-1 (f + f_s(F')),   f_s(F) at vertex i: -sum_s F_s c_si u_s
along the directions u of the start of the step (links.py). F conserves the energy of every spring if no direction
rotates (link_forces.py); F' is then chosen such that every spring conserves it with the actual lengths. The remaining
difference is a debt: the memory holds a residual for every spring, the next steps compensate it, and

    sum of the residuals = energy - energy at the start - work of scripts + dissipated           (exactly)

Springs of rest length zero are treated along the axes and need no direction. Where no direction rotates (one dimension,
springs of rest length zero) F' = F, and the step is implicit midpoint. Dissipation acts explicitly: -D'(v0) is added to
f.

Limits: order 1, since directions are taken at the start; angular momentum is not conserved. Velocities can compensate
no more than the kinetic energy along a spring. A few springs stay within bounds, but in a net that rotates much per
step the corrections of neighbours interfere, and the energy error is larger than without them. The exact spring in
three dimensions is simo-tarnow with the same terms, at the cost of Newton's method.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from supple.dynamics.needs import SMOOTH, Need, Objection
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.energies.gravity import Gravity
from supple.energies.springs.links import Linked, Links, join_links
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.integrators.springs.link_forces import coupling, midpoint_forces, published_forces, velocity_forces
from supple.types import Array

TURNED = 1e-14
"""Length error of a link due to rotation, relative to the largest coordinate, below which it is round-off."""


@INTEGRATORS("conserving-springs")
@dataclass(frozen=True)
class ConservingSprings(Method):
    """Books the energy of every single spring, at the cost of one linear solve per step."""

    root: Literal["midpoint", "analytic"] = "midpoint"
    """The force that moves a spring: the midpoint force, or of both roots the one closer to the free oscillation of the
    spring, as published. The latter brings springs to a stop at large steps."""
    balance: bool = True
    """Whether velocities compensate the energy that rotating springs gain or lose."""

    @property
    def facts(self) -> Facts:
        return Facts(
            order=1,
            solves=1,
            stability="while springs rotate little per step",
            damping="none along springs; energy changes by rotation are compensated later",
            choose="for a few springs at a fixed cost per step; simo-tarnow is exact",
            conserves=("energy of linear bodies", "linear momentum"),
        )

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH - {Need.WHOLE_BODY}

    def objection(self, system: System) -> Objection | None:
        odd = [type(t).__name__ for t in system.potential.terms if not isinstance(t, Linked | Gravity)]
        if not odd:
            return super().objection(system)
        return Objection(
            f"{self.name} is for springs that are linear in their length, and gravity; found {', '.join(odd)}",
            ("give the body the material hooke-spring",),
        )

    def start(self, system: System, state: State) -> Memory:
        links = _links(_linked(system), state.x)
        return {"residual": np.zeros(len(links.kappa)), "direction": links.u}

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        springs = _linked(system)
        every = _links(springs, state.x)
        live = every.kappa > 0.0  # a link without stiffness, such as an unused handle, changes no bit
        links = _directed(every.only(live), memory["direction"][live], state.v)
        inverse_mass = np.zeros(system.n)
        inverse_mass[system.free] = 1.0 / system.mass[system.free]
        w = inverse_mass[:, None]
        dissipative = self.dissipative_force(system, state.v)
        weight = _weight(system, state.x)
        push = w * -(weight if dissipative is None else weight + dissipative)
        drift = system.motion.place(state.x + h * state.v + 0.5 * h * h * push, state.t + h) - state.x

        T, b = coupling(links, inverse_mass), links.along(drift)
        F = midpoint_forces(links, T, b, h)
        if self.root == "analytic":
            F = published_forces(links, T, b, links.along(state.v), h, F)
        x1 = state.x + drift - 0.5 * h * h * w * _pull(links, F, system.n)
        after = _lengths_after(springs, state.x, x1)[live]

        # work of external forces along the displacement by F, not F': (F' - F) times `gain` per link
        gain = 0.5 * h * h * links.along(push)
        constant = memory["residual"][live] + links.energy_at(after) - links.energy + F * gain
        final = F
        if self.balance and _turns(links, after, b - 0.5 * h * h * T.times(F), state.x):
            final = velocity_forces(T, b + gain, constant, h, F)
        pull = _pull(links, final, system.n)
        new = self.arrived(system, state.t + h, x1, state.v + h * (push - w * pull))
        residual = constant - final * (b + gain - 0.5 * h * h * T.times(final))
        # another altitude may be the shortest now
        residual += _links(springs, new.x).energy[live] - links.energy_at(after)
        report = StepReport(h, mean_gradient=pull + weight, mean_dissipation=dissipative)
        kept = {"residual": _put(memory["residual"], live, residual), "direction": _put(every.u, live, links.u)}
        return new, kept, report


def _put(values: Array, chosen: npt.NDArray[np.bool_], new: Array) -> Array:
    """The values, some of them replaced."""
    out = values.copy()
    out[chosen] = new
    return out


def _linked(system: System) -> list[Linked]:
    return [term for term in system.potential.terms if isinstance(term, Linked)]


def _links(springs: list[Linked], x: Array) -> Links:
    return join_links([term.links(x) for term in springs])


def _lengths_after(springs: list[Linked], x0: Array, x1: Array) -> Array:
    return np.concatenate([np.empty(0), *(term.lengths_after(x0, x1) for term in springs)])


def _weight(system: System, x: Array) -> Array:
    """(n, 3) gradient of the terms that are not springs [N]."""
    total = np.zeros_like(x)
    for term in system.potential.terms:
        if isinstance(term, Gravity):
            total += term.element_gradients(x)[:, 0]
    return total


def _pull(links: Links, F: Array, n: int) -> Array:
    """(n, 3) sum_s F_s c_si u_s [N]."""
    out = np.zeros((n, 3))
    np.add.at(out, links.vertices, F[:, None, None] * links.c[:, :, None] * links.u[:, None, :])
    return out


def _directed(links: Links, last: Array, v: Array) -> Links:
    """A link that has shrunk to a point keeps its last direction, or takes the direction of its relative velocity."""
    lost = ~np.any(links.u, axis=1)
    if not lost.any():
        return links
    apart = np.einsum("sk,ski->si", links.c, v[links.vertices])
    speed = np.linalg.norm(apart, axis=1, keepdims=True)
    apart /= np.where(speed > 0.0, speed, 1.0)
    known = np.any(last, axis=1, keepdims=True)
    return replace(links, u=np.where(lost[:, None], np.where(known, last, apart), links.u))


def _turns(links: Links, after: Array, change: Array, x: Array) -> bool:
    """Whether any link's length changed other than by motion along itself."""
    missed = np.abs(after - links.length - change)
    return bool((missed > TURNED * max(float(np.abs(x).max()), float(np.abs(after).max(initial=0.0)))).any())
