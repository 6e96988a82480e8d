"""Temporary springs of obstacles (law = "repulsion") between two steps: the active springs, and the energy of their activation.

A spring is activated when its vertex is inside at the end of a step, and removed when the vertex is outside and moves
away. It does not change within a step. An activated spring adds its energy k d^2, a removed one subtracts it, and a
spring at a curved surface is reattached. `Ledger.springs` sums these jumps, which are the drift of the energy.
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
"""Key in a method's memory of an array over all elements of these terms: 1 for an active spring, else 0."""


def temporary(system: System) -> list[Repulsion]:
    """The terms with temporary springs."""
    return [term for term in system.potential.roles.frozen if isinstance(term, Repulsion)]


def taken_out(memory: Memory) -> tuple[Array | None, Memory]:
    """The springs of a memory, None if it has none yet, and the method's own memory."""
    if KEY not in memory:
        return None, memory
    return memory[KEY], {key: value for key, value in memory.items() if key != KEY}


def only_springs(memory: Memory) -> Memory:
    return {KEY: memory[KEY]} if KEY in memory else {}


def held(terms: list[Repulsion], state: State, before: Array | None) -> Array:
    """Active springs at a state, given those before it."""
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
    """Energies including springs whose vertices are outside, which positions alone do not reveal."""
    springs, _ = taken_out(memory)
    if springs is None or not springs.any():
        return energies
    terms = temporary(system)
    shares = by_term(terms, springs)
    outside = sum(term.pulling(state.x, shares[id(term)]) for term in terms)
    return Energies(energies.kinetic, energies.elastic, energies.gravity, energies.other + outside)


def jump(system: System, during: System, state: State, springs: Array) -> float:
    """Energy of the springs after a step minus the energy of the springs in it, at the final state [J]."""
    shares = by_term(temporary(system), springs)
    change = 0.0
    for term, frozen in zip(system.potential.terms, during.potential.terms, strict=True):
        if isinstance(term, Repulsion):
            change += float(term.element_values(state.x).sum()) + term.pulling(state.x, shares[id(term)])
            change -= float(frozen.element_values(state.x).sum())
    return change
