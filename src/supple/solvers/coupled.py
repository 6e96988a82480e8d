"""Newton's method for the stages of a fully implicit method: one sparse LU of all stages at once.

The matrix has s x s blocks, each with the full pattern of the system; its rows are ordered by stage.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.coupled import CoupledJacobian
from supple.dynamics.equation import Residual
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.linalg.factors.factorisation import Factorisation, analyse
from supple.linalg.square import both_halves, square_pattern
from supple.linalg.threads import threads
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport
from supple.solvers.root_search import RootSearch
from supple.types import Array


class CoupledSolver(RootSearch[CoupledJacobian]):
    """Solves for `stages` stages of one system; the pattern is analysed once."""

    def __init__(self, system: System, stages: int, options: SolverOptions) -> None:
        super().__init__(system, options)
        self._stages = stages
        whole = square_pattern(system.pattern)
        self._both = both_halves(system.pattern)
        start, length = whole.indptr[:-1].astype(np.int64), np.diff(whole.indptr).astype(np.int64)
        within = np.arange(whole.nnz) - np.repeat(start, length)
        self._length = np.repeat(length, length)
        self._slots = stages * np.repeat(start, length) + within  # of the first block, in the first block of rows
        rows = np.tile(length * stages, stages)
        self._indptr = np.concatenate([[0], np.cumsum(rows)]).astype(np.int32)
        self._indices = np.empty(stages * stages * whole.nnz, dtype=np.int32)
        for i in range(stages):
            for k in range(stages):
                self._indices[self._places(i, k)] = whole.indices + k * len(length)
        self._lu: Factorisation | None = None

    def close(self) -> None:
        if self._lu is not None:
            self._lu.close()

    def _places(self, i: int, k: int) -> np.ndarray:
        """Slots of the entries of block (i, k)."""
        return i * self._stages * len(self._slots) + self._slots + k * self._length

    def _direction(
        self, jacobian: CoupledJacobian, now: Residual, accuracy: float, report: SolveReport
    ) -> tuple[Array, Array]:
        system, s = self._system, self._stages
        values, diagonals = np.empty(len(self._indices)), []
        for i in range(s):
            for k in range(s):
                block = np.zeros(system.pattern.nnz)
                for weights, entries in jacobian.parts:
                    block += weights[i, k] * entries
                if i == k:
                    block[system.pattern.diagonal] += system.unknown_mass
                    diagonals.append(np.abs(block[system.pattern.diagonal]))
                values[self._places(i, k)] = block[self._both]
        report.factorisations += 1
        try:
            if self._lu is None:
                self._lu = analyse("lu", self._indptr, self._indices, self._options.backend, threads())
            self._lu.factor(values)
            y = self._lu.solve(-now.vector[:, system.free].reshape(1, -1))
        except (SuppleError, FloatingPointError, np.linalg.LinAlgError):
            raise self._failure(Outcome.SINGULAR, now, report) from None
        p, stiffness = np.zeros_like(now.vector), np.zeros_like(now.vector)
        p[:, system.free] = y.reshape(s, -1, 3)
        stiffness[:, system.free] = np.concatenate(diagonals).reshape(s, -1, 3)
        return p, stiffness
