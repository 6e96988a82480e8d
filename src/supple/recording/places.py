"""Folders that are about to be written: refused before any work is done, created with a reason on failure."""

from __future__ import annotations

import errno
from pathlib import Path

from supple.errors import RecordError
from supple.recording.files import trouble


def demand_place(path: Path, role: str) -> None:
    """Refuse a path that cannot become a folder. `role`: its purpose for the message, such as `a run`."""
    _demand_name(path)
    if path.exists() and not path.is_dir():
        raise RecordError(f"{path}: is a file, but {role} requires a folder; choose another --out")
    above = next((parent for parent in path.absolute().parents if parent.exists()), path)
    if not above.is_dir():
        raise RecordError(f"{path}: cannot create this folder: {above} is a file; choose another --out")


def make_folder(path: Path) -> None:
    """Create a folder with those above it; an existing one is kept."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(
            f"{path}: cannot create this folder: {error.strerror or error}; choose another --out, or create it yourself"
        ) from error


def _demand_name(path: Path) -> None:
    """Refuse a name that no file can have."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise trouble(path, "use", error) from error
        raise RecordError(
            f"{str(path)[:100]}...: this name is longer than the file system allows; give a shorter one"
        ) from error
    except ValueError as error:  # characters that no file system has
        raise RecordError(f"{str(path)!a}: cannot be the name of a folder: {error}; choose another --out") from error
