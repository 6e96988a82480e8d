"""Interface of all membrane laws: a density of the in-plane strain e = (E11, E22, 2 E12), E = (F^T F - I)/2.

dW/de = (S11, S22, S12) is the second Piola-Kirchhoff stress. Membranes are in plane stress: their faces are free, so
they become thinner under tension; the density is that of the sheet, per volume at rest. Laws of plane_strain.py are
the exception: their thickness is constant.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np

from supple.errors import SuppleError
from supple.formulas.potential import Potential
from supple.linalg.psd import clamp_negative
from supple.materials.material import Modulus
from supple.materials.membranes.variables import membrane_potential
from supple.materials.options import fields_of, multiplied, unchecked
from supple.types import Array

T_co = TypeVar("T_co", covariant=True)
STRESSES = frozenset({"young", "young_warp", "young_weft", "shear", "mu", "lam"})
"""Constants in which a density is linear [Pa]."""
WARP = "warp"
"""The field that is a direction, not a constant."""
UNPACKED = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])
"""Indices of the entries of a symmetric matrix in its upper half, row by row."""
QUADRATIC = 4
"""Degree in F of a quadratic function of strain."""


class SheetPlace(Protocol[T_co]):
    """A positioned body, which turns a law into energy terms over its triangles."""

    def membrane(self, law: MembraneLaw) -> Iterable[T_co]: ...


class _Degree:
    """The degree of the formula, available on the class if its energy is."""

    def __get__(self, law: Any, cls: type[MembraneLaw]) -> int | None:
        if law is not None:
            return law.law.degree
        return membrane_potential(cls.energy, _names(cls)).degree if hasattr(cls, "energy") else None


class MembraneLaw:
    """Density [J/m^3], second Piola-Kirchhoff stress [Pa] and its derivative, for all triangles at once.

    A subclass is a frozen dataclass of its constants. Its `energy` density is a formula in them and in the variables
    of variables.py: E11, E22, E12 and I1, I2, J (or the excess of the last three over 2, 1 and 1: i1, i2, j). A
    density that depends on the direction in the sheet also has a field `warp`.
    """

    name: ClassVar[str]
    energy: ClassVar[str]
    """[J/m^3]"""
    flat: ClassVar[bool] = False
    """Whether bodies made of it are flat and stay in their plane."""
    degree = _Degree()
    """Degree of the density as a polynomial in F, or None."""

    @property
    def law(self) -> Potential:
        """Machine code of density, stress and tangent, in this process."""
        return membrane_potential(self.energy, _names(type(self)))

    @property
    def axis(self) -> Array | None:
        """Direction of the first axis of the strain, (3,) or one per triangle (m, 3); None: the law is isotropic."""
        warp = getattr(self, WARP, None)
        return None if warp is None else np.asarray(warp, dtype=np.float64)

    @property
    def quadratic_in_strain(self) -> bool:
        return self.degree is not None and self.degree <= QUADRATIC

    def constants(self) -> dict[str, Modulus]:
        """Constants of the law by name, in its order."""
        return {name: getattr(self, name) for name in _names(type(self))}

    def with_constant(self, name: str, values: Modulus) -> Self:
        """The same law with another value of one of its `constants`, without validation."""
        if name not in self.constants():
            raise SuppleError(f"{self.name}: unknown constant '{name}'; it has {', '.join(self.constants())}")
        return unchecked(self, **{name: values})

    def parameters(self, m: int) -> Array:
        """(m, c) constants of m triangles."""
        constants = self.constants()
        out = np.empty((m, len(constants)))
        for column, (name, given) in enumerate(constants.items()):
            value = np.asarray(given, dtype=np.float64)
            if value.ndim > 1 or (value.ndim == 1 and value.size != m):
                raise SuppleError(
                    f"{self.name}.{name}: must be one number or one for each of the {m} triangles, found shape {value.shape}"
                )
            out[:, column] = value
        return out

    def density(self, e: Array) -> Array:
        """(m,) densities of (m, 3) strains; +inf where the density is not defined."""
        return self._both(self.law.response, e, 1, 3)[0][:, 0]

    def stress(self, e: Array) -> Array:
        """(m, 3) stresses (S11, S22, S12)."""
        return self._both(self.law.response, e, 1, 3)[1]

    def tangent(self, e: Array, convex: bool = False) -> Array:
        """(m, 3, 3) derivatives of the stresses; `convex`: made positive semidefinite."""
        packed = self._both(self.law.slopes, e, 3, 6)[1]
        full = packed[:, UNPACKED]
        return clamp_negative(full) if convex else full

    def stress_and_tangent(self, e: Array) -> tuple[Array, Array]:
        """Both at once."""
        stress, packed = self._both(self.law.slopes, e, 3, 6)
        return stress, packed[:, UNPACKED]

    @property
    def bending_modulus(self) -> float:
        """Y of a strip with flexural rigidity Y t^3/12 per unit width; the geometric mean of warp and weft [Pa]."""
        stiffness = self.tangent(np.zeros((1, 3)))[0]
        if not np.linalg.eigvalsh(stiffness)[0] > 0.0:
            raise SuppleError(f"'{self.name}' is not stiff in all directions at rest; give bending.rigidity [N m]")
        compliance = np.linalg.inv(stiffness)
        return float(1.0 / np.sqrt(compliance[0, 0] * compliance[1, 1]))

    about_young: ClassVar[float] = 0.0
    """Stiffness scale for contact, sufficient to stop thin bodies within a step [Pa]."""

    def scaled(self, factor: float) -> Self:
        """The same law with its stiffness scaled by a factor."""
        return multiplied(self, STRESSES, factor)

    def terms(self, placed: SheetPlace[T_co]) -> Iterable[T_co]:
        """The energy terms of a body made of it."""
        return placed.membrane(self)

    def _both(self, address: int, e: Array, first: int, second: int) -> tuple[Array, Array]:
        from supple.materials.batches import pairs_of_outputs

        e = np.ascontiguousarray(e, dtype=np.float64)
        found = np.empty((len(e), first)), np.empty((len(e), second))
        pairs_of_outputs(address, self.parameters(len(e)), e, *found)
        return found


def _names(cls: type[Any]) -> tuple[str, ...]:
    return tuple(f.name for f in fields_of(cls) if f.name != WARP)
