"""Limits of a scene as text and plain data, before it is interpreted: size, depth, characters."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from supple.errors import SceneError

LONGEST_FILE = 8 * 2**20
"""Largest size of a scene file [bytes]."""
DEEPEST = 32
"""Largest nesting depth of tables and lists; scenes need six."""
LONGEST_KEY = 200
LARGEST = 2**63
"""Whole numbers of TOML have 64 bits; Python would take seconds to convert longer ones, or refuses to print them."""
_TEXT_OR_COMMENT = re.compile(
    r'''"""(?:[^"\\]++|\\.|"(?!""))*+(?:"{3,5}|\\?\Z)'''
    r"""|'{3}(?:[^']++|'(?!''))*+(?:'{3,5}|\Z)"""
    r"""|"(?:[^"\\\n]++|\\.)*+"?|'[^'\n]*+'?|#[^\n]*+""",
    re.DOTALL,
)
"""Texts, whose ends are optional so that no part is searched twice, and comments."""
MOST_DIGITS = 4300
"""Digits of a whole number: those that Python converts by default."""
_PART = re.compile(r"""\s*[\w"'-]+\s*""")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Characters that are not allowed in a scene; tabs and newlines are."""


def read_bounded(file: Path) -> str:
    """The text of a file; a file that is too large is refused before it is read completely."""
    with file.open("rb") as stream:
        data = stream.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise SceneError(
            f"{file}: a scene has at most {LONGEST_FILE // 2**20} MiB; put meshes and element values into separate files"
        )
    # universal newlines, as text files are read
    return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text from outside; a `TOMLDecodeError` for all text that cannot be read, except nesting."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        raise
    except ValueError:
        # Python converts no more digits; the reader passes that on as another error
        raise tomllib.TOMLDecodeError(f"a number has more than {MOST_DIGITS:,} digits") from None


def demand_short_keys(text: str, where: str) -> None:
    """Refuse keys such as a.a.a..., whose parsing time grows with the square of their length."""
    if max(line.count(".") for line in text.split("\n")) <= 2 * DEEPEST:  # a key is on one line
        return
    dots = 0
    for part in _TEXT_OR_COMMENT.sub(lambda found: "" if found[0][0] == "#" else "q", text).split("."):
        dots = dots + 1 if _PART.fullmatch(part) else 0
        if dots > 2 * DEEPEST:
            raise too_deep(where)


def demand_plain(data: Any, where: str = "scene") -> None:
    """Refuse data that is nested too deeply, and characters that are not valid in files or pages."""
    pending: list[tuple[Any, str, int]] = [(data, "", 0)]
    while pending:
        value, path, depth = pending.pop()
        if isinstance(value, str):
            _demand_characters(value, path or where)
        elif isinstance(value, int) and not -LARGEST <= value < LARGEST:
            raise SceneError(f"{path or where}: input should be a whole number of at most 64 bits, found a larger one")
        elif isinstance(value, dict | list | tuple):
            if depth >= DEEPEST:
                raise too_deep(where)
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            for key, entry in entries:
                pending.append((entry, _below(path, key, where), depth + 1))


def too_deep(where: str) -> SceneError:
    """The error for tables that are nested too deeply."""
    return SceneError(f"{where}: tables and lists are nested more than {DEEPEST} levels deep; reduce the nesting")


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
            f"{path}: character {bad.start()} of {text[:40]!a} is {bad[0]!a}, which is not allowed in a scene; "
            "remove it"
        )
