"""Vibration modes of a body: K X = M X Lambda, X^T M X = I."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.linear.linearised import Linearised
from supple.types import Array


@dataclass(frozen=True)
class Modes:
    """The lowest modes, ascending."""

    vectors: Array
    """(s, n, 3) shapes, orthonormal in the mass, zero on prescribed vertices [kg^-1/2]."""
    values: Array
    """(s,) squared angular frequencies, negative in unstable equilibria [1/s^2]."""

    @property
    def count(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class RitzModes:
    """Quality of an earlier subspace for the current matrix."""

    modes: Modes
    image: Array
    """(s, n, 3) K times the vectors."""
    residual: float
    """|K X - M X Lambda| / |K X| in the norm of M^-1: 0 for exact modes, 1 for an unrelated subspace."""


def ritz_modes(linearised: Linearised, subspace: Array) -> RitzModes:
    """Rayleigh-Ritz: the best modes within an M-orthonormal subspace (s, n, 3)."""
    s, mass = len(subspace), linearised.system.mass[:, None]
    image = np.stack([linearised.stiff(x) for x in subspace])
    reduced = subspace.reshape(s, -1) @ image.reshape(s, -1).T
    values, rotation = np.linalg.eigh(0.5 * (reduced + reduced.T))
    vectors = np.tensordot(rotation.T, subspace, axes=1)
    image = np.tensordot(rotation.T, image, axes=1)
    missed = image - values[:, None, None] * mass * vectors
    whole = float(np.sqrt((image**2 / mass).sum()))
    residual = float(np.sqrt((missed**2 / mass).sum())) / whole if whole > 0.0 else 0.0
    return RitzModes(Modes(vectors, values), image, residual)
