"""Incomplete factors in several ranges: the same bits on any number of threads, and no coupling is left out."""

import numpy as np
import pytest

from linalg.test_precond import stiff_bar
from supple.linalg import pool
from supple.linalg.precond import incomplete, separators
from supple.linalg.precond.blocks import Blocks
from supple.linalg.precond.incomplete import IncompleteCholesky
from supple.linalg.precond.separators import separated
from supple.linalg.threads import threads, use_threads
from supple.types import Array


@pytest.fixture
def _several_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separators, "ROWS", 30)


@pytest.fixture
def _threaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short work too is done side by side."""
    monkeypatch.setattr(pool, "SHORT", 0.0)
    monkeypatch.setattr(incomplete, "SOLVE", 1.0)


def solved(count: int) -> Array:
    """A right-hand side through the factors, on so many threads."""
    before = threads()
    use_threads(count)
    try:
        system, values, places = stiff_bar((12, 3, 3))
        made = IncompleteCholesky(system.pattern)
        made.renew(values, places)
        found = made.solve(np.random.default_rng(3).standard_normal(system.pattern.unknowns))
        made.close()
    finally:
        use_threads(before)
    return found


@pytest.mark.usefixtures("_several_ranges", "_threaded")
def test_incomplete_factors_have_the_same_bits_on_any_number_of_threads() -> None:
    one = solved(1)
    for count in (2, 3):
        assert np.array_equal(solved(count), one)


@pytest.mark.usefixtures("_several_ranges")
@pytest.mark.parametrize("shuffled", [False, True])
def test_rows_of_an_interior_have_columns_in_it_or_in_the_separator(shuffled: bool) -> None:
    system, _, _ = stiff_bar((12, 3, 3))
    blocks = Blocks(system.pattern)
    rows = separated(blocks.first, blocks.column) if not shuffled else shuffled_rows(blocks)
    assert len(rows.ranges) == 4
    n = len(rows.order)
    assert np.array_equal(np.sort(rows.order), np.arange(n))
    assert np.array_equal(rows.column[rows.start[:-1]], np.arange(n))
    touching = []
    for first, last in [*rows.ranges, (rows.separator, n)]:
        for i in range(first, last):
            columns = rows.column[rows.start[i] : rows.start[i + 1]]
            assert (np.diff(columns) > 0).all()
            assert ((columns < last) | (columns >= rows.separator)).all()
            touching += [i] if i < rows.separator <= columns[-1] else []
    assert touching == rows.touching.tolist()


def test_a_small_matrix_keeps_its_order() -> None:
    blocks = Blocks(stiff_bar((4, 2, 2))[0].pattern)
    rows = separated(blocks.first, blocks.column)
    assert rows.ranges == [(0, blocks.n)]
    assert rows.order.tolist() == list(range(blocks.n))
    assert rows.separator == blocks.n


def shuffled_rows(blocks: Blocks) -> separators.Separated:
    """The same couplings between rows in any order, as in a mesh of a stranger."""
    place = np.random.default_rng(4).permutation(blocks.n)
    a, b = place[np.repeat(np.arange(blocks.n), np.diff(blocks.first))], place[blocks.column]
    row, col = np.minimum(a, b), np.maximum(a, b)
    order = np.lexsort((col, row))
    start = np.concatenate([[0], np.cumsum(np.bincount(row))]).astype(np.int32)
    return separated(start, col[order].astype(np.int32))


@pytest.mark.parametrize("rows", [30, 1000])
def test_the_product_of_the_factors_is_the_matrix_on_its_pattern(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """(U^T U)_ij = A_ij wherever the pattern has a block; on the diagonal since all fill that is left out lies elsewhere."""
    monkeypatch.setattr(separators, "ROWS", rows)
    system, values, places = stiff_bar((8, 2, 2))
    made = IncompleteCholesky(system.pattern)
    made.renew(values, places)
    inverse = np.stack([made.solve(column) for column in np.eye(system.pattern.unknowns)])
    product = np.linalg.inv(inverse)
    blocks = Blocks(system.pattern)
    row = np.repeat(np.arange(blocks.n), np.diff(blocks.first))
    grid = product.reshape(blocks.n, 3, blocks.n, 3).transpose(0, 2, 1, 3)
    upper = blocks.upper(values)
    assert np.abs(grid[row, blocks.column] - upper).max() < 1e-4 * np.abs(upper).max()
    made.close()
