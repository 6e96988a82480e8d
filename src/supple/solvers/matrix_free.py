"""Linear systems of grid nodes, solved by products with the stiffness, without a matrix.

A matrix of particles has 125 blocks per row and a new pattern in every step. Assembling it takes longer than all
products of conjugate gradients, unless a step is hundreds of times the explicit limit. The preconditioner consists of
the diagonal blocks of the first iteration of a stage. Where conjugate gradients fail (an indefinite matrix, or too many
iterations) the matrix is assembled and factorised after all.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.stage import StageObjective
from supple.dynamics.system import System
from supple.energies.roles.matrix_free import LinearMap, MatrixFree
from supple.linalg.krylov import block_product, preconditioned_cg
from supple.solvers.linear import LinearSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.types import Array

LIMIT = 1200
"""Iterations beyond which a factorisation is cheaper."""


class MatrixFreeSolver(LinearSolver):
    """Products first, a matrix only if they do not suffice."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        super().__init__(system, options)
        self._maps: list[LinearMap] | None = None
        self._asked: tuple[StageObjective, Array] | None = None
        self._stage: StageObjective | None = None
        self._laid_out = False
        self._inertia = self._mass
        self._blocks: Array = np.empty((0, 3, 3))
        self._inverse: Array = self._blocks

    def assemble(self, objective: StageObjective, x: Array, project: bool = False, safe: bool = False) -> None:
        if self._stage is not objective:
            self._laid_out = False
        plain = not (project or self.shift or self._laid_out or objective.grows) and objective.normals is None
        self._maps = objective.linear_maps(x) if plain and objective.stage.inertia else None
        if self._maps is None:
            super().assemble(objective, x, project, safe)
            return
        self._asked, self._inertia = (objective, x), objective.stage.inertia * self._mass
        if self._stage is not objective:
            self._stage = objective
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
        # where they are not definite, conjugate gradients should fail immediately
        self._inverse = np.asarray(np.linalg.inv(self._blocks) if definite else -self._blocks, dtype=np.float64)

    def _iterated(self, rhs: Array, accuracy: float, report: SolveReport) -> Array | None:
        if self._maps is None:
            return super()._iterated(rhs, accuracy, report)
        result = preconditioned_cg(self._times, self._preconditioned, rhs, accuracy, LIMIT)
        report.cg_iterations += result.iterations
        if result.x is None:
            self._lay_out()
            return None
        return self._shifted(result.x, rhs)

    def _shifted(self, p: Array, rhs: Array) -> Array:
        """A displacement of a free body, translated to give the required change of momentum: no momentum is lost,
        however inexact the solve."""
        if len(self._system.free) < self._system.n or not all(part.ignores_translation for part in self._maps or ()):
            return p
        mass = self._inertia.reshape(-1, 3)
        missing = (rhs.reshape(-1, 3) - mass * p.reshape(-1, 3)).sum(axis=0)
        return np.asarray((p.reshape(-1, 3) + missing / mass.sum(axis=0)).ravel())

    def _lay_out(self) -> None:
        """Use the matrix of the last iteration after all."""
        if self._maps is not None and self._asked is not None:
            self._maps, self._laid_out = None, True
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
