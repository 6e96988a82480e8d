"""Sand: Hencky's energy with the Drucker-Prager cone (Klar 2016). It resists pressure and shear by friction, no tension.

sum e >= 0:  e = 0;   else dg = |dev e| + (3 lam + 2 mu)/(2 mu) alpha sum e > 0:  e -= dg dev e/|dev e|
The cone matches the Mohr-Coulomb law for one stress state only; phi is the friction angle:
    plane-strain   alpha = sqrt(2) sin(phi)/3                       slopes and heaps are stable up to phi
    compression    alpha = sqrt(2/3) 2 sin(phi)/(3 - sin(phi))      a sample under axial compression yields at phi (Klar);
                                                                    slopes are stable far steeper, at 55 degrees for phi = 35
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Lt

from supple.materials.flow import FLOWS
from supple.materials.flow.flow import PrincipalReturn, Return
from supple.materials.flow.hencky import PlasticHencky, deviation, hencky, logarithms, recompose, yielded
from supple.materials.kernel import LANES
from supple.materials.material import Modulus


@FLOWS("sand")
@dataclass(frozen=True)
class Sand(PlasticHencky):
    """Dry grains: a heap rests at its friction angle."""

    angle: Annotated[float, Gt(0), Lt(90)] = 35.0
    """Angle of internal friction [degrees]."""
    cone: Literal["plane-strain", "compression"] = "plane-strain"
    """Stress state at which the cone is fitted to that angle: slopes, or samples under axial compression."""

    def constants(self) -> dict[str, Modulus]:
        mu, lam = self.lame
        sine = np.sin(np.radians(self.angle))
        pressed = np.sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine)
        alpha = pressed if self.cone == "compression" else np.sqrt(2.0) * sine / 3.0
        return {"mu": mu, "lam": lam, "slope": (3.0 * lam + 2.0 * mu) / (2.0 * mu) * alpha}

    @property
    def returns(self) -> Return:
        return RETURN


def flow(constants, stretch, U, V, F, taken):
    W = LANES
    ones, e = np.ones(3), np.empty(3)
    for q in range(W):
        taken[q] = taken[W + q] = 0.0
        mu, lam, slope = constants[q], constants[W + q], constants[2 * W + q]
        if not logarithms(stretch, q, e):
            continue
        length, mean = deviation(e)
        dg = length + slope * 3.0 * mean
        if mean >= 0.0:
            taken[q] = hencky(mu, lam, e)
            recompose(U, ones, V, F, q)
        elif dg > 0.0:
            taken[q] = yielded(mu, lam, dg, length, mean, e, U, V, F, q)


RETURN = PrincipalReturn(flow)
