"""Random numbers from a seed: the same on every machine and with every version of NumPy (SplitMix64, Steele et al. 2014)."""

from __future__ import annotations

import numpy as np

from supple.types import Array

GAMMA = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1


class Noise:
    """A sequence of uniform random numbers; each draw continues after the last one."""

    def __init__(self, seed: int) -> None:
        self._state = _mixed(seed & MASK)

    def draw(self, *shape: int) -> Array:
        """Numbers from 0 to 1, 1 excluded."""
        count = int(np.prod(shape))
        words = [_mixed((self._state + k * GAMMA) & MASK) >> 11 for k in range(1, count + 1)]
        self._state = (self._state + count * GAMMA) & MASK
        return np.array(words, dtype=np.float64).reshape(shape) / 2.0**53

    def angles(self, count: int) -> Array:
        """From 0 to 2 pi."""
        return 2.0 * np.pi * self.draw(count)


def _mixed(z: int) -> int:
    """A 64-bit word in which every bit depends on every bit of z."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)
