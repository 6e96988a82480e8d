"""The fixed sparsity pattern, slots and row ownership, against dense assembly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.linalg.parts import split_elements, split_vertices
from supple.linalg.pattern import symmetric_pattern
from supple.linalg.psd import clamp_negative
from supple.linalg.reduce import dot, largest
from supple.linalg.scatter import add_gradients, add_hessians
from supple.linalg.threads import cores, thread_counts, threads, use_threads


def random_elements(seed: int, n: int, m: int, k: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.stack([rng.choice(n, k, replace=False) for _ in range(m)]).astype(np.int32)


def symmetric_blocks(seed: int, m: int, k: int) -> np.ndarray:
    A = np.random.default_rng(seed).standard_normal((m, 3 * k, 3 * k))
    return A + np.swapaxes(A, 1, 2)


def dense_sum(unknowns: np.ndarray, elements: np.ndarray, matrices: np.ndarray, size: int) -> np.ndarray:
    out = np.zeros((size, size))
    for corners, matrix in zip(unknowns[elements], matrices, strict=True):
        for a, i in enumerate(corners):
            for b, j in enumerate(corners):
                if i >= 0 and j >= 0:
                    out[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] += matrix[3 * a : 3 * a + 3, 3 * b : 3 * b + 3]
    return out


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), k=st.integers(1, 4), parts=st.integers(1, 5), held=st.integers(0, 3))
def test_scattered_matrices_equal_dense_assembly(seed: int, k: int, parts: int, held: int) -> None:
    n, m = 9, 14
    rng = np.random.default_rng(seed)
    unknowns = np.full(n, -1, np.int32)
    free = np.sort(rng.choice(n, n - held, replace=False))
    unknowns[free] = np.arange(n - held)
    elements = random_elements(seed, n, m, k)
    pattern = symmetric_pattern(n - held, [unknowns[elements]])
    matrices = symmetric_blocks(seed, m, k)
    p = split_elements(elements, split_vertices(rng.standard_normal((n, 3)), parts))
    values = np.zeros(pattern.nnz)
    slots = pattern.element_slots(unknowns[elements])
    add_hessians(p.owner, p.start, p.elements, elements, unknowns, pattern.row_length, slots, matrices, values)
    rows = np.repeat(np.arange(pattern.unknowns), np.diff(pattern.indptr))
    got = np.zeros((pattern.unknowns, pattern.unknowns))
    got[rows, pattern.indices] = values
    wanted = np.triu(dense_sum(unknowns, elements, matrices, pattern.unknowns))
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-13)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), k=st.integers(1, 4))
def test_pattern_is_sorted_upper_and_as_small_as_can_be(seed: int, k: int) -> None:
    n = 8
    elements = random_elements(seed, n, 6, k)
    pattern = symmetric_pattern(n, [elements])
    assert pattern.indptr.dtype == pattern.indices.dtype == np.int32
    stored = np.zeros((3 * n, 3 * n), bool)
    for row in range(3 * n):
        columns = pattern.indices[pattern.indptr[row] : pattern.indptr[row + 1]]
        assert columns[0] == row
        assert (np.diff(columns) > 0).all()
        stored[row, columns] = True
    touched = dense_sum(np.arange(n), elements, np.ones((6, 3 * k, 3 * k)), 3 * n) + np.kron(np.eye(n), np.ones((3, 3)))
    assert np.array_equal(stored, np.triu(touched) > 0)
    assert np.array_equal(pattern.diagonal, pattern.indptr[:-1])


def test_two_kinds_of_elements_share_a_pattern() -> None:
    springs, tets = random_elements(1, 10, 5, 2), random_elements(2, 10, 4, 4)
    pattern = symmetric_pattern(10, [springs, tets])
    for elements in (springs, tets):
        slots = pattern.element_slots(elements)
        assert (slots >= 0).all()
        lo, hi = elements[:, :2].min(axis=1), elements[:, :2].max(axis=1)
        assert np.array_equal(pattern.indices[slots[:, 1]], 3 * hi)
        assert np.array_equal(np.searchsorted(pattern.indptr, slots[:, 1], side="right") - 1, 3 * lo)


def test_a_body_without_unknowns_has_an_empty_pattern() -> None:
    pattern = symmetric_pattern(0, [np.full((3, 2), -1, np.int32)])
    assert pattern.nnz == 0
    assert pattern.unknowns == 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), parts=st.integers(1, 7))
def test_parts_own_every_vertex_once_and_visit_all_its_elements(seed: int, parts: int) -> None:
    n, m, k = 23, 31, 4
    elements = random_elements(seed, n, m, k)
    owner = split_vertices(np.random.default_rng(seed).standard_normal((n, 3)), parts)
    counts = np.bincount(owner, minlength=parts)
    assert len(counts) == parts
    assert counts.max() - counts.min() <= 1
    split = split_elements(elements, owner)
    assert split.count == parts
    for p in range(parts):
        mine = split.elements[split.start[p] : split.start[p + 1]]
        assert np.array_equal(mine, np.flatnonzero((owner[elements] == p).any(axis=1)))


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_gradients_are_summed_in_element_order_whatever_the_split(parts: int) -> None:
    n, elements = 17, random_elements(3, 17, 40, 4)
    gradients = np.random.default_rng(4).standard_normal((40, 4, 3))
    wanted = np.zeros((n, 3))
    np.add.at(wanted, elements, gradients)
    p = split_elements(elements, split_vertices(np.random.default_rng(5).standard_normal((n, 3)), parts))
    got = np.zeros((n, 3))
    add_gradients(p.owner, p.start, p.elements, elements, gradients, got)
    assert np.array_equal(got, wanted)


@pytest.mark.parametrize("n", [0, 1, 3, 4, 127, 128, 129, 1000])
def test_dot(n: int) -> None:
    a, b = np.random.default_rng(n).standard_normal((2, n, 3))
    assert dot(a, b) == pytest.approx(float(np.sum(a.astype(np.longdouble) * b)), rel=1e-14, abs=1e-13)
    shifted = np.empty(3 * n + 1)[1:].reshape(n, 3)  # another alignment
    shifted[:] = a
    assert dot(shifted, b) == dot(a, b)


def test_largest() -> None:
    assert largest(np.array([[1.0, -3.0], [2.0, 0.0]])) == 3.0
    assert largest(np.empty((0, 3))) == 0.0
    assert np.isnan(largest(np.array([1.0, np.nan])))


def test_clamped_matrices_are_the_nearest_positive_ones() -> None:
    A = symmetric_blocks(6, 8, 2)
    P = clamp_negative(A)
    assert np.linalg.eigvalsh(A).min() < -0.1
    assert np.linalg.eigvalsh(P).min() > -1e-12
    np.testing.assert_allclose(np.linalg.eigvalsh(P), np.maximum(np.linalg.eigvalsh(A), 0), rtol=0, atol=1e-12)
    positive = A @ A
    assert np.array_equal(clamp_negative(positive), positive)


def test_thread_counts() -> None:
    before = threads()
    try:
        assert use_threads(1) == threads() == 1
        assert use_threads(10_000) <= max(cores(), threads())
        assert use_threads(0) == threads()
        assert thread_counts()["threads"] == threads()
    finally:
        use_threads(before)
