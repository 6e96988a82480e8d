"""Ctrl-C and SIGTERM in every command: exit code 130, one sentence, no half-written file, no process left behind."""

import multiprocessing
import shutil
import signal
from pathlib import Path

import pytest

from cli.command import here
from interruption.cases import CASES, SCENE, Case, all_commands
from interruption.moments import Matches, after_calls, at_code, at_writing, signal_at
from supple.cli.app import built
from supple.model.model import Model

OLD = b"old"
CALLS = 150
"""Of functions of supple, up to the middle of a command."""
SHORT = {"schema", "presets", "info"}
"""Commands that make fewer."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scene, a run and a comparison."""
    folder = tmp_path_factory.mktemp("sources")
    (folder / "bar.toml").write_text(SCENE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        here("run", "bar.toml", "--out", "run")
        here("compare", "bar.toml", "--vary", "body.0.material.young=2e4,1e5,2e5", "--steps", "2", "--out", "compared")
    return folder


@pytest.fixture
def folder(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = tmp_path / "here"
    shutil.copytree(sources, here)
    monkeypatch.chdir(here)
    monkeypatch.setattr("supple.cli.analyse.own._study", lambda *_: Weight())
    return here


class Weight:
    """A user-defined study."""

    def rows(self, model: Model, *_: object) -> list[dict[str, float]]:
        return [{"kilograms": float(model.system.mass.sum())}]


def function_of(name: str) -> object:
    command = built()
    for word in name.split():
        command = command.commands[word]  # type: ignore[attr-defined]
    return command.callback.__wrapped__  # type: ignore[union-attr]


def code_of(name: str) -> object:
    return function_of(name).__code__  # type: ignore[attr-defined]


def content(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_list_has_every_command() -> None:
    assert sorted(CASES) == all_commands()


def interrupted(
    name: str, folder: Path, matches: Matches, number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> str:
    """The sentence of a command that gets a signal; everything that holds in every case is checked here."""
    case = CASES[name]
    if case.out:
        (folder / case.out).write_bytes(OLD)
    before = content(folder)
    capfd.readouterr()
    with signal_at(matches, number) as sent:
        here(*name.split(), *case.words.split(), code=130)
    assert sent.frames, "the moment never came"
    err = capfd.readouterr().err
    assert "Traceback" not in err
    said = [line for line in err.splitlines() if line.startswith("interrupted")]
    assert len(said) == 1, err
    assert multiprocessing.active_children() == []
    after = content(folder)
    assert not [file for file in after if ".part" in file]
    if not case.loose:
        _nothing_half_written(case, said[0], before, after)
    return said[0]


def _nothing_half_written(case: Case, said: str, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    if said == "interrupted; nothing was written":
        assert after == before
    else:
        changed = [file for file in after if after[file] != before.get(file)]
        assert changed
        assert all(file in said for file in changed)


@pytest.mark.parametrize("name", all_commands())
def test_at_the_beginning(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = interrupted(name, folder, at_code(code_of(name)), signal.SIGTERM, capfd)
    assert said == "interrupted; nothing was written"


@pytest.mark.parametrize("name", sorted(set(all_commands()) - SHORT))
def test_in_the_middle(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    interrupted(name, folder, after_calls(code_of(name), CALLS), signal.SIGINT, capfd)


@pytest.mark.parametrize("name", sorted(name for name, case in CASES.items() if case.out and not case.slow))
def test_while_files_are_written(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    interrupted(name, folder, at_writing(folder), signal.SIGINT, capfd)
    assert (folder / CASES[name].out).read_bytes() == OLD
