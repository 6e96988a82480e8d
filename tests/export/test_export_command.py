"""`supple export` on a real run."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from supple.cli import main
from supple.export import FORMATS

SCENE = """
[world]
gravity = 9.81
up = "z"
[time]
step = "1/60"
duration = 0.1
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [4, 1, 1], size = [1.0, 0.25, 0.25] }
material = { name = "stvk", young = 2e4, poisson = 0.3 }
density = 500.0
pin = "left"
"""
TETRAHEDRON = """
v 0.1 0.05 0.05
v 0.9 0.05 0.05
v 0.5 0.2 0.05
v 0.5 0.1 0.2
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    (folder / "bar.toml").write_text(SCENE)
    with pytest.raises(SystemExit) as left:
        main(["run", str(folder / "bar.toml"), "--out", str(folder / "bar")])
    assert not left.value.code
    return folder / "bar"


def supple(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    assert int(left.value.code or 0) == code


def test_the_default_is_in_the_folder_and_the_summary_says_so(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    supple("export", run, "--to", "glb", "--json")
    summary = json.loads(capsys.readouterr().out)
    assert summary["path"] == str(run / "bar.glb")
    assert Path(summary["path"]).is_file()
    assert (summary["frames"], summary["fps"], summary["up"]) == (7, 60, "y")
    assert summary["vertices"] == 20
    assert 0 < summary["seconds"] < 60
    assert "rotated so that y is up" in summary["notes"][0]
    supple("export", run, "--to", "glb", code=2)
    assert "--overwrite" in capsys.readouterr().err


def test_options_arrive(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--fps", 24, "--start", 0.01, "--stop", 0.1, "--body", "bar", "--scale", 100, "--first-frame", 101]
    supple("export", run, "--to", "obj", "--out", tmp_path / "frames", *words, "--json")
    summary = json.loads(capsys.readouterr().out)
    assert (summary["frames"], summary["fps"]) == (3, 24)
    assert sorted(path.name for path in (tmp_path / "frames").glob("*.obj"))[0] == "frames_0101.obj"


def test_a_skin_is_bound_to_the_bar_at_rest(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "skin.obj").write_text(TETRAHEDRON)
    supple("export", run, "--to", "npz", "--out", tmp_path / "made.npz", "--skin", tmp_path / "skin.obj", "--json")
    assert json.loads(capsys.readouterr().out)["vertices"] == 4
    with np.load(tmp_path / "made.npz") as arrays:
        rest = np.array([line.split()[1:] for line in TETRAHEDRON.split("\n") if line.startswith("v")], dtype=float)
        np.testing.assert_allclose(arrays["bar.positions"][0], rest, atol=1e-6)
        assert np.abs(arrays["bar.positions"][-1] - rest).max() > 1e-3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--to", "uds"], "unknown format 'uds'; did you mean 'usd'? known:"),
        (["--to", "usd", "--out", "x.glb"], "ends in .usdc or .usda or .usd"),
        (["--to", "glb", "--colour", "blue"], "known: body, energy"),
        (["--to", "glb", "--skin", "nowhere.obj"], "no such file"),
        (["--to", "glb", "--skin", "nowhere.obj", "--skin-scale", "0"], "--skin-scale"),
        (["--to", "glb", "--skin", "nowhere.obj", "--skin-scale", "1e300"], "--skin-scale"),
        (["--to", "obj", "--scale", "1e300"], "--scale"),
        (["--to", "glb", "--body", "ball"], "unknown body 'ball'"),
        (["--to", "glb", "--out", "."], "--out .: is a folder; give the name of a file"),
        (["--to", "pvd", "--fps", "1e9"], "frames would be written, at most 100,000 are allowed"),
    ],
)
def test_mistakes_are_explained(
    run: Path,
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    supple("export", run, *words, code=2)
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_no_run_no_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    supple("export", tmp_path, "--to", "glb", code=2)
    assert "not the folder of a run" in capsys.readouterr().err


def test_help_knows_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    supple("export", "--help")
    text = capsys.readouterr().out
    assert [name for name in FORMATS.load() if name not in text] == []


@pytest.mark.parametrize("form", ["usd", "abc"])
def test_a_full_disk_under_a_library_is_told_in_a_sentence(
    form: str, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """usd-core raised an exception of its own; Alembic ended the process from C++."""
    from pxr import Sdf, Tf

    def full(*_: object) -> None:
        Tf.RaiseRuntimeError("No space left on device")

    room = os.statvfs(tmp_path)
    little = os.statvfs_result((*room[:3], 1, 1, *room[5:]))
    monkeypatch.setattr(os, "statvfs", lambda _: little)
    monkeypatch.setattr(Sdf.Layer, "Export", full)
    out = tmp_path / f"bar.{form}"
    supple("export", run, "--to", form, "--out", out, code=2)
    assert f"{out}: cannot write: the disk is full; free some space" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_library_that_gives_no_reason(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pxr import Sdf

    monkeypatch.setattr(Sdf.Layer, "Export", lambda *_: False)
    supple("export", run, "--to", "usd", "--out", tmp_path / "bar.usd", code=2)
    assert "bar.usd: cannot write: usd-core could not complete it; check that" in capsys.readouterr().err
