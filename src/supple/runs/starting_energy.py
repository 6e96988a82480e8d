"""The energy at the start of a run, which must be finite."""

from __future__ import annotations

import math

import numpy as np

from supple.dynamics.invariants import Energies
from supple.errors import SceneError
from supple.types import Array

FAR = 1e15
"""Coordinates whose differences, squared twice and multiplied by moduli, may leave the range of a double [m]."""


def demand_finite(energies: Energies, x: Array) -> None:
    """Refuse a start with an infinite energy at the positions x; the message names what the energy comes from."""
    reach = float(np.abs(x).max(initial=0.0))
    if not math.isfinite(energies.total) and not reach <= FAR:
        raise SceneError(
            f"the energy at the start is {energies.total}, since vertices lie up to {reach:g} m from the origin; give smaller "
            "lengths in body.mesh, body.initial and body.motion"
        )
    if not math.isfinite(energies.kinetic):
        raise SceneError(
            f"body.initial: the kinetic energy at the start is {energies.kinetic}; velocities exceed "
            "the range of a double: give smaller ones"
        )
    if not math.isfinite(energies.elastic):
        raise SceneError(
            f"body.initial: the energy at the start is {energies.elastic}; a material with a logarithm "
            "cannot start with flat or inverted tets: change body.initial, or use stable-neo-hookean"
        )
    if not math.isfinite(energies.total):
        raise SceneError(
            f"the energy at the start is {energies.total}, and that of the materials is not; it comes from gravity, [[field]], "
            "[contact], [[obstacle]] or a motion: give smaller strengths, powers and lengths there"
        )
