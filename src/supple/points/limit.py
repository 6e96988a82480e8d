"""Stability limit of explicit steps: h <= a dx/(c + |v|), |v| h <= dx/2, and h w <= 2 a for meshes embedded in the grid.

c is the speed of sound, sqrt((lam + 2 mu)/rho) at rest times the largest stretch, or the value given by the material.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.errors import StepFailed
from supple.materials.flow.flow import largest_stretch
from supple.points.cloud import Cloud
from supple.points.matter import Matter
from supple.types import Array


@dataclass(frozen=True)
class Limit:
    """The limit of one run."""

    dx: float
    """Size of the cells [m]."""
    courant: float
    """a: fraction of a cell that sound and matter may cross in one substep [-]."""
    most: int
    """Largest number of substeps per step."""
    rate: float = 0.0
    """Bound on the angular frequencies of meshes embedded in the grid [1/s]."""

    def pieces(self, left: float, taken: int, c: float, v: float) -> int:
        """Number of equal substeps for the rest of a step [s], of which some are taken; c, v [m/s]."""
        longest = self.longest(c, v)
        count = max(1, math.ceil(left / longest))
        if taken + count > self.most:
            raise StepFailed(
                f"{left:g} s need {count} substeps of {longest:g} s, the longest for cells of {self.dx:g} m, "
                f"and {self.most} are allowed in one step; take a smaller time.step, larger cells or softer materials"
            )
        return count

    def longest(self, c: float, v: float) -> float:
        """The longest substep [s]."""
        speed = max((c + v) / self.courant, 2.0 * v, self.dx * self.rate / (2.0 * self.courant))
        if not math.isfinite(speed):
            raise StepFailed(f"particles move at {v:g} m/s and sound at {c:g} m/s: the motion is unstable")
        return self.dx / speed if speed > 0.0 else math.inf


def wave_speed(cloud: Cloud, volume: Array, mass: Array, F: Array, history: Array) -> float:
    """Largest speed of sound in particles of a cloud with volumes and masses (m,), deformations (m, 3, 3) and histories [m/s]."""
    light = float(np.max(volume / mass))
    harder = largest_stretch(F) if cloud.flow is None else cloud.flow.stiffening(F, history)
    return float(np.sqrt(cloud.modulus * light)) * harder


def fastest_wave(clouds: Sequence[Cloud], mass: Array, matter: Matter) -> float:
    """The same over all clouds [m/s]."""
    speeds = []
    for cloud in clouds:
        at = cloud.vertices
        speeds.append(wave_speed(cloud, cloud.volume, mass[at], matter.F[at], matter.history[at, : cloud.remembers]))
    return max(speeds, default=0.0)


def fastest_particle(v: Array) -> float:
    """[m/s]"""
    return float(np.sqrt(np.einsum("pi,pi->p", v, v).max(initial=0.0)))
