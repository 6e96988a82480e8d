"""The linear systems of Newton's method: one matrix of fixed pattern, factorised afresh or solved with an old factor.

From SMALL unknowns on a factorisation of an earlier Hessian is kept as preconditioner of conjugate gradients on the
current one; when that does not pay, the current one is factorised. Before there is any, crowded matrices (nodes of a grid of
particles) try the blocks of their diagonal. The numbers that were factorised last are memory, and so
are the blocks that contact added to the pattern, since the order of elimination depends on them: a run that goes on from a
checkpoint factorises the same matrices in the same order and so continues with the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

import numpy as np

from supple.dynamics.linear.outer_products import OuterProducts
from supple.dynamics.stage import StageObjective
from supple.dynamics.system import System
from supple.errors import NotPositiveDefinite
from supple.linalg.factors.factorisation import Factorisation, Kind, analyse
from supple.linalg.fields import gathered, spread
from supple.linalg.growth import Growth, grown
from supple.linalg.krylov import preconditioned_cg, symmetric_product
from supple.linalg.threads import threads
from supple.solvers.options import SolverOptions
from supple.solvers.patience import SMALL, Patience
from supple.solvers.report import SolveReport
from supple.types import Array

CROWDED = 100
"""Entries of a row of the upper triangle, on average, beyond which factors fill so much that conjugate gradients with blocks of
the diagonal come first: nodes of a grid of particles have up to 190, those of tets about 25."""
BLOCKS_LIMIT = 90
"""Iterations that these may take."""
BLOCKS_FROM = 10_000
"""Unknowns below which crowded matrices are factorised all the same."""
ALONE_LIMIT = 6000
"""Iterations that conjugate gradients may take where they were chosen; slower ones are given up after a third of them."""
SHIFT_GROWTH = 4.0
SMALLEST_SHIFT = 1e-4
LARGEST_SHIFT = 1e16
HELD = 3
"""Iterations for which a shift stays that was just found to be needed."""
UNHELD = 1e-10
"""Stiffness, relative to the largest, that a body without inertia has in directions in which nothing holds it."""


class LinearSolver:
    """Solves with Phi'' (plus a multiple of the mass where it is not positive definite)."""

    few: ClassVar[int] = SMALL
    """Unknowns below which `reuse = auto` always factorises afresh."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system = system
        self._options = options
        pattern = system.pattern
        self._pattern = pattern
        self._mass = system.unknown_mass
        self._growth: Growth | None = None
        self._normals: Array | None = None
        self._products: OuterProducts | None = None
        self._has_factor = False
        self._cholesky: Factorisation | None = None
        self._ldl: Factorisation | None = None
        self.shift = 0.0
        self._held = 0
        self._patience = Patience(pattern.unknowns)
        self._reuses = options.linear == "direct" and (
            options.reuse == "always" or (options.reuse == "auto" and pattern.unknowns >= self.few)
        )

    @cached_property
    def values(self) -> Array:
        """Entries of the current matrix."""
        return np.empty(self._pattern.nnz)

    @cached_property
    def _factored(self) -> Array:
        """Entries of the matrix that was factorised last."""
        return np.empty(self._pattern.nnz)

    # -- matrix ------------------------------------------------------------------------------------------------------

    def assemble(self, objective: StageObjective, x: Array, project: bool = False, safe: bool = False) -> None:
        """Take Phi''(x) as the current matrix; `safe`: with friction for long steps."""
        if objective.grows:
            self._assemble_growing(objective, x, project, safe)
        else:
            objective.hessian(x, self.values, project)
        if not objective.stage.inertia:  # a body on a floor may slide anywhere: rounding error must not move it
            self.values[self._pattern.diagonal] += UNHELD * self._steepest() * self._mass
        self._normals = objective.normals
        self._products = objective.outer_products(x)

    def diagonal(self) -> Array:
        """(n, 3) of the current matrix, zero on prescribed vertices."""
        return self._spread(self.values[self._pattern.diagonal])

    # -- solves ------------------------------------------------------------------------------------------------------

    def descent(self, gradient: Array, accuracy: float, report: SolveReport, most: float = LARGEST_SHIFT) -> Array:
        """-(Phi'' + shift M)^-1 gradient, with the shift raised until the matrix is positive definite; raises
        NotPositiveDefinite if that takes more than `most` times the smallest shift."""
        rhs = self._gather(gradient)
        p = self._iterated(rhs, accuracy, report)
        if p is None:
            self._factor_shifted(report, most)
            p = self._solve(self._required_cholesky(), rhs)
        return self._spread(p)

    def newton(self, gradient: Array, accuracy: float, report: SolveReport) -> Array:
        """-(Phi'')^-1 gradient with the matrix as it is, definite or not."""
        rhs = self._gather(gradient)
        p = self._iterated(rhs, accuracy, report)
        if p is not None:
            return self._spread(p)
        report.factorisations += 1
        try:
            self._factor(0.0)
            return self._spread(self._solve(self._required_cholesky(), rhs))
        except NotPositiveDefinite:
            report.factorisations += 1
            if self._ldl is None:
                self._ldl = self._analyse("ldl")
            self._ldl.factor(self.values)
            return self._spread(self._solve(self._ldl, rhs))

    def drop_shift(self) -> None:
        """The matrix is definite without."""
        self.shift, self._held, self._has_factor = 0.0, 0, False

    def raise_shift(self) -> None:
        """The last direction was of no use: lean more on the mass."""
        self.shift = max(SHIFT_GROWTH * self.shift, self._smallest_shift())
        self._has_factor = False

    def relax_shift(self) -> None:
        """One more iteration went well. After a matrix that was not definite the shift stays for a while: where it is needed
        in every iteration, trying without costs a factorisation each time."""
        self._held = max(self._held - 1, 0)
        if self._held or not self.shift:
            return
        self.shift /= SHIFT_GROWTH
        if self.shift < SMALLEST_SHIFT * self._smallest_shift():
            self.shift = 0.0

    # -- memory ------------------------------------------------------------------------------------------------------

    def memory(self) -> dict[str, Array]:
        """What the next solve depends on besides its input."""
        factored = self._factored.copy() if self._reuses and self._has_factor else np.empty(0)
        return {
            "shift": np.array(self.shift),
            "held": np.array(self._held),
            "patience": self._patience.memory(),
            "factored": factored,
            "grown": grown(self._growth),
        }

    def restore(self, memory: dict[str, Array]) -> None:
        self.shift = float(memory["shift"])
        self._held = int(memory.get("held", 0))  # checkpoints of older versions have none
        self._patience.restore(memory.get("patience", np.zeros(2)))
        self._has_factor = False
        if memory.get("grown", np.empty(0)).size:  # checkpoints of older versions have none
            self._grow().grow(memory["grown"])
            self._adopt()
        if memory["factored"].size:
            self._factored[:] = memory["factored"]
            self._required_cholesky().factor(self._factored)
            self._has_factor = True

    def close(self) -> None:
        for factorisation in (self._cholesky, self._ldl):
            if factorisation is not None:
                factorisation.close()

    # -- details -----------------------------------------------------------------------------------------------------

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
        """The pattern that follows contacts, from the first time on that there are any."""
        if self._growth is None:
            self._growth = Growth(self._system.pattern)
            self._reuses = False  # an old factor would have another pattern, and hardly precondition new contacts
        return self._growth

    def _adopt(self) -> None:
        """Take the grown pattern as the present one."""
        self.close()
        self._cholesky = self._ldl = None
        self._pattern, self._has_factor = self._grow().pattern, False
        self.values, self._factored = (np.empty(self._pattern.nnz) for _ in range(2))

    def _solve(self, factor: Factorisation, rhs: Array) -> Array:
        """A^-1 rhs; with equalities B^T p = 0: p = A^-1 rhs - Z (B^T Z)^-1 B^T A^-1 rhs, Z = A^-1 B."""
        if self._normals is None or not len(self._normals):
            return factor.solve(rhs) if self._products is None else self._products.solve(factor.solve, rhs[None])[0]
        rows = np.concatenate([rhs[None], self._normals])
        p, *columns = factor.solve(rows) if self._products is None else self._products.solve(factor.solve, rows)
        Z = np.stack(columns)
        return p - np.linalg.solve(Z @ self._normals.T, self._normals @ p) @ Z

    def _iterated(self, rhs: Array, accuracy: float, report: SolveReport) -> Array | None:
        """By conjugate gradients with an old factor, or with blocks of the diagonal where rows are crowded or that was chosen."""
        if self._options.linear == "cg":
            return self._by_cg_alone(rhs, accuracy, report)
        if not self._reuses or self._normals is not None or not (self._has_factor or self._is_crowded):
            return None
        if self._patience.waits():
            return None
        precondition = self._required_cholesky().solve if self._has_factor else self._by_blocks()
        limit = self._patience.limit if self._has_factor else BLOCKS_LIMIT
        result = preconditioned_cg(self._product, precondition, rhs, accuracy, limit)
        report.cg_iterations += result.iterations
        self._patience.learn(result.x is not None)
        return result.x

    def _by_cg_alone(self, rhs: Array, accuracy: float, report: SolveReport) -> Array | None:
        """Without any factor; None where only a factorisation can help."""
        if self._normals is not None or self.shift:
            return None
        result = preconditioned_cg(self._product, self._by_blocks(), rhs, accuracy, ALONE_LIMIT)
        report.cg_iterations += result.iterations
        return result.x

    @property
    def _is_crowded(self) -> bool:
        many = self._pattern.unknowns >= BLOCKS_FROM or self._options.reuse == "always"
        return many and not self.shift and self._pattern.nnz > CROWDED * self._pattern.unknowns

    def _by_blocks(self) -> Callable[[Array], Array]:
        """Solves with the 3x3 blocks of the diagonal."""
        first, L = self._pattern.diagonal[::3].astype(np.int64), self._pattern.row_length
        D, rows = np.empty((len(first), 3, 3)), (first, first + L - 1, first + 2 * L - 3)
        for i in range(3):
            for j in range(i, 3):
                D[:, i, j] = D[:, j, i] = self.values[rows[i] + j]
        if not np.isfinite(D).all() or not (np.linalg.eigvalsh(D)[:, 0] > 0.0).all():
            return lambda r: -r  # not definite: conjugate gradients give up at once
        inverse = np.linalg.inv(D)
        return lambda r: np.einsum("nij,nj->ni", inverse, r.reshape(-1, 3)).ravel()

    def _product(self, p: Array) -> Array:
        out = symmetric_product(self._pattern.indptr, self._pattern.indices, self.values, p)
        return out if self._products is None else out + self._products.times(p)

    def _factor_shifted(self, report: SolveReport, most: float) -> None:
        while True:
            report.factorisations += 1
            try:
                self._factor(self.shift)
                return
            except NotPositiveDefinite:
                if self.shift > most * self._smallest_shift():
                    raise
                self._held = HELD
                self.shift = max(SHIFT_GROWTH * self.shift, self._smallest_shift())

    def _factor(self, shift: float) -> None:
        self._has_factor = False
        self._factored[:] = self.values
        if shift:
            self._factored[self._pattern.diagonal] += shift * self._mass
        self._required_cholesky().factor(self._factored)
        self._has_factor = True

    def _smallest_shift(self) -> float:
        # Half the inertia is a mild start; in stages with a huge or no inertia term the stiffness sets the measure.
        # Contact is much stiffer than anything else, and only here and there: the median does not see it.
        ratio = np.abs(self.values[self._pattern.diagonal]) / self._mass
        stiffness = float(np.median(ratio)) if ratio.size else 0.0
        return max(0.5, 1e-5 * stiffness) if stiffness >= 1.0 else 1e-5 * max(stiffness, 1e-300)

    def _steepest(self) -> float:
        """Largest diagonal entry over its mass."""
        return float(np.max(np.abs(self.values[self._pattern.diagonal]) / self._mass, initial=0.0))

    def _required_cholesky(self) -> Factorisation:
        if self._cholesky is None:
            self._cholesky = self._analyse("cholesky")
        return self._cholesky

    def _analyse(self, kind: Kind) -> Factorisation:
        return analyse(kind, self._pattern.indptr, self._pattern.indices, self._options.backend, threads())

    def _gather(self, gradient: Array) -> Array:
        return gathered(gradient, self._system.free)

    def _spread(self, p: Array) -> Array:
        return spread(p, self._system.free, self._system.n)
