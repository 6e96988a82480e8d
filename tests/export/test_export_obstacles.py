"""Obstacles in exports: every kind in every format that shows them, named, in its colour, moving ones moving."""

import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from moving import FPS, FRAMES, bodies, record, write
from typer.testing import CliRunner

from supple.cli.app import app
from supple.colours import colour_code, rgb
from supple.errors import RecordError
from supple.export import FORMATS
from supple.export.export import find_format
from supple.mesh import SHAPES as MESHES
from supple.recording.film import Film, open_film
from supple.recording.folder import RunFolder

SCENE = """
[[body]]
name = "bar"
colour = "teal"
[[obstacle]]
name = "paddle"
colour = "red"
mesh = { shape = "bar" }
[[obstacle]]
name = "scoop"
mesh = { shape = "bar", cells = [1, 1, 1], size = [0.5, 0.5, 0.5] }
law = "slip"
motion = { rotate = { axis = [0, 1, 0], centre = [0, 0, 1], rate = 2.0 }, start = 0.05 }
[[obstacle]]
name = "drum"
shape = "sphere"
centre = [0.0, 0.0, 5.0]
radius = 0.5
law = "sticky"
motion = { keyframes = [{ time = 0.0, offset = [0, 0, 0] }, { time = 0.5, offset = [1.0, 2.0, 0] }] }
[[obstacle]]
name = "stairs"
shape = "stairs"
steps = 3
[[obstacle]]
name = "my crate"
shape = "box"
centre = [2.0, 0.5, 0.0]
size = [1.0, 1.0, 1.0]
turn = [0.0, 0.5, 0.0]
colour = "brown"
[[obstacle]]
name = "boulder"
shape = "sphere"
centre = [0.0, 0.0, 3.0]
radius = 0.5
[[obstacle]]
name = "pillar"
shape = "capsule"
start = [0.0, 0.0, -2.0]
end = [0.0, 1.0, -2.0]
radius = 0.2
[[obstacle]]
name = "ground"
shape = "half-space"
point = [0.0, -1.0, 0.0]
"""
STILL = ("stairs", "my crate", "boulder", "pillar", "ground")
MOVING = ("paddle", "scoop", "drum")
EVERYTHING = ("bar", *MOVING, *STILL)
Read = dict[str, np.ndarray]
"""Name -> positions (frames, n, 3) of all frames, or (1, n, 3) for a single frame."""


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    paddle = MESHES.find("bar")(cells=(1, 2, 2), size=(0.1, 0.5, 0.5)).mesh()
    folder = record(tmp_path / "run", {"bar": bodies()["bar"], "paddle": paddle}, np.arange(FRAMES) / FPS)
    folder.scene.write_text(SCENE)
    return folder


@pytest.fixture
def film(run: RunFolder) -> Film:
    return open_film(run)


def plain(name: str) -> str:
    return name.replace(" ", "_")


def read_usd(path: Path) -> Read:
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(path))
    meshes = {prim.GetName(): UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)}
    found = {}
    for name, mesh in meshes.items():
        times = mesh.GetPointsAttr().GetTimeSamples() or [Usd.TimeCode.Default()]
        found[name] = np.stack([mesh.GetPointsAttr().Get(t) for t in times])
        colour = mesh.GetDisplayColorPrimvar().Get()[0]
        assert_colour(name, [float(c) for c in colour])
    return found


def read_abc(path: Path) -> Read:
    from alembic3d import Abc, AbcGeom

    top = Abc.IArchive(str(path)).getTop()
    names = [top.children[k].getName() for k in range(top.getNumChildren())]
    meshes = {name: AbcGeom.IPolyMesh(top, name).getSchema() for name in names}
    return {
        name: np.array(
            [
                [tuple(p) for p in mesh.getValue(Abc.ISampleSelector(k)).getPositions()]
                for k in range(mesh.getNumSamples())
            ]
        )
        for name, mesh in meshes.items()
    }


def read_glb(path: Path) -> Read:
    raw = path.read_bytes()
    size = struct.unpack("<I", raw[12:16])[0]
    document, data = json.loads(raw[20 : 20 + size]), raw[28 + size :]

    def array(number: int) -> np.ndarray:
        view = document["bufferViews"][document["accessors"][number]["bufferView"]]
        part = data[view["byteOffset"] :][: view["byteLength"]]
        return np.frombuffer(part, dtype="<f4").reshape(-1, 3).astype(float)

    animated = {channel["target"]["node"] for channel in document["animations"][0]["channels"]}
    found = {}
    for k, node in enumerate(document["nodes"]):
        primitive = document["meshes"][node["mesh"]]["primitives"][0]
        base = array(primitive["attributes"]["POSITION"])
        targets = primitive.get("targets", [])
        assert (k in animated) == bool(targets)
        found[node["name"]] = np.stack([base, *(base + array(target["POSITION"]) for target in targets)])
        material = document["materials"][primitive["material"]]
        assert_colour(node["name"], material["pbrMetallicRoughness"]["baseColorFactor"][:3])
    return found


def read_obj(folder: Path) -> Read:
    frames = [read_obj_file(file) for file in sorted(folder.glob("*.obj"))]
    colours: dict[str, list[float]] = {}
    for line in filter(None, next(folder.glob("*.mtl")).read_text().splitlines()):
        letter, *words = line.split()
        if letter == "newmtl":
            colours[words[0]] = []
        else:
            colours[list(colours)[-1]] = [float(word) for word in words]
    for name, colour in colours.items():
        assert_colour(name, colour)
    return {name: np.stack([frame[name] for frame in frames]) for name in frames[0]}


def read_obj_file(file: Path) -> dict[str, np.ndarray]:
    found: dict[str, list[list[float]]] = {}
    for line in file.read_text().splitlines():
        letter, words = line.split(maxsplit=1)
        if letter == "o":
            found[words] = []
        elif letter == "v":
            found[list(found)[-1]].append([float(word) for word in words.split()])
    return {name: np.array(rows) for name, rows in found.items()}


def read_npz(path: Path) -> Read:
    with np.load(path) as arrays:
        assert arrays["bodies"].tolist() == ["bar"]
        names = [*arrays["bodies"], *arrays["obstacles"]]
        return {str(name): arrays[f"{name}.positions"] for name in names}


def read_pvd(path: Path) -> Read:
    import xml.etree.ElementTree as tree

    import meshio

    found: dict[str, dict[str, np.ndarray]] = {}
    for entry in tree.parse(path).getroot().iter("DataSet"):
        file = entry.attrib["file"]
        found.setdefault(entry.attrib["name"], {})[file] = meshio.read(path.parent / file).points
    return {name: np.stack(list(frames.values())) for name, frames in found.items()}


def read_vtkhdf(path: Path) -> Read:
    from vtkmodules import vtkIOHDF as vtk
    from vtkmodules.util.numpy_support import vtk_to_numpy

    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(path))
    found: dict[int, list[np.ndarray]] = {}
    for k in range(FRAMES):
        reader.SetStep(k)
        reader.Update()
        grid = reader.GetOutput()
        x, part = vtk_to_numpy(grid.GetPoints().GetData()), vtk_to_numpy(grid.GetCellData().GetArray("part"))
        cells, starts = (
            vtk_to_numpy(a) for a in (grid.GetCells().GetConnectivityArray(), grid.GetCells().GetOffsetsArray())
        )
        for number in range(len(EVERYTHING)):
            mine = [cells[starts[c] : starts[c + 1]] for c in np.flatnonzero(part == number)]
            found.setdefault(number, []).append(x[np.unique(np.concatenate(mine))])
    return {name: np.stack(found[number]) for number, name in enumerate(EVERYTHING)}


READERS: dict[str, Callable[[Path], Read]] = {
    "usd": read_usd, "abc": read_abc, "glb": read_glb, "obj": read_obj, "npz": read_npz, "pvd": read_pvd,
    "vtkhdf": read_vtkhdf,
}  # fmt: skip
WHOLE = {"pvd": "bodies"}
"""Names of all bodies together, in formats that join them."""


def assert_colour(name: str, found: list[float]) -> None:
    code = {"bar": "teal", "paddle": "red", "my_crate": "brown"}.get(plain(name))
    if code is None:
        return
    wanted = np.array(rgb(colour_code(code)))
    wanted = np.where(wanted <= 0.04045, wanted / 12.92, ((wanted + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(found, wanted, atol=1e-4)


def positions(film: Film, name: str, k: int, whole: bool) -> np.ndarray:
    [part] = [part for part in film.parts if part.name == name]
    rows = np.arange(*part.span) if whole else part.vertices
    return film.frame(k).x[rows]


def test_all_formats_are_read() -> None:
    assert set(READERS) == {name for name in FORMATS.load() if find_format(name).shapes}


@pytest.mark.parametrize("to", sorted(READERS))
def test_every_obstacle_is_there_and_where_it_was(film: Film, to: str, tmp_path: Path) -> None:
    done = write(film, to, tmp_path / "made")
    found = {plain(name): x for name, x in READERS[to](done.paths[0]).items()}
    names = {name: plain(WHOLE.get(to, name)) if name == "bar" else plain(name) for name in EVERYTHING}
    assert set(found) == set(names.values())
    whole = find_format(to).whole
    for name in EVERYTHING:
        frames = found[names[name]]
        assert len(frames) in ((FRAMES,) if name in ("bar", *MOVING) else (1, FRAMES))
        for k in (0, len(frames) - 1):
            np.testing.assert_allclose(frames[k], positions(film, name, k, whole), atol=1e-6)
    for name in MOVING:
        assert np.ptp(found[names[name]], axis=0).max() > 0.1
    assert [b.name for b in done.sequence.bodies if b.still] == list(STILL)


@pytest.mark.parametrize("to", sorted(set(READERS) - {"vtkhdf"}))
def test_they_can_be_left_out(film: Film, to: str, tmp_path: Path) -> None:
    done = write(film, to, tmp_path / "made", obstacles=False)
    assert set(READERS[to](done.paths[0])) == {WHOLE.get(to, "bar")}


@pytest.mark.parametrize("to", ["pc2", "mdd"])
def test_caches_hold_what_moves(film: Film, to: str, tmp_path: Path) -> None:
    done = write(film, to, tmp_path / "made")
    assert [b.name for b in done.sequence.bodies] == ["bar", *MOVING]
    assert done.notes == (f"the format {to} supports moving parts only; omitted: {', '.join(STILL)}",)
    assert not write(film, to, tmp_path / "other", obstacles=False).notes
    with pytest.raises(RecordError, match=r"omitted: stairs; use another format"):
        write(film, to, tmp_path / "made", body="stairs")


def test_one_obstacle_alone(film: Film, tmp_path: Path) -> None:
    done = write(film, "obj", tmp_path / "made", body="my crate")
    assert set(read_obj(done.paths[0])) == {"my crate"}


def test_energy_colours_are_for_bodies(film: Film, tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(write(film, "usd", tmp_path / "made", energy_colours=True).paths[0]))
    for name, kind in (("bar", "vertex"), ("paddle", "constant"), ("my_crate", "constant")):
        assert UsdGeom.Mesh.Get(stage, f"/run/{name}").GetDisplayColorPrimvar().GetInterpolation() == kind


def test_shapes_are_closed_but_for_the_ground(film: Film, tmp_path: Path) -> None:
    sequence = write(film, "obj", tmp_path / "made").sequence
    assert {b.name for b in sequence.bodies if b.closed} == {*EVERYTHING} - {"ground"}


def test_the_command(run: RunFolder, tmp_path: Path) -> None:
    def ask(*words: str) -> dict:
        done = CliRunner().invoke(app, ["export", str(run.path), "--to", "glb", "--json", *words])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout.splitlines()[-1])

    assert ask("--out", str(tmp_path / "a"))["obstacles"] == [*MOVING, *STILL]
    left = ask("--out", str(tmp_path / "b"), "--no-obstacles")
    assert (left["bodies"], left["obstacles"]) == (["bar"], [])


def test_no_validator_complains(film: Film, tmp_path: Path) -> None:
    from pxr import Usd
    from test_export_usd import complaints

    assert complaints(Usd.Stage.Open(str(write(film, "usd", tmp_path / "made").paths[0]))) == []


def test_normals_keep_edges_and_round_what_is_round(film: Film, tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(write(film, "usd", tmp_path / "made").paths[0]))

    def corners(name: str) -> tuple[np.ndarray, np.ndarray]:
        mesh = UsdGeom.Mesh.Get(stage, f"/run/{name}")
        assert mesh.GetNormalsInterpolation() == "faceVarying"
        x = np.array(mesh.GetPointsAttr().Get(1))[np.array(mesh.GetFaceVertexIndicesAttr().Get())]
        return x.reshape(-1, 3, 3), np.array(mesh.GetNormalsAttr().Get(1)).reshape(-1, 3, 3)

    for name in ("my_crate", "stairs", "ground"):
        x, normals = corners(name)
        flat = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
        flat /= np.linalg.norm(flat, axis=1, keepdims=True)
        np.testing.assert_allclose(normals, np.broadcast_to(flat[:, None], normals.shape), atol=1e-6)
    x, normals = corners("boulder")
    np.testing.assert_allclose(normals, (x - [0.0, 0.0, 3.0]) / 0.5, atol=1e-2)
    assert not UsdGeom.Mesh.Get(stage, "/run/bar").GetNormalsAttr().HasAuthoredValue()
