"""The problem without constraints: a stage, or an equation that is not a gradient, as residuals and matrices of free vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from supple.dynamics.equation import Equation, Residual
from supple.dynamics.linear.outer_products import OuterProducts
from supple.dynamics.stage import EnergyStop, Stage, StageObjective
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.types import Array, Ints

NOWHERE = Residual(np.full((1, 3), np.inf), np.inf)
"""Residual at inadmissible positions."""


@dataclass(frozen=True)
class Derivative:
    """Derivatives of the residual with respect to the free vertices."""

    symmetric: Array
    """Entries of the upper triangle of a symmetric part, in the system's pattern."""
    blocks: list[tuple[Ints, Array]]
    """Unknown indices (m, k) (-1: prescribed) and additional matrices (m, 3k, 3k), symmetric or not, in the pattern or not."""
    products: OuterProducts | None = None
    """Parts that couple all vertices."""


class Unheld(Protocol):
    """r(x) = 0 without the forces of constraints."""

    energy_stop: EnergyStop | None
    rough: float | None

    def ends(self) -> tuple[Array, Array]:
        """Start of the search, where all quantities are finite."""

    def residual(self, x: Array) -> Residual: ...

    def derivative(self, x: Array) -> Derivative: ...

    def max_step(self, x: Array, p: Array) -> float:
        """Largest multiple of p by which x may move."""


class UnheldStage:
    """The gradient of a stage."""

    def __init__(self, system: System, stage: Stage) -> None:
        self._objective, self._system = StageObjective(system, stage), system
        self.energy_stop, self.rough = stage.energy_stop, stage.rough

    def ends(self) -> tuple[Array, Array]:
        objective = self._objective
        origin, start = objective.origin(), objective.place(objective.stage.start)
        straight = start - origin
        move = objective.clipped(origin, straight)
        return origin, start if move is straight else origin + move

    def residual(self, x: Array) -> Residual:
        found = self._objective.evaluate(x)
        return Residual(found.gradient, found.scale) if np.isfinite(found.value) else NOWHERE

    def derivative(self, x: Array) -> Derivative:
        values = np.empty(self._system.pattern.nnz)
        self._objective.hessian(x, values)
        blocks = self._objective.coupling_blocks(x) if self._objective.grows else []
        return Derivative(values, blocks, self._objective.outer_products(x))

    def max_step(self, x: Array, p: Array) -> float:
        return self._objective.max_step(x, p)


class UnheldEquation:
    """A general equation."""

    energy_stop: EnergyStop | None = None
    rough: float | None = None

    def __init__(self, system: System, equation: Equation) -> None:
        self._equation, self._system = equation, system
        self._unknown = np.full(system.n, -1, dtype=np.int32)
        self._unknown[system.free] = np.arange(len(system.free))

    def ends(self) -> tuple[Array, Array]:
        return self._equation.place(self._equation.origin), self._equation.place(self._equation.start)

    def residual(self, x: Array) -> Residual:
        try:
            found = self._equation.residual(x)
        except StepRejected:
            return NOWHERE
        return found if np.isfinite(found.vector).all() else NOWHERE

    def derivative(self, x: Array) -> Derivative:
        found, free, pattern = self._equation.jacobian(x), self._system.free, self._system.pattern
        values = np.zeros(pattern.nnz) if found.symmetric is None else found.symmetric.copy()
        values[pattern.diagonal] += np.repeat(found.diagonal[free], 3)
        blocks = [(self._unknown[own], matrices) for own, matrices in (*found.blocks, *found.couplings)]
        if not found.products:
            return Derivative(values, blocks)
        left, right = (np.stack([side[free].ravel() for side in sides]) for sides in zip(*found.products, strict=True))
        return Derivative(values, blocks, OuterProducts(left, right))

    def max_step(self, x: Array, p: Array) -> float:
        return self._equation.max_step(x, p)
