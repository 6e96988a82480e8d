"""User options of the solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from annotated_types import Ge, Gt, Le

from supple.checks import checked

Backend: TypeAlias = Literal["auto", "pardiso", "cholmod", "superlu"]
Linear: TypeAlias = Literal["auto", "direct", "amg", "ic", "cg"]


@checked
@dataclass(frozen=True)
class SolverOptions:
    """Options for the minimisation of each stage."""

    backend: Backend = "auto"
    """Sparse factorisation; `auto` selects the fastest one installed."""
    threads: Annotated[int, Ge(0), Le(1024)] = 0
    """Threads for assembly and factorisation; 0 uses all cores available to the process, or one below 6,000 unknowns."""
    tolerance: Annotated[float, Gt(0), Le(1e-2)] = 1e-9
    """Largest gradient entry at the minimum, relative to the largest single force in the stage [-]."""
    energy_tolerance: Annotated[float, Gt(0), Le(1)] = 1e-13
    """Permitted energy error of a conserving step, relative to the total energy [-]."""
    max_iterations: Annotated[int, Ge(1), Le(100_000)] = 100
    """Newton iterations before a stage counts as failed."""
    convexify: Literal["tikhonov", "projection"] = "tikhonov"
    """Indefinite Hessians: add a multiple of the mass, or clamp each element's negative eigenvalues."""
    linear: Linear = "auto"
    """Linear systems of minimisations: by sparse factors, or by conjugate gradients. Their preconditioner is multigrid, an
    incomplete Cholesky factorisation, or the 3x3 blocks of the diagonal. `auto` selects by the system. From the first
    contact between surfaces on, every matrix is factorised."""
    reuse: Literal["auto", "never", "always"] = "auto"
    """Reuse of preconditioners of older matrices; `auto` reuses them from 600 unknowns. `never` refactorises every
    matrix of `direct` and `auto`."""
    max_halvings: Annotated[int, Ge(0), Le(20)] = 6
    """How often a failed step may be halved before its substeps are taken another way."""
    max_work: Annotated[int, Ge(100)] = 100_000
    """Largest work per step over all its substeps before the run aborts: 1 per line-search evaluation of up to four quadrature
    points, ten times that per Newton iteration, 100 per attempted substep, plus contact searches and modes."""
    strict: bool = False
    """Abort the run at a step that cannot be taken as specified, or whose energy residual is doubtful, instead of
    continuing with a note."""
