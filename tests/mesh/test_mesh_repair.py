"""Defects that a repair cures, defects that remain, and their report."""

from dataclasses import replace

import numpy as np
import pytest

from models import write_jar
from supple.errors import MeshError
from supple.mesh.doctor import closed_surface_problems, diagnose, drop_unreferenced, filling_problems
from supple.mesh.faces.polygons import Polygons
from supple.mesh.faces.triangulate import triangulated
from supple.mesh.formats import read_mesh
from supple.mesh.measure import enclosed_volume, tet_volumes
from supple.mesh.mending.repair import repaired
from supple.mesh.mending.soup import Soup
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.shapes.thin import Cloth, Rope
from supple.mesh.topology import surface

BOX = drop_unreferenced(Mesh(Cube(cells=2).mesh().vertices, triangles=surface(Cube(cells=2).mesh())))


@pytest.fixture
def model(tmp_path):
    return read_mesh(write_jar(tmp_path))


def mesh_of(x: np.ndarray, polygons: Polygons) -> Mesh:
    places, _ = triangulated(x, polygons.counts, polygons.corners)
    return Mesh(x, triangles=polygons.corners[places], polygons=polygons)


def is_sound(mesh: Mesh) -> bool:
    return not diagnose(mesh).problems and not filling_problems(mesh)


def spoiled(model: Mesh, seed: int) -> Mesh:
    """Every face with separate vertices, some turned, some gone, one twice, one without area."""
    rng = np.random.default_rng(seed)
    polygons = model.polygons
    loose = replace(polygons, corners=np.arange(len(polygons.corners), dtype=np.int32))
    soup = Soup.of(model.vertices[polygons.corners], loose)
    for face in rng.choice(len(soup.faces), 30, replace=False).tolist():
        soup.turn(face)
    faces = rng.permutation(24)[:3]  # of the two lowest rings, which are narrow
    soup.keep([face not in faces for face in range(len(soup.faces))])
    soup.faces += [list(soup.faces[50]), [soup.faces[60][0], soup.faces[60][1], soup.faces[60][0]]]
    soup.source += [50, 60]
    return mesh_of(soup.x, soup.polygons(polygons))


@pytest.mark.parametrize("seed", range(5))
def test_a_soup_of_faces_becomes_the_model_again(model, seed):
    mesh, notes = repaired(spoiled(model, seed), hole_size=0.7)
    assert is_sound(mesh)
    assert (mesh.n, len(mesh.triangles)) == (model.n, len(model.triangles))
    assert enclosed_volume(mesh.vertices, mesh.triangles) == pytest.approx(
        enclosed_volume(model.vertices, model.triangles), rel=0.02
    )
    text = "\n".join(notes)
    for words in ("merged 316 vertices", "removed 1 face without area", "removed 1 face with the same corners"):
        assert words in text
    assert "closed" in text
    assert "turned" in text


def test_texture_coordinates_and_names_survive(model):
    mesh, _ = repaired(spoiled(model, 0), hole_size=0.7)
    old, new = model.polygons, mesh.polygons
    assert new.materials.names == old.materials.names
    assert np.bincount(new.objects.of).tolist() == np.bincount(old.objects.of).tolist()
    pairs = [
        {(*mesh.vertices[v], *p.uv[t]) for v, t in zip(p.corners, p.uv_corners, strict=True) if t >= 0}
        for mesh, p in ((model, old), (mesh, new))
    ]
    assert pairs[1] <= pairs[0]
    assert len(pairs[1]) >= len(pairs[0]) - 4  # corners that only faces had which are gone


def test_sound_meshes_stay_as_they_are(model):
    for mesh in (model, BOX, Bar().mesh(), Rope().mesh()):
        same, notes = repaired(mesh)
        assert notes == ["mesh: nothing to repair"]
        for kind in ("vertices", "edges", "triangles", "tets"):
            assert np.array_equal(getattr(same, kind), getattr(mesh, kind))


def test_a_repair_leaves_nothing_for_a_second_one(model):
    once, _ = repaired(spoiled(model, 1), hole_size=0.7)
    assert repaired(once, hole_size=0.7)[1] == ["mesh: nothing to repair"]


def test_large_holes_stay_open_unless_asked():
    sheet, notes = repaired(Cloth(cells=(4, 4), shear="one").mesh())
    assert len(sheet.triangles) == 32
    assert "left 1 large hole open" in notes[0]
    assert "--hole-size 1 closes" in notes[0]
    cut = drop_unreferenced(Mesh(BOX.vertices, triangles=BOX.triangles[1:]))
    assert "--hole-size 0.41 closes" in repaired(cut)[1][0]
    closed, notes = repaired(cut, hole_size=0.41)
    assert "closed 1 hole (edges: 3; the widest 0.707 m across)" in notes[0]
    assert is_sound(closed)
    assert enclosed_volume(closed.vertices, closed.triangles) == pytest.approx(1.0)


def test_inside_out_shells_are_turned_but_cavities_are_kept():
    x, t = BOX.vertices, BOX.triangles
    out, notes = repaired(Mesh(x, triangles=t[:, ::-1]))
    assert enclosed_volume(out.vertices, out.triangles) == pytest.approx(1.0)
    assert notes == [f"mesh: turned {len(t)} faces of closed pieces outwards"]
    hollow = Mesh(np.vstack([x, 0.5 * x + 0.25]), triangles=np.vstack([t, t[:, ::-1] + len(x)]))
    assert repaired(hollow)[1] == ["mesh: nothing to repair"]
    beside = Mesh(np.vstack([x, x + 3.0]), triangles=np.vstack([t, t[:, ::-1] + len(x)]))
    out, _ = repaired(beside)
    assert enclosed_volume(out.vertices, out.triangles) == pytest.approx(2.0)


def test_a_sliver_goes_without_a_gap():
    """Corners on a line: the neighbour at the longest side takes the middle one."""
    x = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1], [0.5, 0, 0.0]])
    faces = [[0, 5, 4], [5, 1, 4], [0, 1, 5], [1, 2, 4], [2, 3, 4], [3, 0, 4], [0, 2, 1], [0, 3, 2]]
    mesh, notes = repaired(Mesh(x, triangles=np.array(faces)))
    assert notes == ["mesh: removed 1 face without area"]
    assert is_sound(mesh)
    assert enclosed_volume(mesh.vertices, mesh.triangles) == pytest.approx(1 / 3)


def test_two_holes_that_touch_at_a_vertex():
    faces = BOX.triangles
    busiest = np.bincount(faces.ravel()).argmax()
    around = np.flatnonzero((faces == busiest).any(axis=1))
    first, last = around[0], next(k for k in around if len(np.intersect1d(faces[k], faces[around[0]])) == 1)
    cut = Mesh(BOX.vertices, triangles=np.delete(faces, [first, last], axis=0))
    mesh, notes = repaired(cut, hole_size=0.5)
    assert "closed 2 holes (edges: 3, 3;" in notes[0]
    assert is_sound(mesh)


def test_tets_and_edges_are_cleaned_and_groups_follow():
    bar = Bar().mesh()
    n = bar.n
    doubled = Mesh(
        np.vstack([bar.vertices, bar.vertices[:4], [[9.0, 9, 9]]]),
        tets=np.vstack([bar.tets, bar.tets[:2], [[0, 1, n, n + 1]]]),
        groups={"copy": [n, n + 1, 5]},
        tags={"part": np.arange(len(bar.tets) + 3)},
    )
    mesh, notes = repaired(doubled)
    assert not diagnose(mesh).problems
    assert tet_volumes(mesh.vertices, mesh.tets).sum() == pytest.approx(1.0)
    assert mesh.group("copy").tolist() == [0, 1, 5]
    assert mesh.tags["part"].tolist() == list(range(40))
    assert [note.split(": ")[1] for note in notes] == [
        "merged 4 vertices with others in the same place",
        "removed 1 tet without size and 2 with the same corners as an earlier one",
        "removed 1 vertex that no element uses",
    ]


def test_what_no_repair_can_guess_is_refused():
    x = BOX.vertices.copy()
    x[3] = np.nan
    with pytest.raises(MeshError, match=r"file: 1 vertex with a NaN"):
        repaired(BOX.moved(x), where="file")
    with pytest.raises(MeshError, match=r"hole_size: found 2; give a part of the diagonal from 0 to 1"):
        repaired(BOX, hole_size=2.0)
    with pytest.raises(MeshError, match="file: no face with an area is left"):
        repaired(Mesh(np.outer(np.arange(3.0), [1, 0, 0]), triangles=[[0, 1, 2]]), where="file")


def test_very_many_vertices_in_one_place_are_merged_without_all_their_pairs():
    """100,000 copies of a vertex have 5e9 pairs; so has a mesh beside which one coordinate is damaged."""
    x = np.vstack([BOX.vertices, np.repeat(BOX.vertices[:1], 100_000, axis=0)])
    mesh, notes = repaired(Mesh(x, triangles=BOX.triangles))
    assert mesh.n == BOX.n
    assert "merged 100000 vertices" in notes[0]
    far = np.vstack([np.random.default_rng(1).random((50_000, 3)), [[1e20, 0, 0], [0, 1e20, 0], [0, 0, 1e20]]])
    mesh, _ = repaired(Mesh(far, triangles=[[50_000, 50_001, 50_002]]))
    assert mesh.n == 3


def test_a_mesh_of_flat_tets_alone_is_refused():
    """One coordinate is so large that the tet has no volume beside it: nothing would be left to report on."""
    x = np.vstack([np.zeros(3), np.eye(3)])
    x[3, 2] = 4294967296.0
    with pytest.raises(MeshError, match=r"file: no element with a volume, an area or a length is left"):
        repaired(Mesh(x, tets=[[0, 1, 2, 3]]), where="file")


def test_walls_inside_are_left_to_the_user():
    wall = Mesh(BOX.vertices, triangles=np.vstack([BOX.triangles, [[*BOX.triangles[0][[0, 1]].tolist(), 25]]]))
    mesh, _ = repaired(wall, hole_size=0.0)
    assert any("more than two" in str(problem) for problem in closed_surface_problems(mesh.triangles))
