"""The roles of the terms of a sum, sorted once on construction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from supple.energies.roles.contact import ContactTerm
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.roles.driven import DrivenByAir
from supple.energies.roles.frozen import FrozenAgain, FrozenInSteps, TorqueFree
from supple.energies.roles.step_bounds import BoundsSteps
from supple.energies.roles.whole_body import WholeBody
from supple.energies.term import EnergyTerm

R = TypeVar("R")


@dataclass(frozen=True)
class Roles:
    """The terms of each role, in the order of the sum; see `energies/roles`."""

    frozen: tuple[FrozenInSteps, ...]
    torque_free: tuple[TorqueFree, ...]
    frozen_again: tuple[FrozenAgain, ...]
    barriers: tuple[BoundsSteps, ...]
    """Terms that keep bodies apart."""
    contacts: tuple[ContactTerm, ...]
    couplings: tuple[ChangingCouplings, ...]
    whole_body: tuple[WholeBody, ...]
    driven: tuple[DrivenByAir, ...]
    timed: tuple[EnergyTerm, ...]
    """Terms with time-dependent parameters."""


def sorted_by_role(terms: Sequence[EnergyTerm]) -> Roles:
    """The roles of some terms."""
    return Roles(
        _playing(FrozenInSteps, terms),
        _playing(TorqueFree, terms),
        _playing(FrozenAgain, terms),
        tuple(term for term in _playing(BoundsSteps, terms) if term.keeps_apart),
        _playing(ContactTerm, terms),
        _playing(ChangingCouplings, terms),
        _playing(WholeBody, terms),
        _playing(DrivenByAir, terms),
        tuple(term for term in terms if term.drive is not None),
    )


def _playing(role: type[R], terms: Sequence[EnergyTerm]) -> tuple[R, ...]:
    return tuple(term for term in terms if isinstance(term, role))
