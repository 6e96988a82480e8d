"""Coefficients of friction of all vertices, which may change with time, and the friction terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from supple.contact.friction import Friction
from supple.energies.drive import DrivenAs
from supple.energies.roles.contact import ContactTerm
from supple.energies.term import EnergyTerm
from supple.formulas.curves import at_time, changes
from supple.model.changing.drives import driven
from supple.model.contact import Contact
from supple.model.contacts.surroundings import Surroundings
from supple.model.obstacle import Obstacle
from supple.types import Array

Coefficients = Callable[[float], tuple[Array, bool]]
"""(n,) coefficients of all vertices at a time [s], and whether they change."""


def on_shape(around: Surroundings, obstacle: Obstacle, t: float) -> tuple[Array, bool]:
    """Coefficients of bodies on a shape: the mean of both if a body has its own."""
    mu, moves = np.zeros(around.whole.n), changes(obstacle.friction)
    given = at_time(obstacle.friction, t, f"{obstacle.name or 'obstacle'}.friction")
    for placed in around.bodies:
        own = placed.body.friction
        moves = moves or changes(own)
        mu[placed.span] = given if own is None else (at_time(own, t, f"{placed.name}.friction") + given) / 2.0
    return mu, moves


def between_surfaces(around: Surroundings, contact: Contact, t: float) -> tuple[Array, bool]:
    """Coefficients of bodies and mesh obstacles: their own, or the default of contact."""
    mu, moves = np.full(around.whole.n, at_time(contact.friction, t, "contact.friction")), changes(contact.friction)
    for placed in around.placed:
        own = placed.of.friction
        moves = moves or changes(own)
        if own is not None:
            mu[placed.span] = at_time(own, t, f"{placed.name}.friction")
    return mu, moves


def rubbing(contacts: Sequence[ContactTerm], coefficients: Coefficients, creep: float, mass: Array) -> list[EnergyTerm]:
    """Friction on these contacts; none if all coefficients are zero at all times."""
    mu, moves = coefficients(0.0)
    if not (mu.any() or moves):
        return []
    drive = DrivenAs("friction", lambda term, t: term.with_coefficients(coefficients(t)[0])) if moves else None
    return [driven(Friction(contact, mu, creep, mass), drive) for contact in contacts]
