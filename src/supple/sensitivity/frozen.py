"""Dissipation frozen at a configuration of the step: dependence of its forces on that configuration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from supple.dynamics.system import System
from supple.energies.differences import along
from supple.energies.instant import Instant
from supple.energies.roles.frozen import FrozenAgain, FrozenInSteps, TorqueFree
from supple.energies.samples import Samples
from supple.linalg.parts import whole
from supple.linalg.reduce import largest
from supple.types import Array


def live_terms(system: System) -> Iterator[tuple[int, FrozenInSteps]]:
    """Dissipation terms that change in every step, with their indices in the sum."""
    for k, term in enumerate(system.dissipation.terms):
        if isinstance(term, FrozenInSteps):
            yield k, term


def follows(term: FrozenInSteps) -> bool:
    """Whether a term is frozen at the midpoint found by the step, where the method supports it."""
    return isinstance(term, TorqueFree | FrozenAgain)


@dataclass(frozen=True)
class Places:
    """Inputs of a dissipative force besides its argument, as values, adjoints or changes.

    They are the configuration at which dissipation is frozen, and positions and velocities at the start of the step.
    """

    place: Array
    x0: Array
    v: Array

    @classmethod
    def none(cls, like: Array) -> Places:
        return cls(*(np.zeros_like(like) for _ in range(3)))


def pulled_places(system: System, at: Instant, samples: Samples, lam: Array, following: bool | None) -> Places:
    """Adjoints of sum_q force_q lam . grad D(u_q): for terms that follow the step, the others, or all (None)."""
    found = Places.none(lam)
    for _, term in live_terms(system):
        if following is None or follows(term) == following:
            found.place[:] += term.pull_place(at, samples, lam)
            found.x0[:] += term.pull_start(at, samples, lam)
            found.v[:] += term.pull_velocity(at, samples, lam)
    return found


def pushed_places(system: System, at: Instant, samples: Samples, change: Places, following: bool | None) -> Array:
    """(n, 3) change of sum_q force_q grad D(u_q) along changes of its inputs, by differences of fourth order."""
    chosen = [t for _, t in live_terms(system) if following is None or follows(t) == following]
    total = np.zeros_like(change.place)
    if not chosen:
        return total
    reach = min(term.reach for term in chosen)
    positions = {"place": change.place, "x0": change.x0}
    parts = [(positions, float(np.ptp(at.place, axis=0).max()))]
    if at.v is not None:
        parts.append(({"v": change.v}, largest(at.v)))
    for moves, size in parts:
        longest = max(map(largest, moves.values()))
        if longest > 0.0:

            def forces(e: float, moves: dict[str, Array] = moves) -> Array:
                moved = replace(at, **{name: getattr(at, name) + e * move for name, move in moves.items()})
                return _forces(chosen, moved, samples)

            total += along(forces, reach * (size / longest if size else 1.0))
    return total


def _forces(terms: list[FrozenInSteps], at: Instant, samples: Samples) -> Array:
    """(n, 3) sum_q force_q grad D(u_q) of terms at an instant."""
    total = np.zeros(samples.x.shape[1:])
    for term in terms:
        frozen = term.freeze(at)
        frozen.add_value_gradient(samples, whole(len(total), len(frozen.elements)), total)
    return total


def clamped(system: System, at: Instant) -> list[str]:
    """Dissipation terms whose element matrices were clamped when they were frozen, by name: derivatives have kinks there."""
    return [type(term).__name__ for _, term in live_terms(system) if not term.pull_place_is_exact(at)]
