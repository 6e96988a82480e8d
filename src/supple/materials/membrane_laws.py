"""Laws of membranes by Young's modulus Y and Poisson's ratio nu in plane stress; formulas in membrane_response.py.

Small strains agree with Hooke's law: pulled by a stress s along one side, an isotropic sheet becomes longer by s/Y and
narrower by nu s/Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt, Lt

from supple.errors import SuppleError
from supple.materials import MEMBRANES
from supple.materials.material import Modulus
from supple.materials.membrane import MembraneLaw
from supple.materials.membrane_response import LOGARITHMIC, QUADRATIC, RUBBER
from supple.types import Array


@MEMBRANES("stvk-membrane")
@dataclass(frozen=True)
class StVKMembrane(MembraneLaw):
    """St. Venant-Kirchhoff: a quadratic function of strain, exact under AVF; wrinkles at little cost."""

    young: Annotated[float, Gt(0)]
    """Young's modulus [Pa]."""
    poisson: Annotated[float, Gt(-1), Lt(0.5)] = 0.3
    """Poisson's ratio [-]."""

    kind: ClassVar[int] = QUADRATIC
    degree: ClassVar[int | None] = 4

    def constants(self) -> tuple[Modulus, ...]:
        stiff = self.young / (1 - self.poisson**2)
        return stiff, self.poisson * stiff, stiff, 0.5 * (1 - self.poisson) * stiff


@MEMBRANES("orthotropic-membrane")
@dataclass(frozen=True)
class OrthotropicMembrane(MembraneLaw):
    """Woven cloth: St. Venant-Kirchhoff with other moduli along the warp than along the weft; exact under AVF."""

    young_warp: Annotated[float, Gt(0)]
    """Young's modulus along the warp [Pa]."""
    young_weft: Annotated[float, Gt(0)]
    """Young's modulus across it [Pa]."""
    shear: Annotated[float, Gt(0)]
    """Shear modulus between both [Pa]."""
    poisson: float = 0.3
    """Contraction along the weft for an extension along the warp [-]; its square below young_warp / young_weft."""
    warp: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """Direction of the warp at rest, which each triangle takes as it falls into its plane; its length does not count."""

    kind: ClassVar[int] = QUADRATIC
    degree: ClassVar[int | None] = 4

    def __post_init__(self) -> None:
        ratio = np.asarray(self.young_warp) / self.young_weft
        bad = ~(np.square(self.poisson) < ratio)
        if bad.any():
            limit = np.sqrt(np.broadcast_to(ratio, bad.shape)[bad].flat[0])
            raise SuppleError(
                f"{self.name}.poisson: found {np.broadcast_to(self.poisson, bad.shape)[bad].flat[0]:g}; its size must be "
                f"below sqrt(young_warp / young_weft) = {limit:g}, or pulling at the cloth would release energy"
            )
        axis = self.axis
        if axis.shape[-1:] != (3,) or axis.ndim > 2 or not (np.isfinite(axis).all() and axis.any(axis=-1).all()):
            raise SuppleError(
                f"{self.name}.warp: found {self.warp}; give a vector of three numbers, not zero, like (1, 0, 0)"
            )

    @property
    def axis(self) -> Array:
        return np.asarray(self.warp, dtype=np.float64)

    def constants(self) -> tuple[Modulus, ...]:
        # the compliance is symmetric, nu_weft / Y_weft = nu_warp / Y_warp
        rest = 1 - np.square(self.poisson) * self.young_weft / self.young_warp
        return self.young_warp / rest, self.poisson * self.young_weft / rest, self.young_weft / rest, self.shear


@MEMBRANES("neo-hookean-membrane")
@dataclass(frozen=True)
class NeoHookeanMembrane(MembraneLaw):
    """Neo-Hookean with log det C: no triangle can be pressed to nothing."""

    young: Annotated[float, Gt(0)]
    """Young's modulus [Pa]."""
    poisson: Annotated[float, Gt(-1), Lt(0.5)] = 0.3
    """Poisson's ratio [-]."""

    kind: ClassVar[int] = LOGARITHMIC

    def constants(self) -> tuple[Modulus, ...]:
        # lam of plane stress, 2 mu lam / (lam + 2 mu) of the solid
        return self.young / (2 * (1 + self.poisson)), self.young * self.poisson / (1 - self.poisson**2)


@MEMBRANES("rubber-membrane")
@dataclass(frozen=True)
class RubberMembrane(MembraneLaw):
    """Incompressible neo-Hookean rubber, thinner where it is stretched: balloons."""

    young: Annotated[float, Gt(0)]
    """Young's modulus [Pa], three times the shear modulus."""

    kind: ClassVar[int] = RUBBER

    def constants(self) -> tuple[Modulus, ...]:
        return (self.young / 3,)
