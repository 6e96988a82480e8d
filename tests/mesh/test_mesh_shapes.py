import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from supple.errors import MeshError
from supple.mesh import SHAPES
from supple.mesh.doctor import closed_surface_problems, heal
from supple.mesh.measure import edge_lengths, quality, tet_volumes, triangle_areas
from supple.mesh.shapes.round import Ball, Torus
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.shapes.thin import Cloth, Rope
from supple.mesh.topology import surface

SHAPES.load()


def volume(mesh):
    return tet_volumes(mesh.vertices, mesh.tets).sum()


def test_the_shapes_are_known_by_name():
    assert sorted(SHAPES) == [
        "ball", "bar", "box", "character", "cloth", "cube", "cylinder", "organ", "rope", "slab", "sphere", "torus", "tree",
        "tube",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_every_shape_is_sound_as_it_comes(name):
    mesh = SHAPES[name]().mesh()
    assert heal(mesh) == (mesh, [])
    assert all(len(members) for members in mesh.groups.values())


def test_the_twist_bar():
    mesh = Bar().mesh()
    assert (mesh.n, len(mesh.tets)) == (36, 40)
    assert {name: len(g) for name, g in mesh.groups.items()} == {
        "left": 4, "right": 4, "bottom": 18, "top": 18, "back": 18, "front": 18,
    }  # fmt: skip
    assert np.array_equal(mesh.vertices[:5], [[0, 0, 0], [0, 0, 0.5], [0, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0]])
    assert sorted(mesh.tets[0]) == [0, 1, 2, 4]  # even cell, first tet of the recipe: corners 0, 4, 2, 1
    assert sorted(mesh.tets[5]) == [4, 8, 9, 10]  # odd cell 4..11, first tet: corners 4, 0, 5, 6


@pytest.mark.parametrize("tets", [5, 6])
def test_boxes_have_exact_volume_and_area(tets):
    mesh = Bar(cells=(3, 4, 2), size=(3.0, 2.0, 0.5), origin=(-1.0, 2.0, 5.0), tets=tets).mesh()
    assert len(mesh.tets) == tets * 24
    assert tet_volumes(mesh.vertices, mesh.tets).min() > 0
    assert volume(mesh) == pytest.approx(3.0, rel=1e-14)
    skin = surface(mesh)
    assert triangle_areas(mesh.vertices, skin).sum() == pytest.approx(17.0, rel=1e-14)
    assert closed_surface_problems(skin) == []
    assert mesh.vertices.min(axis=0).tolist() == [-1.0, 2.0, 5.0]
    cube = Cube(cells=3, size=2.0, tets=tets).mesh()
    assert (cube.n, len(cube.tets)) == (64, 27 * tets)
    assert volume(cube) == pytest.approx(8.0, rel=1e-14)


def test_groups_are_the_sides_of_the_box():
    mesh = Bar(cells=(2, 2, 2), origin=(0.1, 0.2, 0.3)).mesh()
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    for axis, pair in enumerate((("left", "right"), ("bottom", "top"), ("back", "front"))):
        for name, end in zip(pair, (low, high), strict=True):
            assert mesh.vertices[mesh.groups[name], axis] == pytest.approx(end[axis])


def test_ball_converges_and_stays_well_shaped():
    errors = []
    for r in (2, 4, 8):
        mesh = Ball(radius=2.0, centre=(1.0, 2.0, 3.0), resolution=r).mesh()
        assert len(mesh.tets) == 20 * r**3
        assert quality(mesh.vertices, mesh.tets).min() > 0.6
        skin = surface(mesh)
        assert closed_surface_problems(skin) == []
        assert np.linalg.norm(mesh.vertices[np.unique(skin)] - [1, 2, 3], axis=1) == pytest.approx(2.0)
        errors.append(1.0 - volume(mesh) / (4 / 3 * np.pi * 8))
    assert errors[2] < 0.01
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)


def test_torus_converges_and_stays_well_shaped():
    errors = []
    for r in (1, 2, 4):
        mesh = Torus(major=1.0, minor=0.3, around=16 * r, across=r).mesh()
        assert len(mesh.tets) == 16 * r * 18 * r**2
        assert quality(mesh.vertices, mesh.tets).min() > 0.5
        assert closed_surface_problems(surface(mesh)) == []
        errors.append(1.0 - volume(mesh) / (2 * np.pi**2 * 0.09))
    assert errors[2] < 0.02
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)


def test_the_spring_sheet_has_226_springs():
    mesh = Cloth(cells=(6, 6)).mesh()
    assert mesh.n == 49
    assert {name: len(g) for name, g in mesh.edge_groups.items()} == {"stretch": 84, "shear": 72, "bend": 70}
    assert len(mesh.edges) == 226
    for name, length in (("stretch", 1 / 6), ("shear", 2**0.5 / 6), ("bend", 2 / 6)):
        assert edge_lengths(mesh.vertices, mesh.edges[mesh.edge_groups[name]]) == pytest.approx(length)


@pytest.mark.parametrize(("plane", "normal"), [("xy", [0, 0, 1]), ("xz", [0, 1, 0])])
def test_cloth_faces_one_way_and_names_its_borders(plane, normal):
    mesh = Cloth(cells=(3, 2), size=(3.0, 4.0), plane=plane, origin=(1.0, 1.0, 1.0)).mesh()
    a, b, c = (mesh.vertices[mesh.triangles[:, j]] for j in range(3))
    cross = np.cross(b - a, c - a)
    assert cross / np.linalg.norm(cross, axis=1)[:, None] == pytest.approx(np.tile(normal, (12, 1)))
    assert triangle_areas(mesh.vertices, mesh.triangles).sum() == pytest.approx(12.0)
    second = 1 if plane == "xy" else 2
    corners = {name: mesh.vertices[g[0]][[0, second]].tolist() for name, g in mesh.groups.items() if name[-1] in "01"}
    assert corners == {"corner_00": [1, 1], "corner_10": [4, 1], "corner_01": [1, 5], "corner_11": [4, 5]}
    assert {name: len(g) for name, g in mesh.groups.items() if "_" not in name} == {
        "left": 3, "right": 3, "bottom": 4, "top": 4, "corners": 4,
    }  # fmt: skip
    assert mesh.vertices[mesh.groups["right"], 0] == pytest.approx(4.0)
    assert mesh.vertices[mesh.groups["top"], second] == pytest.approx(5.0)


def test_rope_runs_where_it_should():
    mesh = Rope(segments=5, length=2.0, direction=(0.0, -3.0, 0.0), origin=(1.0, 1.0, 1.0)).mesh()
    assert mesh.vertices[mesh.group("start")].tolist() == [[1, 1, 1]]
    assert mesh.vertices[mesh.group("end")] == pytest.approx(np.array([[1.0, -1.0, 1.0]]))
    assert {name: len(g) for name, g in mesh.edge_groups.items()} == {"stretch": 5, "bend": 4}
    assert edge_lengths(mesh.vertices, mesh.edges[mesh.edge_groups["stretch"]]).sum() == pytest.approx(2.0)


def test_smallest_sheets_and_ropes_have_no_bend():
    assert len(Cloth(cells=(1, 1)).mesh().edge_groups["bend"]) == 0
    assert len(Rope(segments=1).mesh().edge_groups["bend"]) == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bar(cells=(8, 0, 1)), r"bar\.cells\[1\]: input should be greater than or equal to 1, found 0"),
        (lambda: Bar(size=(4.0, -0.5, 0.5)), r"bar\.size\[1\]: input should be greater than 0, found -0\.5"),
        (lambda: Bar(size=(4.0, 0.5)), r"bar\.size\[2\]: missing, but required"),
        (lambda: Bar(size=1.0), r"bar\.size: input should be a list, found 1\.0"),
        (lambda: Bar(tets=7), r"bar\.tets: unknown value 7; known: 5, 6"),
        (lambda: Bar(cells=(8, 1.5, 1)), r"bar\.cells\[1\]: input should be a whole number, found 1\.5"),
        (lambda: Bar(origin=(0.0, float("nan"), 0.0)), r"bar\.origin\[1\]: input should be a finite number, found nan"),
        (lambda: Cube(size="big"), r'cube\.size: input should be a valid number, found "big"'),
        (lambda: Ball(resolution=0), r"ball\.resolution: input should be greater than or equal to 1, found 0"),
        (lambda: Torus(major=0.2, minor=0.2), r"torus\.minor: found 0\.2; must be below torus\.major"),
        (lambda: Torus(around=2), r"torus\.around: input should be greater than or equal to 3, found 2"),
        (lambda: Cloth(plane="yz"), r'cloth\.plane: unknown value "yz"; known: xy, xz'),
        (lambda: Rope(direction=(0.0, 0.0, 0.0)), r"rope\.direction: .* not zero"),
    ],
)
def test_wrong_parameters_are_named(make, message):
    with pytest.raises(MeshError, match=message):
        make()


def test_all_wrong_parameters_are_named_at_once():
    with pytest.raises(MeshError) as caught:
        Bar(cells=(0, 1, 1), size=(1.0, 0.0, 1.0))
    assert len(str(caught.value).splitlines()) == 2


def test_pydantic_reads_the_same_bounds():
    adapter = TypeAdapter(Bar)
    assert adapter.validate_python({"cells": [2, 1, 1]}).mesh().n == 12
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        adapter.validate_python({"cells": [0, 1, 1]})
