"""Problems with a value, worded as for scene files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from supple.wording import shown

Found: TypeAlias = Sequence[tuple[str, str]]
"""Position below the field (`[2]`) and a message; empty if the value is valid."""
Judge: TypeAlias = Callable[[Any], tuple[Any, Found]]
"""Returns the usual form of a value and its problems."""

FINE: Found = ()


def wrong(value: Any, rule: str) -> tuple[Any, Found]:
    """The problem with a value that should `rule`."""
    return value, [("", f"input should {rule}, found {shown(plain(value))}")]


def plain(value: Any) -> Any:
    """NumPy scalars and arrays as plain Python values, which files can store."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def first_wrong(array: Any, good: Any, rule: str) -> Found:
    """The first entry of an array that violates a rule."""
    if np.all(good):
        return FINE
    place = tuple(int(i) for i in np.argwhere(~good)[0])
    return [("".join(f"[{i}]" for i in place), f"input should {rule}, found {shown(plain(array[place]))}")]


def wrong_count(value: Any, entries: list[Any], bound: str) -> Found:
    """A list with too few or too many entries; `bound`: `least 3`."""
    return [("", f"input should have at {bound} entries, found {len(entries)}: {shown(plain(value))}")]
