"""What every law of a membrane offers: a density of the in-plane strain e = (E11, E22, 2 E12), E = (F^T F - I)/2.

Membranes are in plane stress: nothing presses on their faces, so that they become thinner as they are pulled.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Protocol, Self, TypeVar

import numpy as np

from supple.errors import SuppleError
from supple.materials.material import Modulus
from supple.materials.membrane_response import responses, tangents
from supple.materials.options import multiplied
from supple.types import Array

T_co = TypeVar("T_co", covariant=True)
STRESSES = frozenset({"young", "young_warp", "young_weft", "shear", "mu", "lam"})
"""Constants in which a density is linear [Pa]."""


class SheetPlace(Protocol[T_co]):
    """A body in its place, which turns a law into energy terms over its triangles."""

    def membrane(self, law: MembraneLaw) -> Iterable[T_co]: ...


class MembraneLaw:
    """Density [J/m^3], second Piola-Kirchhoff stress [Pa] and its derivative, for all triangles at once.

    A subclass is a frozen dataclass of its constants and names its `kind`, one of membrane_response.py.
    """

    name: ClassVar[str]
    kind: ClassVar[int]
    degree: ClassVar[int | None] = None
    """Degree of the density as a polynomial in F, or None."""

    @property
    def axis(self) -> Array | None:
        """Direction of the first axis of the strain, (3,) or one a triangle (m, 3); None: the law is the same along all."""
        return None

    def constants(self) -> tuple[Modulus, ...]:
        """p0, p1, ... of the kind."""
        raise TypeError(f"{type(self).__name__} does not define its constants")

    def parameters(self, m: int) -> Array:
        """(m, 4) constants of m triangles."""
        out = np.zeros((m, 4))
        for column, value in enumerate(self.constants()):
            value = np.asarray(value, dtype=np.float64)
            if value.ndim > 1 or (value.ndim == 1 and value.size != m):
                raise SuppleError(
                    f"{self.name}: moduli are one number or one for each of the {m} triangles, found shape {value.shape}"
                )
            out[:, column] = value
        return out

    def density(self, e: Array) -> Array:
        """(m,) densities of (m, 3) strains; +inf where the density is not defined."""
        return self._responses(e)[0]

    def stress(self, e: Array) -> Array:
        """(m, 3) stresses (S11, S22, S12)."""
        return self._responses(e)[1]

    def tangent(self, e: Array, convex: bool = False) -> Array:
        """(m, 3, 3) derivatives of the stresses; `convex`: made positive semidefinite."""
        out = np.empty((len(e), 3, 3))
        tangents(self.kind, self.parameters(len(e)), np.ascontiguousarray(e), convex, out)
        return out

    @property
    def bending_modulus(self) -> float:
        """Y of a strip [Pa], whose flexural rigidity over its width is Y t^3/12; the geometric mean of warp and weft."""
        compliance = np.linalg.inv(self.tangent(np.zeros((1, 3)))[0])
        return float(1.0 / np.sqrt(compliance[0, 0] * compliance[1, 1]))

    about_young: ClassVar[float] = 0.0
    """Contact of thin bodies is stiff enough for what stops them within a step [Pa]."""

    def scaled(self, factor: float) -> Self:
        """The same law, so many times stiffer."""
        return multiplied(self, STRESSES, factor)

    def terms(self, placed: SheetPlace[T_co]) -> Iterable[T_co]:
        """The energy terms of a body made of it."""
        return placed.membrane(self)

    def _responses(self, e: Array) -> tuple[Array, Array]:
        density, stress = np.empty(len(e)), np.empty((len(e), 3))
        responses(self.kind, self.parameters(len(e)), np.ascontiguousarray(e), density, stress)
        return density, stress
