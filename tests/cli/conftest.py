"""Commands run in separate folders."""

from pathlib import Path

import pytest
from command import blank_figures


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def blank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are created and written empty: drawing takes longer than most commands."""
    blank_figures(monkeypatch)
