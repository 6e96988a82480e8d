"""Membranes with a warp and a weft: cloth, skin, leather.

Q = [Yw E11^2 + Yf E22^2 + 2 nu Yf E11 E22]/(1 - nu^2 Yf/Yw) + 4 G E12^2 is twice the density of small strains, with Young's
moduli Yw along the warp and Yf along the weft. The compliance is symmetric: nu_weft/Yf = nu/Yw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Gt

from supple.errors import SuppleError
from supple.materials import MEMBRANES
from supple.materials.membranes.membrane import MembraneLaw

Q = (
    "((young_warp*E11^2 + young_weft*E22^2 + 2*poisson*young_weft*E11*E22)/(1 - poisson^2*young_weft/young_warp)"
    " + 4*shear*E12^2)"
)


def check_warp(name: str, warp: Any) -> None:
    """Raise an error unless `warp` is a direction or a list of directions."""
    axis = np.asarray(warp, dtype=np.float64)
    if axis.shape[-1:] != (3,) or axis.ndim > 2 or not (np.isfinite(axis).all() and axis.any(axis=-1).all()):
        raise SuppleError(f"{name}.warp: found {warp}; give a vector of three numbers, not zero, like (1, 0, 0)")


@dataclass(frozen=True)
class Woven(MembraneLaw):
    """Moduli along a warp and a weft."""

    young_warp: Annotated[float, Gt(0)]
    """Young's modulus along the warp [Pa]."""
    young_weft: Annotated[float, Gt(0)]
    """Young's modulus across it [Pa]."""
    shear: Annotated[float, Gt(0)]
    """Shear modulus between warp and weft [Pa]."""
    poisson: float = 0.3
    """Contraction along the weft for an extension along the warp [-]; its square below young_warp / young_weft."""
    warp: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """Direction of the warp at rest, projected onto the plane of each triangle; its length is ignored."""

    def __post_init__(self) -> None:
        ratio = np.asarray(self.young_warp) / self.young_weft
        bad = ~(np.square(self.poisson) < ratio)
        if bad.any():
            limit = np.sqrt(np.broadcast_to(ratio, bad.shape)[bad].flat[0])
            raise SuppleError(
                f"{self.name}.poisson: found {np.broadcast_to(self.poisson, bad.shape)[bad].flat[0]:g}; its magnitude must be "
                f"below sqrt(young_warp / young_weft) = {limit:g}, or stretching the cloth would release energy"
            )
        check_warp(self.name, self.warp)


@MEMBRANES("orthotropic-membrane")
@dataclass(frozen=True)
class OrthotropicMembrane(Woven):
    """Woven cloth: St. Venant-Kirchhoff with different moduli along warp and weft; exact under AVF."""

    energy: ClassVar[str] = f"{Q}/2"


@MEMBRANES("fung-membrane")
@dataclass(frozen=True)
class FungMembrane(Woven):
    """Skin, leather, soft tissue: soft at first, then stiffer by an exponential of the strain (Fung 1967)."""

    stiffening: Annotated[float, Gt(0)] = 10.0
    """b [-]: stretching along the warp multiplies the stiffness at rest by (1 + 2 b E^2) exp(b E^2)."""

    energy: ClassVar[str] = f"young_warp/(2*stiffening)*(exp(stiffening/young_warp*{Q}) - 1)"
