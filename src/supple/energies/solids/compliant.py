"""Tets as compliant constraints, for the densities that are squares of them (see compliant.py), V0 the rest volume:

    stvk                     Green's strain E, K = V0 (2 mu I + lam 1 1^T), shears with mu
    stable-neo-hookean       mu/2 tr C + (lam + mu)/2 (J - c)^2,  c = 1 + mu/(lam + mu)      (Macklin and Mueller 2021)
    stable-neo-hookean-log   a/2 (tr C - log(tr C + 1)) + b/2 (J - c)^2
    neo-hookean              mu/2 tr C + lam/2 (log J - c)^2,  c = mu/lam, so lam > 0
All equal the materials up to a constant; nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.energies.compliant import Compliance, Kind
from supple.materials.material import Material
from supple.materials.neo_hookean import NeoHookean
from supple.materials.stable_neo_hookean import StableNeoHookean, StableNeoHookeanLog
from supple.materials.stvk import StVK
from supple.types import Array, Ints


def tet_compliance(material: Material, parameters: Array, tets: Ints, shape: Array, volume: Array) -> Compliance | None:
    """parameters (m, c): the material's constants of all tets, shape (m, 3, 3), volume (m,); None for other densities."""
    make = _KNOWN.get(type(material))
    if make is None:
        return None
    kind, columns, stiffness = make(*parameters.T)
    if not np.isfinite(columns).all():
        return None
    both = np.concatenate([shape.reshape(-1, 9), columns], axis=1)
    return Compliance(kind, tets, np.ascontiguousarray(both), volume[:, None, None] * stiffness)


def strain_stiffness(mu: Array, lam: Array, size: int) -> Array:
    """(m, q, q) of the strains of triangles (size 2) or tets (3): normal strains first, then doubled shears [Pa]."""
    shears = size * (size - 1) // 2
    K = np.zeros((len(mu), size + shears, size + shears))
    K[:, :size, :size] = lam[:, None, None]
    for a in range(size):
        K[:, a, a] += 2.0 * mu
    for a in range(size, size + shears):
        K[:, a, a] = mu
    return K


def _both(first: Array, second: Array) -> Array:
    """(m, 2, 2) diagonal matrices."""
    return np.stack([first, np.zeros_like(first), np.zeros_like(first), second], axis=1).reshape(-1, 2, 2)


def _stvk(mu: Array, lam: Array) -> tuple[Kind, Array, Array]:
    return "tet-strain", np.empty((len(mu), 0)), strain_stiffness(mu, lam, 3)


def _log_free(mu: Array, lam: Array) -> tuple[Kind, Array, Array]:
    bulk = lam + mu
    return "neo-hookean", (1.0 + mu / bulk)[:, None], _both(mu, bulk)


def _smith(mu: Array, lam: Array) -> tuple[Kind, Array, Array]:
    a, b = 4 / 3 * mu, lam + 5 / 6 * mu
    return "neo-hookean-soft", (1 + 0.75 * a / b)[:, None], _both(a, b)


def _log(mu: Array, lam: Array) -> tuple[Kind, Array, Array]:
    with np.errstate(divide="ignore"):
        return "neo-hookean-log", (mu / lam)[:, None], _both(mu, lam)


_KNOWN: dict[type[Material], Callable[[Array, Array], tuple[Kind, Array, Array]]] = {
    StVK: _stvk,
    StableNeoHookean: _log_free,
    StableNeoHookeanLog: _smith,
    NeoHookean: _log,
}
