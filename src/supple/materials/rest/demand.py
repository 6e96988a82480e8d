"""Requirements on the formula of a material: zero energy and zero stress at rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.errors import WrongOption
from supple.materials.rest.at_rest import AtRest
from supple.types import Array

UNRESTED = 1e-10
"""Density and stress at rest, relative to the stiffness there, above which a formula is rejected."""


def demand_rest(label: str, names: Sequence[str], table: Array, rest: AtRest) -> None:
    """Check that the undeformed body has neither energy nor stress, for the constants of all its elements."""
    for finite in (rest.energy, rest.stress, rest.stiffness):
        bad = np.flatnonzero(~np.isfinite(finite).reshape(len(table), -1).all(axis=1))
        if bad.size:
            sentence = f"it is not defined at rest, where F is the identity{_with(names, table, bad[0])}"
            raise WrongOption(label, "energy", sentence)
    stiffness = np.abs(rest.stiffness).reshape(len(table), -1).max(axis=1)
    stress = rest.stress.reshape(len(table), -1)
    largest = np.take_along_axis(stress, np.abs(stress).argmax(axis=1)[:, None], axis=1)[:, 0]
    for offset, noun, unit, way in (
        (rest.energy, "energy density", "J/m^3", "subtract it"),
        (largest, "stress", "Pa", "add a term that balances it"),
    ):
        bad = np.flatnonzero(~(np.abs(offset) <= UNRESTED * stiffness))
        if bad.size:
            found = f"found {offset[bad[0]]:g} {unit}{_with(names, table, bad[0])}"
            raise WrongOption(label, "energy", f"at rest the {noun} should be zero, {found}; {way}")


def _with(names: Sequence[str], table: Array, row: int) -> str:
    """The constants concerned, if there are several sets."""
    if len(table) == 1:
        return ""
    return " with " + ", ".join(f"{name} = {value:g}" for name, value in zip(names, table[row], strict=True))
