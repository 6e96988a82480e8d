"""Files that a file names: which of them may be read.

What a user types or writes in Python is the user's own and read wherever it is. A name inside a file may come from a stranger:
it is read within the folder of that file, links followed, and in folders that the user allows (`--allow-paths FOLDER`, or
`supple.allow_paths(FOLDER)`). Nothing is fetched from a network.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from supple.errors import SuppleError

_ALLOWED: list[Path] = []
_SHIPPED = Path(__file__).resolve().parent
"""Scenes of an installed package lie below it, and their meshes with them."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""How an address begins. A letter and a colon alone are a drive."""


class PathRefused(SuppleError):
    """A file names another one that it has no right to."""


def allow_paths(*folders: str | os.PathLike[str]) -> None:
    """Let files name other files in these folders, from now on in this process."""
    for folder in folders:
        place = Path(folder).expanduser()
        if not place.is_dir():
            raise SuppleError(f"--allow-paths: no such folder, found '{folder}', meaning {place.absolute()}")
        if place.resolve() not in _ALLOWED:
            _ALLOWED.append(place.resolve())


def allowed_paths() -> tuple[Path, ...]:
    """Folders that the user has allowed."""
    return tuple(_ALLOWED)


def may_read(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    """Whether a file in a folder may name this path: it lies below the folder, or where the user allows it, links followed."""
    return not refusal(path, folder)


def refusal(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """Why a file in a folder may not name this path and what allows it, as the rest of a sentence; empty if it may."""
    text = os.fspath(path)
    if is_address(text):
        return "is an address; nothing is fetched from a network: download it, and give the path of the copy"
    if "\0" in text:
        return "has a NUL in it, which no path has"
    try:
        place, base = Path(path).resolve(), Path(folder).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a ring of links, or a name that is too long
        return f"cannot be followed: {error}"
    if any(place.is_relative_to(root) for root in (base, _SHIPPED, *_ALLOWED)):
        return ""
    return f"lies outside {base} and is not read; allow it with --allow-paths {_quoted(_folder_of(path, place))}"


def checked_path(origin: str | os.PathLike[str], text: str) -> Path:
    """The path that a name in the file `origin` means; a `PathRefused` if it leads out of the file's folder."""
    folder = Path(origin).parent
    reason = refusal(text, folder) if is_address(text) else refusal(folder / text, folder)
    if reason:
        raise PathRefused(f"{origin}: names '{text}', which {reason}")
    return folder / text


def is_address(text: str) -> bool:
    """Whether a name is an address such as https://... rather than a path."""
    return bool(_ADDRESS.match(text)) and not Path(text).exists()


def _folder_of(path: str | os.PathLike[str], place: Path) -> Path:
    return place if Path(path).is_dir() else place.parent


def _quoted(folder: Path) -> str:
    return f"'{folder}'" if re.search(r"[^\w./\\:-]", str(folder)) else str(folder)
