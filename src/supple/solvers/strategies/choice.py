"""Choice of preconditioners for a system, by its size and its pattern."""

from __future__ import annotations

from supple.linalg.factors.factorisation import has_single
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.precond.blocks import Blocks
from supple.linalg.precond.breadth import breadth
from supple.linalg.precond.diagonal import DiagonalBlocks
from supple.linalg.precond.factors import OldFactors
from supple.linalg.precond.incomplete import IncompleteCholesky
from supple.linalg.precond.multigrid import Multigrid
from supple.solvers.options import SolverOptions
from supple.solvers.strategies.cost import prefers_multigrid
from supple.solvers.strategies.kept import Kept
from supple.solvers.strategies.patience import Patience
from supple.solvers.strategies.strategy import Strategy

SMALL = 600
"""Unknowns below which `reuse = auto` always refactorises: that is as cheap as the solves with old factors."""
MANY = 10_000
"""Unknowns from which factors are worth any number of attempts with old ones, and dense-row ones are reused."""
CG_LIMIT = 20
"""Iterations beyond which new factors are cheaper than old ones."""
SINGLE_LIMIT = 8
"""Iterations beyond which new single-precision factors are too inaccurate: the matrix is ill-conditioned."""
CROWDED = 100
"""Mean number of entries per row of the upper triangle above which conjugate gradients with diagonal blocks are tried first,
since fill-in is large. Nodes of a grid of particles have up to 190, those of tets about 25."""
BLOCKS_LIMIT = 90
"""Iteration limit for these."""
EASY = 12
"""Iterations with incomplete factors below which no other choice is faster: the steps are short, or the body is soft."""
ALONE_LIMIT = 6000
"""Iteration limit of conjugate gradients where they were chosen; slow ones are abandoned after a third of it."""


def choose(pattern: SymmetricPattern, options: SolverOptions) -> Strategy | None:
    """The ladder for a pattern; None: every matrix is refactorised."""
    if options.linear == "cg":
        return Strategy([Kept("cg", DiagonalBlocks(pattern), ALONE_LIMIT)])
    if options.linear == "ic":
        return Strategy([Kept("ic", IncompleteCholesky(pattern), ALONE_LIMIT)])
    if options.linear == "amg":
        return Strategy([Kept("amg", Multigrid(pattern), ALONE_LIMIT)])
    crowded = pattern.nnz > CROWDED * pattern.unknowns
    if options.reuse == "never" or (options.reuse == "auto" and pattern.unknowns < (MANY if crowded else SMALL)):
        return None
    blocks = [Kept("cg", DiagonalBlocks(pattern), BLOCKS_LIMIT)] if crowded else []
    rungs = _direct(pattern, options.backend)
    if options.linear == "direct" or crowded or pattern.unknowns < MANY:
        return Strategy([*blocks, *rungs])
    return Strategy([Kept("ic", IncompleteCholesky(pattern), EASY)], lambda: _surer(pattern, rungs))


def _surer(pattern: SymmetricPattern, direct: list[Kept]) -> list[Kept]:
    """The rungs after incomplete factors: multigrid if factors would cost more, then factors."""
    factors, structure = direct[0].preconditioner, Blocks(pattern)
    if not isinstance(factors, OldFactors):
        return direct
    multigrid, limit = prefers_multigrid(pattern, factors, breadth(structure.first, structure.column))
    if not multigrid:
        return direct
    factors.close()  # the analysis was only needed for the choice
    return [Kept("amg", Multigrid(pattern), limit), *direct]


def _direct(pattern: SymmetricPattern, backend: str) -> list[Kept]:
    """Old factors, first in single precision; for few unknowns, whose solves would not benefit, directly in double precision."""
    if pattern.unknowns < MANY:
        patience = Patience(pattern.unknowns)
        return [Kept("double", OldFactors(pattern, backend), patience.limit, patience=patience)]
    single = (
        [Kept("single", OldFactors(pattern, backend, single=True), CG_LIMIT, SINGLE_LIMIT)]
        if has_single(backend)
        else []
    )
    return [*single, Kept("double", OldFactors(pattern, backend), CG_LIMIT)]
