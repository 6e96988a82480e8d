"""Slow motions of the bodies of a world about equilibrium: lowest modes, and their decay rates by dampers.

A mode of mass-normalised shape phi under the dissipation D(v) = 1/2 v^T C v decays at the rate D(phi) = 1/2 phi^T C
phi. Vertices fixed by friction, or pressed against a mesh, count as fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.constraints.motion import Hold, Motion, Prescribed
from supple.contact.friction import Friction
from supple.damping.damper import Damped, Damping
from supple.damping.rayleigh import Rayleigh
from supple.damping.structure_preserving import StructurePreserving
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.instant import Instant
from supple.energies.roles.contact import ContactTerm
from supple.energies.term import EnergyTerm
from supple.model.changing.drives import at_start
from supple.model.direction.settling.rest import at_rest
from supple.model.model import Model
from supple.model.placed import Placed
from supple.solvers.modes import lowest_modes
from supple.types import Array, Ints

EACH, MOST = 12, 60
"""Number of modes per body and for the whole world; six more for free motion."""
SLOWEST = 0.3
"""Angular frequency below which a mode counts as drift, not vibration [rad/s]."""
ACCURACY = 1e-6
"""Tolerance of the modes: far finer than the damping needs, and sheets without tension, whose slowest modes are all
alike, take a hundredth of the time."""
SHARE = 0.1
"""Fraction of a mode's mass above which it counts as a motion of a body."""


@dataclass(frozen=True)
class Motions:
    """Modes of one body, slowest first, each with unit modal mass in that body alone."""

    x: Array
    """(n, 3) positions of the world at rest [m]."""
    omega: Array
    """(k,) angular frequencies [rad/s]."""
    shapes: Array
    """(k, n, 3) shapes, zero outside the body [kg^-1/2]."""

    def decay(self, terms: Sequence[EnergyTerm]) -> Array:
        """(k,) decay rates of amplitudes by these dissipation terms [1/s]."""
        instant = Instant(self.x, self.x, 0.0, 0.0, np.zeros_like(self.x))
        frozen = [term.freeze(instant) if hasattr(term, "freeze") else term for term in terms]
        return np.array([sum(float(term.element_values(phi).sum()) for term in frozen) for phi in self.shapes])

    def started(self, mass: Array, state: State) -> Array:
        """(k,) initial modal speeds, from the displacement from rest and the velocities [kg^1/2 m/s]."""
        away = np.einsum("kni,n,ni->k", self.shapes, mass, state.x - self.x)
        moving = np.einsum("kni,n,ni->k", self.shapes, mass, state.v)
        return np.hypot(self.omega * away, moving)

    def only(self, chosen: npt.NDArray[np.bool_]) -> Motions:
        """A subset of the motions."""
        return Motions(self.x, self.omega[chosen], self.shapes[chosen])

    def decay_by(self, damping: Damping, placed: Placed, mass: Array, stuff: bool) -> Array:
        """(k,) the same for a damping of the body; `stuff`: whether it acts on material and bending only."""
        if isinstance(damping, StructurePreserving):  # impulses, which damp small motion like stiffness damping
            damping = Rayleigh(stiffness=damping.tau)
        own = np.zeros_like(mass)
        own[placed.span] = mass[placed.span]
        made = at_start(damping).on(Damped(own, placed.stuff if stuff else placed.elastic, placed.surface))
        return self.decay(made.dissipation)


def motions(model: Model) -> dict[str, Motions]:
    """Slow motions of each body of a world at rest."""
    x = at_rest(model.system, model.state.x, [p.span for p in model.bodies])
    count = min(MOST, EACH * len(model.bodies)) + 6
    found = lowest_modes(_held(model, x), x, count, tolerance=ACCURACY)
    omega = np.sqrt(np.maximum(found.values, 0.0))
    made = {}
    for p in model.bodies:
        part = np.einsum("n,kni,kni->k", model.system.mass[p.span], found.vectors[:, p.span], found.vectors[:, p.span])
        chosen = np.flatnonzero((omega > SLOWEST) & (part > SHARE))
        shapes = np.zeros((len(chosen), *x.shape))
        shapes[:, p.span] = found.vectors[chosen, p.span] / np.sqrt(part[chosen])[:, None, None]
        made[p.name] = Motions(x, omega[chosen], shapes)
    return made


def _held(model: Model, x: Array) -> System:
    """The system with all vertices fixed that are immobilised by friction or a mesh."""
    base = model.system
    stuck = np.unique(np.concatenate([np.empty(0, np.int32), *_stuck(model, x)]))
    stuck = stuck[~base.motion.held(base.n)[stuck]]
    prescribed = (*base.motion.prescribed, Prescribed(stuck, x[stuck], Hold())) if len(stuck) else ()
    motion = Motion(prescribed) if prescribed else base.motion
    terms = [term for term in model.ingredients.potential if term is not model.contact.between]
    return build_system(model.mesh.vertices, base.mass, terms, motion, solver=base.solver)


def _stuck(model: Model, x: Array) -> Iterator[Ints]:
    rubbing = [term for term in model.ingredients.friction if isinstance(term, Friction)]
    for term in rubbing:
        for touch in term.contact.touches(x):
            pressed = touch.corners[touch.force > 0.0]
            yield pressed[term.mu[pressed] > 0.0]
    between = model.contact.between
    if isinstance(between, ContactTerm):
        for touch in between.touches(x):
            yield touch.corners[touch.force > 0.0].ravel()
