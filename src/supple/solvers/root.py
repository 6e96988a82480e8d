"""Newton's method for equations of one configuration: sparse LU of a pattern that grows with contact.

A Jacobian A + sum of a b^T is solved with the factors of A (outer_products.py). The search is in root_search.py.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.equation import Jacobian, Residual
from supple.dynamics.linear.outer_products import OuterProducts
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.linalg.factors.factorisation import Factorisation, analyse
from supple.linalg.growth import Growth, grown
from supple.linalg.square import both_halves, square_pattern
from supple.linalg.threads import threads
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport
from supple.solvers.root_search import RootSearch
from supple.types import Array, Ints


class RootSolver(RootSearch[Jacobian]):
    """Solves equations of one system; the pattern is analysed once, numbers are factorised afresh for every solve."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        super().__init__(system, options)
        self._growth = Growth(system.pattern)
        self._pattern = square_pattern(system.pattern)
        self._both_halves: np.ndarray | None = None
        self._unknowns = np.full(system.n, -1, dtype=np.int32)
        self._unknowns[system.free] = np.arange(len(system.free))
        self._lu: Factorisation | None = None

    def memory(self) -> dict[str, np.ndarray]:
        """What the next solve depends on besides its input: the blocks that contact added to the pattern."""
        return {"grown": grown(self._growth)}

    def restore(self, memory: dict[str, np.ndarray]) -> None:
        if memory["grown"].size:
            self._growth.grow(memory["grown"])
            self._adopt()

    def close(self) -> None:
        if self._lu is not None:
            self._lu.close()

    def _direction(self, jacobian: Jacobian, now: Residual, report: SolveReport) -> tuple[Array, Array]:
        """The Newton step (n, 3), and the diagonal of the matrix, without its sign."""
        free = self._system.free
        diagonal = np.repeat(jacobian.diagonal[free], 3)
        couplings = [(self._unknowns[elements], matrices) for elements, matrices in jacobian.couplings]
        if couplings or self._growth.pattern is not self._system.pattern:
            self._grow([elements for elements, _ in couplings])
        blocks = [(self._unknowns[elements], matrices) for elements, matrices in jacobian.blocks]
        values = self._pattern.assemble(diagonal, [*blocks, *couplings])
        if jacobian.symmetric is not None:
            values += self._whole(jacobian.symmetric)
        rhs = -now.vector[free].reshape(1, -1)
        report.factorisations += 1
        try:
            lu = self._factorisation()
            lu.factor(values)
            y = self._products(jacobian).solve(lu.solve, rhs) if jacobian.products else lu.solve(rhs)
        except (SuppleError, FloatingPointError, np.linalg.LinAlgError):
            raise self._failure(Outcome.SINGULAR, now, report) from None
        p, stiffness = np.zeros_like(now.vector), np.zeros_like(now.vector)
        p[free], stiffness[free] = y.reshape(-1, 3), np.abs(values[self._pattern.diagonal]).reshape(-1, 3)
        return p, stiffness

    def _products(self, jacobian: Jacobian) -> OuterProducts:
        free = self._system.free
        rows = (np.stack([side[free].ravel() for side in sides]) for sides in zip(*jacobian.products, strict=True))
        return OuterProducts(*rows)

    def _grow(self, elements: list[Ints]) -> None:
        """Make room for couplings outside the system's pattern."""
        if self._growth.cover(elements):
            self._adopt()

    def _adopt(self) -> None:
        self.close()
        self._lu, self._both_halves = None, None
        self._pattern = square_pattern(self._growth.pattern)

    def _whole(self, fixed: Array) -> Array:
        """Entries of a whole matrix from those of its upper triangle in the system's pattern."""
        half = self._growth.pattern
        if self._both_halves is None:
            self._both_halves = both_halves(half)
        values = np.empty(half.nnz)
        self._growth.lay(fixed, values)
        return values[self._both_halves]

    def _factorisation(self) -> Factorisation:
        if self._lu is None:
            pattern = self._pattern
            self._lu = analyse("lu", pattern.indptr, pattern.indices, self._options.backend, threads())
        return self._lu
