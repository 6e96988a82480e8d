"""Patterns of cloth, spheres and tubes: shapes of triangles, sizes, springs, borders and refusals."""

import numpy as np
import pytest

from supple.errors import MeshError
from supple.mesh.doctor import closed_surface_problems, heal
from supple.mesh.measure import edge_lengths, enclosed_volume, quality, triangle_areas
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.surface import Box, Sphere, Tube
from supple.mesh.shapes.thin import Cloth
from supple.mesh.topology import boundary_edges, unique_edges


def spring_lengths(mesh: Mesh, group: str) -> set[float]:
    return set(np.round(edge_lengths(mesh.vertices, mesh.edges[mesh.edge_groups[group]]), 12).tolist())


def normals(mesh: Mesh) -> np.ndarray:
    a, b, c = (mesh.vertices[mesh.triangles[:, j]] for j in range(3))
    return np.cross(b - a, c - a)


@pytest.mark.parametrize("pattern", ["alternating", "diagonal"])
def test_one_shear_spring_a_cell_is_the_diagonal_of_its_triangles(pattern: str) -> None:
    mesh = Cloth(cells=(6, 5), pattern=pattern, shear="one").mesh()
    assert {name: len(g) for name, g in mesh.edge_groups.items()} == {"stretch": 71, "shear": 30, "bend": 58}
    own = np.concatenate([mesh.edge_groups["stretch"], mesh.edge_groups["shear"]])
    drawn = np.sort(mesh.edges[own], axis=1)
    assert {tuple(e) for e in drawn.tolist()} == {tuple(e) for e in unique_edges(mesh.triangles).tolist()}
    across = mesh.edges[mesh.edge_groups["shear"]]
    d = mesh.vertices[across[:, 1]] - mesh.vertices[across[:, 0]]
    assert {"alternating": 2, "diagonal": 1}[pattern] == len(np.unique(np.sign(d[:, 0] * d[:, 2])))


def test_sheets_of_the_known_experiments() -> None:
    sheet, cloth = Cloth(cells=(240, 20), shear="one").mesh(), Cloth(cells=(79, 79), shear="one").mesh()
    assert (sheet.n, len(sheet.edges)) == (5061, 24258)
    assert (cloth.n, len(cloth.edges)) == (6400, 31361)


@pytest.mark.parametrize(("plane", "axis", "second"), [("xy", 2, 1), ("xz", 1, 2)])
@pytest.mark.parametrize("cells", [(10, 11), (10, 12), (1, 1)])
def test_equilateral_cloth(plane: str, axis: int, second: int, cells: tuple[int, int]) -> None:
    height = np.sqrt(0.75) * cells[1] / cells[0]
    mesh = Cloth(cells=cells, size=(1.0, height), pattern="equilateral", plane=plane, origin=(1.0, 2.0, 3.0)).mesh()
    x, a = mesh.vertices, 1.0 / cells[0]
    assert heal(mesh)[1] == []
    assert triangle_areas(x, mesh.triangles).sum() == pytest.approx(height, rel=1e-13)
    assert (normals(mesh)[:, axis] > 0.0).all()
    whole = quality(x, mesh.triangles) > 0.99
    # halves close both sides, one at each end of each row
    assert (~whole).sum() == 2 * cells[1]
    assert triangle_areas(x, mesh.triangles[whole]) == pytest.approx(np.sqrt(3.0) / 4.0 * a**2)
    assert set(mesh.edge_groups) == {"stretch", "bend"}
    assert len(mesh.edge_groups["stretch"]) == len(unique_edges(mesh.triangles))
    assert spring_lengths(mesh, "stretch") == {round(a * s, 12) for s in (0.5, np.sqrt(0.75), 1.0)}
    low = np.array([1.0, [2.0, 3.0][second - 1]])
    ends = {"left": (0, 0.0), "right": (0, 1.0), "bottom": (1, 0.0), "top": (1, height)}
    for name, (along, place) in ends.items():
        flat = x[:, [0, second]] - low
        assert mesh.groups[name].tolist() == np.flatnonzero(np.abs(flat[:, along] - place) < 1e-9).tolist()
    assert x[mesh.group("corner_10")[0], [0, second]] == pytest.approx(low + np.array([1.0, 0.0]))
    assert x[mesh.group("corner_01")[0], [0, second]] == pytest.approx(low + np.array([0.0, height]))


def test_bend_springs_of_equilateral_cloth_pass_over_one_node() -> None:
    mesh = Cloth(cells=(4, 4), size=(1.0, np.sqrt(0.75)), pattern="equilateral").mesh()
    x = mesh.vertices
    bends = mesh.edges[mesh.edge_groups["bend"]]
    assert len(np.unique(np.sort(bends, axis=1), axis=0)) == len(bends)
    neighbours = {tuple(e) for e in unique_edges(mesh.triangles).tolist()}
    for i, j in bends:
        way = (x[j] - x[i]) / np.linalg.norm(x[j] - x[i])
        between = [k for k in range(mesh.n) if {(min(i, k), max(i, k)), (min(j, k), max(j, k))} <= neighbours]
        assert any(np.allclose(np.cross(x[k] - x[i], way), 0.0) for k in between)


def test_sphere_converges_to_the_sphere() -> None:
    errors = []
    for s in (1, 2, 3):
        mesh = Sphere(radius=2.0, centre=(1.0, 2.0, 3.0), subdivisions=s).mesh()
        assert (mesh.n, len(mesh.triangles)) == (10 * 4**s + 2, 20 * 4**s)
        assert closed_surface_problems(mesh.triangles) == []
        assert np.linalg.norm(mesh.vertices - [1, 2, 3], axis=1) == pytest.approx(2.0)
        assert quality(mesh.vertices, mesh.triangles).min() > 0.9
        errors.append(1.0 - enclosed_volume(mesh.vertices, mesh.triangles) / (4 / 3 * np.pi * 8))
    assert 0.0 < errors[2] < 0.01
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.05)


def test_box() -> None:
    """The boundary of a bar with the same cells: closed, facing outwards, without inner vertices."""
    mesh = Box(cells=(2, 3, 4), size=(0.2, 0.3, 0.4), origin=(1.0, 2.0, 3.0)).mesh()
    assert closed_surface_problems(mesh.triangles) == []
    assert mesh.n == 3 * 4 * 5 - 1 * 2 * 3
    assert enclosed_volume(mesh.vertices, mesh.triangles) == pytest.approx(0.2 * 0.3 * 0.4)
    assert len(mesh.group("top")) == 15
    assert (mesh.vertices.min(axis=0) == [1.0, 2.0, 3.0]).all()
    assert mesh.edge_groups["stretch"].size == len(unique_edges(mesh.triangles))


@pytest.mark.parametrize("pattern", ["alternating", "diagonal", "equilateral"])
def test_tube(pattern: str) -> None:
    length = 6 * np.sqrt(0.75) * 2 * np.pi * 0.5 / 20
    mesh = Tube(radius=0.5, length=length, cells=(20, 6), centre=(1.0, 2.0, 3.0), pattern=pattern).mesh()
    x = mesh.vertices - [1.0, 2.0, 3.0]
    assert heal(mesh)[1] == []
    assert np.hypot(x[:, 0], x[:, 2]) == pytest.approx(0.5)
    middle = x[mesh.triangles].mean(axis=1) * [1.0, 0.0, 1.0]
    assert (np.einsum("ij,ij->i", normals(mesh), middle) > 0.0).all()
    assert x[mesh.group("bottom"), 1] == pytest.approx(np.full(20, -length / 2))
    assert x[mesh.group("top"), 1] == pytest.approx(np.full(20, length / 2))
    assert sorted(np.unique(boundary_edges(mesh.triangles))) == sorted([*mesh.group("bottom"), *mesh.group("top")])
    if pattern == "equilateral":
        assert quality(mesh.vertices, mesh.triangles).min() > 0.999


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Cloth(pattern="square"),
            r'cloth\.pattern: unknown value "square"; known: alternating, diagonal, equilateral',
        ),
        (lambda: Cloth(shear="none"), r'cloth\.shear: unknown value "none"; did you mean .one.\? known: both, one'),
        (lambda: Cloth(pattern="equilateral"), r"cloth\.size\[1\]: found 1, but 10 .* cells = \(10, 12\), or .*0\.866"),
        (lambda: Tube(pattern="equilateral"), r"tube\.length: found 1, but 15 equilateral rows .* cells = \(24, 18\)"),
        (lambda: Tube(cells=(2, 1)), r"tube\.cells\[0\]: input should be greater than or equal to 3, found 2"),
        (lambda: Sphere(subdivisions=9), r"sphere\.subdivisions: input should be less than or equal to 8, found 9"),
    ],
)
def test_wrong_options_are_named(make, message: str) -> None:
    with pytest.raises(MeshError, match=message):
        make()
