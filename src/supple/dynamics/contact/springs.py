"""Temporary springs of obstacles (law = "repulsion") between two steps: which of them there are, and what their jumps cost.

A spring comes when its vertex is inside at the end of a step, and goes when the vertex is outside and moves away. Within a
step it stays what it is. What comes brings its energy k d^2 along, what goes takes it away, and a spring before a curved
surface is fastened anew: `Ledger.springs` has the sum of these jumps, which is the drift of the energy.
"""

from __future__ import annotations

import numpy as np

from supple.contact.obstacles.repulsion import Repulsion
from supple.dynamics.invariants import Energies
from supple.dynamics.state import State
from supple.dynamics.step import Memory
from supple.dynamics.system import System
from supple.types import Array

KEY = "springs"
"""Under which a method's memory has, for all elements of these terms, 1 where a spring is and 0 elsewhere."""


def temporary(system: System) -> list[Repulsion]:
    """The terms whose springs come and go."""
    return [term for term in system.potential.roles.frozen if isinstance(term, Repulsion)]


def taken_out(memory: Memory) -> tuple[Array | None, Memory]:
    """The springs of a memory, None if it has none yet, and what the method itself remembers."""
    if KEY not in memory:
        return None, memory
    return memory[KEY], {key: value for key, value in memory.items() if key != KEY}


def only_springs(memory: Memory) -> Memory:
    return {KEY: memory[KEY]} if KEY in memory else {}


def held(terms: list[Repulsion], state: State, before: Array | None) -> Array:
    """Which springs there are at a state, given those before it."""
    parts, first = [], 0
    for term in terms:
        old = None if before is None else before[first : first + len(term.elements)] > 0.0
        parts.append(term.held(state.x, state.v, old))
        first += len(term.elements)
    return np.concatenate(parts).astype(np.float64)


def by_term(terms: list[Repulsion], springs: Array) -> dict[int, Array]:
    """The share of each term, by its identity."""
    ends = np.cumsum([len(term.elements) for term in terms])[:-1]
    return {id(term): part for term, part in zip(terms, np.split(springs, ends), strict=True)}


def with_springs(system: System, state: State, memory: Memory, energies: Energies) -> Energies:
    """Energies with those of springs whose vertices are outside, which positions alone do not show."""
    springs, _ = taken_out(memory)
    if springs is None or not springs.any():
        return energies
    terms = temporary(system)
    shares = by_term(terms, springs)
    outside = sum(term.pulling(state.x, shares[id(term)]) for term in terms)
    return Energies(energies.kinetic, energies.elastic, energies.gravity, energies.other + outside)


def jump(system: System, during: System, state: State, springs: Array) -> float:
    """Energy of the springs after a step less that of the springs in it, at the state where it ended [J]."""
    shares = by_term(temporary(system), springs)
    change = 0.0
    for term, frozen in zip(system.potential.terms, during.potential.terms, strict=True):
        if isinstance(term, Repulsion):
            change += float(term.element_values(state.x).sum()) + term.pulling(state.x, shares[id(term)])
            change -= float(frozen.element_values(state.x).sum())
    return change
