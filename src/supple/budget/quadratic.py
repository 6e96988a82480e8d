"""Step length along a force that changes the kinetic energy by a given amount.

v' = v + s M^-1 f at fixed positions changes the energy by Q/2 s^2 + P s, with P = v . f and Q = f . M^-1 f.
"""

from __future__ import annotations

import math

ALIKE = 2.5
"""Ratio up to which the two roots count as equally long; accurate methods, with small corrections, stay far below it."""


def stride(P: float, Q: float, R: float, soon: float = 0.0) -> float:
    """s with Q/2 s^2 + P s + R = 0, the smaller of two roots; the closest value s = -P/Q if there is none.

    R > 0 is energy to remove, of which velocities along f hold P^2/(2 Q) at most; R < 0 can always be supplied.
    `soon` [s]: energy is supplied along a force that reverses the motion within this time, even if the opposite
    direction is slightly shorter. Otherwise a body at its turning point would be pushed outwards in every step as far
    as the force has pulled it back. It would stand still with the right energy.
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
