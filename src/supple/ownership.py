"""Marks in a scene file proving that this user allowed it to read a file outside its folder.

A run keeps a copy of its scene, but its meshes stay in their original folder. The copy has a comment for each mesh,
with a digest that depends on a secret of the user. A user can therefore resume their own runs without further
options, while a folder from an untrusted source cannot forge permission. After moving a run to another machine, allow
its paths there.
"""

from __future__ import annotations

import hmac
import os
import secrets
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

_WORD = "# reads outside its folder, as its user allowed: "
_SECRET = 32
"""Bytes."""


def marks(paths: Iterable[str | os.PathLike[str]]) -> str:
    """Comment lines for the head of a scene file that may read these paths."""
    found = sorted({str(Path(path).resolve()) for path in paths})
    return "".join(f"{_WORD}{_digest(path)} {path}\n" for path in found if path.isprintable())


def marked(text: str) -> frozenset[Path]:
    """Paths that the head of a scene file may read by marks of this user; other marks are ignored."""
    found = set()
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        if line.startswith(_WORD):
            digest, _, path = line.removeprefix(_WORD).partition(" ")
            if hmac.compare_digest(digest.encode(), _digest(path).encode()):
                found.add(Path(path))
    return frozenset(found)


def moved(text: str, folder: Path) -> str:
    """Adopt a scene file from a worker: marks of files below the folder are renewed, others are dropped."""
    lines = text.splitlines(keepends=True)
    heads = [line for line in lines if line.startswith(_WORD)]
    paths = [Path(line.removeprefix(_WORD).partition(" ")[2].rstrip("\n")).resolve() for line in heads]
    rest = "".join(line for line in lines if line not in heads)
    return marks(path for path in paths if path.is_relative_to(folder.resolve())) + rest


def _digest(path: str) -> str:
    return hmac.new(_secret(), os.fsencode(path), "sha256").hexdigest()


@cache
def _secret() -> bytes:
    """The user's secret, created on first use. If it cannot be stored, marks are valid only within the process."""
    file = _state() / "supple" / "secret"
    try:
        if not file.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=file.parent) as new:  # readable by this user only
                new.write(secrets.token_bytes(_SECRET))
                new.flush()
                with suppress(FileExistsError):  # another process was faster
                    os.link(new.name, file)
        found = file.read_bytes()
    except OSError:
        found = b""
    return found if len(found) == _SECRET else secrets.token_bytes(_SECRET)


def _state() -> Path:
    """Folder for application data that is neither a setting nor a cache."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home())
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
