import numpy as np
import pytest

from supple.errors import MeshError
from supple.mesh.measure import edge_lengths, lumped_mass, quality, tet_volumes, triangle_areas
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.shapes.thin import Cloth, Rope

REGULAR = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])


def ints(rows):
    return np.array(rows, dtype=np.int32)


def test_sizes_by_hand():
    x = np.array([[0.0, 0, 0], [3, 0, 0], [0, 4, 0], [0, 0, 2]])
    assert tet_volumes(x, ints([[0, 1, 2, 3], [0, 2, 1, 3]])).tolist() == [4.0, -4.0]
    assert triangle_areas(x, ints([[0, 1, 2], [0, 2, 1]])).tolist() == [6.0, 6.0]
    assert edge_lengths(x, ints([[1, 2]])).tolist() == [5.0]


def test_quality_is_one_for_regular_zero_for_flat_and_negative_for_flipped_elements():
    assert quality(REGULAR, ints([[0, 1, 2, 3], [0, 2, 1, 3]])) == pytest.approx([-1.0, 1.0])
    assert quality(REGULAR, ints([[0, 1, 2]])) == pytest.approx([1.0])
    line = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]])
    assert quality(line, ints([[0, 1, 2, 3], [0, 0, 0, 0]])).tolist() == [0.0, 0.0]
    assert quality(line, ints([[0, 1, 2]])).tolist() == [0.0]
    assert quality(line, ints([[0, 1]])).tolist() == [1.0]


def test_quality_does_not_depend_on_size():
    mesh = Bar().mesh()
    assert quality(mesh.vertices * 1e-4, mesh.tets) == pytest.approx(quality(mesh.vertices, mesh.tets), rel=1e-12)


def test_a_tet_gives_a_quarter_of_its_mass_to_each_corner():
    mesh = Mesh(REGULAR, tets=[[0, 1, 2, 3]])
    assert lumped_mass(mesh, density=3.0) == pytest.approx(np.full(4, 3.0 * (8 / 3) / 4))


@pytest.mark.parametrize(
    ("mesh", "measure"),
    [(Bar().mesh(), 1.0), (Cloth(size=(2.0, 3.0)).mesh(), 6.0), (Rope(length=2.5).mesh(), None)],
)
def test_density_and_mass_spread_alike(mesh, measure):
    by_density = lumped_mass(mesh, density=7.0)
    if measure is not None:
        assert by_density.sum() == pytest.approx(7.0 * measure)
    by_mass = lumped_mass(mesh, mass=2.0)
    assert by_mass.sum() == pytest.approx(2.0)
    assert by_mass / by_density == pytest.approx(np.full(mesh.n, by_mass[0] / by_density[0]))


def test_density_for_each_element():
    mesh = Cube(cells=1).mesh()
    rho = np.arange(1.0, 6.0)
    expected = float(rho @ tet_volumes(mesh.vertices, mesh.tets))
    assert lumped_mass(mesh, density=rho).sum() == pytest.approx(expected)


def test_uniform_mass_of_the_spring_sheet():
    sheet = Cloth(cells=(6, 6)).mesh()
    assert np.all(lumped_mass(sheet, mass=1.0, uniform=True) == 1.0 / 49)
    assert lumped_mass(sheet, density=2.0, uniform=True).sum() == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "give exactly one of density and mass"),
        ({"density": 1.0, "mass": 1.0}, "give exactly one of density and mass"),
        ({"density": -1.0}, "density: found -1.0; it must be a positive number"),
        ({"mass": 0.0}, "mass: found 0.0"),
        ({"mass": np.nan}, "mass: found nan"),
    ],
)
def test_wrong_mass(given, message):
    with pytest.raises(MeshError, match=message):
        lumped_mass(Bar().mesh(), **given)


def test_vertices_that_would_have_no_mass_are_named():
    body = Bar(cells=(1, 1, 1)).mesh()
    mesh = Mesh(np.vstack([body.vertices, [[9.0, 9, 9]]]), tets=body.tets, edges=[[0, 8]])
    with pytest.raises(MeshError, match=r"1 of 9 vertices would have no mass \(first: 8\)"):
        lumped_mass(mesh, density=1.0)
    assert lumped_mass(mesh, mass=9.0, uniform=True).tolist() == [1.0] * 9
