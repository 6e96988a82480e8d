"""Orthotropic solids with the nine engineering constants along the axes X, Y and Z of the rest shape.

The compliance is [[1/E1, -nu12/E1, -nu13/E1], [., 1/E2, -nu23/E2], [., ., 1/E3]]; its inverse has the entries c11, c12 ... of

    W = 1/2 sum_ab c_ab E_aa E_bb + 2 (G12 E12^2 + G13 E13^2 + G23 E23^2)        with Green's strain E
nu12 is the contraction along Y over the extension along X under tension along X.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from annotated_types import Gt

from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial
from supple.materials.lame import bulk_and_shear
from supple.materials.material import Modulus
from supple.types import Array

AXIAL = (
    "(E1*(1 - nu23^2*E3/E2)*E11^2 + E2*(1 - nu13^2*E3/E1)*E22^2 + E3*(1 - nu12^2*E2/E1)*E33^2"
    " + 2*(E2*nu12 + E3*nu13*nu23)*E11*E22 + 2*E3*(nu13 + nu12*nu23)*E11*E33 + 2*E3*(nu23 + nu12*nu13*E2/E1)*E22*E33)"
    "/(1 - nu12^2*E2/E1 - nu13^2*E3/E1 - nu23^2*E3/E2 - 2*nu12*nu13*nu23*E3/E1)"
)
"""sum_ab c_ab E_aa E_bb."""
SHEARS = "G12*E12^2 + G13*E13^2 + G23*E23^2"
SHEAR_MODULI = ("G12", "G13", "G23")


@dataclass(frozen=True)
class Engineering(FormulaMaterial):
    """The nine constants, and their stiffness."""

    E1: Annotated[float, Gt(0)]
    """Young's modulus along X [Pa]."""
    E2: Annotated[float, Gt(0)]
    """Young's modulus along Y [Pa]."""
    E3: Annotated[float, Gt(0)]
    """Young's modulus along Z [Pa]."""
    nu12: float
    """Poisson's ratio along Y for tension along X [-]."""
    nu13: float
    """Poisson's ratio along Z for tension along X [-]."""
    nu23: float
    """Poisson's ratio along Z for tension along Y [-]."""
    G12: Annotated[float, Gt(0)]
    """Shear modulus in the plane of X and Y [Pa]."""
    G13: Annotated[float, Gt(0)]
    """Shear modulus in the plane of X and Z [Pa]."""
    G23: Annotated[float, Gt(0)]
    """Shear modulus in the plane of Y and Z [Pa]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, first, second in (("nu12", "E1", "E2"), ("nu13", "E1", "E3"), ("nu23", "E2", "E3")):
            ratio = np.asarray(getattr(self, name))
            bound = np.sqrt(np.asarray(getattr(self, first)) / getattr(self, second))
            if not np.all(np.abs(ratio) < bound):
                raise SuppleError(
                    f"{self.name}.{name}: must be between -{np.min(bound):.4g} and {np.min(bound):.4g}, the root of "
                    f"{first}/{second}, found {ratio.flat[np.argmax(np.abs(ratio) - bound)]:g}"
                )
        lowest = np.linalg.eigvalsh(self._scaled_compliance()).min()
        if not lowest > 0:
            raise SuppleError(
                f"{self.name}: nu12, nu13 and nu23 together give a stiffness that is not positive definite (lowest "
                f"eigenvalue of the scaled compliance {lowest:.3g}); make one of them smaller"
            )

    def _scaled_compliance(self) -> Array:
        """sqrt(E_a) S_ab sqrt(E_b), (3, 3) or one per element: ones on the diagonal, so no digits are lost."""

        def ratio(nu: Any, first: Any, second: Any) -> Any:
            return -nu * np.sqrt(second / first)

        E1, E2, E3 = map(np.asarray, (self.E1, self.E2, self.E3))
        a, b, c = ratio(self.nu12, E1, E2), ratio(self.nu13, E1, E3), ratio(self.nu23, E2, E3)
        a, b, c, one = np.broadcast_arrays(a, b, c, 1.0)
        return np.stack([np.stack(row, axis=-1) for row in ([one, a, b], [a, one, c], [b, c, one])], axis=-2)

    @property
    def about_young(self) -> float:
        return float(max(np.max(e) for e in (self.E1, self.E2, self.E3)))

    @classmethod
    def isotropic(cls, young: Modulus, poisson: Modulus) -> dict[str, Any]:
        """The constants of an isotropic solid."""
        shear = bulk_and_shear(young, poisson)[1]
        axial: dict[str, Any] = dict.fromkeys(("E1", "E2", "E3"), young)
        return axial | dict.fromkeys(("nu12", "nu13", "nu23"), poisson) | dict.fromkeys(SHEAR_MODULI, shear)


@MATERIALS("orthotropic")
@dataclass(frozen=True)
class Orthotropic(Engineering):
    """St. Venant-Kirchhoff with three moduli; Young and Poisson alone give the isotropic law.

    Quartic in F, so AVF conserves its energy exactly. Use it for wood, laminates, printed parts and bone at moderate
    strains: like its isotropic counterpart, it is weak in strong compression.

    Source: S. G. Lekhnitskii, Theory of Elasticity of an Anisotropic Body, Mir 1981.
    """

    energy: ClassVar[str] = f"({AXIAL})/2 + 2*({SHEARS})"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        return cls(**cls.isotropic(young, poisson))


@MATERIALS("fung-orthotropic")
@dataclass(frozen=True)
class FungOrthotropic(Engineering):
    """Fung's exponential of an orthotropic quadratic form; from Young and Poisson isotropic, with c as large as Young.

    At small strains it is `orthotropic` with the same constants; c is the energy at which it begins to stiffen, and
    as c grows the exponential fades away. Use it for arteries, heart muscle and skin measured along and across their
    grain.

    Source: C. J. Chuong, Y. C. Fung, Three-dimensional stress distribution in arteries, Journal of Biomechanical Engineering
    105, 1983; in the constants of FEBio.
    """

    c: Annotated[float, Gt(0)]
    """Energy density at which stiffening begins [Pa]."""

    energy: ClassVar[str] = f"c/2*(exp(({AXIAL} + 4*({SHEARS}))/c) - 1)"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        return cls(**cls.isotropic(young, poisson) | {"c": young})
