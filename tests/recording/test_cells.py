"""An animation contains every part of a mesh once."""

from types import SimpleNamespace

import numpy as np
import pytest

from supple.errors import RecordError
from supple.recording.cells import Cells

NONE = {k: np.zeros((0, k), dtype=np.int32) for k in (2, 3, 4)}


def mesh(tets=NONE[4], triangles=NONE[3], edges=NONE[2]):
    return SimpleNamespace(tets=np.asarray(tets), triangles=np.asarray(triangles), edges=np.asarray(edges))


def test_a_solid_is_its_tets():
    cells = Cells.of(mesh([[0, 1, 2, 3]], [[2, 1, 0], [1, 2, 3]], [[3, 0]]))
    assert cells.connectivity.tolist() == [0, 1, 2, 3]
    assert cells.offsets.tolist() == [0, 4]
    assert cells.types.tolist() == [10]


def test_cloth_is_triangles_and_the_springs_that_are_no_side_of_them():
    cells = Cells.of(mesh(triangles=[[0, 1, 2], [2, 1, 3]], edges=[[1, 0], [0, 3], [3, 4]]))
    assert cells.of_type(3).tolist() == [[0, 1, 2], [2, 1, 3]]
    assert cells.of_type(2).tolist() == [[0, 3], [3, 4]]
    assert cells.types.tolist() == [5, 5, 3, 3]
    assert cells.offsets.tolist() == [0, 3, 6, 8, 10]


def test_a_cloth_beside_a_solid_is_kept():
    cells = Cells.of(mesh([[0, 1, 2, 3]], [[0, 1, 2], [4, 5, 6]], [[0, 1], [4, 5], [6, 7]]))
    assert cells.of_type(4).tolist() == [[0, 1, 2, 3]]
    assert cells.of_type(3).tolist() == [[4, 5, 6]]
    assert cells.of_type(2).tolist() == [[6, 7]]


def test_large_indices_do_not_collide():
    n = 3_000_000_000
    cells = Cells.of(mesh(triangles=np.array([[0, 1, n]]), edges=np.array([[0, n], [1, n - 1]])))
    assert cells.of_type(2).tolist() == [[1, n - 1]]


def test_nothing_to_show_is_refused():
    with pytest.raises(RecordError, match="no tets, triangles, edges or points"):
        Cells.of(mesh())
