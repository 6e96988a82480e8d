"""Blender as the judge of models: texture coordinates, faces, names and materials of an OBJ file come back from a run."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from models import write_jar
from supple.cli import main
from supple.mesh.formats import read_mesh, write_mesh
from supple.mesh.shapes.solid import Bar

ROOT = Path(__file__).parent.parent.parent
PYTHON = ROOT / os.environ.get("BLENDER", ".venv-blender") / "bin" / "python"
pytestmark = [
    pytest.mark.blender,
    pytest.mark.skipif(not PYTHON.exists(), reason="Blender's module is not installed; run `make test-blender`"),
]
SCENE = """
[world]
gravity = 9.81
[time]
step = "1/48"
duration = "4/48"
[record]
fps = 24
[[body]]
name = "pot"
"""
SURFACE = 'mesh = { file = "jar.obj" }\nmaterial = { name = "stvk-membrane", young = 1e5, poisson = 0.3 }\nthickness = 0.002\n'
SKIN = """mesh = { file = "block.msh", skin = "jar.obj" }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
"""


@pytest.fixture(scope="module", params=["surface", "skin"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the jar, as a body, or carried along by a block of tets."""
    folder = tmp_path_factory.mktemp(request.param)
    write_jar(folder)
    write_mesh(Bar(cells=(2, 2, 2), size=(0.4, 0.5, 0.4), origin=(-0.2, -0.05, -0.2)).mesh(), folder / "block.msh")
    (folder / "pot.toml").write_text(SCENE + (SURFACE if request.param == "surface" else SKIN))
    supple("run", folder / "pot.toml", "--out", folder / "run")
    return folder


def supple(*arguments: object) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    assert not left.value.code


def look(kind: str, file: Path, out: Path) -> dict[str, list[dict]]:
    """What Blender makes of a file."""
    words = [PYTHON, Path(__file__).parent / "look_model.py", kind, file, out]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(out.read_text())


def faces(found: list[dict]) -> set[frozenset]:
    """Each face as the set of its corners, to five digits."""
    return {frozenset(tuple(round(c, 5) + 0.0 for c in corner) for corner in face["corners"]) for face in found}


def expected(folder: Path) -> dict[str, tuple[set[frozenset], list[str]]]:
    """Faces and materials of each object of the file, with z up as in Blender."""
    mesh = read_mesh(folder / "jar.obj")
    polygons = mesh.polygons
    x = np.stack([mesh.vertices[:, 0], -mesh.vertices[:, 2], mesh.vertices[:, 1]], axis=1)
    uv = np.concatenate([polygons.uv, np.zeros((1, 2))])  # -1 takes the last row
    corners = np.concatenate([x[polygons.corners], uv[polygons.uv_corners]], axis=1)
    found = {}
    for k, name in enumerate(polygons.objects.names):
        mine = np.flatnonzero(polygons.objects.of == k)
        rows = [slice(polygons.starts[f], polygons.starts[f] + polygons.counts[f]) for f in mine]
        materials = [polygons.materials.names[m] for m in polygons.materials.of[mine]]
        found[name] = faces([{"corners": corners[row].tolist()} for row in rows]), materials
    return found


@pytest.mark.parametrize("kind", ["obj", "usd", "abc"])
def test_faces_texture_coordinates_names_and_materials_come_back(folder: Path, kind: str) -> None:
    supple("export", folder / "run", "--to", kind, "--overwrite")
    file = {"obj": "run-obj/run-obj_0001.obj", "usd": "run.usdc", "abc": "run.abc"}[kind]
    found = look(kind, folder / "run" / file, folder / f"{kind}.json")
    wanted = expected(folder)
    assert sorted(found) == sorted(wanted) == ["jar", "lid"]
    for name, (shapes, materials) in wanted.items():
        assert faces(found[name]) == shapes
        assert len(found[name]) == len(materials)
        seen = [face["material"].replace("_", " ") for face in found[name]]
        assert seen == materials


def test_glb_has_texture_coordinates_names_and_materials(folder: Path) -> None:
    """glTF holds triangles only: their corners are those of the polygons."""
    supple("export", folder / "run", "--to", "glb", "--overwrite")
    found = look("glb", folder / "run" / "run.glb", folder / "glb.json")
    wanted = expected(folder)
    assert sorted(found) == sorted(wanted)
    for name, (shapes, materials) in wanted.items():
        assert set().union(*faces(found[name])) == set().union(*shapes)
        assert len(found[name]) == sum(len(shape) - 2 for shape in shapes)
        assert {face["material"] for face in found[name]} == set(materials)


def test_the_original_reads_as_expected(folder: Path) -> None:
    """Blender's own import of the file is the reference for the others."""
    found = look("obj", folder / "jar.obj", folder / "original.json")
    for name, (shapes, materials) in expected(folder).items():
        assert faces(found[name]) == shapes
        assert [face["material"] for face in found[name]] == materials
