"""Tets that are inside out or crushed, counted from positions alone."""

import numpy as np
import pytest

from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Cloth
from supple.mesh.squeezed import LEAST, Volumes

BAR = Bar(cells=(3, 2, 2), size=(3.0, 2.0, 2.0)).mesh()


@pytest.mark.parametrize(
    ("stretch", "inverted", "crushed"),
    [(1.0, 0, 0), (1.01 * LEAST, 0, 0), (0.99 * LEAST, 0, 1), (0.0, 1, 0), (-0.5, 1, 0), (np.nan, 1, 0)],
)
def test_a_body_squeezed_along_one_axis(stretch: float, inverted: int, crushed: int) -> None:
    x = BAR.vertices * [stretch, 1.0, 1.0]
    assert Volumes(BAR).count(x) == (inverted * len(BAR.tets), crushed * len(BAR.tets))


def test_one_bad_tet_is_found_by_its_number() -> None:
    x, tet = BAR.vertices.copy(), BAR.tets[7]
    x[tet[0]] = 2.0 * x[tet[1:]].mean(axis=0) - x[tet[0]]
    found = Volumes(BAR).count(x)
    assert 0 < found.inverted < len(BAR.tets)
    number, J = Volumes(BAR).worst(x)
    assert J < 0.0
    assert tet[0] in BAR.tets[number]


def test_flat_tets_and_cloth_do_not_count() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], float)
    mesh = Mesh(corners, tets=np.array([[0, 1, 2, 3], [0, 1, 2, 4]]))
    assert Volumes(mesh).count(corners) == (0, 0)
    assert Volumes(mesh).count(corners * [1, 1, -1]) == (1, 0)
    assert Volumes(mesh).worst(corners * [1, 1, -1]) == (1, -1.0)
    sheet = Cloth().mesh()
    assert Volumes(sheet).count(sheet.vertices) == (0, 0)
