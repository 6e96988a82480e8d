"""The variables of membrane densities, as functions of the strain e = (E11, E22, 2 E12).

    E11, E22, E12 of Green's strain E = (C - I)/2, C = F^T F, in a rest frame of the triangle (E12 is the entry of the
                  matrix, half of the third component of e, the shear angle between warp and weft)
    I1 = tr C,  I2 = det C = J^2,  J = sqrt(det C), the area ratio to rest        F is 3x2: these have no thickness
Each is its value at rest plus a deviation, written without the ones, in which small strains would lose digits:
    i1 = 2 (e1 + e2),   i2 = i1 + 4 e1 e2 - e3^2,   j = i2/(1 + sqrt(1 + i2))
"""

from __future__ import annotations

from functools import cache

from supple.formulas.graph import apply
from supple.formulas.potential import Potential, Variable, inputs

ALONG_AXES = frozenset({"E11", "E22", "E12"})
"""Variables that depend on the direction of the first axis."""


@cache
def variables() -> dict[str, Variable]:
    """All variables by name, with their degree in F."""
    e1, e2, e3 = inputs(3)
    i1 = 2.0 * (e1 + e2)
    i2 = i1 + (4.0 * e1 * e2 - e3 * e3)
    return {
        "E11": Variable(e1, degree=2),
        "E22": Variable(e2, degree=2),
        "E12": Variable(0.5 * e3, degree=2),
        "I1": Variable(i1, 2.0, "i1", degree=2, positive=True),
        "I2": Variable(i2, 1.0, "i2", degree=4, positive=True),
        "J": Variable(i2 / (1.0 + apply("sqrt", 1.0 + i2)), 1.0, "j", positive=True),
    }


@cache
def membrane_potential(energy: str, constants: tuple[str, ...]) -> Potential:
    """One law for all membranes with the same energy, cached for the process; raises ValueError for invalid text."""
    return Potential(energy, variables(), constants, 3)
