"""Dissipation that is frozen at a place of the step: how its forces change with that place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from supple.dynamics.system import System
from supple.energies.instant import Instant
from supple.energies.roles.frozen import FrozenAgain, FrozenInSteps, TorqueFree
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.linalg.parts import whole
from supple.linalg.reduce import largest
from supple.types import Array


def live_terms(system: System) -> Iterator[tuple[int, EnergyTerm]]:
    """Dissipation terms that are others in every step, with their places in the sum."""
    for k, term in enumerate(system.dissipation.terms):
        if isinstance(term, FrozenInSteps):
            yield k, term


def follows(term: EnergyTerm) -> bool:
    """Whether a term is frozen at the middle that a step finds, where the method looks for it."""
    return isinstance(term, TorqueFree | FrozenAgain)


@dataclass(frozen=True)
class Places:
    """What a force looks at beside its argument: the place where dissipation is frozen, the positions and the velocities at the
    start of the step; as values, bars or changes."""

    place: Array
    x0: Array
    v: Array

    @classmethod
    def none(cls, like: Array) -> Places:
        return cls(*(np.zeros_like(like) for _ in range(3)))

    @property
    def size(self) -> float:
        return max(largest(self.place), largest(self.x0))


def pulled_places(system: System, at: Instant, samples: Samples, lam: Array, following: bool | None) -> Places:
    """Bars of sum_q force_q lam . grad D(u_q): of terms that follow the step, of the others, or of all (None)."""
    found = Places.none(lam)
    for _, term in live_terms(system):
        assert isinstance(term, FrozenInSteps)
        if following is None or follows(term) == following:
            found.place[:] += term.pull_place(at, samples, lam)
            found.x0[:] += term.pull_start(at, samples, lam)
            found.v[:] += term.pull_velocity(at, samples, lam)
    return found


def pushed_places(system: System, at: Instant, samples: Samples, along: Places, following: bool | None) -> Array:
    """(n, 3) change of sum_q force_q grad D(u_q) along changes of what it looks at, by differences of fourth order."""
    chosen = [t for _, t in live_terms(system) if following is None or follows(t) == following]
    if not chosen:
        return np.zeros_like(along.place)
    reach = min(term.reach for term in chosen if isinstance(term, FrozenInSteps))
    total = np.zeros_like(along.place)
    for moves, size in (
        ({"place": along.place, "x0": along.x0}, float(np.ptp(at.place, axis=0).max())),
        ({"v": along.v}, 0.0 if at.v is None else largest(at.v)),
    ):
        change = max(map(largest, moves.values()))
        if change == 0.0 or (at.v is None and "v" in moves):
            continue
        e = reach * max(size / change, 1e-9 if size else 1.0)

        def forces(k: int, moves: dict[str, Array] = moves, e: float = e) -> Array:
            moved = replace(at, **{name: getattr(at, name) + k * e * move for name, move in moves.items()})
            return _forces(chosen, moved, samples)

        total += (8.0 * (forces(1) - forces(-1)) - (forces(2) - forces(-2))) / (12.0 * e)
    return total


def _forces(terms: list[EnergyTerm], at: Instant, samples: Samples) -> Array:
    """(n, 3) sum_q force_q grad D(u_q) of terms as they are at an instant."""
    total = np.zeros(samples.x.shape[1:])
    for term in terms:
        assert isinstance(term, FrozenInSteps)
        frozen = term.freeze(at)
        frozen.add_value_gradient(samples, whole(len(total), len(frozen.elements)), total)
    return total


def clamped(system: System, at: Instant) -> list[str]:
    """Dissipation terms whose element matrices were clamped when they were frozen, by name: derivatives have kinks there."""
    return [
        type(term).__name__
        for _, term in live_terms(system)
        if isinstance(term, FrozenInSteps) and not term.pull_place_is_exact(at)
    ]
