"""How far to go along a force so that the kinetic energy changes by what is owed.

v' = v + s M^-1 f at fixed positions changes the energy by Q/2 s^2 + P s, with P = v . f and Q = f . M^-1 f.
"""

from __future__ import annotations

import math

ALIKE = 2.5
"""Ratio up to which two ways count as equally long. Steps of accurate methods owe little, and their ways are far from it."""


def stride(P: float, Q: float, R: float, soon: float = 0.0) -> float:
    """s with Q/2 s^2 + P s + R = 0, the smaller of two; s = -P/Q, which comes nearest, if there is none.

    R > 0 is energy to be taken, of which velocities along f hold P^2/(2 Q) at most; R < 0 can always be given. `soon` [s]:
    energy is given along a force that turns the motion within this time, even if the way against it is a little shorter. A
    body at its turning point would otherwise be pushed outwards in every step as far as the force has drawn it back, and
    stand still with the right energy.
    """
    if R == 0.0:
        return 0.0
    disc = P * P - 2.0 * Q * R
    if disc < 0.0:
        return -P / Q
    if R < 0.0 and P < 0.0:
        turned, shorter = (math.sqrt(disc) - P) / Q, (math.sqrt(disc) + P) / Q
        if turned <= min(soon, ALIKE * shorter):
            return turned
    # 2 R / q instead of (-P + ...)/Q: no cancellation; P = 0 counts as a force that accelerates
    return -2.0 * R / (P + math.copysign(math.sqrt(disc), P + 0.0))
