"""Rounded parameters of first scenes, from the size of a body."""

from __future__ import annotations

import math

import numpy as np

from supple.damping.mesh_scale import mesh_scale_time

GRAVITY = 9.81
STEP = "1/60"
H = 1.0 / 60.0
DAMPING = mesh_scale_time(H)


def rounded(value: float, digits: int = 1) -> float:
    """Rounded to `digits` significant digits."""
    return float(f"{value:.{digits - 1}e}") if math.isfinite(value) else value


def number(value: float) -> str:
    """As TOML, short: 5e4, 0.002, 1.5."""
    text = f"{value:.4g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return text if "." in text or "e" in text else f"{text}.0"


def vector(values: object) -> str:
    """As TOML."""
    return "[" + ", ".join(number(rounded(float(v), 4) + 0.0) for v in np.asarray(values)) + "]"


def sides(values: object) -> str:
    """Side lengths as text: 0.3 x 0.2 x 0.1 m."""
    return " x ".join(f"{float(v):.3g}" for v in np.asarray(values)) + " m"


def softness(density: float, size: float, strain: float) -> float:
    """Young's modulus of a body with a given strain under its own weight [Pa]."""
    return rounded(density * GRAVITY * size / strain)
