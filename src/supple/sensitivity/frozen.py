"""Dissipation that is frozen at a place of the step: how its forces change with that place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from supple.dynamics.system import System
from supple.energies.instant import Instant
from supple.energies.roles.frozen import FrozenAgain, FrozenInSteps, TorqueFree
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.types import Array

STEP = 1e-3
"""Distance of neighbouring places, relative to the size of the body, for directional derivatives."""


def live_terms(system: System) -> Iterator[tuple[int, EnergyTerm]]:
    """Dissipation terms that are others in every step, with their places in the sum."""
    for k, term in enumerate(system.dissipation.terms):
        if isinstance(term, FrozenInSteps):
            yield k, term


def follows(term: EnergyTerm) -> bool:
    """Whether a term is frozen at the middle that a step finds, where the method looks for it."""
    return isinstance(term, TorqueFree | FrozenAgain)


def pulled_places(
    system: System, at: Instant, samples: Samples, lam: Array, following: bool | None
) -> tuple[Array, Array]:
    """Derivatives of sum_q force_q lam . grad D(u_q) by the place of the instant and by x0, of terms that follow the step, of the
    others, or of all (None)."""
    place, start = np.zeros_like(lam), np.zeros_like(lam)
    for _, term in live_terms(system):
        assert isinstance(term, FrozenInSteps)
        if following is None or follows(term) == following:
            place += term.pull_place(at, samples, lam)
            start += term.pull_start(at, samples, lam)
    return place, start


def pushed_place(
    system: System, at: Instant, samples: Samples, place: Array, start: Array, following: bool | None
) -> Array:
    """(n, 3) derivative of sum_q force_q grad D(u_q) along a change of the place and of x0, by differences of fourth order."""
    size = max(float(np.abs(place).max()), float(np.abs(start).max()))
    chosen = [t for _, t in live_terms(system) if following is None or follows(t) == following]
    if size == 0.0 or not chosen:
        return np.zeros_like(place)
    e = STEP * max(float(np.ptp(at.place, axis=0).max()), 1e-12) / size
    total = np.zeros_like(place)
    for k, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
        moved = replace(at, place=at.place + k * e * place, x0=at.x0 + k * e * start)
        for term in chosen:
            assert isinstance(term, FrozenInSteps)
            frozen = term.freeze(moved)
            for u, force in zip(samples.x, samples.force, strict=True):
                forces = force * frozen.element_gradients(u)
                np.add.at(total, frozen.elements, weight / (12.0 * e) * forces)
    return total
