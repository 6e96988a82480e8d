"""`supple coarsen`: bodies of scenes and mesh files into coarse ones, their validation, and refusals."""

from pathlib import Path
from typing import Any

import pytest
import typer
from command import last_json
from typer.testing import CliRunner

from supple.cli.coarsen import coarsen
from supple.coarsening.coarse_body import load_coarse_body
from supple.errors import SuppleError
from supple.mesh.formats import write_mesh
from supple.mesh.shapes.solid import Bar

SCENE = """
[time]
step = 0.01
[[body]]
name = "cube"
mesh = { shape = "cube", cells = 4, tets = 6 }
material = { name = "corotational", young = 1e4, poisson = 0.3 }
density = 2.0
[[body.regions]]
layers = { axis = "z", count = 4, materials = [{ young = 1e4 }, { young = 1e3 }] }
"""
app = typer.Typer()
app.command()(coarsen)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cube.toml").write_text(SCENE)
    return tmp_path


def run(*words: str) -> Any:
    """The JSON document of the command."""
    done = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return last_json(done.stdout)


def refused(*words: str) -> str:
    with pytest.raises(SuppleError) as problem:
        CliRunner().invoke(app, list(words), catch_exceptions=False)
    return str(problem.value)


def test_a_scene_is_coarsened_and_validated(folder: Path) -> None:
    found = run("cube.toml", "--cells", "2,2,2", "--validate", "--steps", "4", "--pin", "bottom", "--out", "small.npz")
    made = load_coarse_body(folder / "small.npz")
    assert (found["fine_tets"], found["coarse_tets"], len(made.tets)) == (384, 48, 48)
    assert made.mass.sum() == pytest.approx(2.0, rel=1e-12)
    assert found["homogeneous_error"] <= 1e-9
    assert found["static_error"]["average"] < found["static_error"]["naive"]
    assert 0.8 < found["frequency_ratio"] < 1.4
    assert found["speedup"] > 0.0
    assert 0.0 < found["peak_memory_gib"] < 8.0
    assert (folder / "small.png").stat().st_size > 10_000


def test_harmonic_displacements_are_drawn_on_request(folder: Path) -> None:
    run("cube.toml", "--cells", "2,2,2", "--out", "small.npz")
    assert not (folder / "small-harmonics.png").exists()
    run("cube.toml", "--cells", "2,2,2", "--out", "small.npz", "--draw-harmonics")
    assert (folder / "small-harmonics.png").stat().st_size > 20_000


def test_a_mesh_file_is_coarsened(folder: Path) -> None:
    write_mesh(Bar(cells=(6, 2, 2), size=(3.0, 1.0, 1.0)).mesh(), folder / "bar.vtu")
    found = run("bar.vtu", "--young", "1e5", "--density", "10", "--ratio", "4", "--method", "nodal")
    assert found["file"] == "bar.npz"
    assert found["method"] == "nodal"
    assert found["mass"] == pytest.approx(30.0)
    write_mesh(Bar(cells=(3, 1, 1), size=(3.0, 1.0, 1.0)).mesh(), folder / "coarse.vtu")
    assert run("bar.vtu", "--young", "1e5", "--onto", "coarse.vtu")["coarse_tets"] == 15


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give one of --onto MESH, --cells NX,NY,NZ, --ratio R and --edge-length L, found none"),
        (("--cells", "2,2,2", "--ratio", "9"), "found --cells, --ratio"),
        (("--cells", "2,0,2"), "--cells: found '2,0,2'; give three whole numbers above 0"),
        (("--ratio", "1"), "ratio of a cage: found 1"),
        (("--cells", "2,2,2", "--pin", "botom"), "--pin: unknown group 'botom'; did you mean 'bottom'?"),
        (("--cells", "2,2,2", "--body", "ball"), "unknown body 'ball'"),
        (("--cells", "2,2,2", "--young", "1e5"), "--young: a scene has its own materials"),
        (("--cells", "2,2,2", "--out", "none/a.npz"), "the folder none does not exist"),
        (("--cells", "2,2,2", "--out", "cube.toml"), "--out cube.toml: found '.toml'; a coarse body"),
        (("--onto", "small.vtu"), "of the fine body lies outside of it, for example the fine tets"),
    ],
)
def test_refusals(folder: Path, words: tuple[str, ...], message: str) -> None:
    write_mesh(Bar(cells=(1, 1, 1), size=(0.5, 0.5, 0.5)).mesh(), folder / "small.vtu")
    assert message in refused("cube.toml", *words)


def test_a_mesh_file_needs_a_material(folder: Path) -> None:
    write_mesh(Bar(cells=(2, 1, 1)).mesh(), folder / "bar.vtu")
    assert "a mesh file requires --young above 0" in refused("bar.vtu", "--cells", "1,1,1")
    assert "a mesh file requires --young above 0" in refused("bar.vtu", "--cells", "1,1,1", "--young", "-3")
