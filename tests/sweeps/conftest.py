"""A sweep that nothing disturbs, to compare others with."""

from pathlib import Path

import pytest
from clusters import sweep, wanted, write_scene


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new folder with a scene in it, which is the current one."""
    monkeypatch.chdir(tmp_path)
    write_scene(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the sweep."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_scene(folder)
    sweep(*wanted(), folder=folder)
    return folder / "out"
