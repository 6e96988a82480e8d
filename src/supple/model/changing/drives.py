"""Time-dependent options: their values at one time, and drives of the terms made from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from supple.checks.construction import check_values, label
from supple.energies.drive import Drive, DrivenConstants, undriven
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.formulas.curves import at_time, changes
from supple.materials.options import unchecked
from supple.types import Array

T = TypeVar("T")
TINY = 1e-300
"""Substitute for zero in bounds checks, since curves may pass through zero."""


def changing(options: Any) -> list[str]:
    """Fields of a dataclass with time-dependent values."""
    return [f.name for f in dataclasses.fields(options) if changes(getattr(options, f.name))]


def at(options: T, t: float, where: str = "") -> T:
    """The same options with values at a time [s], each within its bounds; rules that combine values apply at the start only.

    `where`: the place of the options in the scene, for messages.
    """
    names = changing(options)
    if not names:
        return options
    where = where or label(type(options))
    values = {name: at_time(getattr(options, name), t, f"{where}.{name}") for name in names}
    try:
        check_values(unchecked(options, **{name: value or TINY for name, value in values.items()}), where=where)
    except SuppleError as error:
        raise SuppleError(f"{error} at t = {t:g} s") from None
    return unchecked(options, **values)


def at_start(options: T) -> T:
    """The options at the start of a run, with 1 in place of zero, so that their terms exist and can be driven later."""
    made = at(options, 0.0)
    zero = {name: 1.0 for name in changing(options) if getattr(made, name) == 0.0}
    return unchecked(made, **zero) if zero else made


def constants_of(options: Any, column: str, other: Mapping[str, str] | None = None, where: str = "") -> Drive | None:
    """A drive for the constants of a term with the same names as the fields of the options; None if nothing changes.
    `other`: names of constants that differ from their field; `where`: place of the options in the scene, if the column is
    not."""
    names = {name: (other or {}).get(name, name) for name in changing(options)}
    if not names:
        return None

    def values(t: float) -> dict[str, Array]:
        now = at(options, t, where or column)
        return {constant: np.array([getattr(now, name)]) for name, constant in names.items()}

    return FilledConstants(column, values)


class FilledConstants(DrivenConstants):
    """Constants of a term with a single value each, whatever their shape."""

    def at(self, term: EnergyTerm, t: float) -> EnergyTerm:
        now, known = undriven(term), term.constants()
        for name, value in self.values(t).items():
            if name in known:  # options may create several terms, each with some of the constants
                now = now.with_constant(name, np.full_like(known[name], value[0]))
        return now


@dataclass(frozen=True)
class Both(Drive):
    """Several drives in sequence; their work is summed."""

    column: str
    first: Drive
    second: Drive

    def at(self, term: EnergyTerm, t: float) -> EnergyTerm:
        return self.second.at(self.first.at(term, t), t)


def driven(term: EnergyTerm, drive: Drive | None) -> EnergyTerm:
    """The term with an additional drive, at its initial value."""
    if drive is None:
        return term
    live = undriven(term)
    both = None if term.drive is None else Both(f"{term.drive.column}+{drive.column}", term.drive, drive)
    live.drive = both or drive
    return live
