"""Sampling of potentials by a stage, as sums over samples, differentiated by both sweeps.

A stage has the residual R = inertia M (x - y) + sum_q s_q grad V(b_q + c_q x) + sum_p w_p grad D(d_p + r_p x). Each group of
terms with its samples is a `View`: positions with V, velocities with D.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.potential import Potential
from supple.energies.samples import Samples
from supple.sensitivity.rehearsal.program import Look, Row, Solve
from supple.sensitivity.replay import Played, averaged, chosen, points
from supple.types import Array


@dataclass(frozen=True)
class View:
    """Some terms with the sample positions of a stage, and the symbols that these depend on."""

    potential: Potential
    looks: tuple[Look, ...]
    x: Array
    """(q, n, 3) sample positions."""
    velocities: bool = False
    closed: Potential | None = None
    """The terms whose closed-form means form `potential`."""
    start: Row = ()
    """Start of the step, for these."""

    def weighted(self, weights: Array) -> Samples:
        """The sample positions with these weights of forces and curvatures."""
        return Samples(self.x, weights, weights, weights)

    @property
    def weights(self) -> Array:
        """(q,) weights of forces."""
        return np.array([look.weight for look in self.looks])

    @property
    def scales(self) -> Array:
        """(q,) factors by which the samples follow x."""
        return np.array([look.scale for look in self.looks])

    def symbols(self) -> dict[int, Array]:
        """Symbols that the samples depend on, with the coefficient in each of them (q,)."""
        found: dict[int, Array] = {}
        for q, look in enumerate(self.looks):
            for symbol, factor in look.offset:
                found.setdefault(symbol, np.zeros(len(self.looks)))[q] += factor
        return found

    def product(self, weights: Array, move: Array) -> Array:
        """(n, 3) sum_q weights_q V''(x_q) move."""
        return self.potential.product(self.weighted(weights), move)


def views(played: Played, asked: Solve, x: Array) -> list[View]:
    """All views of a stage, positions first, then velocities."""
    found = []
    for part in asked.parts:
        closed = chosen(played.system.potential, part.terms)
        where = points([played.sample(look) for look in part.looks], x)
        if part.averaged is None:
            found.append(View(closed, part.looks, where))
        else:
            means = averaged(closed, played.of(part.averaged))
            found.append(View(means, part.looks, where, closed=closed, start=part.averaged))
    if asked.velocities and played.system.dissipation.terms:
        system = played.system if asked.middle is None else played.system.moved(played.of(asked.middle))
        where = points([played.sample(look) for look in asked.velocities], x)
        found.append(View(system.dissipation.frozen, asked.velocities, where, velocities=True))
    return found
