"""Bending energies of bodies that are flat or straight at rest: stencils with coefficients measured in that configuration."""

from __future__ import annotations

from typing import ClassVar

from supple.energies.stencil import Stencils
from supple.energies.term import EnergyTerm
from supple.types import Array, Ints


class StraightAtRest(Stencils):
    """kappa = stiffness * weight, with the weight and the coefficients c of the elements at rest."""

    proportional_to: ClassVar[frozenset[str]] = frozenset({"stiffness", "rigidity", "kappa"})
    stiffness_name: ClassVar[str] = "stiffness"
    """Name of the stiffness among the constants."""

    def __init__(self, rest: Array, elements: Ints, stiffness: Array) -> None:
        """rest (n, 3) [m]; elements (m, k); stiffness (m,)."""
        c, self._weight = self.weighed(elements, rest[elements])
        super().__init__(elements, c, stiffness * self._weight)
        self.rest, self.stiffness = rest, stiffness
        self._measures_coefficients = True

    def weighed(self, elements: Ints, corners: Array) -> tuple[Array, Array]:
        """Coefficients (m, k) and weights (m,) of elements with these corners (m, k, 3)."""
        raise TypeError(f"{type(self).__name__} does not define its coefficients")

    def constants(self) -> dict[str, Array]:
        return {self.stiffness_name: self.stiffness}

    def _set_constant(self, name: str, values: Array) -> None:
        if name == self.stiffness_name:
            self.stiffness, self.kappa = values, values * self._weight
        else:
            super()._set_constant(name, values)

    def measured(self, corners: Array) -> dict[str, Array]:
        if not self._measures_coefficients:
            return super().measured(corners)
        c, weight = self.weighed(self.elements, corners)
        return {"c": c, "kappa": self.stiffness * weight}

    def resting_at(self, x: Array) -> EnergyTerm:
        other = super().resting_at(x)
        assert isinstance(other, StraightAtRest)
        other._measures_coefficients = False
        return other
