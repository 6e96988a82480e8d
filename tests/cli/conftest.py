"""Commands run in a folder of their own."""

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
    """Figures are made, and written without what is on them: drawing takes longer than most commands."""
    blank_figures(monkeypatch)
