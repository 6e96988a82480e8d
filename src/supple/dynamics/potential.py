"""A sum of energy terms, assembled: value and gradient as arrays over vertices, Hessian in the system's fixed pattern."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence

import numpy as np

from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import split_elements
from supple.linalg.pattern import SymmetricPattern
from supple.types import Array, Ints


class Potential:
    """V(x) of positions, or a dissipation potential D(v) of velocities."""

    def __init__(self, terms: Sequence[EnergyTerm], pattern: SymmetricPattern, unknowns: Ints, owner: Ints) -> None:
        self.terms = tuple(terms)
        self._places = [
            Placement(
                split_elements(term.elements, owner),
                unknowns,
                pattern.row_length,
                pattern.element_slots(unknowns[term.elements]),
            )
            for term in self.terms
        ]

    def replaced(self, terms: Sequence[EnergyTerm]) -> Potential:
        """Other terms over the same elements, one for each of these."""
        other = copy.copy(self)
        other.terms = tuple(terms)
        return other

    @property
    def degree(self) -> int | None:
        """Largest degree of the terms along a straight line; None if one is not a polynomial."""
        degrees = [term.degree for term in self.terms]
        return None if None in degrees else max((d for d in degrees if d is not None), default=0)

    def contributions(self, samples: Samples) -> Iterator[tuple[EnergyTerm, float, Array]]:
        """Weighted value and (n, 3) gradient of each term over all samples."""
        for term, place in zip(self.terms, self._places, strict=True):
            gradient = np.zeros(samples.x.shape[1:])
            yield term, term.add_value_gradient(samples, place.parts, gradient), gradient

    def mean_gradient(self, samples: Samples) -> Array:
        """Gradient summed over samples with their force weights."""
        total = np.zeros(samples.x.shape[1:])
        for _, _, gradient in self.contributions(samples):
            total += gradient
        return total

    def add_hessian(self, samples: Samples, values: Array, project: bool = False) -> None:
        """Add the weighted Hessian to the entries of the upper triangle."""
        for term, place in zip(self.terms, self._places, strict=True):
            term.add_hessian(samples, place, values, project)

    def gradient(self, x: Array) -> Array:
        return self.mean_gradient(one_sample(x))

    def by_group(self, x: Array) -> dict[str, float]:
        """Energy of each ledger column."""
        sums = {"elastic": 0.0, "gravity": 0.0, "other": 0.0}
        for term, value, _ in self.contributions(one_sample(x)):
            sums[term.group] += value
        return sums
