"""Clouds of points in files of other programs."""

import json
from pathlib import Path

import numpy as np
import pytest
from moving import record, write

from clouds import FPS, record_cloud
from supple.errors import RecordError
from supple.mesh.mesh import Mesh
from supple.recording.film import Film, open_film
from supple.recording.folder import RunFolder

N = 8**3 + 5


@pytest.fixture
def film(tmp_path: Path) -> Film:
    with open_film(RunFolder.open(record_cloud(tmp_path / "run", spacing=0.125, beside=True))) as found:
        yield found


def test_usd_has_points(film: Film, tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(write(film, "usd", tmp_path / "made.usda", scale=10.0, energy_colours=True).paths[0]))
    points = UsdGeom.Points.Get(stage, "/run/sand")
    for k in range(len(film)):
        frame = film.frame(k)
        np.testing.assert_array_equal(points.GetPointsAttr().Get(k + 1), 10 * frame.x[:N])
        np.testing.assert_array_equal(points.GetVelocitiesAttr().Get(k + 1), 10 * frame.v[:N])
        assert len(points.GetDisplayColorAttr().Get(k + 1)) == N
    np.testing.assert_allclose(points.GetWidthsAttr().Get(), [1.25])
    assert points.GetIdsAttr().Get()[-1] == N - 1
    assert UsdGeom.Mesh.Get(stage, "/run/box")


def test_alembic_has_points(film: Film, tmp_path: Path) -> None:
    from alembic3d import Abc, AbcGeom

    top = Abc.IArchive(str(write(film, "abc", tmp_path / "made").paths[0])).getTop()
    schema = AbcGeom.IPoints(top, "sand").getSchema()
    assert schema.getNumSamples() == len(film)
    sample = schema.getValue(Abc.ISampleSelector(3 / FPS))
    np.testing.assert_array_equal([tuple(p) for p in sample.getPositions()], film.frame(2).x[:N])
    np.testing.assert_array_equal([tuple(v) for v in sample.getVelocities()], film.frame(2).v[:N])
    assert list(sample.getIds()) == list(range(N))


def test_paraview_sees_vertices(film: Film, tmp_path: Path) -> None:
    from vtkmodules.vtkIOHDF import vtkHDFReader

    path = write(film, "vtkhdf", tmp_path / "made", body="sand").paths[0]
    reader = vtkHDFReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    assert (grid.GetNumberOfPoints(), grid.GetNumberOfCells(), grid.GetCellType(0)) == (N, N, 1)
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    _, folder = write(film, "pvd", tmp_path / "grid.pvd", body="sand").paths
    vtu = vtkXMLUnstructuredGridReader()
    vtu.SetFileName(str(sorted(folder.iterdir())[0]))
    vtu.Update()
    assert (vtu.GetOutput().GetNumberOfCells(), vtu.GetOutput().GetCellType(N - 1)) == (N, 1)


def test_numpy_has_positions(film: Film, tmp_path: Path) -> None:
    with np.load(write(film, "npz", tmp_path / "made").paths[0]) as arrays:
        np.testing.assert_array_equal(arrays["sand.positions"][1], film.frame(1).x[:N])
        assert arrays["sand.faces"].shape == (0, 3)


def test_obj_has_a_surface_in_each_frame(film: Film, tmp_path: Path) -> None:
    done = write(film, "obj", tmp_path / "made", obstacles=False)
    assert done.notes == ("sand: written as the surface around its points; up to 5 isolated points are omitted",)
    for file in sorted(done.paths[0].glob("*.obj")):
        lines = file.read_text().splitlines()
        vertices = np.array([line.split()[1:] for line in lines if line.startswith("v ")], dtype=float)
        sand, box = (
            np.array([[int(w.split("/")[0]) for w in line.split()[1:]] for line in part if line.startswith("f ")]) - 1
            for part in (lines[: lines.index("o box")], lines[lines.index("o box") :])
        )
        assert box.max() == len(vertices) - 1
        assert box.min() == sand.max() + 1
        a, b, c = (vertices[sand[:, k]] for k in range(3))
        assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 == pytest.approx(1.0, abs=0.15)


def test_glb_shows_one_surface_after_the_other(film: Film, tmp_path: Path) -> None:
    data = write(film, "glb", tmp_path / "made", obstacles=False).paths[0].read_bytes()
    size = int.from_bytes(data[12:16], "little")
    document, binary = json.loads(data[20 : 20 + size]), data[28 + size :]

    def array(number: int, width: int) -> np.ndarray:
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        return np.frombuffer(binary, np.float32, width * accessor["count"], view["byteOffset"]).reshape(-1, width)

    nodes = document["nodes"]
    assert [node["name"] for node in nodes] == ["box", *(f"sand_{k:04d}" for k in (1, 2, 3, 4))]
    assert [node.get("scale", [1.0])[0] for node in nodes] == [1.0, 1.0, 0.0, 0.0, 0.0]
    [animation] = document["animations"]
    shown = np.zeros((4, len(film)))
    for channel in animation["channels"][1:]:
        sampler = animation["samplers"][channel["sampler"]]
        keys, sizes = array(sampler["input"], 1)[:, 0], array(sampler["output"], 3)
        k = channel["target"]["node"] - 1
        shown[k] = sizes[np.searchsorted(keys, film.times.astype(np.float32), side="right") - 1, 0]
        height = array(document["meshes"][k + 1]["primitives"][0]["attributes"]["POSITION"], 3)[:, 1].max()
        assert height == pytest.approx((1 + k / FPS) ** -2, abs=0.08)
    np.testing.assert_array_equal(shown, np.eye(4))


@pytest.mark.parametrize("to", ["pc2", "mdd"])
def test_caches_refuse_clouds(to: str, film: Film, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=f"--to {to}: sand: the surface of a point cloud.*use usd or abc.*--body"):
        write(film, to, tmp_path / "made")
    assert write(film, to, tmp_path / "made", body="box").paths[0].exists()


def test_a_stray_vertex_of_a_mesh_is_no_cloud(tmp_path: Path) -> None:
    stray = Mesh(np.concatenate([np.eye(3), [[5.0, 5, 5]]]), triangles=np.array([[0, 1, 2]]))
    with open_film(record(tmp_path / "run", {"sheet": stray}, np.arange(2.0))) as film:
        assert not film.parts[0].cloud
        assert film.parts[0].vertices.tolist() == [0, 1, 2]
