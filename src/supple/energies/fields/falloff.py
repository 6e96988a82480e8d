"""Distance dependence of the force of an attractor, with its potential in closed form.

A profile gives, for distances r, the potential G(r), A = g/r with the force g = G', and B = A'/r. With r^2 = |q|^2 + core^2 for
a distance vector q, the gradient is A q and the Hessian A P + B q q^T, P = dq/dx.

    power      g = (r/s)^-p [1 - (r/R)^4]^4     the bracket (only with a range R) takes the force smoothly to zero at R
    gaussian   g = (r/s) exp((1 - r^2/s^2)/2)   1 at r = s, where it is largest
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from supple.types import Array

ORDER = 4
"""Exponent of the bracket: forces have one continuous derivative fewer than this at the range."""


class Falloff:
    """A dependence on the distance."""

    degree: int | None = None
    """Degree of the potential along a straight line if it is a polynomial, else None."""

    def potential(self, r: Array) -> Array:
        """G(r) [m]."""
        raise TypeError(f"{type(self).__name__} does not define its potential")

    def slopes(self, r: Array) -> tuple[Array, Array]:
        """A [1/m] and B [1/m^3]."""
        raise TypeError(f"{type(self).__name__} does not define its slopes")


@dataclass(frozen=True)
class Power(Falloff):
    """A power of the distance, with or without a finite range."""

    size: float
    """Distance at which the force is 1 [m]."""
    power: float
    reach: float | None = None
    """Distance beyond which the force is zero [m]."""

    @property
    def degree(self) -> int | None:  # type: ignore[override]
        return 2 if self.power == -1.0 and self.reach is None else None

    def potential(self, r: Array) -> Array:
        if self.reach is None:
            return self._antiderivative(r)
        inside = np.minimum(r, self.reach)
        return self._antiderivative(inside) - self._antiderivative(np.array(self.reach))

    def slopes(self, r: Array) -> tuple[Array, Array]:
        A, B = np.zeros_like(r), np.zeros_like(r)
        for weight, exponent in self._powers():  # g = sum w r^e, A = sum w r^(e - 1), B = sum w (e - 1) r^(e - 3)
            part = weight * r ** (exponent - 1.0)
            A += part
            B += (exponent - 1.0) * part / (r * r)
        if self.reach is None:
            return A, B
        return np.where(r < self.reach, A, 0.0), np.where(r < self.reach, B, 0.0)

    def _antiderivative(self, r: Array) -> Array:
        total = np.zeros_like(r)
        for weight, exponent in self._powers():
            if exponent == -1.0:
                total = total + weight * np.log(r / self.size)
            else:
                total = total + weight * r ** (exponent + 1.0) / (exponent + 1.0)
        return total

    def _powers(self) -> list[tuple[float, float]]:
        """g as a sum of w r^e: pairs of w and e."""
        scale = self.size**self.power
        if self.reach is None:
            return [(scale, -self.power)]
        return [
            (scale * comb(ORDER, k) * (-1.0) ** k / self.reach ** (4 * k), 4.0 * k - self.power)
            for k in range(ORDER + 1)
        ]


@dataclass(frozen=True)
class Gaussian(Falloff):
    """A well or a hill of a given width."""

    size: float
    """Distance at which the force is largest, where it is 1 [m]."""

    def potential(self, r: Array) -> Array:
        return np.asarray(-self.size * self._bell(r))

    def slopes(self, r: Array) -> tuple[Array, Array]:
        bell = self._bell(r)
        return bell / self.size, -bell / self.size**3

    def _bell(self, r: Array) -> Array:
        return np.asarray(np.exp(0.5 * (1.0 - (r / self.size) ** 2)))
