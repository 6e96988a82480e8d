"""Common base of dampers that damp one elastic term with one coefficient."""

from __future__ import annotations

from typing import ClassVar, Self

from supple.energies.roles.frozen import FrozenInSteps
from supple.energies.term import EnergyTerm
from supple.types import Array

ELASTIC = "elastic."
"""Prefix for constants of the damped term."""


class ElasticDamper(EnergyTerm, FrozenInSteps):
    """A dissipation based on an elastic term and one coefficient, named `number` in its constants."""

    number: ClassVar[str]

    def __init__(self, elastic: EnergyTerm, value: float) -> None:
        """value: ratio of damping to stiffness [s]."""
        self.elements = elastic.elements
        self._elastic, self._value = elastic, value

    def _set_constant(self, name: str, values: Array) -> None:
        if name == self.number:
            self._value = float(values[0])
        else:
            self._elastic = self._elastic.with_constant(name.removeprefix(ELASTIC), values)

    def unshared(self) -> Self:
        other = super().unshared()
        other._elastic = other._elastic.unshared()
        return other
