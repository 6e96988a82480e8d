"""The lines of a Wavefront file (.obj, .mtl): comments removed, continued lines joined, any line ending."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_COMMENT = re.compile(r"(?:^|\s)#.*")


def statements(path: Path) -> Iterator[tuple[int, str, str]]:
    """(number of the line, keyword, the rest) of every line with content."""
    text = _text(path.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")
    begun, first = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        # a # inside a word is part of a name
        line = _COMMENT.sub("", line) if "#" in line else line
        first = first if begun else number
        if line.rstrip().endswith("\\"):
            begun += line.rstrip()[:-1] + " "
            continue
        word, _, rest = (begun + line).strip().partition(" ")
        begun = ""
        if "\t" in word:
            word, _, more = word.partition("\t")
            rest = f"{more} {rest}"
        if word:
            yield first, word, rest.strip()


def _text(raw: bytes) -> str:
    """UTF-8 with or without a byte-order mark, or else Latin-1, which accepts every byte."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
