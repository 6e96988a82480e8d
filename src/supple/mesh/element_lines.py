"""Lines of elements in Gmsh's texts of version 2.2, whose reader takes the last numbers of a line for the corners.

A line that is too short would give tags as corners, and one that is too long the wrong corners.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BEFORE = 3
"""Numbers before the tags: of the element, its type, and the count of tags."""


def demand_columns(file: Any, count: int, kinds: Mapping[int, str], corners: Mapping[str, int]) -> None:
    """Refuse lines that do not have the numbers that their type and count of tags announce; the file is left where it is."""
    here = file.tell()
    for k in range(count):
        words = file.readline().split()
        try:
            numbers = [int(word) for word in words]
        except ValueError:  # the reader of the file reports it
            break
        kind = kinds.get(numbers[1]) if len(numbers) >= BEFORE else None
        if len(numbers) >= BEFORE and kind is None:  # reported too
            break
        expected = BEFORE + numbers[2] + corners[kind] if kind is not None else BEFORE
        if len(numbers) != expected or (kind is not None and numbers[2] < 0):
            raise ValueError(_sentence(_line(file, here) + k, numbers, kind, expected))
    file.seek(here)


def _line(file: Any, here: int) -> int:
    """The number of the line at a place of the file."""
    file.seek(0)
    return int(file.read(here).count(b"\n")) + 1


def _sentence(line: int, numbers: list[int], kind: str | None, expected: int) -> str:
    if kind is None:
        return f"line {line}: found {len(numbers)} numbers; an element has at least {BEFORE}"
    if numbers[2] < 0:
        return f"line {line}: element {numbers[0]} has {numbers[2]} tags"
    return f"line {line}: element {numbers[0]}, a {kind} with {numbers[2]} tags, has {len(numbers)} numbers instead of {expected}"
