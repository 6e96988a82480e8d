"""Stress curves of a solid in simple tests, with the ranges in which it is defined and stable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from supple.analysis.materials.equilibrium import Mask, settle
from supple.analysis.materials.loading import SHOWN, Loading, find_axis, find_loading
from supple.analysis.materials.stability import least_acoustic, least_curvature
from supple.errors import SuppleError
from supple.materials.material import Material
from supple.materials.rest.at_rest import AtRest
from supple.types import Array

POINTS = 121
LOST = -1e-9
"""Least curvature, over the largest, below which a state is not stable."""
REFINEMENTS, FINER = 3, 17
"""Number of refinements of the end of the density, and points per refinement."""
Range = tuple[float, float]


@dataclass(frozen=True)
class Curve:
    """One test: stress over the amount of deformation."""

    loading: Loading
    amount: Array
    """(m,) ascending."""
    stress: Array
    """(m,) [Pa]; NaN without equilibrium or outside the domain of the density."""
    F: Array
    """(m, 3, 3)"""
    curvature: Array
    """(m,) least second derivative of the density in the stretch, over the largest entry of dP/dF; NaN as above."""
    acoustic: Array
    """(m,) the same for strong ellipticity."""
    defined: Range
    """Range of amounts about rest with a defined stress."""

    @cached_property
    def stable(self) -> Range:
        """Range of amounts about rest in which the density is convex in the stretch."""
        return self._about_rest(self.curvature)

    @cached_property
    def elliptic(self) -> Range:
        """Range of amounts about rest in which the solid is strongly elliptic."""
        return self._about_rest(self.acoustic)

    def is_whole(self, found: Range) -> bool:
        """Whether a range covers the whole curve."""
        return found == (float(self.amount[0]), float(self.amount[-1]))

    def _about_rest(self, least: Array) -> Range:
        start = int(np.argmin(np.abs(self.amount - self.loading.rest)))
        down = _last(self.amount[start::-1], least[start::-1])
        up = _last(self.amount[start:], least[start:])
        return max(down, self.defined[0]), min(up, self.defined[1])


def _last(amounts: Array, least: Array) -> float:
    """The amount at which the smallest value crosses zero, by linear interpolation; otherwise the last amount."""
    bad = np.flatnonzero(~(least >= LOST))
    if not len(bad):
        return float(amounts[-1])
    k = int(bad[0])
    if k == 0 or np.isnan(least[k]):  # not stable at rest; or the end of the density, which is known more accurately
        return float(amounts[k])
    part = least[k - 1] / (least[k - 1] - least[k])
    return float(amounts[k - 1] + part * (amounts[k] - amounts[k - 1]))


@dataclass(frozen=True)
class MaterialCurves:
    """A solid in several tests."""

    material: Material
    rest: AtRest
    axis: str
    curves: Mapping[str, Curve]
    """By mode."""

    def __getitem__(self, mode: str) -> Curve:
        return self.curves[mode]

    def plot(self, path: str | Path, label: str = "", **others: MaterialCurves) -> Path:
        """Draw the curves, with those of other solids by label."""
        from supple.analysis.materials.figure import draw

        name = label or self.material.name
        return draw({name: self, **others}, Path(path), name)


def material_curves(
    material: Material,
    modes: Sequence[str] = SHOWN,
    stretch: Range = (0.4, 2.5),
    axis: str = "x",
    points: int = POINTS,
) -> MaterialCurves:
    """Curves of a solid in tests along an axis of the rest shape.

    `stretch`: range of both stretches and J; shear ranges from 0 to the amount of the largest stretch.
    """
    check_stretch(stretch)
    if not isinstance(material, Material):
        raise SuppleError(f"material: found {material!r}; give a solid such as supple.Gent.from_young(1e6, 0.49)")
    if points < 3:
        raise SuppleError(f"points: found {points}; give 3 or more")
    for name, value in material.constants().items():
        if not isinstance(value, int | float | np.number):
            raise SuppleError(f"{material.name}.{name}: it varies between tets; give a single number for a curve")
    curves = {
        mode: curve(material, find_loading(mode), amounts(find_loading(mode), stretch, points), axis) for mode in modes
    }
    return MaterialCurves(material, material.at_rest(), axis, curves)


def check_stretch(stretch: Range) -> None:
    low, high = stretch
    if not 0 < low <= 1 <= high < float("inf") or low == high:
        raise SuppleError(f"stretch: found {low:g} to {high:g}; give a positive range that contains 1, such as 0.4:2.5")


def amounts(loading: Loading, stretch: Range, points: int) -> Array:
    """The amounts of a test for a range of stretches."""
    low, high = stretch
    if loading.name == "shear":
        low, high = 0.0, high - 1 / high if high > 1 else 1 / low - low
    return _spread(loading, low, high, points)


def points_about(loading: Loading, measured: Array, points: int = POINTS) -> Array:
    """Amounts over the range of measured ones."""
    low, high = min(loading.rest, float(measured.min())), max(loading.rest, float(measured.max()))
    return _spread(loading, low, high, points)


def _spread(loading: Loading, low: float, high: float, points: int) -> Array:
    """Evenly spaced, including the rest value."""
    below = round((points - 1) * (loading.rest - low) / (high - low))
    parts = [np.linspace(low, loading.rest, below + 1)[:-1], np.linspace(loading.rest, high, points - below)]
    return np.concatenate(parts)


def curve(material: Material, loading: Loading, a: Array, axis: str) -> Curve:
    """One test at ascending amounts, including the rest value."""
    start = int(np.argmin(np.abs(a - loading.rest)))
    down, up = list(range(start, -1, -1)), list(range(start, len(a)))
    F, found = in_equilibrium(material, loading, a, axis, (down, up))
    stress, curvature, acoustic = (np.full(len(a), np.nan) for _ in range(3))
    stress[found] = loading.answer(F[found], material.stress(F[found]), find_axis(axis))
    curvature[found] = least_curvature(material, F[found])
    acoustic[found] = least_acoustic(material, F[found])
    low, high = (_end(material, loading, a[way], found[way], axis) for way in (down, up))
    return Curve(loading, a, stress, F, curvature, acoustic, (low, high))


def in_equilibrium(
    material: Material, loading: Loading, a: Array, axis: str, ways: Sequence[Sequence[int]] = ()
) -> tuple[Array, Mask]:
    """F (m, 3, 3) at the amounts a, and whether it exists."""
    which = find_axis(axis)
    return settle(material, loading.gradients(a, which), loading.places(which), ways)


def _end(material: Material, loading: Loading, a: Array, found: Mask, axis: str) -> float:
    """The last amount, from rest outwards, with a defined stress; refined within the range."""
    for _ in range(REFINEMENTS):
        bad = np.flatnonzero(~found)
        if not len(bad) or bad[0] == 0:
            break
        a = np.linspace(a[bad[0] - 1], a[bad[0]], FINER)
        found = in_equilibrium(material, loading, a, axis, (range(FINER),))[1]
    bad = np.flatnonzero(~found)
    return float(a[max(bad[0] - 1, 0)] if len(bad) else a[-1])
