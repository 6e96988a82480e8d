"""CHOLMOD through cvxopt (GPL, extra `supple[cholmod]`): supernodal Cholesky, used only when requested by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import BackendMissing, NotPositiveDefinite, SuppleError
from supple.linalg.factors.factorisation import Kind, check_finite
from supple.types import Array, Ints


def _cvxopt() -> Any:
    try:
        import cvxopt
        import cvxopt.cholmod
    except ImportError:
        raise BackendMissing(
            "the cholmod backend needs cvxopt (GPL); install it with: pip install 'supple[cholmod]'"
        ) from None
    return cvxopt


def version() -> str:
    try:
        return f"cvxopt {_cvxopt().__version__}"
    except BackendMissing as problem:
        return f"missing: {problem}"


class Cholmod:
    """Upper CSR is lower CSC of the same symmetric matrix, so values are passed in their existing order."""

    entries, operations = 0, 0.0
    """Not reported."""

    def __init__(self, kind: Kind, indptr: Ints, indices: Ints, threads: int) -> None:
        if kind != "cholesky":
            raise SuppleError("CHOLMOD factors positive definite matrices only")
        cvxopt = _cvxopt()
        cvxopt.cholmod.options["supernodal"] = 2
        self.n = len(indptr) - 1
        self.negative = 0
        self._cvxopt = cvxopt
        rows = np.repeat(np.arange(self.n, dtype=np.int64), np.diff(indptr))
        columns = indices.astype(np.int64)
        self._values = cvxopt.matrix(1.0, (len(indices), 1))
        self._view = np.asarray(memoryview(self._values)).reshape(-1)
        lower = cvxopt.spmatrix(self._values, cvxopt.matrix(columns), cvxopt.matrix(rows), (self.n, self.n))
        self._matrix = lower
        self._factor = cvxopt.cholmod.symbolic(lower)
        self._ready = False

    def factor(self, values: Array) -> None:
        self._ready = False
        check_finite(values)  # CHOLMOD does not report NaN
        self._view[:] = values
        self._matrix.V = self._values
        try:
            self._cvxopt.cholmod.numeric(self._matrix, self._factor)
        except ArithmeticError as problem:
            raise NotPositiveDefinite(f"pivot {problem.args[0]} of {self.n} is not positive") from None
        self._ready = True

    def solve(self, rhs: Array) -> Array:
        if not self._ready:
            raise SuppleError("solve was called without a successful factor")
        x = self._cvxopt.matrix(np.ascontiguousarray(rhs).reshape(-1), (self.n, len(rhs) if rhs.ndim == 2 else 1))
        self._cvxopt.cholmod.solve(self._factor, x)
        return np.array(memoryview(x)).T.reshape(rhs.shape)

    def close(self) -> None:
        self._ready = False
