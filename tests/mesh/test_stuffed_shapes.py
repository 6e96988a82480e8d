"""Bodies filled on a lattice: the figure, the tree and the slab are closed, well shaped, and at the documented positions."""

import numpy as np
import pytest

from supple.errors import MeshError
from supple.mesh.doctor import closed_surface_problems, heal
from supple.mesh.measure import dihedral_angles, quality, tet_volumes
from supple.mesh.shapes.figure import Character
from supple.mesh.shapes.slab import Slab
from supple.mesh.shapes.tree import Tree
from supple.mesh.stuffing.blend import Blend, ball
from supple.mesh.stuffing.stuff import stuffed
from supple.mesh.topology import components, surface

BODIES = {
    "small": Character(size="small"),
    "medium": Character(),
    "large": Character(size="large"),
    "tree": Tree(),
    "plate": Slab(),
    "wheel": Slab(form="wheel", size=(0.4, 0.1, 0.4), rows=4),
}


@pytest.fixture(scope="module")
def meshes():
    return {name: shape.mesh() for name, shape in BODIES.items()}


@pytest.mark.parametrize("name", BODIES)
def test_bodies_are_closed_and_without_slivers(meshes, name):
    mesh = meshes[name]
    assert heal(mesh) == (mesh, [])
    assert tet_volumes(mesh.vertices, mesh.tets).min() > 0.0
    assert closed_surface_problems(surface(mesh)) == []
    assert components(mesh)[0] == 1
    angles = np.degrees(dihedral_angles(mesh.vertices, mesh.tets))
    assert angles.min() > 8.0
    assert angles.max() < 168.0
    assert all(len(members) for members in mesh.groups.values())


def test_the_same_body_twice_has_the_same_bits():
    first, second = Character(size="small").mesh(), Character(size="small").mesh()
    assert np.array_equal(first.vertices, second.vertices)
    assert np.array_equal(first.tets, second.tets)


@pytest.mark.parametrize(("name", "tets", "slack"), [("small", 415, 40), ("medium", 3065, 200), ("large", 5891, 300)])
def test_the_sizes_of_the_figure(meshes, name, tets, slack):
    assert len(meshes[name].tets) == pytest.approx(tets, abs=slack)
    assert meshes[name].extent[1] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("name", ["small", "medium", "large"])
def test_the_figure_is_symmetric(meshes, name):
    mesh = meshes[name]
    x = mesh.vertices
    order = np.lexsort(np.round(x, 12).T)
    flipped = x * [-1.0, 1.0, 1.0]
    twin = np.empty(mesh.n, dtype=int)
    twin[order] = np.lexsort(np.round(flipped, 12).T)
    assert np.array_equal(x[twin] * [-1.0, 1.0, 1.0], x)
    tets = {tuple(t) for t in np.sort(mesh.tets, axis=1)}
    assert {tuple(t) for t in np.sort(twin[mesh.tets], axis=1)} == tets


def test_the_figure_stands_on_flat_soles(meshes):
    mesh = Character(height=2.0, foot=(1.0, 3.0, 0.0)).mesh()
    assert mesh.vertices[mesh.group("soles"), 1] == pytest.approx(3.0)
    assert mesh.vertices[:, 0].mean() == pytest.approx(1.0, abs=1e-12)
    groups = meshes["medium"].groups
    assert set(groups["soles"]) <= set(groups["feet"])
    assert sorted([*groups["left_ear"], *groups["right_ear"]]) == sorted(groups["ears"])
    assert not set(groups["ears"]) & set(groups["head"])


def test_the_tree_grows_with_its_forks():
    few, many = Tree(forks=1).mesh(), Tree(forks=3).mesh()
    assert len(many.tets) > 1.5 * len(few.tets)
    assert few.vertices[few.group("root"), 1] == pytest.approx(0.0)
    assert few.vertices[few.group("tips"), 1].min() > few.vertices[few.group("trunk"), 1].max()


def test_holes_are_in_one_half(meshes):
    mesh, slab = meshes["plate"], Slab()
    hole = np.pi * (0.2 / 3) ** 2 * 0.2
    assert len(slab.holes()) == 6
    assert tet_volumes(mesh.vertices, mesh.tets).sum() == pytest.approx(0.12 - 6 * hole, rel=0.02)
    inner = mesh.vertices[np.unique(surface(mesh))]
    inner = inner[(np.abs(inner) < np.array([0.499, 0.099, 0.299])).all(axis=1)]
    away = np.linalg.norm(inner[:, None, [0, 2]] - slab.holes(), axis=2).min(axis=1)
    assert away == pytest.approx(0.2 / 3, rel=1e-3)
    assert mesh.extent == pytest.approx([1.0, 0.2, 0.6], rel=1e-12)


def test_a_ball_has_its_volume():
    counts = (12, 12, 12)
    mesh = stuffed(Blend((ball((0.0, 0.0, 0.0), 0.4),), 0.01), np.full(3, -0.5), np.full(3, 1 / 12), counts)
    assert tet_volumes(mesh.vertices, mesh.tets).sum() == pytest.approx(4 / 3 * np.pi * 0.4**3, rel=0.02)
    skin = mesh.vertices[np.unique(surface(mesh))]
    assert np.linalg.norm(skin, axis=1) == pytest.approx(0.4, rel=2e-3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Slab(radius=0.1), r"slab\.radius: found 0\.1, but holes are 0\.2 m apart; must be at most 0\.092"),
        (lambda: Character(resolution=3), r"character\.resolution: found 3; must be 5 or more, or 0"),
        (lambda: Character(size="huge"), r'character\.size: unknown value "huge"; known: small, medium, large'),
        (lambda: Tree(resolution=10), r"tree\.resolution: found 10; must be 20 or more, or 0"),
        (lambda: Tree(forks=9), r"tree\.forks: input should be less than or equal to 5, found 9"),
    ],
)
def test_wrong_parameters_are_named(make, message):
    with pytest.raises(MeshError, match=message):
        make()


def test_a_huge_slab_needs_no_division_that_overflows() -> None:
    with np.errstate(all="raise", under="ignore"):
        mesh = Slab(size=(1e12, 1e12, 1e12), rows=1, resolution=1).mesh()
    assert quality(mesh.vertices, mesh.tets).min() > 0.1
