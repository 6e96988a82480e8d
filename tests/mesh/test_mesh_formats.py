import errno
import sys

import numpy as np
import pytest

from supple.errors import MeshError
from supple.mesh.exchange import from_meshio
from supple.mesh.formats import FORMATS, load_mesh, read_mesh, write_mesh
from supple.mesh.measure import enclosed_volume, tet_volumes, triangle_areas
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.shapes.thin import Cloth, Rope
from supple.mesh.topology import boundary_triangles, surface

SOLID = [extension for extension, form in FORMATS.items() if form.solids]
SURFACE = [extension for extension, form in FORMATS.items() if not form.solids]

GMSH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 7 "clamp"
3 9 "flesh"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
3
1 2 2 7 1 1 2 3
2 1 2 0 1 1 2
3 4 2 9 1 1 2 3 4
$EndElements
"""
MEDIT = """MeshVersionFormatted 2
Dimension 3
Vertices
4
0 0 0 1
1 0 0 1
0 1 0 1
0 0 {z} 1
Tetrahedra
1
1 2 3 {last} 1
End
"""


def same_groups(a, b):
    return {k: v.tolist() for k, v in a.items()} == {k: v.tolist() for k, v in b.items()}


@pytest.mark.parametrize("extension", SOLID)
@pytest.mark.parametrize("mesh", [Bar().mesh(), Cloth(cells=(3, 2)).mesh(), Rope(segments=3).mesh()])
def test_round_trip_of_solids_sheets_and_ropes(tmp_path, mesh, extension):
    mesh = mesh.with_groups({"two words 100%": [0, 2], "empty": []})
    path = tmp_path / f"body{extension}"
    notes = write_mesh(mesh, path)
    back, repairs = load_mesh(path)
    assert repairs == []
    assert np.array_equal(back.vertices, mesh.vertices)
    for kind in ("edges", "triangles", "tets"):
        assert np.array_equal(getattr(back, kind), getattr(mesh, kind))
    if FORMATS[extension].groups:
        assert notes == []
        assert same_groups(back.groups, mesh.groups)
        assert same_groups(back.edge_groups, mesh.edge_groups)
    else:
        assert any("cannot hold vertex groups" in note for note in notes)


@pytest.mark.parametrize("extension", SURFACE)
def test_surface_formats_keep_the_surface(tmp_path, extension):
    mesh = Cube(cells=3, size=0.3).mesh()
    path = tmp_path / f"skin{extension}"
    assert "only the surface is kept" in write_mesh(mesh, path)[0]
    back, _ = load_mesh(path)
    assert (back.n, len(back.triangles), back.is_solid) == (56, 108, False)
    assert enclosed_volume(back.vertices, back.triangles) == pytest.approx(0.027, rel=1e-14)
    if FORMATS[extension].groups:
        assert back.vertices[back.group("left"), 0].tolist() == [0.0] * 16


@pytest.mark.parametrize("extension", SURFACE)
def test_surface_formats_refuse_ropes(tmp_path, extension):
    with pytest.raises(MeshError, match=r"hold triangles only, and the mesh has none; use \.msh"):
        write_mesh(Rope().mesh(), tmp_path / f"rope{extension}")


def test_msh_says_when_edge_groups_overlap(tmp_path):
    mesh = Mesh(np.eye(3), edges=[[0, 1], [1, 2]], edge_groups={"all": [0, 1], "one": [1]})
    assert "edges in several edge groups" in write_mesh(mesh, tmp_path / "net.msh")[0]
    assert write_mesh(mesh, tmp_path / "net.vtu") == []
    assert same_groups(read_mesh(tmp_path / "net.vtu").edge_groups, mesh.edge_groups)


def test_physical_groups_become_vertex_groups_and_boundary_elements_are_left_out(tmp_path):
    path = tmp_path / "tet.msh"
    path.write_text(GMSH)
    mesh, _ = load_mesh(path)
    assert (len(mesh.tets), len(mesh.triangles), len(mesh.edges)) == (1, 0, 0)
    assert mesh.group("clamp").tolist() == [0, 1, 2]
    assert mesh.group("flesh").tolist() == [0, 1, 2, 3]


def test_physical_groups_of_version_4(tmp_path):
    import meshio

    ones = [np.array([1]), np.array([1])]
    data = meshio.Mesh(
        np.vstack([np.zeros(3), np.eye(3)]),
        [("triangle", [[0, 1, 2]]), ("tetra", [[0, 1, 2, 3]])],
        point_data={"gmsh:dim_tags": np.array([[2, 1], [2, 1], [2, 1], [3, 1]])},
        cell_data={"gmsh:physical": [np.array([7]), np.array([9])], "gmsh:geometrical": ones},
        field_data={"clamp": np.array([7, 2]), "flesh": np.array([9, 3])},
    )
    path = tmp_path / "tet.msh"
    meshio.gmsh.write(str(path), data, fmt_version="4.1", binary=False)
    mesh, _ = load_mesh(path)
    assert mesh.group("clamp").tolist() == [0, 1, 2]
    assert mesh.group("flesh").tolist() == [0, 1, 2, 3]


def test_sets_and_blocks_and_quads_of_meshio():
    import meshio

    data = meshio.Mesh(
        np.array([[0, 0], [1, 0], [1, 1], [0, 1], [2, 0], [2, 1]], dtype=np.float32),
        [("quad", [[0, 1, 2, 3]]), ("triangle", [[1, 4, 2]]), ("triangle", [[4, 5, 2]]), ("vertex", [[0]])],
        point_sets={"pin": [0, 3]},
        cell_sets={"right": [None, np.array([0]), np.array([0]), None]},
    )
    mesh = from_meshio(data)
    assert triangle_areas(mesh.vertices, mesh.triangles).sum() == pytest.approx(2.0)
    assert mesh.group("pin").tolist() == [0, 3]
    assert mesh.group("right").tolist() == [1, 2, 4, 5]


def test_inner_walls_stay(tmp_path):
    body = Bar(cells=(1, 1, 1)).mesh()
    inner = np.setdiff1d(np.arange(4), [0])
    wall = body.tets[4][inner]  # the middle tet of five touches no side of the cell
    mesh = Mesh(body.vertices, triangles=np.vstack([boundary_triangles(body.tets), [wall]]), tets=body.tets)
    write_mesh(mesh, tmp_path / "wall.vtk")
    assert read_mesh(tmp_path / "wall.vtk").triangles.tolist() == [wall.tolist()]


def test_stl_vertices_are_merged_whatever_the_sign_of_zero(tmp_path):
    path = tmp_path / "pair.stl"
    path.write_text(
        "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
        "facet normal 0 0 1\nouter loop\nvertex 1 0 -0.0\nvertex 1 1 0\nvertex -0.0 1 0\nendloop\nendfacet\nendsolid\n"
    )
    mesh, _ = load_mesh(path)
    assert mesh.n == 4


def test_flipped_tets_of_a_file_are_repaired(tmp_path):
    bar = Bar().mesh()
    path = tmp_path / "flipped.vtu"
    write_mesh(Mesh(bar.vertices, tets=bar.tets[:, [1, 0, 2, 3]]), path)
    mesh, notes = load_mesh(path)
    assert tet_volumes(mesh.vertices, mesh.tets).min() > 0
    assert notes == [
        f"{path}: all 40 tets had negative volume (first: 0, 1, 2, 3, 4); two corners of each were swapped"
    ]


@pytest.mark.parametrize(
    ("z", "last", "message"),
    [
        ("nan", 4, "1 vertex with a NaN or infinite coordinate (first: 3)"),
        ("1", 5, "1 tet with a corner that is no vertex (first: 0)"),
        ("0", 4, "1 tet without volume, area or length (first: 0)"),
    ],
)
def test_sick_files_name_the_file_and_the_problem(tmp_path, z, last, message):
    path = tmp_path / "sick.mesh"
    path.write_text(MEDIT.format(z=z, last=last))
    with pytest.raises(MeshError) as caught:
        load_mesh(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_a_gmsh_file_with_a_missing_node_says_so(tmp_path):
    path = tmp_path / "tet.msh"
    path.write_text(GMSH.replace("3 4 2 9 1 1 2 3 4", "3 4 2 9 1 1 2 3 9"))
    with pytest.raises(MeshError, match=r"tet\.msh: .* names a vertex that the file does not have .*index 8"):
        load_mesh(path)


def test_elements_of_second_order_are_refused(tmp_path):
    import meshio

    path = tmp_path / "curved.vtu"
    meshio.Mesh(np.random.default_rng(0).random((10, 3)), [("tetra10", [list(range(10))])]).write(path)
    with pytest.raises(MeshError, match=r"found 1 tetra10 elements; .* second or higher order .* linear elements"):
        read_mesh(path)
    path = tmp_path / "curved_brick.vtu"
    meshio.Mesh(np.random.default_rng(0).random((20, 3)), [("hexahedron20", [list(range(20))])]).write(path)
    with pytest.raises(MeshError, match=r"found 1 hexahedron20 elements; .* second or higher order"):
        read_mesh(path)
    path = tmp_path / "brick.vtu"
    meshio.Mesh(np.random.default_rng(0).random((8, 3)), [("hexahedron", [list(range(8))])]).write(path)
    with pytest.raises(MeshError, match=r"found 1 hexahedron elements; .* split them into tets"):
        read_mesh(path)


@pytest.mark.parametrize("extension", sorted(FORMATS))
@pytest.mark.parametrize("content", [b"", b"this is no mesh\nat all\n", bytes(range(256)) * 3])
def test_unreadable_files_never_get_past_the_doctor(tmp_path, capfd, extension, content):
    path = tmp_path / f"junk{extension}"
    path.write_bytes(content)
    with pytest.raises(MeshError, match="junk"):
        load_mesh(path)
    assert capfd.readouterr() == ("", "")


def test_truncated_files_are_refused(tmp_path):
    for extension in (".msh", ".vtk", ".vtu", ".ply", ".mesh"):
        path = tmp_path / f"half{extension}"
        write_mesh(Cloth(cells=(4, 4)).mesh(), path)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        with pytest.raises(MeshError, match="half"):
            load_mesh(path)


def test_missing_files_and_unknown_extensions(tmp_path):
    with pytest.raises(MeshError, match=r"gone\.msh: no such file; check the name"):
        read_mesh(tmp_path / "gone.msh")
    (tmp_path / "folder.msh").mkdir()
    with pytest.raises(MeshError, match="is a folder"):
        read_mesh(tmp_path / "folder.msh")
    with pytest.raises(MeshError, match=r"unknown extension '\.vtx'; did you mean '\.vt[ku]'\? known: \.msh, \.vtk"):
        read_mesh(tmp_path / "a.vtx")
    with pytest.raises(MeshError, match=r"no extension; known: \.msh"):
        read_mesh(tmp_path / "a")
    with pytest.raises(MeshError, match=r"nowhere does not exist; create it first"):
        write_mesh(Bar().mesh(), tmp_path / "nowhere" / "a.msh")


def test_whatever_meshio_does_becomes_an_error(tmp_path, monkeypatch, capfd):
    import meshio.vtu

    def full_disk(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    def leave(*_):
        sys.stdout.write("bad things")
        sys.exit(1)

    monkeypatch.setattr(meshio.vtu, "write", full_disk)
    with pytest.raises(MeshError, match=r"a\.vtu: No space left on device; check permissions and free space"):
        write_mesh(Bar().mesh(), tmp_path / "a.vtu")
    monkeypatch.setattr(meshio.vtu, "write", leave)
    with pytest.raises(MeshError, match=r"a\.vtu: cannot be written as \.vtu: .*bad things"):
        write_mesh(Bar().mesh(), tmp_path / "a.vtu")
    assert capfd.readouterr() == ("", "")


def test_upper_case_extensions_are_fine(tmp_path):
    write_mesh(Bar().mesh(), tmp_path / "BAR.VTU")
    assert surface(read_mesh(tmp_path / "BAR.VTU")).shape == (68, 3)
