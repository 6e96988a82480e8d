"""A surface of any quality that a cage carries: shown everywhere, with the faces, names and numbers of its file."""

import json
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

import supple as sp
from supple.cli import main
from supple.errors import SceneError, SuppleError
from supple.export.export import Choice, export, find_format
from supple.mesh.cages.cage import Cage
from supple.mesh.formats import read_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.model.source import MeshFile
from supple.recording.film import open_film
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import read_history
from supple.render.shown import still
from supple.runs.mesh_files import with_mesh_files
from supple.runs.run import resume_run, start_run
from supple.scene.text.load import read_scene

PROP = """mtllib prop.mtl
v 0 0 0
v 1 0 0
v 1 0 1
v 0 0 1
v 0 1 0
v 1 1 0
v 0.5 0.5 0.9
v 0.3 1.4 0.2
v 0.6 1.4 0.2
v 0.6 1.8 0.3
v 0.3 1.8 0.3
v 0.2 0.9 0.4
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 1 0
vn 0 0 1
usemtl red
g floor
f 1/1/1 2/2/1 3/3/1 4/4/1
g wall
f 1/1/2 2/2/2 6/3/2 5/4/2
usemtl blue
f 1/1 2/2 7/3
g flap
f 8/1 9/2 10/3 11/4
"""
"""Open, in two parts, with an edge of three faces, polygons, seams, materials, and a vertex on no face."""
MATERIALS = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n"
BODY = {
    "name": "prop",
    "mesh": {"file": "prop.obj", "scale": 0.5, "cage": {"cells": 5}},
    "material": {"name": "stable-neo-hookean", "young": 2e3, "poisson": 0.3},
    "pin": "floor",
    "initial": {"translate": [3.0, 0.0, 0.0]},
}

CLOTH = {"mesh": {"shape": "cloth"}, "pin": [], "material": {"name": "hooke-spring", "stretch": 10.0}}


def scene(folder: Path, *bodies: dict, steps: int = 6, **more: object):
    return read_scene({"time": {"step": 0.01, "duration": 0.01 * steps}, "body": list(bodies), **more}, folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("embedded")
    (folder / "prop.obj").write_text(PROP)
    (folder / "prop.mtl").write_text(MATERIALS)
    return folder


@pytest.fixture(scope="module")
def run(folder: Path) -> Path:
    made = start_run(scene(folder, json.loads(json.dumps(BODY))), folder / "run")
    for _ in made.frames():
        pass
    made.finish(RunStatus.FINISHED)
    return folder / "run"


@pytest.fixture(scope="module")
def model(folder: Path) -> Mesh:
    return read_mesh(folder / "prop.obj")


def expected(run: Path, model: Mesh) -> np.ndarray:
    """(T, k, 3) positions of the surface, from the vertices of the cage."""
    placed = sp.load(run / "scene.toml").assemble().placed[0]
    matrix = placed.carried.binding.matrix
    with open_film(RunFolder.open(run), coarse=True) as film:
        cage = np.array([film.frame(k).x for k in range(len(film))], dtype=float)
    return np.array([matrix @ x for x in cage])


def test_the_film_shows_the_surface(run: Path, model: Mesh) -> None:
    with open_film(RunFolder.open(run)) as film:
        shown = np.array([film.frame(k).x for k in range(len(film))])
        assert film.fine == {"prop"}
        assert film.vertices == model.n
        assert len(film.parts[0].faces) == len(model.triangles)
    assert np.allclose(shown[0], model.vertices * 0.5 + [3.0, 0.0, 0.0], atol=1e-6)
    assert np.allclose(shown, expected(run, model), atol=1e-6)
    assert np.abs(shown[-1] - shown[0])[7:11].max() > 1e-3  # the flap falls
    assert np.abs(shown[-1] - shown[0])[:4].max() < 1e-6  # the floor is held


def test_obj_has_the_faces_of_the_file(run: Path, model: Mesh, tmp_path: Path) -> None:
    with open_film(RunFolder.open(run)) as film:
        made = export(film, find_format("obj"), tmp_path / "made", Choice()).paths[0]
    back = read_mesh(made / "made_0001.obj")
    old, new = model.polygons, back.polygons
    assert back.n == model.n
    for name in ("counts", "corners", "uv_corners"):
        assert np.array_equal(getattr(new, name), getattr(old, name)), name
    assert np.array_equal(new.uv, old.uv)
    for name in ("groups", "materials"):
        one, two = getattr(new, name), getattr(old, name)
        assert [one.names[k] for k in one.of] == [two.names[k] for k in two.of]
    assert new.finishes["red"].colour == pytest.approx((1.0, 0.0, 0.0))
    assert np.array_equal(new.smooth >= 0, old.smooth >= 0)


def test_caches_have_the_vertices_of_the_file(run: Path, model: Mesh, tmp_path: Path) -> None:
    with open_film(RunFolder.open(run)) as film:
        pc2 = export(film, find_format("pc2"), tmp_path / "a", Choice()).paths[0].read_bytes()
        npz = export(film, find_format("npz"), tmp_path / "b", Choice()).paths[0]
    n, _, _, frames = np.frombuffer(pc2[16:32], dtype="<i4")
    assert (n, frames) == (model.n, 7)
    cached = np.frombuffer(pc2[32:], dtype="<f4").reshape(frames, n, 3)
    assert np.allclose(cached, expected(run, model), atol=1e-6)
    with np.load(npz) as data:
        assert np.array_equal(data["prop.positions"], cached)
        assert np.array_equal(data["prop.faces"], model.triangles)


def test_usd_has_polygons_and_texture_coordinates(run: Path, model: Mesh, tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom

    with open_film(RunFolder.open(run)) as film:
        path = export(film, find_format("usd"), tmp_path / "made", Choice()).paths[0]
    stage = Usd.Stage.Open(str(path))
    (mesh,) = (UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh))
    assert list(mesh.GetFaceVertexCountsAttr().Get()) == model.polygons.counts.tolist()
    assert list(mesh.GetFaceVertexIndicesAttr().Get()) == model.polygons.corners.tolist()
    points = np.array(mesh.GetPointsAttr().Get(stage.GetEndTimeCode()))
    assert np.allclose(points, expected(run, model)[-1], atol=1e-6)
    uv = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    assert np.allclose(np.array(uv.ComputeFlattened()), model.polygons.uv[model.polygons.uv_corners])


@pytest.mark.parametrize("to", ["abc", "glb", "mdd", "vtkhdf", "pvd"])
def test_all_formats_write_it(run: Path, tmp_path: Path, to: str) -> None:
    with open_film(RunFolder.open(run)) as film:
        assert export(film, find_format(to), tmp_path / "made", Choice()).paths[0].exists()


def test_the_command_shows_the_cage_if_asked(run: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["export", str(run), "--to", "npz", "--cage", "--out", str(tmp_path / "cage.npz")])
    with np.load(tmp_path / "cage.npz") as data:
        assert data["prop.tets"].shape[1] == 4
        assert len(data["prop.positions"][0]) == sp.load(run / "scene.toml").assemble().mesh.n


def test_pictures_show_it(run: Path) -> None:
    assert still(run, size=(160, 120), renderer="plain").png[:4] == b"\x89PNG"


def test_a_moved_run_goes_on(folder: Path, run: Path, tmp_path: Path) -> None:
    made = start_run(scene(folder, json.loads(json.dumps(BODY))), tmp_path / "first")
    for frame in made.frames():
        if frame.step == 3:
            break
    made.finish(RunStatus.INTERRUPTED)
    shutil.move(tmp_path / "first", tmp_path / "second")
    again = resume_run(tmp_path / "second")
    for _ in again.frames():
        pass
    again.finish(RunStatus.FINISHED)
    one, two = (read_history(RunFolder.open(path).history)["total"] for path in (run, tmp_path / "second"))
    assert np.array_equal(one, two)
    with open_film(RunFolder.open(tmp_path / "second")) as film, open_film(RunFolder.open(run)) as other:
        assert np.array_equal(film.frame(6).x, other.frame(6).x)


def python_body(surface: Mesh | str) -> sp.Body:
    bar = Bar(cells=(2, 4, 2), size=(0.6, 1.0, 0.6), origin=(-0.05, -0.05, -0.05))
    return sp.Body(bar, sp.StableNeoHookean.from_young(1e4, 0.3), name="bar", surface=surface, pin="bottom")


def test_from_python_and_back_to_text(folder: Path, model: Mesh, tmp_path: Path) -> None:
    small = model.moved(model.vertices * 0.5)
    world = with_mesh_files(sp.World([python_body(small)]), tmp_path / "meshes")
    text = world.to_toml(steps=2, h=0.01)
    (tmp_path / "scene.toml").write_text(text)
    setup = sp.load(tmp_path / "scene.toml")
    assert setup.world == world
    carried = setup.assemble().placed[0].carried
    assert carried is not None
    assert carried.mesh.n == model.n
    assert np.array_equal(carried.mesh.vertices, small.vertices)
    assert np.array_equal(carried.mesh.polygons.corners, model.polygons.corners)
    cage = sp.Body(MeshFile("prop.obj", cage=Cage(cells=3)), "rubber", name="a")
    assert tomllib.loads(sp.World([cage]).to_toml())["body"][0]["mesh"] == {"file": "prop.obj", "cage": {"cells": 3}}
    with pytest.raises(SuppleError, match=r"surface: found 3; give a Mesh"):
        python_body(3)  # type: ignore[arg-type]


def test_vertices_outside_are_counted(folder: Path, tmp_path: Path) -> None:
    body = {"name": "bar", "mesh": {"shape": "bar", "size": [1.0, 1.0, 1.0]}, "surface": "prop.obj",
            "material": {"name": "stvk", "young": 1e5, "poisson": 0.3}}  # fmt: skip
    carried = scene(folder, body).make().assemble().placed[0].carried
    assert carried is not None
    (note,) = carried.notes
    assert "4 of 12 vertices lie outside the tets, up to 0.8 m" in note


def test_groups_by_what_they_carry(folder: Path) -> None:
    body = {**BODY, "groups": {"held": {"carrying": [7, 8]}, "named": {"carrying": "flap"}}}
    placed = scene(folder, body).make().assemble().placed[0]
    groups, matrix = placed.mesh.groups, placed.carried.binding.matrix
    for name, points in (("held", [7, 8]), ("named", [7, 8, 9, 10])):
        rows = matrix[points]
        assert set(rows.indices[np.abs(rows.data) > 1e-6]) == set(groups[name])
    assert np.array_equal(groups["named"], groups["flap"])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"surface": "gone.obj"}, 'body[0].surface: no such file, found "gone.obj"'),
        ({**CLOTH, "surface": "prop.obj"}, "a surface is carried by tets, but this mesh has none"),
        ({"mesh": {"file": "prop.obj", "cage": {"cells": 2, "size": 1.0}}}, "give either cells or size"),
        ({"mesh": {"file": "prop.obj", "cage": {}, "edge_length": 1.0}}, "give either cage or edge_length"),
        ({"mesh": {"shape": "bar", "size": [0.01, 0.01, 0.01]}, "surface": "prop.obj", "pin": []}, "this skin is"),
        ({"groups": {"held": {"carrying": "lid"}}}, "unknown group 'lid' of the surface"),
        ({"groups": {"held": {"carrying": [99]}}}, "the surface has 12 vertices, found index 99"),
        ({"mesh": {"shape": "bar"}, "groups": {"held": {"carrying": [1]}}, "pin": []}, "this body carries no surface"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(folder: Path, change: dict, sentence: str) -> None:
    body = json.loads(json.dumps({**BODY, **change}))
    with pytest.raises(SceneError) as caught:
        _ = scene(folder, body).make().assemble().placed[0].carried
    assert sentence in str(caught.value)


def test_the_surface_meets_shapes_if_asked(folder: Path) -> None:
    ground = {"shape": "half-space", "point": [0.0, -0.01, 0.0], "law": "quadratic", "stiffness": 1e5}
    low = {}
    for contact in ("cage", "surface"):
        mesh = {"file": "prop.obj", "scale": 0.5, "cage": {"size": 0.2, "contact": contact}}
        stiff = {"name": "stable-neo-hookean", "young": 1e6, "poisson": 0.3}
        body = {**BODY, "mesh": mesh, "pin": [], "material": stiff, "initial": {"translate": [0.0, 0.2, 0.0]}}
        setup = scene(folder, json.loads(json.dumps(body)), steps=25, obstacle=[ground]).make()
        made = setup.assemble()
        matrix = made.placed[0].carried.binding.matrix
        frames = sp.simulate(made, setup.method, h=setup.h, steps=setup.steps)
        low[contact] = min(float((matrix @ frame.state.x)[:, 1].min()) for frame in frames)
    assert low["surface"] == pytest.approx(0.0, abs=0.02)
    assert low["cage"] > low["surface"] + 0.03
