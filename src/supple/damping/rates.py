"""The variables of a dissipation potential: deformation rates and the state of deformation.

    Edot11 ... Edot23 of the rate of Green's strain, Edot = sym(F^T Fdot)      (shears are entries: Edot12 = Edot21)
    D11 ... D23 of the rate of deformation, D = sym(Fdot F^-1) = F^-T Edot F^-1
    Fdot11 ... Fdot33
    F11 ... F33, E11 ... E23, I1, I2, J of the state, as in energies           (constants while a step is solved)
Inputs are the nine entries of Fdot, row by row.
"""

from __future__ import annotations

from functools import cache

from supple.formulas.graph import Node, leaf
from supple.formulas.potential import Potential, Variable, inputs
from supple.materials.variables import ENTRIES, total, variables

AXES = range(3)
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
STATE = ("I1", "I2", "J", *(f"E{a + 1}{b + 1}" for a, b in PAIRS))


@cache
def rates() -> dict[str, Variable]:
    """All variables by name, with their degree in the rates."""
    rate = [[inputs(9)[3 * i + j] for j in AXES] for i in AXES]
    F = [[leaf(ENTRIES[3 * i + j]) for j in AXES] for i in AXES]
    inverse = _inverse(F)
    spatial = [[total(rate[i][k] * inverse[k][j] for k in AXES) for j in AXES] for i in AXES]
    found = {name: Variable(v.deviation, v.rest, degree=0, positive=name == "J") for name, v in _state().items()}
    for a, b in PAIRS:
        first, second = (total(F[k][m] * rate[k][n] for k in AXES) for m, n in ((a, b), (b, a)))
        found[f"Edot{a + 1}{b + 1}"] = Variable(first if a == b else 0.5 * (first + second), degree=1)
    for a, b in PAIRS:
        entry = spatial[a][a] if a == b else 0.5 * (spatial[a][b] + spatial[b][a])
        found[f"D{a + 1}{b + 1}"] = Variable(entry, degree=1)
    for k, name in enumerate(ENTRIES):
        found[f"Fdot{name[1:]}"] = Variable(inputs(9)[k], degree=1)
    return found


@cache
def dissipation_potential(text: str, constants: tuple[str, ...]) -> Potential:
    """One potential for all dampers with the same text, cached for the process; raises ValueError for invalid text."""
    return Potential(text, rates(), constants, 9, ENTRIES, "a dissipation potential")


def _state() -> dict[str, Variable]:
    return {name: Variable(v.deviation, v.rest) for name, v in variables().items() if name in STATE}


def _inverse(F: list[list[Node]]) -> list[list[Node]]:
    """By cofactors."""

    def minor(i: int, j: int) -> Node:
        a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        return F[a][c] * F[b][d] - F[a][d] * F[b][c]

    determinant = total(F[0][k] * minor(0, k) for k in AXES)
    return [[minor(j, i) / determinant for j in AXES] for i in AXES]
