"""Distance functions of rounded bodies: round cones that blend into each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from supple.types import Array

Point = tuple[float, float, float]


class Form(Protocol):
    """A body defined by the approximate distance of points from its surface."""

    def distance(self, x: Array) -> Array:
        """(n,) distance of points (n, 3) from the surface [m], negative inside."""
        ...

    def slope(self, x: Array) -> tuple[Array, Array]:
        """The distance (n,), and its gradient (n, 3)."""
        ...


@dataclass(frozen=True)
class Cone:
    """All points near a segment, within a radius that changes linearly along it; a ball if both ends coincide."""

    start: Point
    end: Point
    radii: tuple[float, float]
    flat: float = 1.0
    """Thickness along z, as a fraction of the width."""

    def distance(self, x: Array) -> Array:
        """Exact for balls and capsules, nearly so for slender cones."""
        return self._parts(x)[0]

    def slope(self, x: Array) -> tuple[Array, Array]:
        """The distance and its gradient."""
        d, gap, length, t = self._parts(x)
        squash, along = self._squash, self._along
        outward = gap / np.maximum(length, 1e-300)[:, None]
        square = float(along @ along)
        if square > 0.0:
            free = (t > 0.0) & (t < 1.0)
            outward = outward - np.where(free, (self.radii[1] - self.radii[0]) / square, 0.0)[:, None] * along
        return d, outward * squash

    def at_least(self, radius: float) -> Cone:
        """The same part, nowhere thinner than a lattice can resolve."""
        least = radius / self.flat
        return Cone(self.start, self.end, (max(self.radii[0], least), max(self.radii[1], least)), self.flat)

    @property
    def _squash(self) -> Array:
        return np.array([1.0, 1.0, 1.0 / self.flat])

    @property
    def _along(self) -> Array:
        return (np.asarray(self.end) - np.asarray(self.start)) * self._squash

    def _parts(self, x: Array) -> tuple[Array, Array, Array, Array]:
        """Distance, vector from the axis and its length, and parameter along the axis."""
        along = self._along
        away = (x - np.asarray(self.start)) * self._squash
        square = float(along @ along)
        t = np.clip(away @ along / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(x))
        gap = away - t[:, None] * along
        length = np.sqrt(np.einsum("ij,ij->i", gap, gap))
        return length - (self.radii[0] + t * (self.radii[1] - self.radii[0])), gap, length, t


def ball(centre: Point, radius: float, flat: float = 1.0) -> Cone:
    """A ball, or an ellipsoid that is flattened along z."""
    return Cone(centre, centre, (radius, radius), flat)


@dataclass(frozen=True)
class Blend:
    """The union of parts, with creases filled over about `reach` [m]: -r log(sum exp(-d/r)).

    Where two surfaces cross, the result lies r log 2 outside both.
    """

    parts: tuple[Cone, ...]
    reach: float

    def distance(self, x: Array) -> Array:
        """Distance to the union."""
        total = np.full(len(x), -np.inf)
        for part in self.parts:
            np.logaddexp(total, -part.distance(x) / self.reach, out=total)
        return -self.reach * total

    def slope(self, x: Array) -> tuple[Array, Array]:
        """The gradient is the mean of the parts' gradients, each weighted by exp(-d/r)."""
        found = [part.slope(x) for part in self.parts]
        d = np.stack([each for each, _ in found])
        low = d.min(axis=0)
        weights = np.exp((low - d) / self.reach)
        total = weights.sum(axis=0)
        gradient = np.einsum("pn,pni->ni", weights / total, np.stack([g for _, g in found]))
        return low - self.reach * np.log(total), gradient
