"""Energy changes in the substeps of an explicit step; see explicit.py for the formulas."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Booked:
    """Changes of the energy in one or more substeps [J]."""

    transfer: float = 0.0
    force: float = 0.0
    collided: float = 0.0
    friction: float = 0.0
    work: float = 0.0
    heat: float = 0.0
    plastic: float = 0.0
    hardening: float = 0.0
    touched: bool = False

    def __add__(self, other: Booked) -> Booked:
        return Booked(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))
