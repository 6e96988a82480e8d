import subprocess
import sys

import numpy as np
import pytest

from supple.errors import MeshError
from supple.mesh.mesh import Mesh

TET = [[0, 1, 2, 3]]
CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 2]]


def test_arrays_have_one_type_and_are_read_only():
    mesh = Mesh(np.asfortranarray(np.array(CORNERS, dtype=np.float32)), tets=np.array(TET, dtype=np.uint64))
    assert mesh.vertices.dtype == np.float64
    assert mesh.tets.dtype == np.int32
    assert mesh.edges.shape == (0, 2)
    assert mesh.triangles.shape == (0, 3)
    assert mesh.vertices.flags.c_contiguous
    for array in (mesh.vertices, mesh.edges, mesh.triangles, mesh.tets):
        with pytest.raises(ValueError):
            array[...] = 0


def test_the_caller_keeps_a_writable_array():
    x = np.array(CORNERS, dtype=np.float64)
    mesh = Mesh(x, tets=TET)
    x[0, 0] = 7.0
    assert mesh.vertices[0, 0] == 0.0


def test_properties():
    mesh = Mesh(CORNERS, tets=TET)
    assert mesh.n == 4
    assert mesh.is_solid
    assert np.array_equal(mesh.extent, [1, 1, 2])
    assert not Mesh(CORNERS, triangles=[[0, 1, 2]]).is_solid
    assert np.array_equal(Mesh(np.empty((0, 3))).extent, [0, 0, 0])


def test_groups_are_sorted_sets_and_unknown_names_are_explained():
    mesh = Mesh(CORNERS, tets=TET, groups={"left": [3, 0, 3], "none": []})
    assert mesh.group("left").tolist() == [0, 3]
    assert mesh.group("none").dtype == np.int32
    with pytest.raises(MeshError, match=r"'lfet'; did you mean 'left'\? known: left, none"):
        mesh.group("lfet")


def test_copies_with_changes_share_the_rest():
    mesh = Mesh(CORNERS, tets=TET, groups={"a": [0]})
    more = mesh.with_groups({"b": [1, 2]}).moved(mesh.vertices + 1.0)
    assert sorted(more.groups) == ["a", "b"]
    assert more.tets is mesh.tets
    assert more.vertices[0, 0] == 1.0
    with pytest.raises(MeshError, match=r"give \(4, 3\)"):
        mesh.moved(np.zeros((3, 3)))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"vertices": [[0, 0], [1, 1]]}, r"vertices: found shape \(2, 2\)"),
        ({"vertices": [["a", "b", "c"]]}, "vertices: found shape"),
        ({"vertices": [[0, 0, 0], [1, 1]]}, "vertices: rows of different length"),
        ({"tets": [[0, 1, 2]]}, r"tets: found shape \(1, 3\)"),
        ({"tets": [[0.0, 1.0, 2.0, 3.0]]}, "tets: found values of float64"),
        ({"edges": [[0, 2**40]]}, "edges: index 1099511627776 does not fit"),
        ({"groups": {"a": [[0]]}}, r"groups\['a'\]: found shape"),
        ({"groups": {"a": [True, False]}}, r"groups\['a'\]: found values of bool"),
    ],
)
def test_wrong_shapes_and_types(fields, message):
    with pytest.raises(MeshError, match=message):
        Mesh(**{"vertices": CORNERS, **fields})


def test_the_modules_import_nothing_heavy():
    heavy = "scipy meshio numba pydantic pytetwild h5py rich matplotlib"
    code = (
        "import sys; from supple.mesh import SHAPES; SHAPES.load(); import supple.cli.mesh; "
        f"print([m for m in '{heavy}'.split() if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() in ("[]", "['rich']")  # typer itself may bring rich
