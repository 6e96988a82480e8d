"""Contact between bodies: a barrier between the surfaces of all bodies and mesh obstacles, and within each body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from supple.checks import checked
from supple.formulas.curves import NotNegativeChanging
from supple.values import Positive

Stiffness: TypeAlias = Positive | Literal["auto"]
"""A number, or chosen for the world: see `model.contacts.pressing`."""
CREEP = 1e-3
"""Speed below which friction creeps instead of holding, unless a scene says otherwise [m/s]."""


@checked
@dataclass(frozen=True)
class Contact:
    """A barrier between the surfaces of all bodies and mesh obstacles, and within each body."""

    distance: Positive | None = None
    """Gap at which surfaces begin to feel each other: their distance, less half of both thicknesses [m]. If absent: the
    smallest `body.thickness`, or 1 % of the smallest body's longest side where none is given."""
    stiffness: Stiffness = "auto"
    """Stiffness kappa of the barrier [Pa]: at half the distance it presses with about 4 kappa."""
    friction: NotNegativeChanging = 0.0
    """Coefficient of bodies and mesh obstacles without one of their own; a contact has the mean of its two sides [-]."""
    creep: Positive = CREEP
    """Speed below which friction does not hold: bodies at rest on a slope creep more slowly than this [m/s]."""
    self_contact: bool = True
    """Whether parts of one body keep each other off; `body.self_contact` says otherwise for a body."""
