"""Sparse factorisations for methods that solve linear systems themselves: analysed once, separate from Newton's."""

from __future__ import annotations

import numpy as np

from supple.dynamics.system import System
from supple.errors import NotPositiveDefinite, SuppleError
from supple.linalg.factors.factorisation import Factorisation, Kind, analyse
from supple.linalg.threads import threads
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.types import Array


class Factored:
    """A factorised matrix, valid until its maker factorises another."""

    def __init__(self, maker: DirectSolver, factorisation: Factorisation) -> None:
        self._maker = maker
        self._factorisation = factorisation

    def __call__(self, rhs: Array) -> Array:
        """Solution for (n, 3), or for each of (k, n, 3); prescribed rows are neither read nor set."""
        free = self._maker.system.free
        out = np.zeros_like(rhs)
        if rhs.size:
            inner = np.ascontiguousarray(rhs[..., free, :])
            out[..., free, :] = self.unknowns(inner.reshape(*rhs.shape[:-2], -1)).reshape(inner.shape)
        return out

    def unknowns(self, rhs: Array) -> Array:
        """Solution for right-hand sides over the scalar unknowns, (N,) or (k, N)."""
        if self._maker.latest is not self:
            raise SuppleError("this factorisation was replaced by a later one")
        return self._factorisation.solve(rhs)


class DirectSolver:
    """Factorises symmetric matrices of one system's pattern, one at a time: a new factorisation replaces the last."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self.system = system
        self.latest: Factored | None = None
        self._backend = options.backend
        self._kinds: dict[Kind, Factorisation] = {}

    def factor(self, values: Array, report: SolveReport, definite: bool = False) -> Factored:
        """A solver for this matrix. `definite`: raise NotPositiveDefinite rather than solve an indefinite one."""
        self.latest = None
        report.factorisations += 1
        factorisation = self._kind("cholesky")
        try:
            factorisation.factor(values)
        except NotPositiveDefinite:
            if definite:
                raise
            report.factorisations += 1
            factorisation = self._kind("ldl")
            factorisation.factor(values)
        self.latest = Factored(self, factorisation)
        return self.latest

    def close(self) -> None:
        for factorisation in self._kinds.values():
            factorisation.close()

    def _kind(self, kind: Kind) -> Factorisation:
        if kind not in self._kinds:
            pattern = self.system.pattern
            self._kinds[kind] = analyse(kind, pattern.indptr, pattern.indices, self._backend, threads())
        return self._kinds[kind]
