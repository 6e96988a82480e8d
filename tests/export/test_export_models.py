"""Data of a model survive a run: polygons, texture coordinates, names and materials."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from models import write_jar
from supple.cli import main
from supple.errors import RecordError, SceneError
from supple.export.export import Choice, export, find_format, prepare
from supple.mesh.formats import read_mesh, write_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.topology import surface
from supple.recording.film import Film, open_film
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.models import load_model, model_file
from supple.runs.model_files import model_copies
from supple.runs.run import start_run
from supple.scene.text.load import read_scene

SURFACE = {
    "name": "pot",
    "mesh": {"file": "jar.obj", "scale": 2.0},
    "material": {"name": "stvk-membrane", "young": 1e5, "poisson": 0.3},
    "thickness": 0.002,
}
SKIN = {
    "name": "block",
    "mesh": {"file": "block.msh", "skin": "jar.obj"},
    "material": {"name": "stvk", "young": 1e5, "poisson": 0.3},
    "initial": {"translate": [3.0, 0.0, 0.0]},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_jar(folder)
    write_mesh(Bar(cells=(2, 2, 2), size=(0.4, 0.5, 0.4), origin=(-0.2, -0.05, -0.2)).mesh(), folder / "block.msh")
    return folder


def scene(folder: Path, *bodies: dict, **more: object):
    plain = [{**body, "mesh": dict(body["mesh"])} for body in bodies]
    return read_scene({"time": {"step": 0.01, "duration": 0.02}, "body": plain, **more}, folder)


@pytest.fixture(scope="module")
def run(folder: Path) -> Path:
    """Both kinds in one run, so that each name of the file occurs twice."""
    made = start_run(scene(folder, SURFACE, SKIN), folder / "run")
    for _ in made.frames():
        pass
    made.finish(RunStatus.FINISHED)
    assert sorted(path.name for path in (folder / "run").glob("*.model.npz")) == ["block.model.npz", "pot.model.npz"]
    return folder / "run"


@pytest.fixture
def film(run: Path):
    with open_film(RunFolder.open(run)) as film:
        yield film


@pytest.fixture(scope="module")
def model(folder: Path) -> Mesh:
    return read_mesh(folder / "jar.obj")


def only(film: Film, to: str, out: Path, **choice: object) -> Path:
    return export(film, find_format(to), out, Choice(**choice)).paths[0]


def pairs(x: np.ndarray, uv: np.ndarray) -> set[tuple[float, ...]]:
    """Places with their texture coordinates, to five digits."""
    return {tuple(row) for row in (np.round(np.concatenate([x, uv], axis=1).astype(np.float64), 5) + 0.0).tolist()}


def wanted(model: Mesh, scale: float = 1.0, shift: tuple = (0.0, 0.0, 0.0)) -> set[tuple[float, ...]]:
    p = model.polygons
    uv = np.concatenate([p.uv, np.zeros((1, 2))])
    return pairs(model.vertices[p.corners] * scale + shift, uv[p.uv_corners])


def test_names_are_those_of_the_model_unless_they_clash(film: Film) -> None:
    names = [body.name for body in prepare(film, find_format("usd"), Choice())[0].bodies]
    assert names == ["pot_jar", "pot_lid", "block_jar", "block_lid"]
    names = [body.name for body in prepare(film, find_format("usd"), Choice(body="block"))[0].bodies]
    assert names == ["jar", "lid"]
    whole = prepare(film, find_format("npz"), Choice())[0].bodies
    assert [(body.name, len(body.tets)) for body in whole] == [("pot", 0), ("block", 40)]


@pytest.mark.parametrize(("body", "scale", "shift"), [("pot", 2.0, (0, 0, 0)), ("block", 1.0, (3, 0, 0))])
class TestFormats:
    def test_obj(self, film: Film, model: Mesh, tmp_path: Path, body: str, scale: float, shift: tuple) -> None:
        folder = only(film, "obj", tmp_path / "made", body=body)
        back = read_mesh(folder / "made_0001.obj")
        old, new = model.polygons, back.polygons
        assert new.counts.tolist() == old.counts.tolist()
        assert np.allclose(back.vertices[new.corners], model.vertices[old.corners] * scale + shift, atol=1e-6)
        assert np.array_equal(new.uv[new.uv_corners], old.uv[old.uv_corners])
        for name in ("objects", "groups", "materials"):
            assert [getattr(new, name).names[k] for k in getattr(new, name).of] == [
                getattr(old, name).names[k] for k in getattr(old, name).of
            ]
        assert new.finishes == {n: old.finishes[n] for n in old.materials.names}
        assert (new.smooth >= 0).tolist() == (old.smooth >= 0).tolist()
        last = read_mesh(folder / "made_0003.obj")
        assert last.polygons.corners.tolist() == new.corners.tolist()
        assert (last.vertices[:, 1] < back.vertices[:, 1]).all()  # it falls

    def test_usd(self, film: Film, model: Mesh, tmp_path: Path, body: str, scale: float, shift: tuple) -> None:
        from pxr import Usd, UsdGeom, UsdShade

        stage = Usd.Stage.Open(str(only(film, "usd", tmp_path / "made", body=body)))
        found = set()
        counts = []
        for name in ("jar", "lid"):
            mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/run/{name}"))
            x = np.array(mesh.GetPointsAttr().Get(1))
            st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
            assert st.GetInterpolation() == "faceVarying"
            corners = np.array(mesh.GetFaceVertexIndicesAttr().Get())
            found |= pairs(x[corners], np.array(st.ComputeFlattened()))
            counts += list(mesh.GetFaceVertexCountsAttr().Get())
        assert found == wanted(model, scale, shift)
        assert counts == model.polygons.counts.tolist()
        subsets = UsdShade.MaterialBindingAPI(stage.GetPrimAtPath("/run/jar")).GetMaterialBindSubsets()
        assert {s.GetPrim().GetName(): len(s.GetIndicesAttr().Get()) for s in subsets} == {
            "glass": 96,
            "ground_glass": 2,
        }
        cork, _ = UsdShade.MaterialBindingAPI(stage.GetPrimAtPath("/run/lid")).ComputeBoundMaterial()
        shader = UsdShade.Shader(stage.GetPrimAtPath(cork.GetPath().AppendChild("surface")))
        assert np.allclose(shader.GetInput("diffuseColor").Get(), (0.6, 0.4, 0.2))

    def test_alembic(self, film: Film, model: Mesh, tmp_path: Path, body: str, scale: float, shift: tuple) -> None:
        from alembic3d import Abc, AbcGeom

        archive = Abc.IArchive(str(only(film, "abc", tmp_path / "made", body=body)))
        found, counts = set(), []
        for name in ("jar", "lid"):
            schema = AbcGeom.IPolyMesh(archive.getTop(), name).getSchema()
            sample = schema.getValue()
            x = np.array([tuple(p) for p in sample.getPositions()])
            uv = schema.getUVsParam().getExpandedValue()
            assert uv.getScope() == AbcGeom.GeometryScope.kFacevaryingScope
            found |= pairs(x[list(sample.getFaceIndices())], np.array([tuple(p) for p in uv.getVals()]))
            counts += list(sample.getFaceCounts())
            assert schema.getNumSamples() == 3
        assert found == wanted(model, scale, shift)
        assert counts == model.polygons.counts.tolist()
        assert sorted(AbcGeom.IPolyMesh(archive.getTop(), "jar").getSchema().getFaceSetNames()) == [
            "glass",
            "ground glass",
        ]

    def test_glb(self, film: Film, model: Mesh, tmp_path: Path, body: str, scale: float, shift: tuple) -> None:
        raw = only(film, "glb", tmp_path / "made", body=body).read_bytes()
        (size,) = struct.unpack("<I", raw[12:16])
        document, data = json.loads(raw[20 : 20 + size]), raw[28 + size :]

        def array(number: int, width: int, kind: str) -> np.ndarray:
            accessor = document["accessors"][number]
            start = document["bufferViews"][accessor["bufferView"]]["byteOffset"]
            return np.frombuffer(data, kind, accessor["count"] * width, start).reshape(-1, width)

        found, triangles = set(), 0
        for mesh in document["meshes"]:
            for part in mesh["primitives"]:
                x = array(part["attributes"]["POSITION"], 3, "<f4")
                uv = array(part["attributes"]["TEXCOORD_0"], 2, "<f4") * (1, -1) + (0, 1)
                corners = array(part["indices"], 1, "<u4")[:, 0]
                found |= pairs(x[corners], uv[corners])
                triangles += len(corners) // 3
                assert len(part["targets"]) == 2
        assert found == wanted(model, scale, shift)
        assert triangles == len(model.triangles)
        colours = {m["name"]: m["pbrMetallicRoughness"]["baseColorFactor"][:3] for m in document["materials"]}
        assert colours == {"glass": [0.2, 0.5, 0.8], "ground glass": [0.7, 0.8, 0.8], "cork": [0.6, 0.4, 0.2]}

    def test_caches_have_the_polygons_beside_them(
        self, film: Film, model: Mesh, tmp_path: Path, body: str, scale: float, shift: tuple
    ) -> None:
        done = export(film, find_format("pc2"), tmp_path / "made", Choice(body=body))
        assert [path.name for path in done.paths] == [
            "made-jar.pc2",
            "made-jar.pc2.obj",
            "made-lid.pc2",
            "made-lid.pc2.obj",
        ]
        found: set[tuple[float, ...]] = set()
        for path in done.paths[1::2]:
            back = read_mesh(path)
            uv = np.concatenate([back.polygons.uv, np.zeros((1, 2))])
            found |= pairs(back.vertices[back.polygons.corners], uv[back.polygons.uv_corners])
        assert found == wanted(model, scale, shift)


def filled_box(folder: Path, x: np.ndarray, *_: object) -> tuple[np.ndarray, np.ndarray]:
    """Tets inside the box of these vertices, a little smaller, in the place of those of fTetWild, which takes seconds."""
    mesh = Cube(cells=2).mesh()
    share = (mesh.vertices - mesh.vertices.min(axis=0)) / np.ptp(mesh.vertices, axis=0)
    return x.min(axis=0) + (0.5 + 0.999 * (share - 0.5)) * np.ptp(x, axis=0), mesh.tets


def test_coarse_shows_the_tets(run: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["export", str(run), "--to", "obj", "--body", "block", "--coarse", "--out", str(tmp_path / "made")])
    back = read_mesh(tmp_path / "made" / "made_0001.obj")
    assert (back.n, len(back.triangles)) == (26, 48)


def test_a_skin_of_the_command_has_its_faces_too(run: Path, folder: Path, model: Mesh, tmp_path: Path) -> None:
    words = ["export", run, "--to", "obj", "--body", "block", "--skin", folder / "jar.obj", "--out", tmp_path / "made"]
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    assert not left.value.code
    assert read_mesh(tmp_path / "made" / "made_0001.obj").polygons.counts.tolist() == model.polygons.counts.tolist()


def test_the_run_does_not_need_the_model_any_more(run: Path, model: Mesh) -> None:
    kept = load_model(run, "block")
    assert kept is not None
    assert np.array_equal(kept.polygons.corners, model.polygons.corners)
    assert kept.polygons.finishes == model.polygons.finishes
    assert kept.matrix is not None
    assert np.allclose(kept.matrix.sum(axis=1), 1.0)
    assert load_model(run, "nobody") is None


def test_a_model_that_does_not_fit_is_refused(run: Path, film: Film, tmp_path: Path) -> None:
    own = (run / model_file("pot")).read_bytes()
    try:
        (run / model_file("pot")).write_bytes((run / model_file("block")).read_bytes()[:100])
        with pytest.raises(RecordError, match=r"pot\.model\.npz: cannot be read .*remove it to continue without"):
            prepare(film, find_format("obj"), Choice())
        (run / model_file("block")).rename(tmp_path / "block.npz")
        (run / model_file("block")).write_bytes(own)  # a surface, where tets were recorded
        with pytest.raises(RecordError, match="the model of 'block' does not fit its recorded vertices"):
            prepare(film, find_format("obj"), Choice(body="block"))
    finally:
        (run / model_file("pot")).write_bytes(own)
        (tmp_path / "block.npz").rename(run / model_file("block"))


def test_obstacles_keep_their_faces(folder: Path, model: Mesh) -> None:
    made = scene(folder, SKIN, obstacle=[{"name": "wall", "mesh": {"file": "jar.obj"}}]).make().assemble()
    files, notes = model_copies(made.placed)
    assert sorted(files) == ["block.model.npz", "wall.model.npz"]
    assert notes == []
    assert np.array_equal(made.placed[1].mesh.polygons.corners, model.polygons.corners)


def test_wrong_skins_are_explained(folder: Path) -> None:
    def refused(body: dict) -> str:
        with pytest.raises(SceneError) as caught:
            model_copies(scene(folder, body).make().assemble().placed)
        return str(caught.value)

    assert 'body[0].mesh.skin: no such file, found "gone.obj"' in refused(
        {**SKIN, "mesh": {"file": "block.msh", "skin": "gone.obj"}}
    )
    assert "a skin is carried by tets, but this mesh has none" in refused(
        {**SURFACE, "mesh": {"file": "jar.obj", "skin": "jar.obj"}}
    )
    far = read_mesh(folder / "jar.obj")
    write_mesh(far.moved(far.vertices * 100.0 + 50.0), folder / "far.obj")
    assert "body[0].mesh.skin: " in refused({**SKIN, "mesh": {"file": "block.msh", "skin": "far.obj"}})


@pytest.mark.parametrize(
    "own", [pytest.param(True, id="tets of ours"), pytest.param(False, id="fTetWild", marks=pytest.mark.study)]
)
def test_a_surface_that_is_filled_is_its_own_skin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: bool) -> None:
    """Also where its vertices lie outside the tets, by as much as fTetWild may move a surface."""
    box = Cube(cells=1).mesh()
    if own:
        monkeypatch.setattr("supple.mesh.tetrahedralise.fill", filled_box)
    write_mesh(Mesh(box.vertices, triangles=surface(box)), tmp_path / "box.obj")
    body = {**SKIN, "mesh": {"file": "box.obj", "edge_length": 1.0, "scale": 2.0}}
    made = scene(tmp_path, body).make().assemble()
    files, notes = model_copies(made.placed)
    (tmp_path / "block.model.npz").write_bytes(files["block.model.npz"])
    model = load_model(tmp_path, "block")
    assert model is not None
    assert notes == []
    assert len(model.polygons) == 12
    rest = model.matrix @ made.placed[0].mesh.vertices
    assert np.allclose(rest, 2.0 * read_mesh(tmp_path / "box.obj").vertices, atol=1e-9)
