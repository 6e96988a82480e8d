"""SciPy's SuperLU: always available, slow on large bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import NotPositiveDefinite, StepRejected, SuppleError
from supple.linalg.factors.factorisation import Kind, check_finite
from supple.types import Array, Ints


def version() -> str:
    import scipy

    return f"SciPy {scipy.__version__}"


class SuperLU:
    """The symmetric kinds factor without pivoting where possible: the signs on U's diagonal then give the inertia."""

    entries, operations = 0, 0.0
    """Not reported."""

    def __init__(self, kind: Kind, indptr: Ints, indices: Ints, threads: int) -> None:
        import scipy.sparse as sp

        self.kind = kind
        self.n = len(indptr) - 1
        self.negative = 0
        self._lu: Any = None
        entry = sp.csr_matrix((np.arange(1, len(indices) + 1), indices, indptr), shape=(self.n, self.n))
        if kind != "lu":  # mirror the upper triangle
            entry = entry + sp.triu(entry, 1).T
        numbered = entry.tocsc()
        numbered.sort_indices()
        self._order = numbered.data - 1
        self._shape = (numbered.indices.astype(np.int32), numbered.indptr.astype(np.int32))

    def factor(self, values: Array) -> None:
        import scipy.sparse as sp
        import scipy.sparse.linalg as spla

        self._lu = None
        check_finite(values)
        matrix = sp.csc_matrix((values[self._order], *self._shape), shape=(self.n, self.n))
        if self.kind == "lu":
            self._lu = self._splu(spla, matrix, "COLAMD", {})
            return
        symmetric = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
        lu = self._splu(spla, matrix, "MMD_AT_PLUS_A", symmetric, singular_is_indefinite=True)
        pivots = lu.U.diagonal() if lu is not None else np.zeros(1)
        exchanged = lu is not None and not np.array_equal(lu.perm_r, lu.perm_c)
        self.negative = int((pivots < 0).sum())
        if self.kind == "cholesky" and (exchanged or not (pivots > 0).all()):
            raise NotPositiveDefinite(f"{self.negative} of {self.n} pivots are negative")
        self._lu = lu if lu is not None else self._splu(spla, matrix, "COLAMD", {})

    def _splu(
        self, spla: Any, matrix: Any, order: str, options: dict[str, Any], singular_is_indefinite: bool = False
    ) -> Any:
        try:
            return spla.splu(matrix, permc_spec=order, **options)
        except RuntimeError as problem:  # "Factor is exactly singular"
            if singular_is_indefinite:
                return None
            raise StepRejected(f"SuperLU could not factorise the matrix: {problem}") from None

    def solve(self, rhs: Array) -> Array:
        if self._lu is None:
            raise SuppleError("solve was called without a successful factor")
        return np.ascontiguousarray(self._lu.solve(np.ascontiguousarray(rhs.T)).T)

    def close(self) -> None:
        self._lu = None
