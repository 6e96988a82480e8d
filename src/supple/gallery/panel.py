"""Panels: a claim of a source, and the study that checks it.

@PANELS("K3.1")
class Pendulum(Panel):
    title = "Pendulum"
    claim = "Explicit Euler gains energy, implicit Euler loses it, symplectic Euler keeps it bounded."
    setup = "a mass of 1 kg on a rod of 1 m, steps of 0.1 s"
    command = "supple compare pendulum --integrators forward-euler,backward-euler,symplectic-euler"

    def study(self, desk): ...
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from supple.gallery.verdicts import Figure, Verdict
from supple.registry import Registry

if TYPE_CHECKING:
    from supple.gallery.desk import Desk

SOURCES = {
    "R": "Average vector field integration (Rojas, Liu, Kavan)",
    "S": "Energy budgeting (Su, Sheth, Fedkiw)",
    "A": "A numerical perspective (Ascher, Larionov, Sheen, Pai)",
    "K": "Geometric interpretation of physical systems (Kharevych)",
    "L": "Animating deformable bodies (lecture slides)",
}
"""Sources by the first letter of their panels' identifiers."""


class Panel(ABC):
    """A claim of a source and its measurement. `study` draws pictures on its desk and yields figures, whose bounds
    give the verdict."""

    name: ClassVar[str]
    """Its identifier, set by the registry."""
    also: ClassVar[tuple[str, ...]] = ()
    """Further identifiers that the same study covers."""
    title: ClassVar[str]
    claim: ClassVar[str]
    """The claim in our words."""
    setup: ClassVar[str]
    """Bodies, sizes and steps of the quick study, in one line."""
    command: ClassVar[str] = ""
    """Command for further exploration, besides `supple gallery ID`."""
    expects: ClassVar[Verdict] = Verdict.REPRODUCED
    """Verdict when the panel was written; a different verdict is an alarm."""
    because: ClassVar[str] = ""
    """For a correction, the change; for a claim that does not hold, the reason."""
    alone: ClassVar[bool] = False
    """Whether the panel measures time, so it must run alone."""
    threads: ClassVar[int] = 1
    """Number of threads of its runs."""

    @abstractmethod
    def study(self, desk: Desk) -> Iterable[Figure]:
        """Measure and draw."""

    @property
    def source(self) -> str:
        """Letter of its source."""
        return self.name[0]

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.name, *self.also)


PANELS: Registry[Panel] = Registry("panel", "supple.gallery")
