"""What every strain-energy density offers."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from supple.errors import SuppleError
from supple.materials.foreign import kernels_for
from supple.materials.lame import check_lame, lame
from supple.types import Array

Modulus: TypeAlias = float | Array
"""A number for the whole body or an array with one entry an element."""


class Material:
    """Density [J/m^3], first Piola-Kirchhoff stress [Pa] and its derivative, for all elements at once.

    A subclass is a frozen dataclass of its constants, names its `Parameters` (the NamedTuple that selects its kernels)
    and says of which `degree` its density is as a polynomial in F, or None if it is none.
    """

    name: ClassVar[str]
    Parameters: ClassVar[type]
    degree: ClassVar[int | None] = None
    quadratic_in_strain: ClassVar[bool] = False
    """Whether the density is a quadratic function of C = F^T F: its mean stress over a step is then known exactly."""

    def __post_init__(self) -> None:
        if hasattr(self, "mu") and hasattr(self, "lam"):
            check_lame(getattr(self, "name", type(self).__name__), self.mu, self.lam)  # of one's own: no name

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        """From Young's modulus [Pa] and Poisson's ratio [-]."""
        mu, lam = lame(young, poisson)
        return cls(mu=mu, lam=lam)  # type: ignore[call-arg]

    def constants(self) -> tuple[Modulus, ...]:
        """Values for the fields of `Parameters`, in order; by default the dataclass fields."""
        return tuple(getattr(self, f.name) for f in dataclasses.fields(self))  # type: ignore[arg-type]

    def parameters(self, m: int) -> Any:
        """Constants of m elements as arrays, in the type that selects the kernels."""
        arrays = []
        for name, value in zip(self.Parameters._fields, self.constants(), strict=True):  # type: ignore[attr-defined]
            value = np.asarray(value, dtype=np.float64)
            if value.ndim > 1 or (value.ndim == 1 and value.size != m):
                raise SuppleError(
                    f"{self.name}.{name}: one number or one for each of the {m} elements, found shape {value.shape}"
                )
            if not np.isfinite(value).all():
                raise SuppleError(f"{self.name}.{name}: must be finite")
            arrays.append(np.full(m, value))  # always writable: one type of array, one compilation
        return self.Parameters(*arrays)

    def density(self, F: Array) -> Array:
        """(m,) densities of (m, 3, 3) deformation gradients; +inf where the density is not defined."""
        return self._responses(F)[0]

    def stress(self, F: Array) -> Array:
        """(m, 3, 3) stresses P = d density / dF."""
        return self._responses(F)[1]

    def tangent(self, F: Array) -> Array:
        """(m, 3, 3, 3, 3) derivatives dP_ij / dF_kl."""
        F = np.ascontiguousarray(F, dtype=np.float64)
        out = np.empty((len(F), 9, 9))
        self._whole().tangents(self.parameters(len(F)), F.reshape(-1, 9), out)
        return out.reshape(-1, 3, 3, 3, 3)

    def _whole(self) -> Any:
        return kernels_for("supple.materials.whole", self.Parameters)

    def _responses(self, F: Array) -> tuple[Array, Array]:
        F = np.ascontiguousarray(F, dtype=np.float64)
        density, stress = np.empty(len(F)), np.empty((len(F), 9))
        self._whole().responses(self.parameters(len(F)), F.reshape(-1, 9), density, stress)
        return density, stress.reshape(-1, 3, 3)
