"""Mean gradients gbar(x0, x) of a step, with gbar . (x - x0) = V(x) - V(x0), and their derivatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from supple.dynamics.equation import Jacobian
from supple.dynamics.system import System
from supple.energies.chord import NEGLIGIBLE, REACH, WEIGHT, remainder
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.samples import Samples, one_sample
from supple.linalg.reduce import dot, largest
from supple.linalg.square import sum_at_vertices
from supple.types import Array


@dataclass(frozen=True)
class ElementMean:
    """gbar as the sum of every element's own mean gradient."""

    system: System
    x0: Array

    def parts(self, x: Array) -> Iterator[Array]:
        for term in self.system.potential.terms:
            if isinstance(term, ChangingCouplings):
                for corners, gradients in term.coupling_means(self.x0, x):
                    yield sum_at_vertices(corners, gradients, self.system.n)
            else:
                yield sum_at_vertices(term.elements, term.element_mean_gradients(self.x0, x), self.system.n)

    def jacobian(self, x: Array) -> Jacobian:
        curved = [t for t in self.system.potential.terms if t.degree is None or t.degree > 1]
        changing = self.system.potential.roles.couplings
        blocks = tuple((t.elements, t.element_mean_jacobians(self.x0, x)) for t in curved if t not in changing)
        couplings = tuple(pairs for t in changing for pairs in t.coupling_mean_jacobians(self.x0, x))
        return Jacobian(np.zeros(self.system.n), blocks, couplings=couplings)


@dataclass(frozen=True)
class WholeMean:
    """Gonzalez' gbar of the whole system; `metric` (n,) is the diagonal of W."""

    system: System
    x0: Array
    metric: Array

    def parts(self, x: Array) -> Iterator[Array]:
        for _, _, gradient in self.system.potential.contributions(one_sample(0.5 * (self.x0 + x))):
            yield gradient
        alpha, direction, _ = self._correction(x)
        yield alpha * direction

    def jacobian(self, x: Array) -> Jacobian:
        alpha, direction, weight = self._correction(x)
        middle, d = 0.5 * (self.x0 + x), x - self.x0
        potential = self.system.potential
        curved = [t for t in potential.terms if t.degree is None or t.degree > 1]
        blocks = [(t.elements, 0.5 * t.element_hessians(middle)) for t in curved]
        bent = np.zeros_like(d)  # V''(m) d/2
        for elements, half in blocks:
            moved = np.einsum("mij,mj->mi", half, d[elements].reshape(len(elements), -1))
            bent += sum_at_vertices(elements, moved, len(d))
        slope = potential.gradient(x) - potential.gradient(middle) - bent - 2.0 * alpha * direction
        return Jacobian(alpha * self.metric, tuple(blocks), ((direction, weight * slope),))

    def _correction(self, x: Array) -> tuple[float, Array, float]:
        """alpha, W d, and 1/(d . W d) or 0 where the step is too short to need a correction."""
        d = x - self.x0
        direction = self.metric[:, None] * d
        if not largest(d) > NEGLIGIBLE * largest(x):
            return 0.0, direction, 0.0
        weight = 1.0 / dot(d, direction)
        return weight * self._remainder(x, d), direction, weight

    def _remainder(self, x: Array, d: Array) -> float:
        """V(x) - V(x0) - V'(m) . d; terms of degree 2 or less have none."""
        middle, one = 0.5 * (self.x0 + x), np.ones(1)
        outer = Samples(np.stack([middle + REACH * d, middle - REACH * d]), np.zeros(2), np.ones(2), np.zeros(2))
        points = [Samples(y[None], one, one, one) for y in (self.x0, middle, x)]
        total = 0.0
        for (term, before, _), (_, _, inner), (_, after, _), (_, _, around) in zip(
            *(self.system.potential.contributions(samples) for samples in (*points, outer)), strict=True
        ):
            if not term.midpoint_is_exact:
                along = dot(inner, d)
                sampled = WEIGHT * dot(around - 2.0 * inner, d)
                size = np.array(abs(before) + abs(after) + abs(along))
                total += float(remainder(np.array(after - before - along), np.array(sampled), size))
        return total
