"""TR-BDF2 and SDIRK: a trapezoidal stage over a fraction g of the step, then a BDF2 stage over the whole step. Order 2.

    t = g h/2:  xg = argmin 1/2 |x - (x0 + 2t v0 + t^2 a0)|_M^2 + t^2 V(x),  vg = (xg - x0)/t - v0
    w = 1/(g (2 - g)),  X = x0 + w (xg - x0),  V in the same way, k = h (1 - g)/(2 - g)
    x1 = argmin 1/2 |x - (X + k V)|_M^2 + k^2 V(x),  v1 = (x1 - X)/k
g = 1/2: TR-BDF2, which is Bathe's composite method. g = 2 - sqrt(2): both stages share k, the L-stable SDIRK of order 2.
Stiff motion is damped; for strongly nonlinear bodies the energy may rise temporarily.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from supple.integrators import INTEGRATORS
from supple.integrators.implicit.dirk import Dirk
from supple.integrators.implicit.tableau import Ratio, Tableau


def trapezoid_bdf2(g: float) -> Tableau:
    """The trapezoidal rule over a fraction g, then BDF2."""
    half, old = Ratio(g, 2.0), Ratio(1.0, 2.0 * (2.0 - g))
    return Tableau(2, ((0.0,), (half, half), (old, old, Ratio(1.0 - g, 2.0 - g))))


@INTEGRATORS("tr-bdf2")
@dataclass(frozen=True)
class TRBDF2(Dirk):
    """Accurate and L-stable at the cost of two solves."""

    fraction: ClassVar[float] = 0.5
    tableau: ClassVar[Tableau] = trapezoid_bdf2(fraction)
    choose: ClassVar[str] = "for accurate, calm motion without explicit damping"


@INTEGRATORS("bathe")
@dataclass(frozen=True)
class Bathe(TRBDF2):
    """The name of TR-BDF2 in structural dynamics."""


@INTEGRATORS("sdirk")
@dataclass(frozen=True)
class SDIRK2(TRBDF2):
    """Two stages with the same matrix."""

    fraction: ClassVar[float] = 2 - math.sqrt(2)
    tableau: ClassVar[Tableau] = trapezoid_bdf2(fraction)
