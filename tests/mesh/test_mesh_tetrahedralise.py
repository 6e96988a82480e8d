import sys

import numpy as np
import pytest

from supple.errors import BackendMissing, MeshError
from supple.mesh.doctor import heal
from supple.mesh.measure import quality, tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.shapes.thin import Cloth
from supple.mesh.tetrahedralise import tetrahedralise
from supple.mesh.topology import boundary_edges, surface

CUBE = Mesh(Cube(cells=1).mesh().vertices, triangles=surface(Cube(cells=1).mesh()))


def check_cube(body):
    volumes = tet_volumes(body.vertices, body.tets)
    assert volumes.min() > 0
    assert volumes.sum() == pytest.approx(1.0, abs=0.05)
    assert quality(body.vertices, body.tets).min() > 0.05
    assert len(boundary_edges(surface(body))) == 0
    assert body.extent == pytest.approx(np.ones(3), abs=0.05)
    assert heal(body)[1] == []


# the other way round the cube of the groups below is filled
@pytest.mark.parametrize("inside_out", [pytest.param(False, marks=pytest.mark.study), True])
def test_a_cube_is_filled_whichever_way_it_faces(inside_out, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    skin, said = Mesh(CUBE.vertices, triangles=CUBE.triangles[:, ::-1]) if inside_out else CUBE, []
    body = tetrahedralise(skin, edge_length=0.5, envelope=1e-2, threads=1, watch=said.append)
    check_cube(body)
    assert sorted(body.groups) == ["back", "bottom", "front", "left", "right", "top"]
    assert list(tmp_path.iterdir()) == []
    assert said[0] == "collapsing edges"
    assert any("tets, worst distortion" in line for line in said)


def test_surfaces_with_holes_are_refused():
    with pytest.raises(MeshError, match=r"surface is not closed: 3 edges at the rim of a hole .*close the holes"):
        tetrahedralise(Mesh(CUBE.vertices, triangles=CUBE.triangles[1:]))
    with pytest.raises(MeshError, match="40 edges at the rim"):
        tetrahedralise(Cloth(cells=(10, 10)).mesh())


def test_solids_and_wrong_options_are_refused():
    with pytest.raises(MeshError, match="found 40 tets and 0 triangles"):
        tetrahedralise(Bar().mesh())
    with pytest.raises(MeshError, match=r"edge_length: found 0\.0; must be above 0 and below 1\.732"):
        tetrahedralise(CUBE, edge_length=0.0)
    with pytest.raises(MeshError, match=r"envelope: found 2\.0"):
        tetrahedralise(CUBE, envelope=2.0)


def test_the_missing_library_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytetwild", None)
    with pytest.raises(BackendMissing, match=r'pip install "supple\[mesh\]"$'):
        tetrahedralise(CUBE)


def test_groups_of_the_surface_go_to_the_tets():
    x = CUBE.vertices
    corner = np.flatnonzero((x == 1.0).all(axis=1))
    groups = {
        "floor": np.flatnonzero(x[:, 1] == 0.0),
        "corner": corner,
        "top": corner,
        "edge": np.flatnonzero(x[:, 0] + x[:, 1] == 0),
    }
    body = tetrahedralise(CUBE.with_groups(groups), edge_length=0.5, envelope=1e-2, threads=1)
    check_cube(body)
    X = body.vertices
    floor = body.group("floor")
    assert len(floor) >= 4
    assert X[floor, 1].max() < 0.05
    assert set(
        np.flatnonzero((X[:, 1] < 1e-6) & (X[:, [0, 2]] > 0.1).all(axis=1) & (X[:, [0, 2]] < 0.9).all(axis=1))
    ) <= set(floor)
    assert len(body.group("corner")) == 1
    assert X[body.group("corner")[0]] == pytest.approx(np.ones(3), abs=0.05)
    assert body.group("top").tolist() == body.group("corner").tolist()  # a name of the surface comes first
    assert np.abs(X[body.group("edge"), :2]).max() < 0.05
    assert "left" in body.groups
