"""The matrix of stages with constraints of one system, in a pattern that follows contact, and Newton's steps with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from supple.dynamics.linear.outer_products import OuterProducts
from supple.dynamics.system import System
from supple.linalg.growth import Growth
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.restored import entries, grown_keys
from supple.solvers.saddle.factors import Saddle
from supple.solvers.saddle.layout import Layout, stencils
from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.solvers.multipliers import Point, Problem

ACCURACY = 1e-6
"""Fraction of the residual that a Newton step may leave."""


class SaddleMatrix:
    """Belongs to one system, and to conserving or to plain stages."""

    def __init__(self, system: System, conserving: bool, options: SolverOptions) -> None:
        self._system, self._conserving, self._options = system, conserving, options
        self._growth, self._own = Growth(system.pattern), stencils(system)
        self._layout: Layout | None = None
        self._saddle: Saddle | None = None

    def moved(
        self, problem: Problem, now: Point, report: SolveReport
    ) -> tuple[tuple[Array, Array, Array, Array], Array]:
        """Newton's step of x, w, nu and mu, and the absolute diagonal of the matrix (n, 3)."""
        derivative = problem.unheld.derivative(now.x)
        self._cover([elements for elements, _ in derivative.blocks])
        layout, saddle = self._made()
        symmetric = np.empty(self._growth.pattern.nnz)
        self._growth.lay(derivative.symmetric, symmetric)
        values = layout.values(problem, now, derivative, symmetric)
        rhs, stiffness = -layout.missed(problem, now), np.zeros_like(now.x)
        stiffness[self._system.free] = np.abs(values[layout.diagonal]).reshape(-1, 3)
        if derivative.products is None:
            return layout.moves(problem, saddle.solve(values, rhs, ACCURACY, report)), stiffness
        wide = [np.pad(side, ((0, 0), (0, len(rhs) - side.shape[1]))) for side in _sides(derivative.products)]
        y = OuterProducts(*wide).solve(
            lambda rows: np.stack([saddle.solve(values, row, 1e-3 * ACCURACY, report) for row in rows]), rhs[None]
        )[0]
        return layout.moves(problem, y), stiffness

    def memory(self) -> dict[str, Array]:
        """Memory that affects the next solve: the pattern, and the last factorised matrix."""
        if self._layout is None or self._saddle is None:
            return {}
        factored = self._saddle.factored if self._saddle.reuses else None
        return {"grown": self._growth.added, "factored": np.empty(0) if factored is None else factored}

    def restore(self, memory: dict[str, Array]) -> None:
        self._growth.grow(grown_keys(memory, self._system.pattern))
        layout, saddle = self._made()
        if memory["factored"].size:
            saddle.factor(entries(memory, "factored", len(layout.entries.half[1])), SolveReport())

    def close(self) -> None:
        if self._saddle is not None:
            self._saddle.close()

    def _cover(self, more: list[Ints]) -> None:
        """Extend the pattern for couplings outside it."""
        if self._growth.cover([*self._own, *more]):
            self.close()
            self._layout = self._saddle = None

    def _made(self) -> tuple[Layout, Saddle]:
        if self._layout is None or self._saddle is None:
            self._layout = Layout(self._system, self._growth.pattern, self._conserving)
            self._saddle = Saddle(self._layout.entries, self._layout.first, self._options)
        return self._layout, self._saddle


def _sides(products: OuterProducts) -> tuple[Array, Array]:
    return products.left, products.right
