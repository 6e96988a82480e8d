"""A correction, and its source."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Erratum:
    """A passage of a source that is wrong as printed, or holds only under an unstated condition."""

    where: str
    """Equation, section or figure."""
    printed: str
    works: str
    """The working form, or the condition."""
    proof: str
    """`tests/FILE.py::test_name`, or `panel ID` of the gallery."""


@dataclass(frozen=True)
class Source:
    """A publication and its corrections."""

    letter: str
    """First letter of its panels in the gallery."""
    title: str
    errata: tuple[Erratum, ...]
