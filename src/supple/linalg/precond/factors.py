"""Sparse factors of an older matrix as preconditioner, in single precision where the backend supports it.

Single precision halves the memory of the factors and the time of a factorisation, and conjugate gradients in double
precision compensate within an iteration. A matrix may be too ill-conditioned for it: then it looks indefinite.
"""

from __future__ import annotations

import numpy as np

from supple.linalg.announcements import announced
from supple.linalg.factors.factorisation import Factorisation, analyse, has_single
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.threads import threads
from supple.types import Array

FASTER = 7.0
"""Operations of a factorisation in the time of one in a solve: a factorisation works in the cache, solves read all factors."""
FEWEST = 10.0
"""Solves in the time of a factorisation of a small matrix, whose overhead outweighs its operations."""
UNKNOWN = 60.0
"""Solves in the time of a factorisation where the backend does not report its work."""


class OldFactors:
    """Cholesky factors; `single`: in single precision (PARDISO only)."""

    factorises = True

    def __init__(self, pattern: SymmetricPattern, backend: str, single: bool = False) -> None:
        self._pattern, self._backend = pattern, backend
        self.may_err = self._single = single and has_single(backend)
        self._made: Factorisation | None = None
        self._values = np.empty(0)

    @property
    def renewal(self) -> float:
        """Solves in the time of a factorisation; a solve takes four operations per entry of the factors."""
        made = self.analysed()
        return max(made.operations / (FASTER * 4.0 * made.entries), FEWEST) if made.entries else UNKNOWN

    def analysed(self) -> Factorisation:
        """The factorisation, with the symbolic work done."""
        if self._made is None:
            p = self._pattern
            with announced("analysing", p.unknowns):
                self._made = analyse("cholesky", p.indptr, p.indices, self._backend, threads(), self._single)
        return self._made

    def renew(self, values: Array, places: Array) -> None:
        self._values = values
        made = self.analysed()
        with announced("factorising", self._pattern.unknowns):
            made.factor(values)

    def solve(self, rhs: Array) -> Array:
        return self.analysed().solve(rhs)

    def close(self) -> None:
        if self._made is not None:
            self._made.close()
        self._made = None
