"""Elastic moduli: from Young's modulus and Poisson's ratio to the constants used by the densities."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.values import Deferred, poisson_ratio


def check_moduli(young: Any, poisson: Any) -> None:
    """Check Young's modulus > 0 and Poisson's ratio in (-1, 1/2), for numbers or arrays; fields pass until evaluated."""
    if isinstance(young, Deferred) or isinstance(poisson, Deferred):
        return
    young, poisson = np.asarray(young), np.asarray(poisson)
    bad = ~(np.isfinite(young) & (young > 0))
    if bad.any():
        found = young[bad].flat[0]
        wanted = "greater than 0" if np.isfinite(found) else "a finite number"
        raise SuppleError(f"young: input should be {wanted}, found {found:g}")
    bad = ~((poisson > -1) & (poisson < 0.5))
    if bad.any():
        try:
            poisson_ratio(float(poisson[bad].flat[0]))
        except ValueError as error:
            raise SuppleError(f"poisson: {error}") from None


def check_lame(name: str, mu: Any, lam: Any) -> None:
    """Check for a positive bulk modulus lam + 2/3 mu, for numbers or arrays; lam < 0 is an auxetic body."""
    if isinstance(mu, Deferred) or isinstance(lam, Deferred):
        return
    mu, lam = np.broadcast_arrays(mu, lam)
    bad = ~(lam > -2 / 3 * mu)
    if bad.any():
        raise SuppleError(
            f"{name}.lam: must be above -2/3 mu = {-2 / 3 * mu[bad].flat[0]:g} [Pa], found {lam[bad].flat[0]:g}; "
            "otherwise the bulk modulus is not positive"
        )


def lame(young: Any, poisson: Any) -> tuple[Any, Any]:
    """(mu, lam): mu = Y / (2 (1 + nu)), lam = nu Y / ((1 + nu)(1 - 2 nu)) [Pa]."""
    check_moduli(young, poisson)
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


def bulk_and_shear(young: Any, poisson: Any) -> tuple[Any, Any]:
    """(K, G): K = Y / (3 (1 - 2 nu)), G = Y / (2 (1 + nu)) [Pa]."""
    check_moduli(young, poisson)
    return young / (3 * (1 - 2 * poisson)), young / (2 * (1 + poisson))
