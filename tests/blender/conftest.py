"""The extension, built and installed once for all tests."""

import runpy
from pathlib import Path

import pytest
from blender_python import ROOT, install


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip that `tools/build_extension.py` makes."""
    build = runpy.run_path(str(ROOT / "tools" / "build_extension.py"))["build"]
    return build(tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="session")
def home(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The user folder of a Blender with the extension installed."""
    folder = tmp_path_factory.mktemp("home")
    install(archive, folder)
    return folder
