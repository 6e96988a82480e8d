"""A weakly compressible fluid: pressure by Tait's equation, no shear stiffness, optional viscosity.

p = K/g (J^-g - 1),   psi = K/g (J^(1-g)/(g-1) + J - g/(g-1)),   tau = -p J I + J viscosity (C + C^T - 2/3 tr C I)
F returns to J^(1/3) I after each step, without dissipation: J' = J det(I + grad u) is exact. Choose K so that the
speed of sound sqrt(K/rho) is ten times the flow speed: the density then changes by about a percent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt

from supple.materials.flow import FLOWS
from supple.materials.flow.flow import FlowMaterial, Return
from supple.materials.formula import FormulaLaw
from supple.materials.formula_material import FormulaMaterial
from supple.materials.kernel import LANES
from supple.materials.material import Modulus
from supple.materials.principal.law import PrincipalLaw
from supple.types import Array


@FLOWS("fluid")
@dataclass(frozen=True)
class Fluid(FormulaMaterial, FlowMaterial):
    """Water and more viscous fluids."""

    takes_energy: ClassVar[bool] = False
    energy: ClassVar[str] = "bulk/gamma*(J^(1 - gamma)/(gamma - 1) + J - gamma/(gamma - 1))"

    bulk: Annotated[float, Gt(0)]
    """Bulk modulus at rest [Pa]."""
    gamma: Annotated[float, Gt(1)] = 7.0
    """Exponent of the pressure [-]."""
    viscosity: Annotated[float, Ge(0)] = 0.0
    """Shear viscosity [Pa s]."""

    @property
    def law(self) -> FormulaLaw | PrincipalLaw:
        return super().law

    def constants(self) -> dict[str, Modulus]:
        return {"bulk": self.bulk, "gamma": self.gamma, "viscosity": self.viscosity}

    @property
    def returns(self) -> Return:
        return RETURN

    @property
    def wave_modulus(self) -> float:
        return float(np.max(self.bulk))

    def stiffening(self, F: Array, history: Array) -> float:
        smallest = max(float(np.linalg.det(F).min(initial=1.0)), 1e-3)
        return float(min(smallest, 1.0) ** (-0.5 * (float(np.max(self.gamma)) + 1.0)))

    @property
    def viscous(self) -> Modulus:
        return self.viscosity


def flow(constants, F, taken):
    W = LANES
    for q in range(W):
        taken[q] = taken[W + q] = 0.0
        J = (
            F[q] * (F[4 * W + q] * F[8 * W + q] - F[5 * W + q] * F[7 * W + q])
            - F[W + q] * (F[3 * W + q] * F[8 * W + q] - F[5 * W + q] * F[6 * W + q])
            + F[2 * W + q] * (F[3 * W + q] * F[7 * W + q] - F[4 * W + q] * F[6 * W + q])
        )
        side = np.cbrt(J)
        for ij in range(9):
            F[ij * W + q] = side if ij % 4 == 0 else 0.0


RETURN = Return(flow)
