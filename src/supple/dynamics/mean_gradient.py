"""Mean gradients gbar(x0, x) of a step, with gbar . (x - x0) = V(x) - V(x0), and their derivatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from supple.dynamics.equation import Jacobian
from supple.dynamics.system import System
from supple.energies.chord import NEGLIGIBLE, REACH, WEIGHT, remainder
from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm
from supple.linalg.reduce import dot, largest
from supple.linalg.square import square_pattern, sum_at_vertices
from supple.types import Array

Contributions: TypeAlias = list[tuple[EnergyTerm, float, Array]]
"""Value and gradient of each term."""


@dataclass(frozen=True)
class ElementMean:
    """gbar as the sum of the mean gradients of all elements."""

    system: System
    x0: Array

    def parts(self, x: Array) -> Iterator[Array]:
        yield from self.system.potential.mean_gradients(self.x0, x)
        for term in self.system.potential.roles.couplings:
            for corners, gradients in term.coupling_means(self.x0, x):
                yield sum_at_vertices(corners, gradients, self.system.n)

    def jacobian(self, x: Array) -> Jacobian:
        potential = self.system.potential
        values = np.zeros(square_pattern(self.system.pattern).nnz)
        potential.add_mean_jacobian(self.x0, x, values)
        couplings = tuple(pairs for t in potential.roles.couplings for pairs in t.coupling_mean_jacobians(self.x0, x))
        return Jacobian(np.zeros(self.system.n), couplings=couplings, square=values)


@dataclass(frozen=True)
class WholeMean:
    """Gonzalez' gbar of the whole system; `metric` (n,) is the diagonal of W."""

    system: System
    x0: Array
    metric: Array

    def parts(self, x: Array) -> Iterator[Array]:
        middle = self._contributions(0.5 * (self.x0 + x))
        for _, _, gradient in middle:
            yield gradient
        alpha, direction, _ = self._correction(x, middle)
        yield alpha * direction

    def jacobian(self, x: Array) -> Jacobian:
        middle, d = 0.5 * (self.x0 + x), x - self.x0
        alpha, direction, weight = self._correction(x, self._contributions(middle))
        potential = self.system.potential
        half = Samples(middle[None], np.zeros(1), np.zeros(1), np.full(1, 0.5))
        values = np.zeros(self.system.pattern.nnz)
        potential.add_hessian(half, values)
        bent = potential.product(half, d)  # V''(m) d/2
        slope = potential.gradient(x) - potential.gradient(middle) - bent - 2.0 * alpha * direction
        return Jacobian(alpha * self.metric, (), ((direction, weight * slope),), values)

    def _contributions(self, x: Array) -> Contributions:
        return list(self.system.potential.contributions(one_sample(x)))

    @cached_property
    def _before(self) -> list[float]:
        """Energy of each term at the start of the step."""
        return [value for _, value, _ in self._contributions(self.x0)]

    def _correction(self, x: Array, middle: Contributions) -> tuple[float, Array, float]:
        """alpha, W d, and 1/(d . W d), or 0 if the step is too short to require a correction."""
        d = x - self.x0
        direction = self.metric[:, None] * d
        if not largest(d) > NEGLIGIBLE * largest(x):
            return 0.0, direction, 0.0
        weight = 1.0 / dot(d, direction)
        return weight * self._remainder(x, d, middle), direction, weight

    def _remainder(self, x: Array, d: Array, middle: Contributions) -> float:
        """V(x) - V(x0) - V'(m) . d; zero for terms of degree 2 or less."""
        m = 0.5 * (self.x0 + x)
        outer = Samples(np.stack([m + REACH * d, m - REACH * d]), np.zeros(2), np.ones(2), np.zeros(2))
        around, after = self.system.potential.contributions(outer), self._contributions(x)
        total = 0.0
        for before, (term, _, inner), (_, value, _), (_, _, nodes) in zip(
            self._before, middle, after, around, strict=True
        ):
            if not term.midpoint_is_exact:
                along = dot(inner, d)
                sampled = WEIGHT * dot(nodes - 2.0 * inner, d)
                size = np.array(abs(before) + abs(value) + abs(along))
                total += float(remainder(np.array(value - before - along), np.array(sampled), size))
        return total
