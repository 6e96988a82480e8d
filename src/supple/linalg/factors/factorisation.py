"""One protocol for sparse direct solvers, and the choice between the installed ones.

Three kinds: `cholesky` (reports a matrix that is not positive definite), `ldl` (symmetric indefinite), `lu` (any).
Symmetric kinds take the values of the upper triangle, `lu` those of the whole matrix; CSR, sorted, int32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import numpy as np

from supple.errors import BackendMissing, did_you_mean
from supple.types import Array, Ints

Kind = Literal["cholesky", "ldl", "lu"]


class Factorisation(Protocol):
    """Made for one sparsity pattern; the symbolic work is done once, on construction."""

    negative: int
    """Negative eigenvalues of the last matrix (`ldl` only)."""

    @property
    def entries(self) -> int:
        """Entries of the factors; 0 if unknown."""

    @property
    def operations(self) -> float:
        """Operations of a numeric factorisation; 0 if unknown."""

    def factor(self, values: Array) -> None:
        """Numeric factorisation. `cholesky` raises NotPositiveDefinite and may be tried again with other values."""

    def solve(self, rhs: Array) -> Array:
        """Solution for one right-hand side (n,), or for each row of (k, n)."""

    def close(self) -> None:
        """Free the memory."""


def available_backends() -> dict[str, str]:
    """Name -> version, or the reason why it is missing."""
    from supple.linalg.factors import cholmod, pardiso, superlu

    return {"pardiso": pardiso.version(), "cholmod": cholmod.version(), "superlu": superlu.version()}


def best_backend() -> str:
    """The fastest permissive backend that works here. CHOLMOD is only used when requested by name."""
    from supple.linalg.factors import pardiso

    return "superlu" if pardiso.version().startswith("missing") else "pardiso"


def analyse(
    kind: Kind, indptr: Ints, indices: Ints, backend: str = "auto", threads: int = 1, single: bool = False
) -> Factorisation:
    """A factorisation for this pattern; `single`: in single precision, for PARDISO only."""
    if len(indptr) == 1:
        return Empty()  # no backend accepts it
    from supple.linalg.factors import cholmod, pardiso, superlu

    makers: dict[str, Callable[[Kind, Ints, Ints, int], Factorisation]] = {
        "pardiso": pardiso.Pardiso,
        "cholmod": cholmod.Cholmod,
        "superlu": superlu.SuperLU,
    }
    name = best_backend() if backend == "auto" else backend
    if name not in makers:
        raise BackendMissing(f"unknown solver '{name}'{did_you_mean(name, makers)} known: auto, {', '.join(makers)}")
    if name == "cholmod" and kind != "cholesky":
        name = best_backend()  # CHOLMOD has no pivoting for indefinite matrices
    if single and name == "pardiso":
        return pardiso.Pardiso(kind, indptr, indices, threads, single=True)
    return makers[name](kind, indptr, indices, threads)


class Empty:
    """Of a matrix without rows: a system in which every vertex is held."""

    negative = entries = 0
    operations = 0.0

    def factor(self, values: Array) -> None:
        """Nothing to do."""

    def solve(self, rhs: Array) -> Array:
        """The empty solution."""
        return rhs.copy()

    def close(self) -> None:
        """Nothing to free."""


def has_single(backend: str) -> bool:
    """Whether a backend supports single-precision factors."""
    return (best_backend() if backend == "auto" else backend) == "pardiso"


def check_finite(values: Array) -> None:
    """A NaN looks like an indefinite matrix to some backends and like nothing at all to others."""
    if not np.isfinite(values).all():
        raise FloatingPointError("the matrix has entries that are not finite")
