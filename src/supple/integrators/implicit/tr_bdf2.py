"""TR-BDF2 and SDIRK: a trapezoidal stage over a fraction g of the step, then a BDF2 stage over all of it. Order 2.

    t = g h/2:  xg = argmin 1/2 |x - (x0 + 2t v0 + t^2 a0)|_M^2 + t^2 V(x),  vg = (xg - x0)/t - v0
    w = 1/(g (2 - g)),  X = x0 + w (xg - x0),  V likewise,  k = h (1 - g)/(2 - g)
    x1 = argmin 1/2 |x - (X + k V)|_M^2 + k^2 V(x),  v1 = (x1 - X)/k
g = 1/2: TR-BDF2, which is Bathe's composite method. g = 2 - sqrt(2): both stages share k, the L-stable SDIRK of order 2.
Stiff motion is damped; on strongly nonlinear bodies the energy may rise for a while.
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
    """Accurate and L-stable at the price of two solves."""

    fraction: ClassVar[float] = 0.5
    tableau: ClassVar[Tableau] = trapezoid_bdf2(fraction)
    choose: ClassVar[str] = "for accurate, calm motion without chosen damping"


@INTEGRATORS("bathe")
@dataclass(frozen=True)
class Bathe(TRBDF2):
    """The structural engineer's name for TR-BDF2."""


@INTEGRATORS("sdirk")
@dataclass(frozen=True)
class SDIRK2(TRBDF2):
    """Two stages with the same matrix."""

    fraction: ClassVar[float] = 2 - math.sqrt(2)
    tableau: ClassVar[Tableau] = trapezoid_bdf2(fraction)
