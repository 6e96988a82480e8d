"""Uniform wind, with gusts.

    w = d U(t) [1 + q n(t)],   n(t) = sqrt(2/K) sum_k cos(omega_k t + phi_k)

d is a unit vector, q the strength of gusts and n a smooth noise with the mean square 1 over long times. It has K
waves with random phases and frequencies between 1/4 and 4 times 2 pi/T, in a slightly perturbed geometric
progression.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.formulas.curves import Changing
from supple.model.fields.air_field import AirField
from supple.model.fields.field import FIELDS
from supple.model.fields.noise import Noise
from supple.types import Array
from supple.values import Count, Direction, NotNegative, Positive

WAVES = 9


@FIELDS("wind")
@dataclass(frozen=True)
class Wind(AirField):
    """Uniform wind."""

    strength: Changing = 5.0
    """Speed [m/s]."""
    direction: Direction = (1.0, 0.0, 0.0)
    """Direction of the wind; need not have length 1."""
    gusts: NotNegative = 0.0
    """Root mean square fluctuation of the speed, relative to the speed [-]."""
    gust_time: Positive = 2.0
    """Approximate time between two gusts [s]."""
    seed: Count = 0
    """Random seed of the gusts."""

    def stream(self, x: Array, t: float) -> Array:
        d = np.asarray(self.direction, dtype=np.float64)
        speed = self.now("strength", t) * self._swell(t)
        return np.broadcast_to(speed * d / np.linalg.norm(d), x.shape)

    def _swell(self, t: float) -> float:
        if self.gusts == 0.0:
            return 1.0
        omega, phase = self._waves
        return float(1.0 + self.gusts * np.sqrt(2.0 / WAVES) * np.cos(omega * t + phase).sum())

    @cached_property
    def _waves(self) -> tuple[Array, Array]:
        """(K,) frequencies [rad/s] and phases."""
        noise = Noise(self.seed)
        octaves = np.linspace(-2.0, 2.0, WAVES) + 0.4 * (noise.draw(WAVES) - 0.5)
        return 2.0 * np.pi / self.gust_time * 2.0**octaves, noise.angles(WAVES)
