"""Quadrature of the action over one step, and the resulting discrete Lagrangian.

    L^d(q0, q1) = h [ 1/2 v^T M v - sum_i w_i W(q_i) ],  v = (q1 - q0)/h,  q_i = (1 - a_i) q0 + a_i q1
Momenta at both ends of the step:
    p0 = -D1 L^d = M v + h sum_i w_i (1 - a_i) grad W(q_i)
    p1 =  D2 L^d = M v - h sum_i w_i a_i grad W(q_i)
The path is straight, so no rule has an order above 2, regardless of the number of nodes; order 2 requires a mean node
of 1/2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.invariants import kinetic_energy
from supple.dynamics.potential import Potential
from supple.dynamics.stage import Sample
from supple.dynamics.system import System
from supple.energies.samples import Samples
from supple.types import Array


@dataclass(frozen=True)
class ActionRule:
    """Nodes a_i in [0, 1] of the step, with their weights w_i."""

    nodes: tuple[float, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.nodes) != len(self.weights) or abs(sum(self.weights) - 1.0) > 1e-14:
            raise ValueError("a rule has a weight for each node, and they add up to 1")
        if not all(0.0 <= a <= 1.0 for a in self.nodes):
            raise ValueError("the nodes of a rule lie within the step")

    @property
    def centre(self) -> float:
        """Mean node: the effective time of forces within the step."""
        return sum(w * a for w, a in zip(self.weights, self.nodes, strict=True))

    @property
    def symmetric(self) -> bool:
        """Whether the rule is invariant under time reversal."""
        pairs = zip(self.nodes, self.weights, strict=True)
        return sorted(pairs) == sorted((1.0 - a, w) for a, w in zip(self.nodes, self.weights, strict=True))

    @property
    def implicit(self) -> bool:
        """Whether the force on the new positions depends on them."""
        return any(0.0 < a < 1.0 for a in self.nodes)

    @property
    def start_weight(self) -> float:
        """Weight of the nodes at the start of the step, whose force is known."""
        return sum(w for w, a in zip(self.weights, self.nodes, strict=True) if a == 0.0)

    def samples(self, x0: Array, h: float) -> tuple[Sample, ...]:
        """Samples of a stage at the nodes inside the step: h^2 w (1 - a) grad W(q) enters the equation of q1."""
        return tuple(
            Sample(h * h * w * (1.0 - a), a, (1.0 - a) * x0)
            for w, a in zip(self.weights, self.nodes, strict=True)
            if 0.0 < a < 1.0
        )

    def mean_gradient(self, potential: Potential, x0: Array, x1: Array) -> Array:
        """sum_i w_i grad W(q_i) [N]."""
        return potential.weighted_gradient(self._at(x0, x1, self.weights))

    def end_gradient(self, potential: Potential, x0: Array, x1: Array) -> Array:
        """sum_i w_i a_i grad W(q_i) [N]."""
        weights = tuple(w * a for w, a in zip(self.weights, self.nodes, strict=True))
        return potential.weighted_gradient(self._at(x0, x1, weights))

    def _at(self, x0: Array, x1: Array, weights: tuple[float, ...]) -> Samples:
        used = [(w, a) for w, a in zip(weights, self.nodes, strict=True) if w]
        w = np.array([w for w, _ in used])
        points = np.empty((len(used), *x0.shape))
        for point, (_, a) in zip(points, used, strict=True):
            point[:] = x1 if a == 1.0 else (1.0 - a) * x0 + a * x1
        return Samples(points, w, w, w)


def discrete_energy(system: System, rule: ActionRule, x0: Array, x1: Array, h: float) -> float:
    """-dL^d/dh = 1/2 v^T M v + sum_i w_i W(q_i), the energy of a whole step of h from x0 to x1 [J]."""
    samples = rule._at(x0, x1, rule.weights)
    stored = sum(value for _, value, _ in system.potential.contributions(samples))
    return kinetic_energy(system, (x1 - x0) / h) + stored
