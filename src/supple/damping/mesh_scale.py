"""Damping required to remove mesh-scale vibration that a step does not resolve.

A method that conserves energy keeps every vibration, including those of single elements, which are much faster than a
step can resolve and exist in no material. With stiffness damping delta K v (Rayleigh's, or viscosity delta mu), AVF
multiplies a mode with h omega >> 1 by

    -(1 - 2 delta/h) / (1 + 2 delta/h)    per step

delta = h/8 gives -0.6: the mode decays to 1 % within nine steps. A resolved oscillation of frequency f is damped with
the ratio pi f h/8, an eighth of the numerical damping of backward Euler.
"""

from __future__ import annotations

SHARE = 1.0 / 8.0
"""delta over the step."""


def mesh_scale_time(h: float) -> float:
    """The time delta for steps of h, to two digits [s]."""
    return float(f"{SHARE * h:.1e}")
