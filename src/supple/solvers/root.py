"""Newton's method for equations of one configuration, in a pattern that grows with contact.

The linear systems are nearly symmetric (linalg/factors/nearly_symmetric.py). Factors of earlier ones are first used for
secant steps (secant_search.py), which need no Jacobian; where these do not reach the root, Newton's method follows
(root_search.py).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from supple.dynamics.equation import EquationOf, Jacobian, Residual
from supple.dynamics.linear.outer_products import OuterProducts
from supple.dynamics.system import System
from supple.errors import StageNotConverged, SuppleError
from supple.linalg.factors.nearly_symmetric import KINDS, Matrix, NearlySymmetric
from supple.linalg.growth import Growth, grown
from supple.linalg.square import both_halves, square_pattern
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport
from supple.solvers.restored import entries, grown_keys
from supple.solvers.root_search import RootSearch
from supple.solvers.secant_search import SecantSearch
from supple.solvers.secants import Age
from supple.types import Array

SMALL = 600
"""Unknowns below which `reuse = auto` solves every linear system directly: factorisation is the cheapest option there."""


class RootSolver(RootSearch[Jacobian]):
    """Solves equations of one system; factors of earlier Jacobians are reused as preconditioners."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        super().__init__(system, options)
        self._growth = Growth(system.pattern)
        self._unknowns = np.full(system.n, -1, dtype=np.int32)
        self._unknowns[system.free] = np.arange(len(system.free))
        self.keeps = options.reuse == "always" or (options.reuse == "auto" and system.pattern.unknowns >= SMALL)
        self._reuses = self.keeps  # also of solvers made during a repetition with exact directions
        self._linear, self._age = self._made(), Age()
        self._both_halves: np.ndarray | None = None
        self._current: tuple[Jacobian, Matrix] | None = None

    def solve(self, equation: EquationOf[Jacobian], patience: int = 0) -> tuple[Array, SolveReport]:
        """The root. A search that fails with inexact directions is repeated with exact ones, unless the caller limits
        the patience and so has an alternative."""
        report = SolveReport()
        start = self._start(equation, report)
        try:
            x, now, found = self._by_secants(equation, *start, patience, report)
            return self._done(x, now, report) if found else self._newton(equation, x, now, patience, report)
        except StageNotConverged:
            if not self.keeps or patience:
                raise
        spent = replace(report, outcome=Outcome.CONVERGED)
        self.keeps = False
        try:
            x, report = self._newton(equation, *start, patience, SolveReport())
        except StageNotConverged as problem:
            problem.report.count(spent)
            raise
        finally:
            self.keeps = True
        report.count(spent)
        return x, report

    def memory(self) -> dict[str, np.ndarray]:
        """Memory that affects the next solve: the blocks that contact added to the pattern, the factors and their age."""
        return {"grown": grown(self._growth), "age": self._age.memory(), **self._linear.memory()}

    def restore(self, memory: dict[str, np.ndarray]) -> None:
        if memory["grown"].size:
            self._growth.grow(grown_keys(memory, self._system.pattern))
            self._adopt()
        if "factored" in memory:  # checkpoints of older versions have none
            self._linear.restore(self._checked(memory))
        if "age" in memory:
            self._age.restore(memory["age"])

    def close(self) -> None:
        self._linear.close()

    def _checked(self, memory: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The memory, with a matrix of the right size if it has one."""
        if not memory["factored"].size:
            return memory
        pattern = self._growth.pattern
        whole = KINDS[int(memory["kind"])] == "lu"
        return {
            **memory,
            "factored": entries(memory, "factored", square_pattern(pattern).nnz if whole else pattern.nnz),
        }

    def _by_secants(
        self, equation: EquationOf[Jacobian], x: Array, now: Residual, patience: int, report: SolveReport
    ) -> tuple[Array, Residual, bool]:
        """The end of the secant steps, and whether it is a root. Contact changes too much between configurations: with
        contact, or limited patience because of it, secant steps are skipped."""
        linear, age = self._linear, self._age
        contact = patience or self._growth.pattern is not self._system.pattern
        if contact or not self.keeps or linear.known == "whole" or age.waits():
            return x, now, False
        new = linear.known == "none" or age.is_due(
            0.5 * linear.renewal
        )  # an iteration costs a residual in addition to its solve
        while True:
            if new:
                age.renew()
                jacobian = equation.jacobian(x)
                if jacobian.couplings or not linear.factor_symmetric(self._matrix(jacobian), report):
                    break
            search = SecantSearch(self._system, linear, self._options.tolerance)
            x, now, found = search.run(equation, x, now, report)
            if found:
                age.learn(search.iterations, search.digits)
                return x, now, True
            if new:
                break
            new = True
        age.fail()
        return x, now, False

    def _direction(
        self, jacobian: Jacobian, now: Residual, accuracy: float, report: SolveReport
    ) -> tuple[Array, Array]:
        """The Newton step (n, 3), and the absolute diagonal of the matrix."""
        free = self._system.free
        if self._current is None or self._current[0] is not jacobian:
            self._current = jacobian, self._matrix(jacobian)
        matrix = self._current[1]
        factorisations = report.factorisations
        try:
            y = self._linear.solve(matrix, -now.vector[free].ravel(), accuracy, report)
        except (SuppleError, FloatingPointError, np.linalg.LinAlgError):
            raise self._failure(Outcome.SINGULAR, now, report) from None
        if report.factorisations > factorisations:
            self._age.renew()
        p, stiffness = np.zeros_like(now.vector), np.zeros_like(now.vector)
        p[free], stiffness[free] = y.reshape(-1, 3), np.abs(self._linear.diagonal(matrix)).reshape(-1, 3)
        return p, stiffness

    def _matrix(self, jacobian: Jacobian) -> Matrix:
        diagonal = np.repeat(jacobian.diagonal[self._system.free], 3)
        couplings = [(self._unknowns[elements], matrices) for elements, matrices in jacobian.couplings]
        if couplings or self._growth.pattern is not self._system.pattern:
            self._grow([elements for elements, _ in couplings])
        blocks = [(self._unknowns[elements], matrices) for elements, matrices in jacobian.blocks]
        update = self._products(jacobian) if jacobian.products else None
        half, pattern = self._symmetric(jacobian), square_pattern(self._growth.pattern)
        if half is not None and jacobian.square is None and not blocks and not couplings:
            half[self._growth.pattern.diagonal] += diagonal
            return Matrix(half, None, update)
        values = pattern.assemble(diagonal, [*blocks, *couplings])
        if half is not None:
            values += half[self._mirrored()]
        if jacobian.square is not None:
            pattern.lay(square_pattern(self._system.pattern), jacobian.square, values)
        return Matrix(None, values, update)

    def _symmetric(self, jacobian: Jacobian) -> Array | None:
        """Entries of the symmetric part in the current pattern."""
        if jacobian.symmetric is None:
            return None
        half = np.empty(self._growth.pattern.nnz)
        self._growth.lay(jacobian.symmetric, half)
        return half

    def _mirrored(self) -> np.ndarray:
        if self._both_halves is None:
            self._both_halves = both_halves(self._growth.pattern)
        return self._both_halves

    def _products(self, jacobian: Jacobian) -> OuterProducts:
        free = self._system.free
        rows = (np.stack([side[free].ravel() for side in sides]) for sides in zip(*jacobian.products, strict=True))
        return OuterProducts(*rows)

    def _grow(self, elements: list[np.ndarray]) -> None:
        """Extend the pattern for couplings outside it."""
        if self._growth.cover(elements):
            self._adopt()

    def _adopt(self) -> None:
        self._linear.close()
        self._linear, self._both_halves = self._made(), None

    def _made(self) -> NearlySymmetric:
        return NearlySymmetric(self._growth.pattern, self._options.backend, self._reuses)
