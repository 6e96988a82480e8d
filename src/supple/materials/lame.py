"""Elastic moduli: from Young's modulus and Poisson's ratio to the constants that the densities use."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import SuppleError


def check_moduli(young: Any, poisson: Any) -> None:
    """Young's modulus positive, Poisson's ratio inside (-1, 1/2), for numbers or arrays."""
    young, poisson = np.asarray(young), np.asarray(poisson)
    bad = ~(np.isfinite(young) & (young > 0))
    if bad.any():
        raise SuppleError(f"young: must be positive and finite [Pa], found {young[bad].flat[0]:g}")
    bad = ~((poisson > -1) & (poisson < 0.5))
    if bad.any():
        raise SuppleError(
            f"poisson: must lie in (-1, 0.5), found {poisson[bad].flat[0]:g}; "
            "an incompressible body (0.5) has no finite bulk modulus: take 0.49"
        )


def lame(young: Any, poisson: Any) -> tuple[Any, Any]:
    """(mu, lam): mu = Y / (2 (1 + nu)), lam = nu Y / ((1 + nu)(1 - 2 nu)) [Pa]."""
    check_moduli(young, poisson)
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


def bulk_and_shear(young: Any, poisson: Any) -> tuple[Any, Any]:
    """(K, G): K = Y / (3 (1 - 2 nu)), G = Y / (2 (1 + nu)) [Pa]."""
    check_moduli(young, poisson)
    return young / (3 * (1 - 2 * poisson)), young / (2 * (1 + poisson))
