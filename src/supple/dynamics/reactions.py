"""Constraint forces in a step: multipliers times mean gradients of g along the straight path x0 -> x.

    M (x - target) + ... + s sum_j lam_j gbar_j = 0,  g(x) = 0
    gbar_j = sum_q w_q grad g_j((1 - c_q) x0 + c_q x)
A node at the end makes x a constrained minimum. The mean by an exact rule is a discrete gradient, gbar . (x - x0) =
g(x) - g(x0) = 0: such forces do no work (for quadratic g it is the gradient in the middle). Variational methods use a
node at the start; their impulses h G(x0)^T lam conserve momenta.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.constraints.holonomic import Constraints, Holonomic, steepness
from supple.linalg.quadrature import gauss
from supple.linalg.square import sum_at_vertices
from supple.types import Array

POINTS = 5
"""Gauss points for constraints that are not polynomials: exact to round-off unless a step is strongly curved."""


@dataclass(frozen=True)
class Reactions:
    """Evaluation points and weights of a system's constraints in a stage."""

    weight: float
    """s, the weight of a force in this stage."""
    x0: Array
    """Positions at the start of the step."""
    at: Literal["start", "end", "mean"]
    """Point of the step at which gradients are evaluated."""
    moves: tuple[Array, Array] | None = None
    """For conserving steps, which end with velocities that satisfy the constraints: h v at the start, and a guess at
    the end with the velocities of prescribed vertices [m]."""

    def gradients(self, constraints: Constraints, x: Array) -> list[Array]:
        """(m, k, 3) mean gradients of each kind."""
        return [
            sum((w * kind.gradients(self.between(c, x)) for c, w in self.nodes(kind)), np.zeros(()))
            for kind in constraints.kinds
        ]

    def hessians(self, constraints: Constraints, x: Array) -> list[Array]:
        """(p, 3c, 3c) their derivatives with respect to x in the blocks of `curved`, for each kind."""
        found = []
        for kind in constraints.kinds:
            blocks, size = kind.curved[0].shape
            each = (w * c * kind.hessians(self.between(c, x)) for c, w in self.nodes(kind) if c > 0.0)
            found.append(sum(each, np.zeros((blocks, 3 * size, 3 * size))))
        return found

    def nodes(self, kind: Holonomic) -> list[tuple[float, float]]:
        """Nodes c in the step and their weights."""
        if self.at != "mean":
            return [(float(self.at == "end"), 1.0)]
        rule = gauss(POINTS if kind.degree is None else max(1, (kind.degree + 1) // 2))
        return list(zip(rule.nodes, rule.weights, strict=True))

    def between(self, c: float, x: Array) -> Array:
        """The configuration at node c of the step that ends at x."""
        return self.x0 if c == 0.0 else x if c == 1.0 else (1.0 - c) * self.x0 + c * x


def pull(constraints: Constraints, gradients: list[Array], lam: Array, n: int) -> Array:
    """(n, 3) sum_j lam_j grad g_j."""
    total = np.zeros((n, 3))
    for (kind, span), each in zip(constraints, gradients, strict=True):
        total += sum_at_vertices(kind.vertices, lam[span, None, None] * each, n)
    return total


def forces(gradients: list[Array], lam: Array) -> Array:
    """(J,) force of each constraint at the vertex where it is largest, with the sign of its multiplier [N]."""
    return lam * np.concatenate([steepness(each) for each in gradients])
