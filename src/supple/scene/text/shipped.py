"""The scenes that come with supple."""

from __future__ import annotations

from pathlib import Path

import supple
from supple.errors import SceneError


def shipped_folder() -> Path:
    """Folder of the shipped scenes: inside an installed package, or at the root of a checkout."""
    package = Path(supple.__file__).resolve().parent
    for folder in (package / "scenes", package.parents[1] / "scenes"):
        if folder.is_dir():
            return folder
    raise SceneError(f"the shipped scenes are missing beside {package}; reinstall supple, or give the path of a scene")


def shipped_scenes() -> dict[str, Path]:
    """Name -> file, sorted by name."""
    return {file.stem: file for file in sorted(shipped_folder().glob("*.toml"))}
