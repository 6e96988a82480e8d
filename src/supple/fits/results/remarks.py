"""Effects of the method on a fit: numerical damping mistaken for that of the material, and known frequency errors.

Numerical damping acts on the fitted motion too, so a fitted damping constant is too small, and zero if the
method damps more than the body. A linear vibration of angular frequency w has in midpoint-like methods the frequency of a
body whose stiffness is smaller by [(h w/2)/tan(h w/2)]^2, w as observed; a fit compensates for it:

    E_fit/E = [tan(h w/2)/(h w/2)]^2
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from supple.fits.keys import parts_of
from supple.fits.losses.targets import Target
from supple.integrators.method import Method
from supple.types import Array

LIKE_MIDPOINT = ("avf", "midpoint", "trapezoid", "simo-tarnow", "gonzalez")
"""Methods that agree with the implicit midpoint rule on linear vibrations."""
STIFF = ("young", "mu", "lam", "stretch", "shear", "bend", "stiffness", "axial", "rigidity", "stiffer")
"""Keys of a material whose common change scales its forces."""
SWINGS = 1.5
"""Smallest number of periods of a target for estimating its frequency."""
FEWEST = 8
"""Smallest number of rows of such a target."""
FINE = 16
"""Trial frequencies per additional period in the duration of the target."""


def is_damping(key: str) -> bool:
    """Whether a key is a constant of damping."""
    parts = parts_of(key) if key else ()
    return bool(parts) and (parts[0] == "damping" or "damping" in parts or "viscosity" in parts)


def is_stiffness(key: str) -> bool:
    """Whether a key is a stiffness of a material."""
    parts = parts_of(key)
    return parts[0] == "body" and parts[-1] in STIFF and ("material" in parts or "regions" in parts)


def damping_remarks(method: Method, keys: Sequence[str], h: float) -> list[str]:
    """Warnings about damping constants fitted with a numerically dissipative method."""
    said = method.facts.damping
    asked = [key for key in keys if is_damping(key)]
    if said.startswith("none") or not asked:
        return []
    return [
        f"{', '.join(asked)}: {method.name} has numerical damping ({said}), also at h = {h:.4g} s; the fit attributes it to the "
        "material and underestimates its damping. Fit with avf, which has no numerical damping: --set integrator.name=avf"
    ]


def stiffness_factor(method: Method, h: float, w: float | None) -> float | None:
    """E_fit/E of a stiffness fitted to vibrations of angular frequency w [1/s]; None if unknown."""
    if w is None or method.name not in LIKE_MIDPOINT or not 0.0 < h * w < math.pi:
        return None
    return (math.tan(0.5 * h * w) / (0.5 * h * w)) ** 2


def observed_frequency(target: Target) -> float | None:
    """Angular frequency of the largest oscillation of a target [1/s]: that of the best-fitting cosine about a mean; None if
    the target has less than one and a half periods."""
    t = target.times - target.times[0]
    x = target.x if target.x.ndim == 2 else target.x.mean(axis=1)
    if len(t) < FEWEST:
        return None
    row = x[:, int(np.argmax(x.var(axis=0)))]
    spacing = 2.0 * math.pi / t[-1] / FINE
    known = np.arange(FINE, FINE * (len(t) - 1) // 2) * spacing
    left = np.array([_left(t, row, w) for w in known])
    k = int(np.argmin(left))
    if k in (0, len(left) - 1):
        return None
    a, b, c = left[k - 1 : k + 2]
    bend = a - 2.0 * b + c
    w = float(
        known[k] + (0.5 * (a - c) / bend * spacing if bend else 0.0)
    )  # the vertex of a parabola through three points
    return w if w * t[-1] >= 2.0 * math.pi * SWINGS else None


def _left(t: Array, row: Array, w: float) -> float:
    """Sum of squared residuals of a motion after subtracting the best a + b cos(w t) + c sin(w t)."""
    A = np.stack([np.ones_like(t), np.cos(w * t), np.sin(w * t)], axis=1)
    found = np.linalg.lstsq(A, row, rcond=None)[0]
    return float(np.sum((row - A @ found) ** 2))
