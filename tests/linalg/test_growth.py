"""Patterns that grow: the fixed entries find their new places, loose blocks add up, and room is neither lacking nor wasted."""

import numpy as np
import scipy.sparse as sp

from supple.linalg.growth import Growth
from supple.linalg.pattern import SymmetricPattern, symmetric_pattern
from supple.linalg.square import both_halves, square_pattern

N = 30
RNG = np.random.default_rng(0)


def elements(count: int, k: int = 4) -> np.ndarray:
    return np.array([RNG.permutation(N)[:k] for _ in range(count)], dtype=np.int32)


def dense(pattern: SymmetricPattern, values: np.ndarray) -> np.ndarray:
    upper = sp.csr_matrix((values, pattern.indices, pattern.indptr), shape=(3 * N, 3 * N)).toarray()
    return upper + np.triu(upper, 1).T


def test_blocks_come_and_go() -> None:
    base = symmetric_pattern(N, [np.sort(elements(20), axis=1)])
    fixed = RNG.standard_normal(base.nnz)
    growth = Growth(base)
    for count in (3, 8, 1, 12, 2):
        touching = elements(count)
        touching[0, 1] = -1  # a held vertex
        growth.cover([touching])
        values = np.empty(growth.pattern.nnz)
        growth.lay(fixed, values)
        np.testing.assert_array_equal(dense(growth.pattern, values), dense(base, fixed))
        blocks = RNG.standard_normal((count, 12, 12))
        blocks += blocks.transpose(0, 2, 1)
        growth.add(touching, blocks, values)
        wanted = dense(base, fixed)
        for corners, block in zip(touching, blocks, strict=True):
            rows = (3 * corners[corners >= 0][:, None] + np.arange(3)).ravel()
            kept = np.repeat(corners >= 0, 3)
            wanted[np.ix_(rows, rows)] += block[np.ix_(kept, kept)]
        np.testing.assert_allclose(dense(growth.pattern, values), wanted, rtol=0, atol=1e-13)


def test_the_pattern_stays_while_it_covers_and_is_not_too_wide() -> None:
    base = symmetric_pattern(N, [elements(5)])
    growth = Growth(base)
    many = elements(12)
    assert growth.cover([many])
    assert not growth.cover([many])
    before = growth.pattern
    assert not growth.cover([many[:10]])
    assert growth.pattern is before
    assert growth.cover([many[:1]])  # far more room than is needed
    assert len(growth.pattern.keys) < len(before.keys)
    assert growth.cover([])
    assert growth.pattern.nnz == base.nnz


def test_both_halves_of_a_symmetric_matrix() -> None:
    half = symmetric_pattern(N, [elements(10)])
    values = RNG.standard_normal(half.nnz)
    whole = square_pattern(half)
    found = sp.csr_matrix((values[both_halves(half)], whole.indices, whole.indptr), shape=(3 * N, 3 * N)).toarray()
    np.testing.assert_array_equal(found, dense(half, values))
