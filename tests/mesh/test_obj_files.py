"""OBJ files as programs write them, and as they should not be."""

import numpy as np
import pytest

from models import jar, write_jar
from supple.errors import MeshError
from supple.mesh.doctor import closed_surface_problems
from supple.mesh.faces.normals import corner_normals
from supple.mesh.faces.polygons import Finish
from supple.mesh.faces.triangulate import face_normals
from supple.mesh.formats import load_mesh, read_mesh, write_mesh
from supple.mesh.measure import enclosed_volume, triangle_areas

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


def read(tmp_path, text):
    path = tmp_path / "model.obj"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_mesh(path)


def refused(tmp_path, text):
    with pytest.raises(MeshError) as caught:
        read(tmp_path, text)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'model.obj'}: ")
    return message.partition(": ")[2]


@pytest.fixture
def model(tmp_path):
    return load_mesh(write_jar(tmp_path))[0]


def test_a_seam_does_not_split_vertices(model):
    assert (model.n, len(model.polygons), len(model.triangles)) == (116, 104, 224)
    assert closed_surface_problems(model.triangles) == []
    pairs = np.unique(np.stack([model.polygons.corners, model.polygons.uv_corners], axis=1), axis=0)
    of_side = pairs[(pairs[:, 1] >= 0) & (pairs[:, 0] < 108)]
    often = np.bincount(of_side[:, 0])
    assert sorted(np.flatnonzero(often == 2)) == list(range(0, 108, 12))  # the seam, and nothing else


def test_names_become_groups_of_vertices(model):
    assert {name: len(members) for name, members in model.groups.items()} == {
        "jar": 108,
        "lid": 8,
        "side": 108,
        "bottom": 12,
        "top": 12,
    }
    assert model.polygons.materials.used_names() == ["glass", "ground glass", "cork"]
    assert model.polygons.finishes["cork"] == Finish((0.6, 0.4, 0.2))
    assert model.polygons.finishes["glass"].texture.endswith("label.png")


def test_everything_goes_out_again(model, tmp_path):
    assert write_mesh(model, tmp_path / "again.obj") == []
    again = read_mesh(tmp_path / "again.obj")
    assert np.array_equal(again.vertices, model.vertices)
    assert np.array_equal(again.triangles, model.triangles)
    for name in ("counts", "corners", "uv", "uv_corners"):
        assert np.array_equal(getattr(again.polygons, name), getattr(model.polygons, name)), name
    for name in ("objects", "groups", "materials"):
        old, new = getattr(model.polygons, name), getattr(again.polygons, name)
        assert (new.names, new.of.tolist()) == (old.names, old.of.tolist())
    assert again.polygons.finishes == model.polygons.finishes
    assert "map_Kd label.png" in (tmp_path / "again.mtl").read_text()


def test_a_library_that_says_more_is_kept(model, tmp_path):
    (tmp_path / "again.mtl").write_text("newmtl glass\nNs 900\nnewmtl ground glass\nnewmtl cork\n")
    write_mesh(model, tmp_path / "again.obj")
    assert "Ns 900" in (tmp_path / "again.mtl").read_text()


def test_normals_stay_smooth_and_hard_where_they_were(model, tmp_path):
    normals, row = corner_normals(model.vertices, model.polygons)
    flat = face_normals(model.vertices, model.polygons.counts, model.polygons.corners)
    bottom = model.polygons.owner == 96
    assert np.allclose(normals[row[bottom]], [0, -1, 0])
    side = np.flatnonzero(model.polygons.owner < 96)
    facing = np.einsum("ij,ij->i", normals[row[side]], flat[model.polygons.owner[side]])
    assert facing.min() > 0
    # the corners of one vertex of the side share a normal
    assert len(np.unique(row[side][model.polygons.corners[side] == 30])) == 1
    assert (row[model.polygons.owner >= 98] == -1).all()  # the lid has none
    write_mesh(model, tmp_path / "again.obj")
    _, again = corner_normals(model.vertices, read_mesh(tmp_path / "again.obj").polygons)
    assert np.array_equal(np.unique(again, return_inverse=True)[1], np.unique(row, return_inverse=True)[1])


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_comments_and_continued_lines(tmp_path, ends):
    text = "# first\nv 0 0 0 # origin\n\n  v 1 0 0\nv\t1 1 0 1.0\nv 0 1 0\no a#1 # name\nf 1 \\\n 2 3 \\\n 4"
    mesh = read(tmp_path, text.replace("\n", ends))
    assert mesh.polygons.counts.tolist() == [4]
    assert mesh.polygons.corners.tolist() == [0, 1, 2, 3]
    assert mesh.polygons.objects.names == ("a#1",)


def test_marks_and_other_encodings(tmp_path):
    assert read(tmp_path, b"\xef\xbb\xbf" + SQUARE.encode() + b"f 1 2 3\n").n == 4
    assert list(read(tmp_path, (SQUARE + "o caf\xe9\nf 1 2 3\n").encode("latin-1")).groups) == ["caf\xe9"]


def test_negative_numbers_count_back_from_where_they_stand(tmp_path):
    mesh = read(tmp_path, SQUARE + "vt 0 0\nf -4/-1 -3/-1 -2/-1\nv 5 5 5\nvt 1 1\nf -1/-1 -5/-2 -3/-1\n")
    assert mesh.polygons.corners.tolist() == [0, 1, 2, 4, 0, 2]
    assert mesh.polygons.uv_corners.tolist() == [0, 0, 0, 1, 0, 1]


def test_corners_may_lack_texture_coordinates_or_normals(tmp_path):
    mesh = read(tmp_path, SQUARE + "vt 0.5\nvn 0 0 1\nf 1//1 2/1/1 3/1/ 4\n")
    assert mesh.polygons.uv_corners.tolist() == [-1, 0, 0, -1]
    assert mesh.polygons.smooth.tolist() == [0, 0, -1, -1]
    assert mesh.polygons.uv.tolist() == [[0.5, 0.0]]


def test_faces_before_their_vertices_and_lines(tmp_path):
    mesh = read(tmp_path, "f 1 2 3\nl 3 4 1\ns 1\nvp_unknown 3\n" + SQUARE)
    assert mesh.triangles.tolist() == [[0, 1, 2]]
    assert mesh.edges.tolist() == [[2, 3], [3, 0]]
    rope = read(tmp_path, SQUARE + "l 1 2 3 4\n")
    assert (len(rope.edges), rope.polygons) == (3, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SQUARE + "f 1 2 9\n", "line 5: vertex 9 does not exist, the file has 4 vertices (1 corner is wrong)"),
        (SQUARE + "vt 0 0\nf 1/1 2/2 3/1\n", "line 6: texture coordinate 2 does not exist, the file has 1 texture"),
        (SQUARE + "f 1//1 2//1 3//1\n", "line 5: normal 1 does not exist, the file has 0 normals"),
        (
            SQUARE + "f 1 2 -9\n",
            "line 5: found the corner '-9'; vertex numbers count from 1, or back from -1 to -4 here",
        ),
        (SQUARE + "f 0 1 2\n", "line 5: found the corner '0'; vertex numbers count from 1"),
        (SQUARE + "f 1 2\n", "line 5: a face with 2 corners; it needs three or more"),
        (SQUARE + "f 1 2 three\n", "line 5: found the corner 'three'; 'three' is no whole number"),
        (SQUARE + "f 1 2 3/1/1/1\n", "line 5: found the corner '3/1/1/1'; allowed: v, v/vt, v//vn, v/vt/vn"),
        (SQUARE + "l 1\n", "line 5: a line with 1 points"),
        (SQUARE + "l 1 8\n", "line 5: vertex 8 does not exist"),
        ("v 0 0 0\nv 1 0\n", "line 2: 'v' with 2 numbers; it needs 3; is the file complete?"),
        ("v 0 0 zero\n", "line 1: 'v 0 0 zero': could not convert string to float: 'zero'"),
        (SQUARE + "vt\n", "line 5: 'vt' with 0 numbers; it needs 1"),
        (
            SQUARE + "surf 0 1 0 1 1 2 3 4\n",
            "line 5: found 'surf', a curve or free-form surface; supple reads polygons",
        ),
        ("# nothing\n", "found no vertices; is this a mesh file?"),
    ],
)
def test_wrong_lines_are_named(tmp_path, text, message):
    assert message in refused(tmp_path, text)


def test_the_line_of_a_continued_face_is_its_first(tmp_path):
    assert "line 6:" in refused(tmp_path, SQUARE + "\nf 1 \\\n2 \\\n7\n")


def star(points: int) -> np.ndarray:
    """Corners of a star with deep notches, in a plane that is turned in space."""
    angle = np.pi * np.arange(2 * points) / points
    r = np.where(np.arange(2 * points) % 2, 0.3, 1.0)
    flat = np.stack([r * np.cos(angle), r * np.sin(angle), 0 * angle], axis=1)
    turn, _ = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))
    return flat @ turn.T + 5.0


@pytest.mark.parametrize("points", [2, 3, 5, 12])
@pytest.mark.parametrize("backwards", [False, True])
def test_concave_faces_are_cut_inside(tmp_path, points, backwards):
    x = star(points)[:: -1 if backwards else 1]
    lines = [f"v {a:.17g} {b:.17g} {c:.17g}" for a, b, c in x]
    mesh = read(tmp_path, "\n".join([*lines, "f " + " ".join(map(str, range(1, len(x) + 1)))]))
    area = np.linalg.norm(face_normals(x, np.array([len(x)]), np.arange(len(x))))
    assert len(mesh.triangles) == 2 * points - 2
    assert triangle_areas(x, mesh.triangles).sum() == pytest.approx(area, rel=1e-12)
    assert triangle_areas(x, mesh.triangles).min() > 0


def test_corners_on_a_straight_side_make_no_flat_triangles(tmp_path):
    text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 3 1 0\nv 0 1 0\nf 1 2 3 4 5 6\n"
    mesh = read(tmp_path, text)
    assert triangle_areas(mesh.vertices, mesh.triangles).min() > 0.1


def test_volume_is_that_of_the_polygons(tmp_path):
    for around in (3, 4, 7, 40):
        (tmp_path / "jar.obj").write_text(jar(around=around))
        mesh, _ = load_mesh(tmp_path / "jar.obj")
        assert closed_surface_problems(mesh.triangles) == []
        assert enclosed_volume(mesh.vertices, mesh.triangles) > 0.002


def test_other_formats_say_what_they_lose(model, tmp_path):
    notes = write_mesh(model, tmp_path / "jar.ply")
    assert any("cannot hold texture coordinates and polygons" in note for note in notes)
    assert read_mesh(tmp_path / "jar.ply").groups.keys() == model.groups.keys()


def test_picked_groups_are_lost_in_obj_files_with_a_note(model, tmp_path):
    assert "cannot hold vertex groups" in write_mesh(model.with_groups({"mine": [1, 2]}), tmp_path / "a.obj")[0]
