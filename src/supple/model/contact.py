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
"""Default speed below which friction creeps instead of sticking [m/s]."""


@checked
@dataclass(frozen=True)
class Contact:
    """A barrier between the surfaces of all bodies and mesh obstacles, and within each body."""

    distance: Positive | None = None
    """Gap at which contact between surfaces begins: their distance minus half of both thicknesses [m]. If absent: the
    smallest `body.thickness`, or else 1 % of the smallest body's longest side."""
    stiffness: Stiffness = "auto"
    """Stiffness kappa of the barrier [Pa]: the pressure at half the distance is about 4 kappa."""
    friction: NotNegativeChanging = 0.0
    """Default coefficient of bodies and mesh obstacles; a contact uses the mean of its two sides [-]."""
    creep: Positive = CREEP
    """Speed below which friction does not stick: bodies at rest on a slope creep more slowly than this [m/s]."""
    self_contact: bool = True
    """Whether bodies have self-contact; `body.self_contact` overrides it for a body."""
