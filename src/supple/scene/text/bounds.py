"""What a scene may be as text and as plain data, before anybody looks at its meaning: size, depth, characters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from supple.errors import SceneError

LONGEST_FILE = 8 * 2**20
"""Bytes of a scene file."""
DEEPEST = 32
"""Tables and lists inside each other; scenes need six."""
LONGEST_KEY = 200
_PART = re.compile(r"""\s*[\w"'-]+\s*""")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Characters that no text of a scene has; tabs and new lines pass."""


def read_bounded(file: Path) -> str:
    """The text of a file; one that is too large is refused before it is read to its end."""
    with file.open("rb") as stream:
        data = stream.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise SceneError(
            f"{file}: a scene has at most {LONGEST_FILE // 2**20} MiB; put meshes and numbers of elements into files of their own"
        )
    # universal newlines, as text files are read
    return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def demand_short_keys(text: str, where: str) -> None:
    """Refuse keys such as a.a.a..., whose reading takes a time that grows with the square of their length."""
    dots = 0
    for part in text.split("."):
        dots = dots + 1 if _PART.fullmatch(part) else 0
        if dots > 2 * DEEPEST:
            raise too_deep(where)


def demand_plain(data: Any, where: str = "scene") -> None:
    """Refuse data that is nested too deeply, and characters that neither files nor pages can hold."""
    pending: list[tuple[Any, str, int]] = [(data, "", 0)]
    while pending:
        value, path, depth = pending.pop()
        if isinstance(value, str):
            _demand_characters(value, path or where)
        elif isinstance(value, dict | list | tuple):
            if depth >= DEEPEST:
                raise too_deep(where)
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            for key, entry in entries:
                pending.append((entry, _below(path, key, where), depth + 1))


def too_deep(where: str) -> SceneError:
    """The refusal of tables inside tables inside tables."""
    return SceneError(f"{where}: tables and lists stand in each other more than {DEEPEST} deep; write them less deep")


def _below(path: str, key: str | int, where: str) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    if len(key) > LONGEST_KEY:
        raise SceneError(
            f"{path or where}: a key has at most {LONGEST_KEY} characters, found {len(key)}: {key[:40]}..."
        )
    _demand_characters(key, path or where)
    return f"{path}.{key}" if path else key


def _demand_characters(text: str, path: str) -> None:
    bad = _CONTROL.search(text)
    if bad:
        raise SceneError(
            f"{path}: character {bad.start()} of {text[:40]!a} is {bad[0]!a}, which no text of a scene may have; "
            "leave it out"
        )
