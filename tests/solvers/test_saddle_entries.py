"""The pattern of a matrix with constraints: places are found, numbers add up, and the symmetric part is that of the matrix."""

import numpy as np

from supple.solvers.saddle.entries import Entries

SIZE = 7
ROW, COLUMN = np.array([0, 1, 5, 2, 2, 6]), np.array([3, 1, 0, 6, 6, 4])
VALUES = np.arange(1.0, 7.0)


def dense(entries: Entries, numbers: np.ndarray) -> np.ndarray:
    whole = np.zeros((SIZE, SIZE))
    whole[np.repeat(np.arange(SIZE), np.diff(entries.indptr)), entries.indices] = numbers
    return whole


def expected() -> np.ndarray:
    whole = np.zeros((SIZE, SIZE))
    np.add.at(whole, (ROW, COLUMN), VALUES)
    return whole


def test_numbers_add_up_where_they_belong() -> None:
    entries = Entries(SIZE, [(ROW, COLUMN)])
    np.testing.assert_array_equal(dense(entries, entries.sum([VALUES])), expected())


def test_places_and_the_diagonal_are_found() -> None:
    entries = Entries(SIZE, [(ROW, COLUMN)])
    marked = np.zeros(entries.nnz)
    marked[entries.diagonal] = np.arange(1.0, SIZE + 1)
    np.testing.assert_array_equal(dense(entries, marked), np.diag(np.arange(1.0, SIZE + 1)))
    on_top = entries.sum([VALUES], [(entries.find(np.array([3, 5]), np.array([0, 0])), np.array([10.0, 20.0]))])
    whole = expected()
    whole[3, 0] += 10.0  # the mirror image of a place is one as well
    whole[5, 0] += 20.0
    np.testing.assert_array_equal(dense(entries, on_top), whole)


def test_the_symmetric_part() -> None:
    entries = Entries(SIZE, [(ROW, COLUMN)])
    half = entries.symmetric(entries.sum([VALUES]))
    whole = 0.5 * (expected() + expected().T)
    np.testing.assert_array_equal(half, whole[entries.ends])
