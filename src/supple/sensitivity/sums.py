"""Accumulated results of a reverse sweep: derivatives of the loss with respect to the parameters of a system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from supple.dynamics.system import System
from supple.linalg.reduce import dot
from supple.sensitivity.twins import Twin
from supple.types import Array


@dataclass
class Sums:
    """Adjoints of constants, masses, rest positions and scripts, and of the parameters of a scene (`twins`)."""

    system: System
    twins: Sequence[Twin] = ()
    fields: bool = True
    """Whether constants of elements, masses and rest positions are requested."""
    constants: dict[tuple[str, int, str], Array] = field(default_factory=dict)
    """By list (potential, dissipation), index of the term, and name."""
    script: dict[tuple[str, float], Array] = field(default_factory=dict)
    """(n, 3) by kind (place, drive) and time [s]; only rows of prescribed vertices count."""
    keys: dict[str, float] = field(init=False)
    mass: Array = field(init=False)
    rest: Array = field(init=False)
    inexact: set[str] = field(default_factory=set)
    """Omitted contributions, as text."""

    def __post_init__(self) -> None:
        self.mass = np.zeros(self.system.n)
        self.rest = np.zeros((self.system.n, 3))
        self.keys = {twin.name: 0.0 for twin in self.twins}
        self._held = self.system.motion.held(self.system.n)[:, None]

    def add_change(self, bar: Array, of: Callable[[System], Array]) -> None:
        """bar . d/d theta of a vector (n, 3) that depends on the system, for every parameter."""
        for twin in self.twins:
            self.keys[twin.name] += twin.slope(lambda system: dot(bar, of(system)))

    def add_numbers(self, bar: Array, of: Callable[[System], Array]) -> None:
        """The same for a list of parameters."""
        for twin in self.twins:
            self.keys[twin.name] += float(bar @ twin.derivative(of))

    def add_script(self, kind: Literal["place", "drive"], time: float, bar: Array) -> None:
        """The adjoint of prescribed rows, which belongs to the script at a time."""
        if not self._held.any():
            return
        masked = np.where(self._held, bar, 0.0)
        known = self.script.get((kind, time))
        self.script[kind, time] = masked if known is None else known + masked
        still = np.zeros_like(bar)
        self.add_change(
            masked,
            lambda s: s.motion.place(still, time) if kind == "place" else s.motion.drive(still, time),
        )

    def add_pulled(self, kind: str, index: int, pulled: dict[str, Array], sign: float) -> None:
        """Contributions of a term to its own parameters."""
        for name, values in pulled.items():
            if name == "rest":
                self.rest += sign * values
            elif name == "mass":
                self.mass += sign * values
            else:
                known = self.constants.get((kind, index, name))
                self.constants[kind, index, name] = sign * values if known is None else known + sign * values
