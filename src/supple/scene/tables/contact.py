"""Contact between bodies: `[contact]`, one table."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Strict

from supple.scene.tables.fields import NotNegative, Positive
from supple.scene.text.registry_models import Table

Stiffness: TypeAlias = Positive | Literal["auto"]
"""A number, or chosen for the scene: see `scene.pressure`."""
CREEP = 1e-3
"""Speed below which friction creeps instead of holding, unless a scene says otherwise [m/s]."""


class Contact(Table):
    """A barrier between the surfaces of all bodies and mesh obstacles, and within each body."""

    distance: Positive | None = None
    """Gap at which surfaces begin to feel each other: their distance, less half of both thicknesses [m]. If absent: the
    smallest `body.thickness`, or 1 % of the smallest body's longest side where none is given."""
    stiffness: Stiffness = "auto"
    """Stiffness kappa of the barrier [Pa]: at half the distance it presses with about 4 kappa."""
    friction: NotNegative = 0.0
    """Coefficient of bodies and mesh obstacles without one of their own; a contact has the mean of its two sides [-]."""
    creep: Positive = CREEP
    """Speed below which friction does not hold: bodies at rest on a slope creep more slowly than this [m/s]."""
    self_contact: Annotated[bool, Strict()] = True
    """Whether parts of one body keep each other off; `body.self_contact` says otherwise for a body."""
