"""One correction, and the sources that they belong to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Erratum:
    """A place in a source whose text does not work as it stands, or holds under a condition that it does not state."""

    where: str
    """Equation, section or figure."""
    printed: str
    works: str
    """The form that works, or the condition."""
    proof: str
    """`tests/FILE.py::test_name`, or `panel ID` of the gallery."""


@dataclass(frozen=True)
class Source:
    """A published text and its corrections."""

    letter: str
    """First letter of its panels in the gallery."""
    title: str
    errata: tuple[Erratum, ...]
