"""Newton's method for equations that are no gradients: sparse LU, damped by backtracking on the residual.

Steps are shortened until |r| in the norm of M^-1 falls. Near the root full steps are taken until they no longer make the
residual smaller: what is left is rounding error. A Jacobian A + sum of a b^T is solved with the factors of A (outer_products.py).
Without an objective the search may end in a point that is no root; then it says so.
"""

from __future__ import annotations

import math

import numpy as np

from supple.dynamics.equation import Equation, Jacobian, Residual
from supple.dynamics.outer_products import OuterProducts
from supple.dynamics.system import System
from supple.errors import StageNotConverged, StepRejected, SuppleError
from supple.linalg.factors.factorisation import Factorisation, analyse
from supple.linalg.growth import Growth, grown
from supple.linalg.reduce import dot, largest, within
from supple.linalg.square import both_halves, square_pattern
from supple.linalg.threads import threads
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport
from supple.types import Array, Ints

SUFFICIENT = 1e-4
"""Fraction of the decrease promised by the linear model that must be had."""
ROUND_OFF = 8 * np.finfo(np.float64).eps
POLISHES = 12
"""Steps after the residual is small; a Jacobian that is not exact gains a digit or two with each of them."""
HALVINGS = 10
SHORTENINGS = 60


class RootSolver:
    """Solves equations of one system; the pattern is analysed once, numbers are factorised afresh for every solve."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system = system
        self._options = options
        self._growth = Growth(system.pattern)
        self._pattern = square_pattern(system.pattern)
        self._both_halves: np.ndarray | None = None
        self._unknowns = np.full(system.n, -1, dtype=np.int32)
        self._unknowns[system.free] = np.arange(len(system.free))
        self._lu: Factorisation | None = None

    def solve(self, equation: Equation) -> tuple[Array, SolveReport]:
        """The root; raises StageNotConverged rather than returning anything else."""
        report = SolveReport()
        x, now = self._start(equation, report)
        floor: Array | float = 0.0
        polished = 0
        while not within(now.vector, floor) and polished < POLISHES:
            if report.iterations == self._options.max_iterations:
                raise self._failure(Outcome.EXHAUSTED, now, report)
            report.iterations += 1
            jacobian = equation.jacobian(x)
            p, stiffness = self._direction(jacobian, now, report)
            floor = ROUND_OFF * largest(x) * stiffness
            if within(now.vector, floor):
                break  # nothing but rounding error from the start on
            small = largest(now.vector) <= self._options.tolerance * now.scale
            polished += small
            found = self._search(equation, x, now, p, 0 if small else HALVINGS, report)
            if found is None:
                if small:
                    break  # round-off: the residual cannot be made smaller
                raise self._failure(Outcome.STALLED, now, report)
            x, now = found
        report.gradient_norm = _relative(now)
        report.residual = now.vector
        return x, report

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

    def _start(self, equation: Equation, report: SolveReport) -> tuple[Array, Residual]:
        """The prediction, shortened until the residual is finite there."""
        origin, start = equation.place(equation.origin), equation.place(equation.start)
        longest = min(1.0, equation.max_step(origin, start - origin))
        for k in range(SHORTENINGS):
            t = longest * 0.5**k
            x = origin + t * (start - origin) if t < 1.0 else start
            now = _evaluate(equation, x)
            if now is not None:
                return x, now
        raise self._failure(Outcome.NOT_FINITE, Residual(np.full_like(start, np.nan), math.nan), report)

    def _search(
        self, equation: Equation, x: Array, now: Residual, p: Array, halvings: int, report: SolveReport
    ) -> tuple[Array, Residual] | None:
        """The first of x + p, x + p/2, ... with a smaller residual."""
        size = self._size(now)
        longest = min(1.0, equation.max_step(x, p))
        for k in range(halvings + 1):
            t = longest * 0.5**k
            report.line_search_steps += 1
            then = _evaluate(equation, x + t * p)
            if then is not None and self._size(then) < (1.0 - SUFFICIENT * t) * size:
                return x + t * p, then
        return None

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

    def _size(self, residual: Residual) -> float:
        """|r| in the norm of M^-1, in which heavy and light vertices count alike."""
        return math.sqrt(dot(residual.vector / self._system.mass[:, None], residual.vector))

    def _failure(self, outcome: Outcome, now: Residual, report: SolveReport) -> StageNotConverged:
        report.outcome = outcome
        report.gradient_norm = _relative(now)
        report.residual = now.vector
        return StageNotConverged(
            f"an equation was not solved: {outcome.value} "
            f"({report.iterations} iterations, relative residual {report.gradient_norm:.1e}, "
            f"wanted {self._options.tolerance:.0e}); a smaller time.step may help",
            report,
        )


def _evaluate(equation: Equation, x: Array) -> Residual | None:
    """The residual, or None where it is not defined."""
    try:
        residual = equation.residual(x)
    except StepRejected:
        return None
    return residual if np.isfinite(residual.vector).all() else None


def _relative(now: Residual) -> float:
    return largest(now.vector) / now.scale if now.scale > 0.0 else 0.0
