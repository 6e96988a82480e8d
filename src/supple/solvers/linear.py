"""The linear systems of Newton's method: one matrix of fixed pattern, solved with a retained preconditioner or factorised anew.

Data retained from earlier matrices is memory, and so are the blocks that contact added to the pattern, since the
elimination order depends on them. A run resumed from a checkpoint prepares the same matrices in the same order and
continues bit for bit.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from supple.dynamics.stage import StageObjective
from supple.dynamics.system import System
from supple.errors import NotPositiveDefinite
from supple.linalg.fields import gathered, spread
from supple.linalg.growth import Growth, grown
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.restored import entries, grown_keys, rows
from supple.solvers.strategies.choice import choose
from supple.solvers.strategies.factors import Factors
from supple.solvers.strategies.matrix import Matrix
from supple.solvers.strategies.shift import LARGEST, Shift
from supple.solvers.strategies.strategy import Strategy
from supple.types import Array

LARGEST_SHIFT = LARGEST
UNHELD = 1e-10
"""Stiffness, relative to the largest, given to a body without inertia in unconstrained directions."""


class LinearSolver:
    """Solves with Phi'' (plus a multiple of the mass where it is not positive definite)."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system = system
        self._options = options
        self._mass = system.unknown_mass
        self._shift = Shift()
        self._growth: Growth | None = None
        self._matrix = Matrix(system.pattern, self._mass)
        self._factors = Factors(system.pattern, options.backend)

    @cached_property
    def _strategy(self) -> Strategy | None:
        """Built when the first system is solved: methods without matrices never build a pattern."""
        return choose(self._system.pattern, self._options)

    @property
    def values(self) -> Array:
        """Entries of the current matrix."""
        return self._matrix.values

    @property
    def strategy(self) -> str:
        """Name of the current solver: `fresh` factors, or a retained preconditioner."""
        strategy = vars(self).get("_strategy")
        return "fresh" if strategy is None else strategy.name

    @property
    def shift(self) -> float:
        """Multiple of the mass that is added where the matrix alone is not positive definite."""
        return self._shift.value

    @shift.setter
    def shift(self, value: float) -> None:
        self._shift.value = value

    # -- matrix ------------------------------------------------------------------------------------------------------

    def assemble(self, objective: StageObjective, x: Array, project: bool = False, safe: bool = False) -> None:
        """Set Phi''(x) as the current matrix; `safe`: with friction for long steps."""
        if objective.grows:
            self._assemble_growing(objective, x, project, safe)
        else:
            objective.hessian(x, self.values, project)
        matrix = self._matrix
        if not objective.stage.inertia:  # a body on a floor may slide freely: round-off must not move it
            steepest = float(np.max(np.abs(matrix.diagonal) / self._mass, initial=0.0))
            self.values[matrix.pattern.diagonal] += UNHELD * steepest * self._mass
        matrix.places = x[self._system.free]
        matrix.normals = objective.normals
        matrix.products = objective.outer_products(x)

    def diagonal(self) -> Array:
        """(n, 3) of the current matrix, zero on prescribed vertices."""
        return self._spread(self._matrix.diagonal)

    # -- solves ------------------------------------------------------------------------------------------------------

    def descent(self, gradient: Array, accuracy: float, report: SolveReport, most: float = LARGEST_SHIFT) -> Array:
        """-(Phi'' + shift M)^-1 gradient, with the shift raised until the matrix is positive definite; raises
        NotPositiveDefinite if that takes more than `most` times the smallest shift."""
        rhs = self._gather(gradient)
        p = self._iterated(rhs, accuracy, report)
        while p is None:
            try:
                p = self._solved(rhs, accuracy, report, self.shift)
            except NotPositiveDefinite:
                if self._shift.exceeds(most, self._matrix):
                    raise
                self._shift.demand(self._matrix)
        return self._spread(p)

    def newton(self, gradient: Array, accuracy: float, report: SolveReport) -> Array:
        """-(Phi'')^-1 gradient with the unmodified matrix, definite or not."""
        rhs = self._gather(gradient)
        p = self._iterated(rhs, accuracy, report)
        if p is None:
            try:
                p = self._solved(rhs, accuracy, report, 0.0)
            except NotPositiveDefinite:
                report.factorisations += 1
                p = self._factors.solve_indefinite(self._matrix, rhs)
        return self._spread(p)

    def drop_shift(self) -> None:
        """Drop the shift: the matrix is definite without it."""
        self._shift.drop()
        self._forget()

    def raise_shift(self) -> None:
        """Increase the shift: the last direction was useless."""
        self._shift.increase(self._matrix)
        self._forget()

    def relax_shift(self) -> None:
        """Record a successful iteration."""
        self._shift.relax(self._matrix)

    # -- memory ------------------------------------------------------------------------------------------------------

    def memory(self) -> dict[str, Array]:
        """Memory that affects the next solve."""
        strategy = vars(self).get("_strategy")
        kept = {} if strategy is None else strategy.memory()
        pattern = {"grows": np.array(self._growth is not None), "grown": grown(self._growth)}
        return self._shift.memory() | {"factored": np.empty(0)} | kept | pattern

    def restore(self, memory: dict[str, Array]) -> None:
        self._shift.restore(memory)
        if memory.get("grows", False):
            self._grow()
        if memory.get("grown", np.empty(0)).size:  # checkpoints of older versions have none
            self._grow().grow(grown_keys(memory, self._system.pattern))
            self._adopt()
        if ("rung" in memory or memory["factored"].size) and self._strategy is not None:
            self._strategy.restore(self._checked(memory))

    def close(self) -> None:
        self._factors.close()
        strategy = vars(self).get("_strategy")
        if strategy is not None:
            strategy.close()

    # -- details -----------------------------------------------------------------------------------------------------

    def _checked(self, memory: dict[str, Array]) -> dict[str, Array]:
        """The memory, with a matrix of the right size if it has one."""
        if not memory.get("factored", np.empty(0)).size:
            return memory
        pattern = self._system.pattern
        places = rows(memory, "places", len(self._system.free)) if "places" in memory else np.empty((0, 3))
        return {**memory, "factored": entries(memory, "factored", pattern.nnz), "places": places}

    def _assemble_growing(self, objective: StageObjective, x: Array, project: bool, safe: bool) -> None:
        """The fixed part, and blocks for which the pattern may have to grow."""
        growth = self._grow()
        fixed = np.empty(self._system.pattern.nnz)
        objective.hessian(x, fixed, project)
        blocks = objective.coupling_blocks(x, project, safe)
        if growth.cover([elements for elements, _ in blocks]):
            self._adopt()
        growth.lay(fixed, self.values)
        for elements, matrices in blocks:
            growth.add(elements, matrices, self.values)

    def _grow(self) -> Growth:
        """The pattern that follows contacts, once there are any."""
        if self._growth is None:
            self._growth = Growth(self._system.pattern)
            self.close()
            self._strategy = None  # retained data has another pattern and would hardly precondition new contacts
        return self._growth

    def _adopt(self) -> None:
        """Switch to the grown pattern."""
        self.close()
        pattern = self._grow().pattern
        self._matrix, self._factors = Matrix(pattern, self._mass), Factors(pattern, self._options.backend)

    def _iterated(self, rhs: Array, accuracy: float, report: SolveReport) -> Array | None:
        """Solve with data retained from earlier matrices, if that suffices."""
        if self._strategy is None or not self._matrix.is_plain:
            return None
        return self._strategy.solve(self._matrix, rhs, accuracy, report)

    def _solved(self, rhs: Array, accuracy: float, report: SolveReport, shift: float) -> Array:
        """Solve with the current matrix, newly prepared; raises NotPositiveDefinite."""
        if self._strategy is not None and self._matrix.is_plain:
            p = self._strategy.solve_anew(self._matrix, shift, rhs, accuracy, report)
            if p is not None:
                return p
        report.factorisations += 1
        return self._factors.solve(self._matrix, shift, rhs)

    def _forget(self) -> None:
        strategy = vars(self).get("_strategy")
        if strategy is not None:
            strategy.forget()

    def _gather(self, gradient: Array) -> Array:
        return gathered(gradient, self._system.free)

    def _spread(self, p: Array) -> Array:
        return spread(p, self._system.free, self._system.n)
