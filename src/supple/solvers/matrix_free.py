"""Linear systems of nodes of a grid, solved by products with the stiffness, without a matrix.

A matrix of particles has 125 blocks in a row and another pattern in every step: laying it out takes longer than all products that
conjugate gradients need, unless a step is hundreds of times as long as what explicit steps may take. Blocks of the diagonal are
the preconditioner, those of the first iteration of a stage for all of it. Where conjugate gradients give up (a matrix that is not
definite, or too many iterations) the matrix is laid out and factorised after all.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.stage import StageObjective
from supple.dynamics.system import System
from supple.energies.roles.matrix_free import LinearMap, MatrixFree
from supple.linalg.krylov import block_product, preconditioned_cg
from supple.solvers.linear import BLOCKS_FROM, LinearSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.types import Array

LIMIT = 1200
"""Iterations beyond which a factorisation is cheaper."""


class MatrixFreeSolver(LinearSolver):
    """Products first, a matrix only if they do not do."""

    few = BLOCKS_FROM

    def __init__(self, system: System, options: SolverOptions) -> None:
        super().__init__(system, options)
        self._maps: list[LinearMap] | None = None
        self._asked: tuple[StageObjective, Array] | None = None
        self._stage: StageObjective | None = None
        self._inertia = self._mass
        self._blocks: Array = np.empty((0, 3, 3))
        self._inverse: Array = self._blocks

    def assemble(self, objective: StageObjective, x: Array, project: bool = False, safe: bool = False) -> None:
        plain = not project and not self.shift and objective.normals is None and not objective.grows
        self._maps = objective.linear_maps(x) if plain and objective.stage.inertia else None
        if self._maps is None:
            super().assemble(objective, x, project, safe)
            return
        self._asked, self._inertia = (objective, x), objective.stage.inertia * self._mass
        if self._stage is not objective:
            self._stage, self._has_factor = objective, False
            self._set_blocks(self._maps)

    def diagonal(self) -> Array:
        if self._maps is None:
            return super().diagonal()
        return self._spread(np.einsum("nii->ni", self._blocks).ravel())

    def raise_shift(self) -> None:
        self._lay_out()
        super().raise_shift()

    def _set_blocks(self, maps: list[LinearMap]) -> None:
        free = self._system.free
        self._blocks = self._inertia.reshape(-1, 3)[:, :, None] * np.eye(3)
        for part in maps:
            self._blocks += part.blocks()[free]
        definite = np.isfinite(self._blocks).all() and (np.linalg.eigvalsh(self._blocks)[:, 0] > 0.0).all()
        # where they are not definite, conjugate gradients shall give up at once
        self._inverse = np.asarray(np.linalg.inv(self._blocks) if definite else -self._blocks, dtype=np.float64)

    def _iterated(self, rhs: Array, accuracy: float, report: SolveReport) -> Array | None:
        if self._maps is None or self._has_factor:
            return super()._iterated(rhs, accuracy, report)
        result = preconditioned_cg(self._times, self._preconditioned, rhs, accuracy, LIMIT)
        report.cg_iterations += result.iterations
        if result.x is None:
            self._lay_out()
            return None
        return self._shifted(result.x, rhs)

    def _shifted(self, p: Array, rhs: Array) -> Array:
        """A move of a free body, shifted as a whole so that it changes the momentum by what is asked: however rough the
        solve, no momentum is lost."""
        if len(self._system.free) < self._system.n or not all(part.ignores_translation for part in self._maps or ()):
            return p
        mass = self._inertia.reshape(-1, 3)
        missing = (rhs.reshape(-1, 3) - mass * p.reshape(-1, 3)).sum(axis=0)
        return np.asarray((p.reshape(-1, 3) + missing / mass.sum(axis=0)).ravel())

    def _lay_out(self) -> None:
        """Take the matrix of the last iteration after all."""
        if self._maps is not None and self._asked is not None:
            self._maps = None
            super().assemble(*self._asked)

    def _times(self, p: Array) -> Array:
        whole = len(self._system.free) == self._system.n
        out, move = self._inertia * p, p.reshape(-1, 3) if whole else self._spread(p)
        for part in self._maps or ():
            force = part.times(move)
            out += (force if whole else force[self._system.free]).ravel()
        return out

    def _preconditioned(self, r: Array) -> Array:
        return block_product(self._inverse, r)


def linear_solver(system: System, options: SolverOptions) -> LinearSolver:
    """The solver that suits a system."""
    terms = system.potential.terms
    free = bool(terms) and all(isinstance(term, MatrixFree) for term in terms) and not system.dissipation.terms
    return (MatrixFreeSolver if free and options.reuse == "auto" else LinearSolver)(system, options)
