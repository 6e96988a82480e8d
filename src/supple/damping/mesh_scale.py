"""How much damping takes the vibration out of a mesh that a step does not resolve.

A method that conserves energy keeps every vibration, also those of single elements, which are far faster than a step can
follow and which no material has. With stiffness damping delta K v (Rayleigh's, or viscosity delta mu) AVF multiplies a mode
with h omega >> 1 by

    -(1 - 2 delta/h) / (1 + 2 delta/h)    per step

delta = h/8 makes that -0.6: gone to 1 % after nine steps. A swing of the frequency f that the step resolves is damped
with the ratio pi f h/8, an eighth of what backward Euler does to it.
"""

from __future__ import annotations

SHARE = 1.0 / 8.0
"""delta over the step."""


def mesh_scale_time(h: float) -> float:
    """The time delta for steps of h, to two digits [s]."""
    return float(f"{SHARE * h:.1e}")
