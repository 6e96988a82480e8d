"""Many Verlet steps of an elastic solid in one compiled loop: for long flights of small bodies, where interpreter
overhead dominates the time of a step.

    v += h/2 a,  x += h v,  a = -M^-1 (grad W(x) + g),  v += h/2 a        g: forces that do not depend on positions (gravity)
    v += M^-1 I,  I = -tau dW_inc(x before, x)/dx                         with structure-preserving damping in its explicit form
The operations and their order are the same as for individual steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from supple.dynamics.impulse import IncrementImpulse
from supple.dynamics.state import State
from supple.dynamics.step import Memory, StepReport
from supple.dynamics.system import System
from supple.energies.solids.solid import FLAT, GRADIENT_TIME, Solid
from supple.integrators.explicit.flight_kernels import fly
from supple.linalg.pool import SHORT
from supple.linalg.threads import threads
from supple.types import Array, Ints


@dataclass(frozen=True)
class Flight:
    """A system that the loop supports."""

    system: System
    solid: Solid
    steady: Array
    """(n, 3) gradient of the terms with forces independent of positions [N]."""
    impulse: IncrementImpulse | None

    def taken(self, state: State, memory: Memory, h: float, count: int) -> tuple[State, Memory, StepReport]:
        """`count` steps of h [s]; raises StepRejected where damping is too strong for them."""
        system, solid, impulse = self.system, self.solid, self.impulse
        x, v, a = state.x.copy(), state.v.copy(), memory["a"].copy()
        free = ~system.motion.held(system.n)
        tau = 0.0 if impulse is None else impulse.tau
        damped = solid if impulse is None else cast(Solid, impulse.terms[0])
        done, taken = fly(
            count, h, _described(solid), _described(damped), self.steady, system.mass, free, x, v, a, tau, FLAT,
            IncrementImpulse.STABLE, IncrementImpulse.NOISE,
        )  # fmt: skip
        if impulse is not None and done < count:
            raise impulse.too_strong(state.t + (done + 1) * h)
        new = State(state.t + count * h, x, v)
        return new, {"a": a}, StepReport(count * h, dissipated=taken, external_work=0.0)


def _described(solid: Solid) -> tuple[int, Array, Ints, Array, Array]:
    """The data of a solid for the loop."""
    return solid.material.law.response, solid.parameters, solid.elements, solid.shape, solid.volume


def flight(system: System) -> Flight | None:
    """The system in the form of the loop: one solid, steady forces, at most its own incremental damping, no obstacles.
    None for others, and for bodies large enough for several threads."""
    solids = [term for term in system.potential.terms if isinstance(term, Solid)]
    rest = [term for term in system.potential.terms if not isinstance(term, Solid)]
    changes = system.potential.roles.timed or system.motion.moves
    plain = not (system.dissipation.terms or system.projections or len(system.constraints) or changes)
    if not plain or system.on_grid or len(solids) != 1 or any(term.degree != 1 for term in rest):
        return None
    solid, impulses = solids[0], system.impulses
    if type(solid) is not Solid or len(impulses) > 1 or (threads() > 1 and GRADIENT_TIME * len(solid.elements) > SHORT):
        return None
    if not all(isinstance(i, IncrementImpulse) and [type(t) for t in i.terms] == [Solid] for i in impulses[:1]):
        return None
    impulse = cast(IncrementImpulse, impulses[0]) if impulses else None
    steady = system.potential.only(lambda term: term in rest).gradient(np.zeros((system.n, 3)))
    return Flight(system, solid, steady, impulse)
