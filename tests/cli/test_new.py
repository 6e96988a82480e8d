"""`supple new`: scenes that load and run as they are written, for models of all forms."""

from pathlib import Path

import numpy as np
import pytest
from command import here

from supple.loop import simulate
from supple.mesh.formats import write_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.round import Ball
from supple.mesh.shapes.thin import Cloth
from supple.mesh.topology import surface
from supple.runs.model_files import model_copies
from supple.runs.notes.undamped import undamped_note
from supple.runs.notes.units import unit_notes
from supple.runs.templates.new_scene import KINDS
from supple.scene.text.load import load_scene


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_short_and_leaves_nothing_to_say(in_folder: Path, kind: str) -> None:
    here("new", "shot.toml", "--kind", kind, "--no-check")
    text = (in_folder / "shot.toml").read_text()
    assert len(text.splitlines()) < 50
    assert text.count("#") >= 6
    scene = load_scene(in_folder / "shot.toml")
    shot = scene.make()
    built = shot.assemble()
    assert unit_notes(built) == []
    assert undamped_note(built, shot.method, shot.h) == ""
    frames = list(simulate(built.system, scene.integrator.make(), built.state, scene.time.step, 2))
    assert np.isfinite(frames[-1].state.x).all()


def test_the_check_says_what_the_body_is_and_how_long_it_takes(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here("new", "rope.toml", "--kind", "rope")
    said = capsys.readouterr().out
    assert "rope: 1 x 0 x 0 m" in said
    assert "checked: 20 steps" in said
    assert "next: supple run rope.toml" in said


def ball(folder: Path, factor: float = 1.0) -> None:
    body = Ball(radius=0.1 * factor, resolution=2).mesh()
    write_mesh(Mesh(body.vertices, triangles=surface(body)), folder / "ball.obj")


def test_a_closed_surface_is_filled_beside_the_scene(in_folder: Path) -> None:
    pytest.importorskip("pytetwild")
    ball(in_folder, 100.0)
    (in_folder / "shots").mkdir()
    here("new", "shots/drop.toml", "--from", "ball.obj", "--scale", "0.01", "--up", "z", "--no-check")
    scene = load_scene(in_folder / "shots/drop.toml")
    assert scene.body[0].name == "ball"
    assert Path(scene.body[0].mesh.file) == in_folder / "shots/drop.vtu"
    built = scene.make().assemble()
    assert built.mesh.is_solid
    assert built.mesh.extent.max() == pytest.approx(0.2, rel=0.05)
    assert built.state.x[:, 2].min() == pytest.approx(0.1, rel=0.05)
    assert np.abs(built.state.x[:, :2].mean(axis=0)).max() < 0.01
    assert scene.obstacle[0].make().shape.unit.tolist() == [0.0, 0.0, 1.0]
    assert Path(scene.body[0].mesh.skin) == in_folder / "ball.obj"  # exports show the model itself
    assert list(model_copies(built.placed)[0]) == ["ball.model.npz"]


def test_a_model_in_millimetres_is_reported(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = Cloth(cells=(2, 2), size=(600.0, 600.0)).mesh()
    write_mesh(Mesh(sheet.vertices, triangles=sheet.triangles), in_folder / "sheet.obj")
    here("new", "sheet.toml", "--from", "sheet.obj", "--no-check")
    assert "if it is in millimetres, give --scale 0.001 --overwrite" in capsys.readouterr().out


def test_an_open_surface_becomes_cloth_by_itself(in_folder: Path) -> None:
    sheet = Cloth(cells=(6, 6), size=(2.0, 2.0)).mesh()
    write_mesh(Mesh(sheet.vertices, triangles=sheet.triangles), in_folder / "a sheet.obj")
    here("new", "sheet.toml", "--from", "a sheet.obj", "--no-check")
    scene = load_scene(in_folder / "sheet.toml")
    assert (scene.body[0].name, scene.body[0].material.name) == ("a-sheet", "stvk-membrane")
    assert scene.contact is not None
    scene.make().assemble()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["shot", "--kind", "soft"], "a scene file ends in .toml"),
        (["there.toml"], "already exists; replace it with --overwrite"),
        (["nowhere/shot.toml"], "the folder nowhere does not exist"),
        (["shot.toml", "--scale", "2"], "requires a model"),
        (["shot.toml", "--up", "z"], "without --from, y is up"),
        (["shot.toml", "--from", "gone.obj"], "no such file"),
        (["shot.toml", "--from", "ball.obj", "--scale", "0"], "must be a number above 0"),
        (["shot.toml", "--from", "ball.obj", "--kind", "rope"], "requires edges without triangles"),
        (["shot.toml", "--from", "sheet.obj", "--kind", "soft"], "sheet.obj has an open surface; use --kind cloth"),
    ],
)
def test_refusals(in_folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    ball(in_folder)
    sheet = Cloth(cells=(2, 2)).mesh()
    write_mesh(Mesh(sheet.vertices, triangles=sheet.triangles), in_folder / "sheet.obj")
    (in_folder / "there.toml").write_text("mine")
    here("new", *words, code=2)
    assert message in capsys.readouterr().err
    assert (in_folder / "there.toml").read_text() == "mine"
    assert not (in_folder / "shot.toml").exists()
