"""Differences between measured and computed stresses as a function of the free constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from supple.analysis.materials.curves import in_equilibrium
from supple.analysis.materials.data import StressData
from supple.analysis.materials.family import COMPRESSIBLE, Constant, Family
from supple.analysis.materials.loading import LOADINGS, find_axis
from supple.errors import SuppleError
from supple.materials.material import Material
from supple.types import Array

UNDEFINED = 10.0
"""Residual of a point at which the solid has no stress, over the largest measured one."""


@dataclass(frozen=True)
class Problem:
    """A law, its data, and its free constants."""

    family: Family
    data: StressData
    open: Mapping[str, Constant]
    held: Mapping[str, float]
    axis: str

    def values(self, variables: Array) -> dict[str, float]:
        return {name: c.value(v) for (name, c), v in zip(self.open.items(), variables.tolist(), strict=True)}

    def material(self, variables: Array) -> Material:
        found = {**self.held, **self.values(variables)}
        return self.family.make({name: found[name] for name in self.family.names})

    @property
    def measured(self) -> Array:
        return np.concatenate([m.stress for m in self.data.values()])

    def residuals(self, variables: Array) -> Array:
        """Residuals over the largest measured stress."""
        try:
            computed = stresses(self.material(variables), self.data, self.axis)
        except SuppleError:  # constants within their bounds, but incompatible
            computed = np.full(len(self.measured), np.nan)
        scaled = (computed - self.measured) / self.size
        return np.where(np.isfinite(scaled), np.clip(scaled, -1e6, 1e6), UNDEFINED)

    @property
    def size(self) -> float:
        return float(np.abs(self.measured).max()) or 1.0


def stresses(material: Material, data: StressData, axis: str = "x") -> Array:
    """Computed stresses at all points of the data [Pa]; NaN where undefined."""
    parts = []
    for mode, measured in data.items():
        loading = LOADINGS[mode]
        a = measured.amount
        outwards = np.argsort(np.abs(a - loading.rest), kind="stable")
        ways = [[k for k in outwards.tolist() if side * (a[k] - loading.rest) >= 0] for side in (-1, 1)]
        F, found = in_equilibrium(material, loading, a, axis, ways)
        part = np.full(len(a), np.nan)
        part[found] = loading.answer(F[found], material.stress(F[found]), find_axis(axis))
        parts.append(part)
    return np.concatenate(parts)


def first_modulus(data: StressData) -> float:
    """Young's modulus of an incompressible solid from the points nearest to rest [Pa]."""
    slopes = []
    for mode, measured in data.items():
        loading = LOADINGS[mode]
        strain = measured.amount - loading.rest
        away = np.flatnonzero(np.abs(strain) > 1e-9)
        nearest = away[np.argsort(np.abs(strain[away]))][:3]
        slope = 3 * (1 - 2 * COMPRESSIBLE) if mode == "volumetric" else 1 / loading.slope
        slopes += [slope * s for s in (measured.stress[nearest] / strain[nearest]).tolist()]
    positive = [s for s in slopes if s > 0]
    if not positive:
        raise SuppleError("data: stresses near rest have the opposite sign of their strains; tension is positive")
    return float(np.median(positive))
