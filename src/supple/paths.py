"""Permission to read files that are named inside other files.

Paths that a user types or writes in Python are trusted and read from anywhere. A name inside a file is not
trusted: it is read only within the folder of that file, links resolved, and in folders that the user allows
(`--allow-paths FOLDER`, or `supple.allow_paths(FOLDER)`). Nothing is fetched from a network.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from supple.errors import SuppleError
from supple.ownership import marked

_ALLOWED: list[Path] = []
_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = next((place for place in (_PACKAGE / "scenes", _PACKAGE.parents[1] / "scenes") if place.is_dir()), _PACKAGE)
"""Shipped scenes and their meshes, in an installed package or in a checkout."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|(data|file|ftp|https?):", re.IGNORECASE)
"""Beginning of an address. A single letter and a colon are a drive, and run names may contain colons too."""
_HEAD = 65536
"""Number of leading characters of a file that are searched for marks."""


class PathRefused(SuppleError):
    """A file names another file that it is not allowed to read."""


def allow_paths(*folders: str | os.PathLike[str]) -> None:
    """Allow files to name other files in these folders, for the rest of this process."""
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
    """Whether a file in a folder may name this path: below the folder or in an allowed folder, links resolved."""
    return not refusal(path, folder)


def refusal(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """Why a file in a folder may not name this path and how to allow it, as the end of a sentence; empty if it may."""
    text = os.fspath(path)
    if is_address(text):
        return "is an address; nothing is fetched from a network: download it, and give the path of the copy"
    if "\0" in text:
        return "contains a NUL character, which is not allowed in a path"
    try:
        place, base = Path(path).resolve(), Path(folder).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # circular links, or a name that is too long
        return f"cannot be followed: {error}"
    if any(place.is_relative_to(root) for root in (base, _SHIPPED, *_ALLOWED)):
        return ""
    return f"lies outside {base} and is not read; allow it with --allow-paths {_quoted(_folder_of(path, place))}"


def checked_path(origin: str | os.PathLike[str], text: str) -> Path:
    """The path that a name in the file `origin` refers to; raises `PathRefused` if it leads outside the file's folder."""
    folder = Path(origin).parent
    reason = refusal(text, folder) if is_address(text) else refusal(folder / text, folder)
    if reason:
        raise PathRefused(f"{origin}: names '{text}', which {reason}")
    return folder / text


def is_address(text: str) -> bool:
    """Whether a name is an address such as https://... rather than a path."""
    return bool(_ADDRESS.match(text)) and not Path(text).exists()


@dataclass(frozen=True)
class Fence:
    """The files that a scene file may name."""

    folder: Path
    """Folder of the scene file."""
    typed: frozenset[str] = frozenset()
    """Names given by the user on the command line or in Python, and full paths that the user has already allowed."""

    @classmethod
    def around(cls, file: Path, settings: Iterable[Any] = ()) -> Fence:
        """Permissions of a scene file; `settings`: values given by the user, including tables and lists."""
        try:
            with file.open(encoding="utf-8", errors="replace") as text:
                own = marked(text.read(_HEAD))
        except OSError:  # reported when the scene itself is read
            own = frozenset()
        return cls(file.resolve().parent, frozenset({*_texts(settings), *map(str, own)}))

    def with_typed(self, settings: Iterable[Any]) -> Fence:
        """The same with additional values given by the user."""
        return Fence(self.folder, self.typed.union(_texts(settings)))

    def refusal(self, name: str, path: Path) -> str:
        """Why the file may not name this path, worded as in `refusal`; empty if it may."""
        if name in self.typed and not is_address(name):
            return ""
        reason = refusal(name if is_address(name) else path, self.folder)
        return "" if reason and "\0" not in name and str(path.resolve()) in self.typed else reason


def is_shipped(path: Path) -> bool:
    """Whether a file belongs to the shipped scenes."""
    return path.resolve().is_relative_to(_SHIPPED)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, Iterable):
        for inner in value:
            yield from _texts(inner)


def _folder_of(path: str | os.PathLike[str], place: Path) -> Path:
    return place if Path(path).is_dir() else place.parent


def _quoted(folder: Path) -> str:
    return f"'{folder}'" if re.search(r"[^\w./\\:-]", str(folder)) else str(folder)
