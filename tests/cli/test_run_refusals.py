"""Bad input: a message with place and remedy, exit code 2, no traceback, nothing written."""

import errno
import os
from pathlib import Path

import meshio
import numpy as np
import pytest
from command import BAR, here, supple, write_scene

CUBE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], float)
MESHED = """
[time]
step = 0.01
[[body]]
mesh = { file = "body.vtk" }
material = { name = "stvk", young = 1e4, poisson = 0.3 }
density = 1000.0
"""


def refused(folder: Path, text: str, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Message for a scene that must be refused; nothing may be written."""
    write_scene(folder, text)
    before = sorted(folder.rglob("*"))
    here("run", "bar.toml", "--steps", "1", *options, code=2)
    captured = capsys.readouterr()
    assert [line for line in captured.out.splitlines() if "compiling kernels" not in line] == []
    assert sorted(folder.rglob("*")) == before
    return captured.err


def write_mesh(folder: Path, points: np.ndarray, tets: list[list[int]]) -> None:
    meshio.write(folder / "body.vtk", meshio.Mesh(points, [("tetra", np.array(tets))]), file_format="vtk")


def test_missing_mesh(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "body[0].mesh.file: no such file" in refused(in_folder, MESHED, capsys)


def test_nan_vertex(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = CUBE.copy()
    points[2, 1] = np.nan
    write_mesh(in_folder, points, [[0, 1, 2, 3]])
    error = refused(in_folder, MESHED, capsys)
    assert error.startswith("body[0].mesh: ")
    assert "1 vert" in error
    assert "2" in error


def test_tet_index_out_of_range(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_mesh(in_folder, CUBE, [[0, 1, 2, 3], [1, 2, 3, 9]])
    error = refused(in_folder, MESHED, capsys)
    assert error.startswith("body[0].mesh: ")
    assert "1 tet with a corner that is no vertex" in error


def test_flat_tet(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = CUBE.copy()
    points[4] = (1, 1, 0)
    write_mesh(in_folder, points, [[0, 1, 2, 3], [0, 1, 2, 4]])
    error = refused(in_folder, MESHED, capsys)
    assert error.startswith("body[0].mesh: ")
    assert "1 " in error


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("integrator.name=backward-eular", ["integrator.name", "backward-eular", "did you mean 'backward-euler'"]),
        ("body[0].density=-1", ["body[0].density", "greater than 0", "-1"]),
        ("body[0].material.poisson=0.5", ["body[0].material.poisson", "below 0.5", "0.49"]),
        ("time.step=0", ["time.step", "greater than 0"]),
        ("time.step=-0.01", ["time.step", "greater than 0", "-0.01"]),
        ("body[0].pin=nobody", ["body[0].pin", "unknown group 'nobody'", "known: ", "left"]),
        ("body[0].initial.stretch=[1, 0, 1]", ["body[0].initial", "must not be 0"]),
        ("solver.threads=-1", ["solver.threads"]),
        ("tim.step=1", ["tim", "time"]),
    ],
)
def test_bad_values(in_folder: Path, setting: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(in_folder, BAR, capsys, "--set", setting)
    for word in words:
        assert word in error


def test_empty_pin_group(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = BAR.replace('pin = "left"', 'pin = "far"\ngroups = { far = { expression = "X > 5" } }')
    error = refused(in_folder, text, capsys)
    assert "body[0].pin: group 'far' has no vertices" in error
    assert "[0, 1] x [0, 0.25] x [0, 0.25]" in error


def test_a_vertex_with_two_scripts(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    move = '{ group = "left", translate = { velocity = [1.0, 0.0, 0.0] } }'
    error = refused(in_folder, f"{BAR}motion = [{move}]\n", capsys)
    assert "body[0].motion[0].group: 4 vertices of 'left' already follow body[0].pin, the first is " in error
    error = refused(in_folder, BAR.replace('pin = "left"', f"motion = [{move}, {move}]"), capsys)
    assert "body[0].motion[1].group: 4 vertices of 'left' already follow body[0].motion[0].group" in error


def test_a_start_of_infinite_energy(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = BAR.replace('"stvk"', '"neo-hookean"') + "initial = { stretch = [-1.0, 1.0, 1.0] }\n"
    assert "body.initial: the energy at the start is inf" in refused(in_folder, text, capsys)


@pytest.mark.parametrize("out", ["file/below", "file", "/proc/nowhere/run"])
def test_unwritable_folder(in_folder: Path, out: str, capsys: pytest.CaptureFixture[str]) -> None:
    (in_folder / "file").write_text("mine")
    error = refused(in_folder, BAR, capsys, "--out", out)
    assert error.startswith(f"{out}: ")
    assert "choose another --out" in error


def test_a_finished_run_is_refused_before_the_scene_is_built(
    in_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--steps", 2, "--out", "run")
    capsys.readouterr()
    before = (in_folder / "run/history.csv").read_bytes()
    monkeypatch.setattr("supple.scene.tables.setup.assemble", None)
    here("run", "bar.toml", "--out", "run", code=2)
    error = capsys.readouterr().err
    assert "already contains a run (finished)" in error
    assert "--overwrite" in error
    assert (in_folder / "run/history.csv").read_bytes() == before


def test_overwrite_replaces(in_folder: Path) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--steps", 3, "--out", "run")
    here("run", "bar.toml", "--steps", 2, "--out", "run", "--overwrite")
    assert (in_folder / "run/history.csv").read_bytes().count(b"\n") == 4


def test_resume_of_nothing(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("run", "--resume", "nowhere", code=2)
    assert "nowhere: not the folder of a run (there is no such folder)" in capsys.readouterr().err
    here("run", "jelly", "--resume", "nowhere", code=2)
    assert "--resume: the scene and the folder are those of the run" in capsys.readouterr().err


def test_no_traceback_from_the_real_command(in_folder: Path) -> None:
    write_scene(in_folder)
    done = supple("run", "bar.toml", "--set", "time.step=-1", folder=in_folder, code=2)
    assert done.stderr == "time.step: input should be greater than 0 seconds, found -1\n"


@pytest.mark.parametrize("words", [["run", "jelly", "--out"], ["loop", "--to", "a"], ["analyse", "transfers", "--csv"]])
def test_names_that_no_file_system_holds(words: list[str], in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "x" * 5000
    here(*words, name, code=2)
    assert "this name is longer than the file system allows" in capsys.readouterr().err
    assert not list(in_folder.iterdir())


FIT = (
    "fit",
    "fit-cantilever",
    "--unknown",
    "body[0].material.young:log",
    "--loss",
    "hit(right, (0.79, -0.05, 0.05), at=0.4)",
)


@pytest.mark.parametrize(
    "words",
    [
        ("sweep", "jelly", "--vary", "time.step=0.01,0.02", "--steps", 1),
        ("compare", "jelly", "--steps", 2),
        ("gallery", "R1"),
        ("gallery", "R1", "--overwrite"),
        FIT,
    ],
    ids=lambda words: " ".join(map(str, words[:1] + words[2:3])),
)
def test_no_folder_is_made_below_a_file(
    words: tuple[object, ...], in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_folder / "file").touch()
    here(*words, "--out", "file/below", code=2)
    assert f"cannot create this folder: {in_folder / 'file'} is a file; choose another --out" in capsys.readouterr().err
    assert [entry.name for entry in in_folder.iterdir()] == ["file"]


def test_refusals_of_the_system_are_sentences(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where no command expects them: a disk that fails, a folder that another program removed."""

    def lost(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), "disk/file")

    monkeypatch.setattr("supple.cli._command", lost)
    here("info", code=2)
    assert capsys.readouterr().err == (
        "disk/file: Input/output error; check that this path exists, is of the right kind and may be used\n"
    )
