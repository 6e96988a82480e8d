"""Barrier contact over a step that begins at x0, as a function of its end (pair_means.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from supple.contact.surfaces.pair_means import add_mean_potentials, mean_potential_hessians
from supple.contact.surfaces.touching import Pairs
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import Parts
from supple.types import Array, Ints


class BarrierOverStep(EnergyTerm, ChangingCouplings):
    """Pairs that are within reach before or after the step."""

    def __init__(
        self, x0: Array, pairs: Callable[[Array, Array], list[Pairs]], law: Callable[[Pairs], tuple[Any, ...]]
    ) -> None:
        """pairs: the pairs of a step between two configurations; law: their kernel data."""
        self._x0, self._pairs, self._law = x0, pairs, law
        self.elements = np.zeros((0, 1), dtype=np.int32)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        total = 0.0
        for x, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            for pairs in self._pairs(self._x0, x):
                total += energy * add_mean_potentials(pairs.kind, self._x0, x, *self._law(pairs), force, gradient)
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """No elements: see `coupling_blocks`."""

    def coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        found = []
        for x, curvature in zip(samples.x, samples.curvature, strict=True):
            for pairs in self._pairs(self._x0, x):
                law = self._law(pairs)
                H = mean_potential_hessians(pairs.kind, self._x0, x, *law, curvature, project)
                found.append((pairs.corners, H))
        return found
