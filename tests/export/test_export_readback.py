"""Every frame of every format but USD, as other readers see it."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from moving import FPS, FRAMES, film, surface_positions, write

from supple.recording.playback import open_animation


def test_alembic(tmp_path: Path) -> None:
    from alembic3d import Abc, AbcGeom

    with film(tmp_path / "run") as source:
        path = write(source, "abc", tmp_path / "made").paths[0]
        archive = Abc.IArchive(str(path))
        mesh = AbcGeom.IPolyMesh(archive.getTop(), "bar").getSchema()
        assert mesh.getNumSamples() == FRAMES
        assert mesh.getTimeSampling().getSampleTime(0) == pytest.approx(1 / FPS)
        for k in range(FRAMES):
            sample = mesh.getValue(Abc.ISampleSelector(float((k + 1) / FPS)))
            np.testing.assert_array_equal([tuple(p) for p in sample.getPositions()], surface_positions(source, k, 0))
            velocity = source.frame(k).v[source.parts[0].vertices]
            np.testing.assert_array_equal([tuple(p) for p in sample.getVelocities()], velocity)
        corners = np.array(list(sample.getFaceIndices())).reshape(-1, 3)
        np.testing.assert_array_equal(corners[:, ::-1], source.parts[0].faces)
        rope = AbcGeom.ICurves(archive.getTop(), "rope").getSchema().getValue(Abc.ISampleSelector(1 / FPS))
        np.testing.assert_array_equal([tuple(p) for p in rope.getPositions()], surface_positions(source, 0, 2))


def test_pc2(tmp_path: Path) -> None:
    with film(tmp_path / "run", only="bar") as source:
        cache, mesh = write(source, "pc2", tmp_path / "made", first=5).paths
        raw = cache.read_bytes()
        n = len(source.parts[0].vertices)
        assert struct.unpack("<12siiffi", raw[:32]) == (b"POINTCACHE2\0", 1, n, 5.0, 1.0, FRAMES)
        frames = np.frombuffer(raw[32:], dtype="<f4").reshape(FRAMES, n, 3)
        for k in range(FRAMES):
            np.testing.assert_array_equal(frames[k], surface_positions(source, k, 0))
        vertices, faces, _ = read_obj(mesh)
        np.testing.assert_array_equal(vertices, frames[0])
        np.testing.assert_array_equal(faces, source.parts[0].faces)


def test_mdd(tmp_path: Path) -> None:
    with film(tmp_path / "run", only="bar") as source:
        cache, _ = write(source, "mdd", tmp_path / "made").paths
        raw = cache.read_bytes()
        n = len(source.parts[0].vertices)
        assert struct.unpack(">ii", raw[:8]) == (FRAMES, n)
        floats = np.frombuffer(raw[8:], dtype=">f4")
        np.testing.assert_allclose(floats[:FRAMES], np.arange(1, FRAMES + 1) / FPS, rtol=1e-6)
        for k, x in enumerate(floats[FRAMES:].reshape(FRAMES, n, 3)):
            np.testing.assert_array_equal(x, surface_positions(source, k, 0))


@pytest.mark.parametrize("to", ["pc2", "mdd"])
def test_caches_of_several_bodies_are_files_of_their_own(to: str, tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        names = [path.name for path in write(source, to, tmp_path / "made").paths]
    caches = [f"made-{body}.{to}" for body in ("bar", "my cloth", "rope")]
    assert names == [name for cache in caches for name in (cache, f"{cache}.obj")]


def test_obj(tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        folder = write(source, "obj", tmp_path / "made").paths[0]
        assert len(list(folder.glob("*.obj"))) == FRAMES
        for k in range(FRAMES):
            vertices, faces, edges = read_obj(folder / f"made_{k + 1:04d}.obj")
            np.testing.assert_array_equal(vertices, np.concatenate([surface_positions(source, k, p) for p in range(3)]))
        assert len(faces) == sum(len(part.faces) for part in source.parts)
        assert edges.max() == len(vertices) - 1


def read_obj(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows: dict[str, list[list[float]]] = {"v": [], "f": [], "l": []}
    for line in path.read_text().splitlines():
        letter, *words = line.split()
        if letter in rows:
            rows[letter].append([float(word) for word in words])
    vertices = np.array(rows["v"]).astype(np.float32)
    return vertices, np.array(rows["f"], dtype=int) - 1, np.array(rows["l"], dtype=int) - 1


def test_glb(tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        raw = write(source, "glb", tmp_path / "made").paths[0].read_bytes()
        assert struct.unpack("<4sII", raw[:12]) == (b"glTF", 2, len(raw))
        size = struct.unpack("<I", raw[12:16])[0]
        document = json.loads(raw[20 : 20 + size])
        data = raw[28 + size :]
        assert len(data) == document["buffers"][0]["byteLength"]
        [animation] = document["animations"]
        sampler = animation["samplers"][0]
        times, weights = (accessor(document, data, sampler[key]) for key in ("input", "output"))
        np.testing.assert_allclose(times.ravel(), np.arange(FRAMES) / FPS, atol=1e-6)
        assert [channel["target"]["node"] for channel in animation["channels"]] == [0, 1, 2]
        for k, w in enumerate(weights.reshape(FRAMES, FRAMES - 1)):
            for part, mesh in enumerate(document["meshes"]):
                primitive = mesh["primitives"][0]
                x = accessor(document, data, primitive["attributes"]["POSITION"]).astype(float)
                for weight, target in zip(w, primitive["targets"], strict=True):
                    x += weight * accessor(document, data, target["POSITION"])
                np.testing.assert_allclose(x, surface_positions(source, k, part), atol=3e-7)
        corners = accessor(document, data, document["meshes"][0]["primitives"][0]["indices"])
        np.testing.assert_array_equal(corners.reshape(-1, 3), source.parts[0].faces)
        assert [mesh["primitives"][0]["mode"] for mesh in document["meshes"]] == [4, 4, 1]


def accessor(document: dict, data: bytes, number: int) -> np.ndarray:
    entry = document["accessors"][number]
    view = document["bufferViews"][entry["bufferView"]]
    kind = {5126: "<f4", 5125: "<u4"}[entry["componentType"]]
    flat = np.frombuffer(data[view["byteOffset"] :][: view["byteLength"]], dtype=kind)
    rows = flat.reshape(entry["count"], -1)
    if "min" in entry:
        np.testing.assert_array_equal(np.float32(entry["min"]), rows.min(axis=0))
        np.testing.assert_array_equal(np.float32(entry["max"]), rows.max(axis=0))
    return rows


def test_npz(tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        arrays = np.load(write(source, "npz", tmp_path / "made").paths[0], allow_pickle=False)
        names = [str(name) for name in arrays["bodies"]]
        np.testing.assert_array_equal(arrays["times"], source.times)
        for k in range(FRAMES):
            for field, whole in (("positions", source.frame(k).x), ("energy", source.frame(k).energy)):
                np.testing.assert_array_equal(np.concatenate([arrays[f"{name}.{field}"][k] for name in names]), whole)
        np.testing.assert_array_equal(arrays["bar.tets"], source.tets)


def test_vtkhdf(tmp_path: Path) -> None:
    from vtkmodules import vtkIOHDF as vtk
    from vtkmodules.util.numpy_support import vtk_to_numpy

    with film(tmp_path / "run") as source:
        path = write(source, "vtkhdf", tmp_path / "made").paths[0]
        reader = vtk.vtkHDFReader()
        reader.SetFileName(str(path))
        reader.UpdateInformation()
        assert reader.GetNumberOfSteps() == FRAMES
        for k in range(FRAMES):
            reader.SetStep(k)
            reader.Update()
            grid, moment = reader.GetOutput(), source.frame(k)
            assert reader.GetTimeValue() == moment.t
            np.testing.assert_array_equal(vtk_to_numpy(grid.GetPoints().GetData()), moment.x)
            for name, values in (("velocity", moment.v), ("energy", moment.energy)):
                np.testing.assert_array_equal(vtk_to_numpy(grid.GetPointData().GetArray(name)), values)
        assert grid.GetNumberOfCells() == len(source.cells)
        with open_animation(path) as copy:  # and as a film of our own
            np.testing.assert_array_equal(copy.cells.connectivity, source.cells.connectivity)
            assert copy.metadata == source.metadata


def test_pvd(tmp_path: Path) -> None:
    import xml.etree.ElementTree as tree

    from vtkmodules import vtkIOXML as vtk
    from vtkmodules.util.numpy_support import vtk_to_numpy

    with film(tmp_path / "run") as source:
        index = write(source, "pvd", tmp_path / "made").paths[0]
        entries = list(tree.parse(index).getroot().iter("DataSet"))
        assert [float(entry.attrib["timestep"]) for entry in entries] == source.times.tolist()
        for k, entry in enumerate(entries):
            reader = vtk.vtkXMLUnstructuredGridReader()
            reader.SetFileName(str(index.parent / entry.attrib["file"]))
            reader.Update()
            grid, moment = reader.GetOutput(), source.frame(k)
            np.testing.assert_array_equal(vtk_to_numpy(grid.GetPoints().GetData()), moment.x)
            np.testing.assert_array_equal(vtk_to_numpy(grid.GetPointData().GetArray("velocity")), moment.v)
            np.testing.assert_array_equal(vtk_to_numpy(grid.GetPointData().GetArray("energy")), moment.energy)
        cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
        np.testing.assert_array_equal(cells, source.cells.connectivity)
