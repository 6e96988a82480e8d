"""B-splines of degree 2 and 3 on a regular grid: the weights of transfers between particles and nodes.

    quadratic   b = floor(x/dx - 1/2), f = x/dx - b:  w = ((3/2-f)^2/2, 3/4-(f-1)^2, (f-1/2)^2/2),       D = dx^2/4
    cubic       b = floor(x/dx) - 1,   t = x/dx - b - 1:  w = ((1-t)^3, 3t^3-6t^2+4, -3t^3+3t^2+3t+1, t^3)/6,  D = dx^2/3
In three dimensions weights are products over the axes. With r = x_i - x, everywhere:
    sum w = 1,  sum w r = 0,  sum w r r^T = D I,  sum x_i grad w^T = I
The last one also holds for the gradient w r/D of moving least squares (Hu 2018), for which F follows the affine velocity.
Linear weights are not supported: their gradient jumps where a particle crosses into another cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from supple.types import Array

Degree: TypeAlias = Literal[2, 3]
Gradient: TypeAlias = Literal["mls", "spline"]
"""Gradient of weights: w r/D, or the derivative of the spline."""


@dataclass(frozen=True)
class Support:
    """Positions of particles relative to the nodes of each axis."""

    base: np.ndarray
    """(n, 3) index of the first node, int64."""
    weights: Array
    """(n, 3, k) weights of the k nodes, starting with the first."""
    slopes: Array
    """(n, 3, k) their derivatives with respect to x [1/m]."""


@dataclass(frozen=True)
class Spline:
    """A spline on cells of the size `dx`."""

    degree: Degree
    dx: float

    @property
    def size(self) -> int:
        """Nodes on each axis that a particle reaches."""
        return self.degree + 1

    @property
    def D(self) -> float:
        """Second moment of the weights along each axis [m^2]."""
        return self.dx**2 / (4.0 if self.degree == 2 else 3.0)

    def first(self, x: Array) -> np.ndarray:
        """(n, 3) indices of the first nodes that particles at x (n, 3) reach, int64."""
        z = x / self.dx
        return (np.floor(z - 0.5) if self.degree == 2 else np.floor(z) - 1.0).astype(np.int64)

    def at(self, x: Array) -> Support:
        """Weights of particles at x (n, 3)."""
        base = self.first(x)
        f = x / self.dx - base
        weights, slopes = _quadratic(f) if self.degree == 2 else _cubic(f - 1.0)
        return Support(base, weights, slopes / self.dx)


def _quadratic(f: Array) -> tuple[Array, Array]:
    w = (0.5 * (1.5 - f) ** 2, 0.75 - (f - 1.0) ** 2, 0.5 * (f - 0.5) ** 2)
    return np.stack(w, axis=-1), np.stack((f - 1.5, -2.0 * (f - 1.0), f - 0.5), axis=-1)


def _cubic(t: Array) -> tuple[Array, Array]:
    w = ((1.0 - t) ** 3, (3.0 * t - 6.0) * t * t + 4.0, ((-3.0 * t + 3.0) * t + 3.0) * t + 1.0, t**3)
    s = (-((1.0 - t) ** 2), (3.0 * t - 4.0) * t, (-3.0 * t + 2.0) * t + 1.0, t * t)
    return np.stack(w, axis=-1) / 6.0, np.stack(s, axis=-1) / 2.0
