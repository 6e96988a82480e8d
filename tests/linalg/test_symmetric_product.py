"""Products with the upper triangle of a symmetric matrix: right on any number of threads, the same bits on the same number."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix, random_array, triu

from supple.linalg import krylov
from supple.linalg.threads import cores, use_threads


@pytest.mark.parametrize("count", [1, 2])
def test_products_are_those_of_the_whole_matrix(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(krylov, "SHARED", 100)
    rng = np.random.default_rng(4)
    n = 300
    whole = random_array((n, n), density=0.05, rng=rng, format="csr")
    upper = csr_matrix(triu(whole + whole.T, 1) + csr_matrix(np.diag(1.0 + np.arange(n))))
    upper.sort_indices()
    indptr, indices, values = upper.indptr.astype(np.int32), upper.indices.astype(np.int32), upper.data
    x = rng.standard_normal(n)
    try:
        use_threads(min(count, cores()))
        found = krylov.symmetric_product(indptr, indices, values, x)
        again = krylov.symmetric_product(indptr, indices, values, x)
    finally:
        use_threads(0)
    np.testing.assert_allclose(found, (upper + triu(upper, 1).T) @ x, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(found, again)
