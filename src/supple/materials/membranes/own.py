"""User-defined membranes: the text of an energy density, and its constants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from supple.errors import SuppleError
from supple.formulas.potential import Potential
from supple.formulas.sameness import agree
from supple.materials import MEMBRANES
from supple.materials.material import Modulus
from supple.materials.membranes.membrane import MembraneLaw
from supple.materials.membranes.variables import ALONG_AXES, membrane_potential
from supple.materials.membranes.woven import check_warp
from supple.materials.options import unchecked, with_values
from supple.types import Array
from supple.values import FREE_KEYS

UNRESTED = 1e-10
"""Density and stress at rest, relative to the stiffness there, above which a formula is rejected."""
SAME = 1e-9
"""Relative difference of densities up to which they count as equal."""
STRAINS = np.random.default_rng(5).uniform(-0.05, 0.05, (12, 3))
STRAINS = np.concatenate([STRAINS, 0.1 * STRAINS])
"""Small strains at which formulas are tested for symmetry; the smaller ones count for formulas with a small domain."""


@MEMBRANES("formula-membrane")
@dataclass(frozen=True)
class OwnMembrane(MembraneLaw):
    """A formula: the energy density as text, in E11, E22, E12, I1, I2, J and constants of any name."""

    energy: str  # type: ignore[misc]
    """Density [J/m^3] of the sheet in plane stress, per volume at rest."""
    warp: tuple[float, float, float] | None = None
    """Direction of the first axis at rest, projected onto the plane of each triangle; required if the energy depends
    on the direction."""
    title: str = "formula-membrane"
    """Name in messages."""
    values: tuple[tuple[str, Modulus], ...] = field(default=(), metadata=FREE_KEYS)
    """Constants by name; in a scene file they are further keys of the table."""

    def __post_init__(self) -> None:
        for name, value in self.values:
            if not np.isfinite(value).all():
                raise SuppleError(f"{self.title}.{name}: input should be a finite number, found {value}")
        if self.warp is not None:
            check_warp(self.title, self.warp)
        try:
            self.law.demand_size()
            psi, S, D = self._walk(np.zeros((1, 3)))
        except ValueError as error:
            raise SuppleError(f"{self.title}.energy: {error}") from None
        self._demand_rest(psi[0], S[0], D[0])
        self._demand_symmetry()

    @property
    def law(self) -> Potential:
        return membrane_potential(self.energy, tuple(name for name, _ in self.values))

    def constants(self) -> dict[str, Modulus]:
        return dict(self.values)

    def with_constant(self, name: str, values: Modulus) -> Self:
        if name not in dict(self.values):
            raise SuppleError(f"{self.title}: unknown constant '{name}'; it has {', '.join(dict(self.values))}")
        return unchecked(self, values=tuple((key, values if key == name else old) for key, old in self.values))

    def scaled(self, factor: float) -> Self:
        return with_values(self, energy=f"{factor!r} * ({self.energy})")

    def _walk(self, e: Array) -> tuple[Array, Array, Array]:
        """Density, stress and tangent with the constants of the first triangle."""
        return self.law.walk({name: float(np.ravel(value)[0]) for name, value in self.values}, e)

    def _demand_rest(self, psi: Any, S: Array, D: Array) -> None:
        """Check that the undeformed sheet has neither energy nor stress."""
        if not (np.isfinite(psi) and np.isfinite(S).all() and np.isfinite(D).all()):
            raise SuppleError(f"{self.title}.energy: it is not defined at rest, where E is zero, I1 = 2 and I2 = J = 1")
        stiffness = float(np.abs(D).max())
        for offset, noun, unit in ((psi, "energy density", "J/m^3"), (S[np.abs(S).argmax()], "stress", "Pa")):
            if not abs(offset) <= UNRESTED * stiffness:
                raise SuppleError(
                    f"{self.title}.energy: at rest the {noun} should be zero, found {offset:g} {unit}; "
                    + ("subtract it" if noun == "energy density" else "add a term that balances it")
                )

    def _demand_symmetry(self) -> None:
        """Check that the energy is the same from both sides and, without a warp, in all directions."""
        if not self.law.used & ALONG_AXES:
            return
        if self._differs(lambda e: e * [1.0, 1.0, -1.0]):
            raise SuppleError(
                f"{self.title}.energy: it changes with the sign of E12, that is with the side from which the sheet is viewed; "
                "use even powers of E12"
            )
        if self.warp is None and self._differs(lambda e: _turned(e, 0.7)):
            raise SuppleError(
                f"{self.title}.warp: the energy depends on the direction; "
                "give the direction of the first axis at rest, like (1, 0, 0)"
            )

    def _differs(self, changed: Callable[[Array], Array]) -> bool:
        """Whether the density of small strains differs from that of the changed ones."""
        return not agree(self._walk(STRAINS)[0], self._walk(changed(STRAINS))[0], SAME)


def _turned(e: Array, angle: float) -> Array:
    """The same strains in axes rotated by an angle."""
    c, s = np.cos(angle), np.sin(angle)
    e1, e2, e3 = e.T
    mixed = c * s * e3
    return np.stack(
        [
            c * c * e1 + s * s * e2 + mixed,
            s * s * e1 + c * c * e2 - mixed,
            2 * c * s * (e2 - e1) + (c * c - s * s) * e3,
        ],
        axis=1,
    )


def membrane(name: str, energy: str, *, warp: Any = None, **constants: Modulus) -> OwnMembrane:
    """A user-defined membrane from its energy density [J/m^3]; constants are numbers, or arrays with one entry per triangle.

    membrane("yeoh", "c1*(I1 + 1/I2 - 3) + c2*(I1 + 1/I2 - 3)^2", c1=2e5, c2=3e4)
    """
    return OwnMembrane(energy, warp, name, tuple(constants.items()))
