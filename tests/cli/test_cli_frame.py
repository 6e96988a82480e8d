"""The frame of the command line: quick help, errors without tracebacks, exit codes."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from supple import __version__
from supple.cli import app as cli_app
from supple.cli import main
from supple.errors import SceneError
from supple.interruption.placing import placed
from supple.scene.text import shipped

SCENE = """
title = "a [bold] bar"
[time]
step = 0.01
[[body]]
mesh = { shape = "bar" }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
"""


def run(*arguments: str) -> int:
    """Exit code of a command that runs in this process."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("arguments", [["--help"], ["scenes", "--help"], ["info", "--help"], ["--version"]])
def test_help_imports_no_heavy_library(arguments: list[str]) -> None:
    result = python("-X", "importtime", "-m", "supple", *arguments)
    assert result.returncode == 0
    imported = {line.split("|")[-1].strip().split(".")[0] for line in result.stderr.splitlines()}
    assert "typer" in imported
    assert not imported & {"numpy", "scipy", "numba", "matplotlib", "h5py", "meshio", "rich", "vtk"}
    if len(arguments) == 1:  # for the options of a command, typer itself may load pydantic
        assert "pydantic" not in imported


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    text = capsys.readouterr().out
    for command in cli_app.COMMANDS:
        assert f"\n  {command.__name__} " in text
        assert command.__doc__


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"supple {__version__}\n"


def test_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sceens") == 2
    assert "scenes" in capsys.readouterr().err


def broken(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `supple info` raise."""

    def gather() -> None:
        raise error

    monkeypatch.setattr("supple.cli.info.gather", gather)


def test_our_errors_are_plain_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    broken(SceneError(["body[0].density: bad [red]x[/red]", "time.step: bad"]), monkeypatch)
    assert run("info") == 2
    captured = capsys.readouterr()
    assert captured.err == "body[0].density: bad [red]x[/red]\ntime.step: bad\n"
    assert captured.out == ""


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(KeyboardInterrupt(), monkeypatch)
    assert run("info") == 130


def test_unexpected_errors_keep_their_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(ZeroDivisionError("a bug"), monkeypatch)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        main(["info"])
    code = "import supple.cli.info as i, supple.cli; i.gather = lambda: 1 / 0; supple.cli.main(['info'])"
    result = python("-c", code)
    assert result.returncode == 1
    assert result.stderr.startswith("Traceback (most recent call last)")
    assert "ZeroDivisionError" in result.stderr.splitlines()[-1]


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("info", "--json") == 0
    facts = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert facts["supple"] == __version__
    assert facts["backend"] in facts["backends"]
    assert facts["threads"]
    assert "compiled" in facts["kernels"]
    assert {"numpy", "scipy", "numba", "h5py", "meshio", "mkl"} <= facts["libraries"].keys()
    assert run("info") == 0
    text = capsys.readouterr().out
    assert f"sparse solver: {facts['backend']}" in text
    assert facts["libraries"]["numpy"] in text


def test_info_without_a_library() -> None:
    from supple.cli.info import version_of

    assert version_of("no-such-library") == "not installed"


def test_scenes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bar.toml").write_text(SCENE)
    monkeypatch.setattr(shipped, "shipped_folder", lambda: tmp_path)
    assert run("scenes", "--json") == 0
    rows = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert rows == [{"name": "bar", "title": "a [bold] bar", "integrator": "avf", "bodies": 1}]
    assert run("scenes") == 0
    assert "a [bold] bar" in capsys.readouterr().out


def test_a_bad_shipped_scene_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bar.toml").write_text(SCENE.replace("0.01", "-1"))
    monkeypatch.setattr(shipped, "shipped_folder", lambda: tmp_path)
    assert run("scenes") == 2
    assert capsys.readouterr().err == "time.step: input should be greater than 0 seconds, found -1\n"


def test_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("schema") == 0
    assert "body" in json.loads(capsys.readouterr().out)["properties"]


def test_every_command_has_a_module_of_its_own() -> None:
    for command in cli_app.COMMANDS:
        parts = command.__module__.split(".")
        assert (parts[:2], parts[-1]) == (["supple", "cli"], command.__name__)  # some stand in a folder of related ones
    assert len({command.__module__ for command in cli_app.COMMANDS}) == len(cli_app.COMMANDS)
    assert isinstance(cli_app.app, typer.Typer)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "free some space, or choose another place"),
        (errno.EACCES, "choose another place, or change its permissions"),
        (errno.EMFILE, "raise the limit"),
    ],
)
def test_troubles_of_files_are_sentences(
    number: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    def save() -> None:
        with placed(tmp_path / "body.npz"):
            refuse()

    monkeypatch.setattr("supple.cli.info.gather", save)
    with pytest.raises(SystemExit) as left:
        main(["info"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{tmp_path}/body.npz: ")
    assert words in said
    assert len(said.splitlines()) == 1
