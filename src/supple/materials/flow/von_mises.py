"""Metal and clay: Hencky's energy with the yield condition of von Mises, perfectly plastic.

dg = |dev e| - |dev tau|_y/(2 mu) > 0:  e -= dg dev e/|dev e|,   |dev tau|_y = sqrt(2/3) yield_stress
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Gt

from supple.materials.flow import FLOWS
from supple.materials.flow.flow import PrincipalReturn, Return
from supple.materials.flow.hencky import PlasticHencky, deviation, logarithms, yielded
from supple.materials.kernel import LANES
from supple.materials.material import Modulus


@FLOWS("von-mises")
@dataclass(frozen=True)
class VonMises(PlasticHencky):
    """Flows when the shear stress reaches a limit; the volume is preserved."""

    yield_stress: Annotated[float, Gt(0)]
    """Stress at which a bar yields under tension [Pa]."""

    def constants(self) -> dict[str, Modulus]:
        mu, lam = self.lame
        return {"mu": mu, "lam": lam, "limit": self.yield_stress * np.sqrt(2.0 / 3.0) / (2.0 * mu)}

    @property
    def returns(self) -> Return:
        return RETURN


def flow(constants, stretch, U, V, F, taken):
    W = LANES
    e = np.empty(3)
    for q in range(W):
        taken[q] = taken[W + q] = 0.0
        mu, lam, limit = constants[q], constants[W + q], constants[2 * W + q]
        if not logarithms(stretch, q, e):
            continue
        length, mean = deviation(e)
        if length > limit:
            taken[q] = yielded(mu, lam, length - limit, length, mean, e, U, V, F, q)


RETURN = PrincipalReturn(flow)
