"""What is wrong with a value, in the words in which a scene file is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from supple.wording import shown

Found: TypeAlias = Sequence[tuple[str, str]]
"""Where below the field (`[2]`), and a sentence; empty if all is well."""
Judge: TypeAlias = Callable[[Any], tuple[Any, Found]]
"""Gives the usual form of a value, and what is wrong with it."""

FINE: Found = ()


def wrong(value: Any, rule: str) -> tuple[Any, Found]:
    """A value that should `rule`."""
    return value, [("", f"input should {rule}, found {shown(plain(value))}")]


def plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's, which files can hold."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def first_wrong(array: Any, good: Any, rule: str) -> Found:
    """The first entry of an array that breaks a rule."""
    if np.all(good):
        return FINE
    place = tuple(int(i) for i in np.argwhere(~good)[0])
    return [("".join(f"[{i}]" for i in place), f"input should {rule}, found {shown(plain(array[place]))}")]


def wrong_count(value: Any, entries: list[Any], bound: str) -> Found:
    """A list with too few or too many entries; `bound`: `least 3`."""
    return [("", f"input should have at {bound} entries, found {len(entries)}: {shown(plain(value))}")]
