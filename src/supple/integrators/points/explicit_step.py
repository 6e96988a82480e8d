"""A step of particles by explicit kernels, in as many substeps as stability requires."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.dynamics.step import GridParts, StepReport
from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.energies.term import EnergyTerm
from supple.integrators.points.grid_step import Around, touching
from supple.integrators.points.riders import bound_of_rates
from supple.points.explicit import Explicit, Outer, Setting
from supple.points.limit import Limit
from supple.points.matter import Matter
from supple.points.swarm import Laws, Swarm
from supple.types import Array

UNIFORM = 1e-14
"""Relative difference below which accelerations count as equal."""


def explicit_step(
    system: System, state: State, matter: Matter, h: float, around: Around, limit: Limit
) -> tuple[State, Matter, StepReport]:
    """Particles and the report after a step of h [s]."""
    gravity, varying = _split(system)
    limit = replace(limit, rate=bound_of_rates(system, state.x))
    setting = Setting(around.transfer, system.node_obstacles, gravity, _outer(varying), limit)
    swarm = Swarm(Laws(system.clouds, system.riders), around.spline, system.mass, state.x, state.v, matter)
    booked = Explicit(setting, swarm).advance(state.t, h)
    x = swarm.original(swarm.x)
    parts = GridParts(booked.transfer, booked.force, booked.collided, -booked.plastic, booked.hardening)
    report = StepReport(
        h, dissipated=booked.plastic + booked.friction + booked.heat, external_work=booked.work,
        collided=booked.collided, grid=parts, contacts=touching(system, x, booked.touched, state.t + h, around.spline),
    )  # fmt: skip
    return State(state.t + h, x, swarm.original(swarm.v)), swarm.matter(matter.history), report


def _split(system: System) -> tuple[Array, Potential]:
    """The acceleration (3,) that all particles share, and the potentials that do not contribute to it."""
    uniform: dict[int, Array] = {}
    for term in system.potential.terms:
        if term.degree == 1 and len(term.elements) == system.n:
            a = -term.element_gradients(np.zeros((system.n, 3)))[:, 0] / system.mass[:, None]
            if np.abs(a - a[0]).max() <= UNIFORM * np.abs(a[0]).max(initial=0.0):
                uniform[id(term)] = a[0]
    rest: Potential = system.potential.only(lambda term: id(term) not in uniform)
    return np.sum([np.zeros(3), *uniform.values()], axis=0), rest


def _outer(potential: Potential) -> Outer | None:
    """Value and gradient of potentials of the particle positions."""
    if not potential.terms:
        return None

    def outer(x: Array) -> tuple[float, Array]:
        value, total = 0.0, np.zeros_like(x)
        parts: list[tuple[EnergyTerm, float, Array]] = list(potential.contributions(one_sample(x)))
        for _, energy, gradient in parts:
            value, total = value + energy, total + gradient
        return value, total

    return outer
