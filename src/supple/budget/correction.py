"""Permitted velocity corrections: the rigid motion of free bodies, and internal forces."""

from __future__ import annotations

import numpy as np

from supple.budget.bodies import Bodies
from supple.budget.rigid import Rigid
from supple.dynamics.invariants import Energies, kinetic_energy
from supple.dynamics.state import State
from supple.dynamics.step import StepReport
from supple.dynamics.system import System
from supple.dynamics.tangent import allowed
from supple.energies.samples import one_sample
from supple.types import Array


def missing_motion(
    system: System, bodies: Bodies, old: State, new: State, h: float, rigid: Rigid
) -> tuple[Array, Array]:
    """Corrections after which only external forces have changed the momenta of free bodies: shift and velocities (n, 3).

    v_rig(P, L) - v_rig(v), with P and L the old momenta plus external impulses. In uniform fields the centre of mass
    is moved to the position given by the mean of its old and new velocity, which is the exact parabola. Otherwise the
    energy error of a fall that is too deep would return as vibration. `rigid`: the bodies at the new positions.
    """
    before, middle = (Rigid(bodies, system.mass, x) for x in (old.x, 0.5 * (old.x + new.x)))
    P0, L0 = before.momenta(old.v)
    force, steady = bodies.force(system, old, new, h)
    push, turn = middle.net(force)
    P, L = rigid.momenta(new.v)
    velocity = rigid.velocity(P0 + h * push - P, L0 + h * turn - L)
    shift = rigid.path(P0 + 0.5 * h * push, h) - (rigid.centre - before.centre)
    return rigid.uniform(np.where(steady[:, None], shift, 0.0)), velocity


def energies_and_force(system: System, state: State) -> tuple[Energies, Array]:
    """Energies of a state and its elastic force (n, 3), computed together [J, N]."""
    sums = {"elastic": 0.0, "gravity": 0.0, "other": 0.0}
    force = np.zeros_like(state.x)
    for term, value, gradient in system.potential.at(state.t).contributions(one_sample(state.x)):
        sums[term.group] += value
        if term.group == "elastic":
            force -= gradient
    return Energies(kinetic_energy(system, state.v), **sums), force


def direction(system: System, x: Array, force: Array, report: StepReport, rigid: Rigid | None) -> Array:
    """(n, 3) M^-1 f of an internal force, at positions x.

    Zero on prescribed vertices, on vertices in contact, and along constraints. Omitting these gives the force a
    resultant and a moment, so its rigid part, which does not affect self-contact, is removed for free bodies
    (`rigid`).
    """
    d, still = system.on_free(force) / system.mass[:, None], np.zeros(system.n, dtype=bool)
    for touching in (report.contacts, report.self_contacts):
        if touching is not None:
            still[touching] = True
    d[still] = 0.0
    d = allowed(system, x, d, still)
    return d if rigid is None else d - rigid.velocity(*rigid.momenta(d))
