"""L-stable SDIRK methods of order 3 (Alexander 1977) and 4 (Hairer and Wanner 1996, table IV.6.5): all stages have the same k.

SDIRK3: g is the root 0.4359 of g^3 - 3 g^2 + 3/2 g - 1/6; SDIRK4: g = 1/4. Equations: dirk.py. Stiff motion is damped
immediately. The order holds for resolved motion; driven stiff motion shows a lower one, since stages are of order 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from supple.dynamics.step import Conserved
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.dirk import Dirk
from supple.integrators.implicit.tableau import Ratio, Tableau

G = 0.43586652150845899942


@INTEGRATORS("sdirk3")
@dataclass(frozen=True)
class SDIRK3(Dirk):
    """Third order and L-stable at the cost of three solves."""

    tableau: ClassVar[Tableau] = Tableau(
        3, ((G,), ((1 - G) / 2, G), (-(6 * G * G - 16 * G + 1) / 4, (6 * G * G - 20 * G + 5) / 4, G))
    )
    choose: ClassVar[str] = "for motion to a few digits, with unresolved frequencies damped"


@INTEGRATORS("sdirk4")
@dataclass(frozen=True)
class SDIRK4(Dirk):
    """Fourth order and L-stable at the cost of five solves."""

    tableau: ClassVar[Tableau] = Tableau(
        4,
        (
            (1 / 4,),
            (1 / 2, 1 / 4),
            (Ratio(17, 50), Ratio(-1, 25), 1 / 4),
            (Ratio(371, 1360), Ratio(-137, 2720), Ratio(15, 544), 1 / 4),
            (Ratio(25, 24), Ratio(-49, 48), Ratio(125, 16), Ratio(-85, 12), 1 / 4),
        ),
    )
    choose: ClassVar[str] = "for accurate motion of stiff bodies, or as a reference"
    conserves: ClassVar[tuple[Conserved, ...]] = ()  # linear momentum up to round-off, which weights up to 34 amplify
