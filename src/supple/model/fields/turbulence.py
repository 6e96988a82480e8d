"""Turbulent air: a sum of random divergence-free waves (after Kraichnan 1970).

    w(x, t) = S(t) sum_m A_m e_m cos(k_m . (x - U t) + omega_m t + phi_m),   e_m . k_m = 0,   sum_m A_m^2/2 = 1

Every wave is transverse, so div w = 0 at all positions and times, and w is smooth. Wave numbers run from 2 pi/L over
a number of octaves, K waves in each: directions are points of a randomly rotated spiral on the sphere, polarisation
and phase are random. The energy of an octave decreases as k^(-2/3), which is Kolmogorov's k^(-5/3) per unit of k.
Small eddies change faster than large ones: omega_m = +-(2 pi/T) (k L/2 pi)^(2/3). U carries all of them along.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge, Le

from supple.formulas.curves import Changing, at_time
from supple.model.fields.air_field import AirField
from supple.model.fields.field import FIELDS
from supple.model.fields.noise import Noise
from supple.types import Array
from supple.values import Count, Positive, Vector

GOLDEN = np.pi * (3.0 - np.sqrt(5.0))
"""Angle between neighbours of a spiral on the sphere."""


class Waves(NamedTuple):
    """M waves A_m cos(k_m . x + omega_m t + phi_m)."""

    k: Array
    """(M, 3) wave vectors [1/m]."""
    amplitude: Array
    """(M, 3) A_m e_m, across the wave vectors [-]."""
    omega: Array
    """(M,) frequencies [rad/s]."""
    phase: Array
    """(M,)"""


@FIELDS("turbulence")
@dataclass(frozen=True)
class Turbulence(AirField):
    """Turbulent air: eddies of several sizes that form and decay, without a mean wind."""

    strength: Changing = 2.0
    """Root mean square of the velocity [m/s]."""
    size: Positive = 1.0
    """Wavelength of the largest eddies [m]."""
    seed: Count = 0
    """Seed of all random numbers."""
    octaves: Annotated[int, Ge(1), Le(8)] = 3
    """Number of eddy sizes, each half as large as the previous one."""
    waves: Annotated[int, Ge(4), Le(256)] = 24
    """Waves per octave."""
    time: Positive | None = None
    """Time in which the largest eddies change; size/strength if absent, with the strength at t = 0 [s]."""
    drift: Vector = (0.0, 0.0, 0.0)
    """Velocity with which eddies are carried along, such as that of an additional wind [m/s]."""

    def stream(self, x: Array, t: float) -> Array:
        k, amplitude, omega, phase = self._waves
        moved = x - t * np.asarray(self.drift)
        # sums in a fixed order, unlike matrix products
        waves = np.cos(np.einsum("ni,mi->nm", moved, k) + (omega * t + phase))
        return np.asarray(self.now("strength", t) * np.einsum("nm,mi->ni", waves, amplitude))

    @property
    def turnover(self) -> float:
        """Time in which the largest eddies change [s]."""
        if self.time is not None:
            return self.time
        speed = abs(at_time(self.strength, 0.0))
        return self.size / speed if speed > 0.0 else 1.0

    @cached_property
    def _waves(self) -> Waves:
        noise = Noise(self.seed)
        parts = [self._octave(j, noise) for j in range(self.octaves)]
        k, amplitude, omega, phase = (np.concatenate(column) for column in zip(*parts, strict=True))
        amplitude *= np.sqrt(2.0 / np.einsum("mi,mi->", amplitude, amplitude))
        return Waves(k, amplitude, omega, phase)

    def _octave(self, j: int, noise: Noise) -> Waves:
        """Waves whose lengths are from size/2^j down to half of that, with amplitudes relative to other octaves."""
        count = self.waves
        places = np.argsort(noise.draw(count), kind="stable")
        relative = 2.0 ** (j + (places + noise.draw(count)) / count)  # k L/2 pi, one in each part of the octave
        directions = _spiral(count) @ _turn(noise).T
        across = _across(directions, noise.angles(count))
        sign = np.where(noise.draw(count) < 0.5, -1.0, 1.0)
        return Waves(
            (2.0 * np.pi / self.size * relative)[:, None] * directions,
            (relative ** (-1.0 / 3.0))[:, None] * across,  # energy A^2/2 of a wave ~ k^(-2/3)
            sign * 2.0 * np.pi / self.turnover * relative ** (2.0 / 3.0),
            noise.angles(count),
        )


def _spiral(count: int) -> Array:
    """(count, 3) unit vectors, evenly spread."""
    z = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    radius, angle = np.sqrt(1.0 - z * z), GOLDEN * np.arange(count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=1)


def _turn(noise: Noise) -> Array:
    """(3, 3) a rotation, uniformly distributed (Shoemake 1992)."""
    a, b, c = noise.draw(3)
    u, v = np.sqrt(1.0 - a), np.sqrt(a)
    x, y = u * np.sin(2 * np.pi * b), u * np.cos(2 * np.pi * b)
    z, w = v * np.sin(2 * np.pi * c), v * np.cos(2 * np.pi * c)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _across(directions: Array, angle: Array) -> Array:
    """(count, 3) unit vectors at right angles to directions, rotated about them by angles."""
    axis = np.where(np.abs(directions[:, :1]) < 0.7, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    first = np.cross(directions, axis)
    first /= np.linalg.norm(first, axis=1)[:, None]
    return np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * np.cross(directions, first)
