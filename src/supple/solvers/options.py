"""What a user may choose about the solver."""

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
    """How each stage is minimised."""

    backend: Backend = "auto"
    """Sparse factorisation; `auto` takes the fastest one installed."""
    threads: Annotated[int, Ge(0), Le(1024)] = 0
    """Threads for assembly and factorisation; 0 takes all cores that the process may use, or one below 6,000 unknowns."""
    tolerance: Annotated[float, Gt(0), Le(1e-2)] = 1e-9
    """Largest gradient entry at the minimum, relative to the largest single force in the stage [-]."""
    energy_tolerance: Annotated[float, Gt(0), Le(1)] = 1e-13
    """Energy that a conserving step may miss, relative to the total energy [-]."""
    max_iterations: Annotated[int, Ge(1), Le(100_000)] = 100
    """Newton iterations before a stage counts as failed."""
    convexify: Literal["tikhonov", "projection"] = "tikhonov"
    """Indefinite Hessians: add a multiple of the mass, or clamp each element's negative eigenvalues."""
    linear: Linear = "auto"
    """Linear systems of minimisations: by sparse factors, or by conjugate gradients with multigrid, with an incomplete Cholesky
    factorisation, or with the 3x3 blocks of the diagonal as preconditioner; `auto` takes what suits the system."""
    reuse: Literal["auto", "never", "always"] = "auto"
    """Preconditioners of older matrices; `auto` keeps them from 600 unknowns on. `never` factorises every matrix of `direct`
    and `auto` anew."""
    max_halvings: Annotated[int, Ge(0), Le(20)] = 6
    """How often a failed step may be halved before its pieces are taken some other way."""
    max_work: Annotated[int, Ge(100)] = 200_000
    """Work that a step may take in all its pieces before the run ends: Newton iterations and evaluations of the line search,
    and 100 for each attempt at a piece."""
    strict: bool = False
    """End the run at a step that cannot be taken as asked, or whose energy residue is doubtful, instead of going on with a
    note."""
