"""Simple tests of a solid: driven and free entries of F, and the resulting stress.

    uniaxial     F = diag(a, ., .), sides free                          P11
    biaxial      F = diag(a, a, .), thickness free                      mean of P11 and P22
    pure-shear   F = diag(a, 1, .), a wide strip, thickness free        P11
    shear        F = I + a e1 e2^T                                      P12
    volumetric   F = a^(1/3) I, where a is J                            d density / dJ
Free entries are found by equilibrium.py. They include shears, which solids with oblique fibres develop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from supple.errors import SuppleError
from supple.types import Array
from supple.wording import suggestion

AXES = {"x": 0, "y": 1, "z": 2}
Place = tuple[int, int]
ACROSS: tuple[Place, ...] = ((2, 2), (0, 2), (1, 2))
"""Thickness and the shears with it; those below the diagonal are zero, which fixes the rotation."""


@dataclass(frozen=True)
class Loading:
    """A simple test along an axis; the other axes follow cyclically."""

    name: str
    amount: str
    """Noun and symbol of the amount."""
    stress: str
    """Noun of the stress."""
    rest: float
    """The amount at rest."""
    stretches: Callable[[Array], tuple[Array, Array, Array]]
    """The diagonal of F, in which free entries preserve the volume."""
    free: tuple[Place, ...] = ()
    measured: tuple[Place, ...] = ((0, 0),)
    """Entries of P whose mean is the stress."""
    slope: float = field(kw_only=True)
    """Stress over the amount at rest of an incompressible solid, in units of Young's modulus."""

    def gradients(self, a: Array, axis: int) -> Array:
        """(m, 3, 3) F for the amounts a (m,); its free entries are a first guess."""
        F = np.zeros((len(a), 3, 3))
        for k, stretch in enumerate(self.stretches(a)):
            F[:, k, k] = stretch
        if self.name == "shear":
            F[:, 0, 1] = a
        return np.roll(F, (axis, axis), axis=(1, 2))

    def places(self, axis: int) -> list[int]:
        """Free entries, counted row by row."""
        return [3 * ((i + axis) % 3) + (j + axis) % 3 for i, j in self.free]

    def answer(self, F: Array, P: Array, axis: int) -> Array:
        """(m,) stresses."""
        if self.name == "volumetric":  # dF/dJ = F/(3 J)
            return np.asarray(np.einsum("mij,mij->m", P, F) / (3 * np.linalg.det(F)))
        turned = np.roll(P, (-axis, -axis), axis=(1, 2))
        return np.asarray(np.mean([turned[:, i, j] for i, j in self.measured], axis=0))


def _ones(a: Array) -> Array:
    return np.ones_like(a)


LOADINGS = {
    one.name: one
    for one in (
        Loading(
            "uniaxial", "stretch", "nominal stress", 1.0, lambda a: (a, a**-0.5, a**-0.5),
            ((1, 1), (0, 1), *ACROSS), slope=1.0,
        ),
        Loading(
            "biaxial", "stretch", "nominal stress", 1.0, lambda a: (a, a, a**-2), ACROSS, ((0, 0), (1, 1)), slope=2.0
        ),
        Loading("pure-shear", "stretch", "nominal stress", 1.0, lambda a: (a, _ones(a), 1 / a), ACROSS, slope=4 / 3),
        Loading(
            "shear", "amount of shear", "nominal stress", 0.0, lambda a: (_ones(a), _ones(a), _ones(a)), (), ((0, 1),),
            slope=1 / 3,
        ),
        Loading("volumetric", "J", "mean stress", 1.0, lambda a: (np.cbrt(a),) * 3, slope=np.inf),
    )
}  # fmt: skip
"""All tests by name."""
SHOWN = ("uniaxial", "biaxial", "shear", "volumetric")
"""Tests drawn by default."""


def find_loading(name: str) -> Loading:
    if name not in LOADINGS:
        raise SuppleError(f"unknown mode '{name}'{suggestion(name, LOADINGS)}")
    return LOADINGS[name]


def find_axis(name: str) -> int:
    if name not in AXES:
        raise SuppleError(f"axis: found '{name}'; give x, y or z")
    return AXES[name]
