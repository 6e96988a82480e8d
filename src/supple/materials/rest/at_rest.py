"""An undeformed material, at F = I: energy, stress and small-strain stiffness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from supple.types import Array

if TYPE_CHECKING:
    from supple.materials.material import Material

VOIGT = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
"""Order of the entries of Voigt's vectors: 11, 22, 33, 23, 13, 12."""
ROUNDING = 1e-9
"""Fraction of the largest stiffness that counts as zero, and relative difference that counts as equality."""
TINY = np.finfo(np.float64).tiny


@dataclass(frozen=True, eq=False)
class AtRest:
    """Values at F = I, for k sets of constants."""

    energy: Array
    """(k,) [J/m^3]"""
    stress: Array
    """(k, 3, 3) [Pa]"""
    stiffness: Array
    """(k, 6, 6) in Voigt's form over strains (e11, e22, e33, 2 e23, 2 e13, 2 e12) [Pa]."""

    @cached_property
    def lowest(self) -> Array:
        """(k,) the lowest eigenvalue of the stiffness [Pa]."""
        C = self.stiffness
        if self.isotropic:  # eigenvalues 3 lam + 2 mu, 2 mu, and mu of the shears
            return np.minimum(np.minimum(3.0 * C[:, 0, 1] + 2.0 * C[:, 5, 5], 2.0 * C[:, 5, 5]), C[:, 5, 5])
        return np.asarray(np.linalg.eigvalsh(C)[:, 0])

    @property
    def definite(self) -> bool:
        """Whether every small strain stores energy, for all sets of constants."""
        return bool((self.lowest > ROUNDING * self._largest).all())

    @property
    def weakness(self) -> str:
        """Description of small strains that the material does not resist; empty if it resists all."""
        if self.definite:
            return ""
        worst = int((self.lowest / np.maximum(self._largest, TINY)).argmin())
        if self.lowest[worst] < -ROUNDING * self._largest[worst]:
            return f"its lowest eigenvalue is {self.lowest[worst]:.3g} Pa, so some small strains grow spontaneously"
        return "its lowest eigenvalue is zero, so some small strains meet no resistance"

    @cached_property
    def isotropic(self) -> bool:
        """Whether the stiffness is isotropic, for all sets of constants."""
        C = self.stiffness
        lam, mu = C[:, 0, 1], C[:, 5, 5]
        alike = np.zeros_like(C)
        alike[:, :3, :3] = lam[:, None, None]
        for k in range(6):
            alike[:, k, k] += mu if k > 2 else 2.0 * mu
        return bool((np.abs(C - alike) <= ROUNDING * self._largest[:, None, None]).all())

    @property
    def young(self) -> Array:
        """(k, 3) uniaxial moduli along the axes [Pa]; the stiffness itself if it is singular."""
        resisted = self.lowest > ROUNDING * self._largest
        own = np.einsum("kii->ki", self.stiffness)[:, :3].copy()
        own[resisted] = 1.0 / np.einsum("kii->ki", np.linalg.inv(self.stiffness[resisted]))[:, :3]
        return own

    @property
    def poisson(self) -> Array:
        """(k, 3) contraction along the next axis for an extension along each axis [-]; nan if the stiffness is
        singular."""
        resisted = self.lowest > ROUNDING * self._largest
        found = np.full((len(resisted), 3), np.nan)
        S = np.linalg.inv(self.stiffness[resisted])
        found[resisted] = np.stack([-S[:, a, (a + 1) % 3] / S[:, a, a] for a in range(3)], axis=1)
        return found

    @property
    def shear(self) -> Array:
        """(k,) shear modulus in the plane of the first two axes [Pa]."""
        return self.stiffness[:, 5, 5]

    @property
    def bulk(self) -> Array:
        """(k,) mean pressure over volume loss for equal strains along the axes [Pa]."""
        return np.asarray(self.stiffness[:, :3, :3].sum(axis=(1, 2)) / 9.0)

    @cached_property
    def _largest(self) -> Array:
        return np.asarray(np.abs(self.stiffness).max(axis=(1, 2)))


def at_rest(material: Material, table: Array) -> AtRest:
    """The material at rest with each row of a table (k, c) of its constants; a formula needs no machine code for this."""
    k, law = len(table), material.law
    F = np.tile(np.eye(3), (k, 1, 1))
    if hasattr(law, "walk"):
        constants = dict(zip(material.constants(), np.ascontiguousarray(table.T), strict=True))
        quick = getattr(law, "at_identity", None)
        psi, P, packed = law.walk(constants, F) if quick is None else quick(constants, k)
    else:
        from supple.materials.batches import responses, tangents

        psi, P, C = np.empty(k), np.empty((k, 9)), np.empty((k, 9, 9))
        responses(law.response, table, F.reshape(-1, 9), psi, P)
        tangents(law.tangent, table, F.reshape(-1, 9), C)
        packed = C[:, *np.triu_indices(9)]
    return AtRest(psi, P.reshape(-1, 3, 3), _voigt(packed))


def _voigt(packed: Array) -> Array:
    """(k, 6, 6) from the upper half (k, 45) of dP/dF; means over ij, ji and kl, lk, since a rotation causes no strain."""
    place = np.empty((9, 9), dtype=np.intp)
    place[np.triu_indices(9)] = place.T[np.triu_indices(9)] = np.arange(45)
    C = np.empty((len(packed), 6, 6))
    for a, (i, j) in enumerate(VOIGT):
        for b, (k, n) in enumerate(VOIGT[: a + 1]):
            pairs = [(r, c) for r in (3 * i + j, 3 * j + i) for c in (3 * k + n, 3 * n + k)]
            C[:, a, b] = C[:, b, a] = 0.25 * sum(packed[:, place[r, c]] for r, c in pairs)
    return C


def stiffness_at_rest(material: Material, m: int) -> Array:
    """(m, 6, 6) stiffness of each of m elements in Voigt form [Pa]."""
    table = material.parameters(m)
    first, which = _first_rows(table)
    return np.asarray(at_rest(material, table[first]).stiffness[which])


def distinct(table: Array) -> Array:
    """The rows of a table (m, c) without repetitions."""
    return table[_first_rows(table)[0]]


def _first_rows(table: Array) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Unique rows, and the index of the unique row for each row."""
    if (table == table[:1]).all():
        return np.zeros(1, dtype=np.intp), np.zeros(len(table), dtype=np.intp)
    order = np.lexsort(table.T)  # five times as fast as np.unique of rows
    ordered = table[order]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    which = np.empty(len(table), dtype=np.intp)
    which[order] = np.cumsum(new) - 1
    return order[new], which
