"""Files that a file names: which of them may be read.

What a user types or writes in Python is the user's own and read wherever it is. A name inside a file may come from a stranger:
it is read within the folder of that file, links followed, and in folders that the user allows (`--allow-paths FOLDER`, or
`supple.allow_paths(FOLDER)`). Nothing is fetched from a network.
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
"""How an address begins. A letter and a colon alone are a drive, and names of runs have colons too."""
_HEAD = 65536
"""Characters of a file among which marks are looked for."""


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


@dataclass(frozen=True)
class Fence:
    """Which files a scene file may name."""

    folder: Path
    """Of the scene file."""
    typed: frozenset[str] = frozenset()
    """Names that the user gave on the command line or in Python, and whole paths that the user has allowed before."""

    @classmethod
    def around(cls, file: Path, settings: Iterable[Any] = ()) -> Fence:
        """For a scene file; `settings`: values that the user gave, tables and lists too."""
        try:
            with file.open(encoding="utf-8", errors="replace") as text:
                own = marked(text.read(_HEAD))
        except OSError:  # whoever reads the scene says so
            own = frozenset()
        return cls(file.resolve().parent, frozenset({*_texts(settings), *map(str, own)}))

    def with_typed(self, settings: Iterable[Any]) -> Fence:
        """The same with more values that the user gave."""
        return Fence(self.folder, self.typed.union(_texts(settings)))

    def refusal(self, name: str, path: Path) -> str:
        """Why the file may not name this path, as `refusal` has it; empty if it may."""
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
