import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.mesh import SHAPES
from supple.mesh.measure import enclosed_volume, tet_volumes, triangle_areas
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Cloth
from supple.mesh.topology import (
    boundary_edges,
    boundary_triangles,
    components,
    distinct,
    incidence,
    surface,
    unique_edges,
)

SOLIDS = ["bar", "cube", "ball", "torus"]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30))
def test_distinct_agrees_with_sets(rows):
    array = np.array(rows, dtype=np.int32).reshape(-1, 2)
    first, inverse, count = distinct(array)
    assert len(first) == len(set(rows))
    assert [rows[first[i]] for i in inverse] == rows
    assert [rows.count(rows[i]) for i in first] == count.tolist()
    assert all(rows.index(rows[i]) == i for i in first)


def test_edges_of_one_tet_and_of_two_triangles():
    assert unique_edges(np.array([[2, 0, 3, 1]], dtype=np.int32)).tolist() == [
        [0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3],
    ]  # fmt: skip
    assert len(unique_edges(np.array([[0, 1, 2], [2, 1, 3]], dtype=np.int32))) == 5


@pytest.mark.parametrize("name", SOLIDS)
def test_boundary_is_closed_outward_and_has_the_right_genus(name):
    mesh = SHAPES.find(name)().mesh()
    skin = boundary_triangles(mesh.tets)
    assert len(boundary_edges(skin)) == 0
    assert enclosed_volume(mesh.vertices, skin) == pytest.approx(tet_volumes(mesh.vertices, mesh.tets).sum(), rel=1e-12)
    v, e, f = len(np.unique(skin)), len(unique_edges(skin)), len(skin)
    assert v - e + f == (0 if name == "torus" else 2)
    t, all_faces = len(mesh.tets), (4 * len(mesh.tets) + f) // 2
    assert mesh.n - len(unique_edges(mesh.tets)) + all_faces - t == (0 if name == "torus" else 1)


def test_boundary_edges_of_a_sheet_are_its_rim():
    mesh = Cloth(cells=(3, 2)).mesh()
    rim = boundary_edges(mesh.triangles)
    assert len(rim) == 10
    assert sorted(np.unique(rim)) == sorted(
        set(mesh.groups["left"]) | set(mesh.groups["right"]) | set(mesh.groups["bottom"]) | set(mesh.groups["top"])
    )
    assert np.array_equal(np.sort(rim[:, 0]), np.sort(rim[:, 1]))  # one loop: each vertex is entered and left once


def test_incidence_finds_every_element_of_every_vertex():
    mesh = Bar(cells=(2, 2, 1)).mesh()
    start, element = incidence(mesh.tets, mesh.n)
    for i in range(mesh.n):
        assert element[start[i] : start[i + 1]].tolist() == np.flatnonzero((mesh.tets == i).any(axis=1)).tolist()


def test_components_and_surface():
    one = Bar(cells=(1, 1, 1)).mesh()
    two = Mesh(np.vstack([one.vertices, one.vertices + 9.0]), tets=np.vstack([one.tets, one.tets + one.n]))
    count, label = components(two)
    assert count == 2
    assert np.array_equal(label, np.repeat([0, 1], one.n))
    assert len(surface(two)) == 24
    sheet = Cloth(cells=(1, 1)).mesh()
    assert surface(sheet) is sheet.triangles
    assert components(Mesh(np.zeros((3, 3))))[0] == 3


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_relabelling_changes_neither_volume_nor_surface(seed):
    rng = np.random.default_rng(seed)
    cells = tuple(int(c) for c in rng.integers(1, 4, 3))
    mesh = Bar(cells=cells, size=(1.0, 2.0, 0.5), tets=int(rng.choice([5, 6]))).mesh()
    number = rng.permutation(mesh.n).astype(np.int32)
    x = np.empty_like(mesh.vertices)
    x[number] = mesh.vertices
    tets = number[mesh.tets][rng.permutation(len(mesh.tets))][:, [1, 2, 0, 3]]  # an even permutation keeps the sign
    volumes = tet_volumes(x, tets)
    assert volumes.min() > 0
    assert volumes.sum() == pytest.approx(1.0, rel=1e-13)
    skin = boundary_triangles(tets)
    assert triangle_areas(x, skin).sum() == pytest.approx(7.0, rel=1e-13)
    assert enclosed_volume(x, skin) == pytest.approx(1.0, rel=1e-13)
